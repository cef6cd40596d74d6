//! How long a wait may take, and how another thread ends it early.
//!
//! A wait that somebody no longer wants should not last until its time is over: a server is told to cancel a request, and
//! whoever follows a screen is told to stop. An [`Interrupt`] wakes the waits that were given it and no others, so that two
//! who wait for one program do not disturb each other.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use screentest_core::Appeared;

use crate::session::reader::Intake;

/// How long a wait may take, and what may end it early. A [`Duration`] is one that nothing ends early.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Patience {
    /// How long.
    pub timeout: Duration,
    /// What ends it early.
    pub interrupt: Option<Interrupt>,
    /// Which matches satisfy it.
    pub appeared: Appeared,
}

impl Patience {
    /// Also accepts text that was on the screen before Enter.
    ///
    /// ```
    /// use std::time::Duration;
    /// use screentest::{Appeared, Patience};
    ///
    /// let patience = Patience::from(Duration::from_secs(5)).anytime();
    /// assert_eq!(patience.appeared, Appeared::Anytime);
    /// ```
    #[must_use]
    pub fn anytime(mut self) -> Patience {
        self.appeared = Appeared::Anytime;
        self
    }

    /// The same for another time.
    pub(crate) fn of(&self, timeout: Duration) -> Patience {
        Patience {
            timeout,
            ..self.clone()
        }
    }
}

impl From<Duration> for Patience {
    fn from(timeout: Duration) -> Patience {
        Patience {
            timeout,
            interrupt: None,
            appeared: Appeared::default(),
        }
    }
}

/// Ends waits from another thread: [`WaitError::Interrupted`](crate::WaitError::Interrupted). A clone is the same one.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use screentest::pty::scripted::ScriptedPty;
/// use screentest::{Interrupt, Options, Session, WaitError};
///
/// let options = Options::default();
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
pub struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    raised: AtomicBool,
    /// Where somebody waits who is to be woken.
    waiting: Mutex<Vec<Weak<Intake>>>,
    /// Wakes those who wait for nothing else.
    told: Condvar,
}

impl Interrupt {
    /// One that has not been raised.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Ends every wait that was given it, now and from now on.
    pub fn raise(&self) {
        // Told before anybody is woken: who begins to wait meanwhile looks at it first.
        self.0.raised.store(true, Ordering::SeqCst);
        let waiting = self.waiting();
        for intake in waiting.iter().filter_map(Weak::upgrade) {
            intake.look_again();
        }
        self.0.told.notify_all();
    }

    /// Blocks for so long by the system's clock, or until it is raised.
    pub fn pause(&self, time: Duration) {
        let waiting = self.waiting();
        let waited = self
            .0
            .told
            .wait_timeout_while(waiting, time, |_| !self.is_raised());
        drop(waited);
    }

    /// Whether it has been raised.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }

    /// A wait of at most so long, which this ends early.
    pub fn within(&self, timeout: Duration) -> Patience {
        Patience {
            interrupt: Some(self.clone()),
            ..Patience::from(timeout)
        }
    }

    /// Has whoever waits there woken, until what is returned is dropped.
    pub(crate) fn watch(&self, intake: &Arc<Intake>) -> Watched {
        let intake = Arc::downgrade(intake);
        self.waiting().push(Weak::clone(&intake));
        Watched {
            interrupt: self.clone(),
            intake,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Weak<Intake>>> {
        self.0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interrupt").field(&self.is_raised()).finish()
    }
}

/// A wait that an interrupt knows of.
pub(crate) struct Watched {
    interrupt: Interrupt,
    intake: Weak<Intake>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut waiting = self.interrupt.waiting();
        let place = waiting.iter().position(|one| one.ptr_eq(&self.intake));
        if let Some(place) = place {
            waiting.swap_remove(place);
        }
    }
}
