//! Observation of a session, for example by a recorder.
//!
//! The session reports the events at its terminal as [`SessionEvent`]s, and does not depend on the
//! code that receives them. The recorder is in `recording/session.rs`.

use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use screentest_core::{Identity, Screen, Secrets, Size};

use super::Session;
use crate::app::App;
use crate::lock::lock;
use crate::pty::Pty;
use crate::pty::signal::Signal;
use crate::session::exit_status::ExitStatus;
use crate::session::input::log::{AutoWaitTimeout, InputKind};

/// Receives the events of a session.
///
/// `Any` lets the module that implements an observer find it again in [`Session::observer`].
pub(crate) trait SessionObserver: Any + Debug + Send + Sync {
    /// Receives one event. Called under the locks that [`SessionEvent`] documents, so it must not
    /// use the session.
    fn observe(&self, event: SessionEvent<'_>);

    /// Waits while the observer is far behind, for at most `timeout`. Returns whether it can take
    /// more. The session reads no output while it cannot, because [`SessionObserver::observe`] may
    /// not block for long: the emulator is locked meanwhile.
    fn wait_for_room(&self, timeout: Duration) -> bool {
        let _ = timeout;
        true
    }

    /// Called when the session is closed and nothing more is read. May use the session.
    fn session_closed(&self, session: &Session);
}

/// Attaches an observer to a session that is about to start, such as a recorder.
pub trait AttachAtStart: Debug + Send + Sync {
    /// Called once per session, before anything of it is read.
    fn attach_to(&self, session: &Session);
}

/// Something that happened at the terminal of a session.
#[derive(Debug)]
pub(crate) enum SessionEvent<'a> {
    /// The program wrote these bytes. The emulator is locked and has just interpreted them.
    Output(&'a [u8]),
    /// The terminal is about to send this reply to a query. The emulator and the input queue are
    /// locked.
    Reply(&'a [u8]),
    /// This screen is about to be published. The emulator is locked.
    Screen {
        /// The screen, with secrets.
        screen: &'a Screen,
        /// It shows a synchronized update that took too long.
        unfinished: bool,
    },
    /// This input is about to be sent. The input queue is locked.
    Input {
        /// The call that caused it.
        input: &'a InputKind,
        /// The encoded bytes.
        bytes: &'a [u8],
        /// The terminal, whose settings decide whether the input is echoed.
        pty: &'a dyn Pty,
    },
    /// The last input was sent although the program was not ready for it.
    AutoWaitTimeout(AutoWaitTimeout),
    /// The terminal was resized. The emulator is locked.
    Resize(Size),
    /// This signal is about to be sent.
    Signal(Signal),
    /// A caller attaches a name or data to this moment.
    Mark {
        /// The name.
        name: Option<&'a str>,
        /// The data.
        data: serde_json::Value,
    },
    /// The program has exited, and its output was read. Reported again when the session closes.
    Exit(ExitStatus),
}

/// Facts about the start of a session that observers may store.
#[derive(Debug)]
pub(crate) struct SessionOrigin {
    /// The program; `None` for a session on an existing terminal.
    pub(crate) app: Option<App>,
    pub(crate) size: Size,
    pub(crate) scrollback: usize,
    pub(crate) identity: Identity,
    pub(crate) hostname: String,
    /// The secrets that the session masks.
    pub(crate) secrets: Secrets,
}

impl Session {
    /// Locks the observer that was set last. It stays here after it was detached, so that its
    /// module can ask for its result. Attaching and detaching require this lock.
    pub(crate) fn observer(&self) -> MutexGuard<'_, Option<Arc<dyn SessionObserver>>> {
        lock(&self.observer)
    }

    /// Attaches an observer before anything was read. It first receives the blank screen.
    pub(crate) fn attach_observer_at_start(&self, observer: Arc<dyn SessionObserver>) {
        self.reader.attach_observer_at_start(observer);
    }

    /// Attaches an observer to a running session. It first receives the current state as output.
    /// `known_size` is the last size that the observer received.
    pub(crate) fn attach_observer(&self, observer: Arc<dyn SessionObserver>, known_size: Size) {
        self.reader.attach_observer(observer, known_size);
    }

    /// Sends no more events to the attached observer.
    pub(crate) fn detach_observer(&self) {
        self.reader.detach_observer();
    }

    /// Returns whether an observer is attached.
    pub(crate) fn is_observed(&self) -> bool {
        self.reader.is_observed()
    }

    /// Sends an event to the attached observer, if any.
    pub(crate) fn report_event(&self, event: SessionEvent<'_>) {
        self.reader.report_event(event);
    }

    /// Returns the facts about the start of the session.
    pub(crate) fn origin(&self) -> &SessionOrigin {
        &self.origin
    }

    /// Returns whether the session is being closed.
    pub(crate) fn is_closing(&self) -> bool {
        self.reader.state.lock().is_closing()
    }

    /// Returns the terminal's current size.
    pub(crate) fn current_size(&self) -> Size {
        self.reader.emulator().screen().size
    }
}
