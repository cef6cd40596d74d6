//! Limits of a wait: its timeout, and an interrupt by which another thread ends it early.
//!
//! A wait that is no longer needed should not last until its timeout, for example when a server
//! cancels a request or a client stops following a screen. An [`Interrupt`] wakes only the waits
//! that it was given to, so waits of different callers for one program do not disturb each other.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::Duration;

use screentest_core::Appeared;

use crate::lock::lock;
use crate::session::reader::PtyReader;

/// Limits of a wait. A [`Duration`] converts to limits without an interrupt.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WaitLimits {
    /// The timeout.
    pub timeout: Duration,
    /// Ends the wait early.
    pub interrupt: Option<Interrupt>,
    /// Which matches satisfy it.
    pub appeared: Appeared,
}

impl WaitLimits {
    /// Also accepts text that was on the screen before Enter.
    ///
    /// ```
    /// use std::time::Duration;
    /// use screentest::Appeared;
    /// use screentest::session::WaitLimits;
    ///
    /// let limits = WaitLimits::from(Duration::from_secs(5)).anytime();
    /// assert_eq!(limits.appeared, Appeared::Anytime);
    /// ```
    #[must_use]
    pub fn anytime(mut self) -> WaitLimits {
        self.appeared = Appeared::Anytime;
        self
    }

    /// Returns the same limits with another timeout.
    pub(crate) fn with_timeout(&self, timeout: Duration) -> WaitLimits {
        WaitLimits {
            timeout,
            ..self.clone()
        }
    }
}

impl From<Duration> for WaitLimits {
    fn from(timeout: Duration) -> WaitLimits {
        WaitLimits {
            timeout,
            interrupt: None,
            appeared: Appeared::default(),
        }
    }
}

/// Ends waits from another thread:
/// [`WaitError::Interrupted`](crate::session::WaitError::Interrupted). Clones share one state.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use screentest::pty::scripted::ScriptedPty;
/// use screentest::Session;
/// use screentest::session::{Interrupt, SessionOptions, WaitError};
///
/// let options = SessionOptions::default();
/// let session = Session::over(Arc::new(ScriptedPty::new(options.size)), options)?;
/// let interrupt = Interrupt::new();
/// let other = interrupt.clone();
/// let thread = std::thread::spawn(move || other.raise());
/// let ended = session.wait_for("never shown", interrupt.within(Duration::MAX));
/// assert!(matches!(ended, Err(WaitError::Interrupted { .. })));
/// # thread.join().unwrap();
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Interrupt(Arc<InterruptState>);

#[derive(Default)]
struct InterruptState {
    raised: AtomicBool,
    /// Sessions whose waits must be woken.
    waiting: Mutex<Vec<Weak<PtyReader>>>,
    /// Wakes threads in [`Interrupt::pause`].
    pauses: Condvar,
}

impl Interrupt {
    /// Creates an interrupt that has not been raised.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Ends all waits that it was given to, current and future ones.
    pub fn raise(&self) {
        // Set before waking: a wait that begins meanwhile checks it first.
        self.0.raised.store(true, Ordering::SeqCst);
        let waiting = self.waiting();
        for reader in waiting.iter().filter_map(Weak::upgrade) {
            reader.reevaluate_waits();
        }
        self.0.pauses.notify_all();
    }

    /// Blocks for this long by the system's clock, or until the interrupt is raised.
    pub fn pause(&self, time: Duration) {
        let waiting = self.waiting();
        let waited = self
            .0
            .pauses
            .wait_timeout_while(waiting, time, |_| !self.is_raised());
        drop(waited);
    }

    /// Returns whether the interrupt has been raised.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }

    /// Returns the limits of a wait with this timeout and interrupt.
    pub fn within(&self, timeout: Duration) -> WaitLimits {
        WaitLimits {
            interrupt: Some(self.clone()),
            ..WaitLimits::from(timeout)
        }
    }

    /// Wakes waits of this session when raised, until the returned value is dropped.
    pub(crate) fn register(&self, reader: &Arc<PtyReader>) -> InterruptRegistration {
        let reader = Arc::downgrade(reader);
        self.waiting().push(Weak::clone(&reader));
        InterruptRegistration {
            interrupt: self.clone(),
            reader,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Weak<PtyReader>>> {
        lock(&self.0.waiting)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interrupt").field(&self.is_raised()).finish()
    }
}

/// Registration of a session with an interrupt.
pub(crate) struct InterruptRegistration {
    interrupt: Interrupt,
    reader: Weak<PtyReader>,
}

impl Drop for InterruptRegistration {
    fn drop(&mut self) {
        let mut waiting = self.interrupt.waiting();
        let place = waiting.iter().position(|one| one.ptr_eq(&self.reader));
        if let Some(place) = place {
            waiting.swap_remove(place);
        }
    }
}
