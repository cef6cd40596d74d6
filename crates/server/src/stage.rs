//! A session as clients know it: a name, and a terminal in which one program follows another.
//!
//! A client counts what it sees through all of them: the revisions of a program go on where those of the one before ended.
//! Nothing that is asked here shows a secret: the terminal has them covered for whoever asks.
//!
//! Elsewhere: the terminal itself ([`Tui`]).

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use screentest::core::{Screen, Secrets, State};
use screentest::{App, Frame, Interrupt, Session, Tui, TuiError};

use crate::subscription::Subscription;
use crate::wire::Failure;

/// A named session.
#[derive(Debug)]
pub(crate) struct Stage {
    name: String,
    tui: Tui,
    playing: Mutex<Playing>,
    /// Another program has begun, or nobody should wait for one any more.
    changed: Condvar,
    pub(crate) subscription: Mutex<Option<Subscription>>,
}

#[derive(Debug, Default)]
struct Playing {
    session: Option<Arc<Session>>,
    /// How many programs there have been.
    programs: u64,
    /// What is added to the revisions of this one.
    base: u64,
}

impl Stage {
    pub(crate) fn new(name: String, tui: Tui) -> Stage {
        Stage {
            name,
            tui,
            playing: Mutex::default(),
            changed: Condvar::new(),
            subscription: Mutex::default(),
        }
    }

    /// What clients call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its terminal.
    pub(crate) fn tui(&self) -> &Tui {
        &self.tui
    }

    /// What must not be shown.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.tui.options().secrets
    }

    /// Starts a program in place of the one before.
    pub(crate) fn launch(&self, app: App) -> Result<(), TuiError> {
        let launched = self.tui.launch(app);
        let mut playing = self.playing();
        if let Some(before) = playing.session.take() {
            playing.base += before.frame().revision + 1;
        }
        playing.session = self.tui.session().ok();
        playing.programs += 1;
        self.changed.notify_all();
        launched
    }

    /// Ends the program at once.
    pub(crate) fn kill(&self) {
        if let Ok(session) = self.tui.session() {
            // What could not be ended is in the hands of its supervisor.
            let _ = session.kill();
        }
    }

    /// The program that runs, or has run.
    pub(crate) fn session(&self, doing: &str) -> Result<Arc<Session>, Failure> {
        self.tui
            .session()
            .map_err(|error| Failure::of(doing, &error))
    }

    /// What is shown now.
    pub(crate) fn screen(&self) -> Result<Screen, Failure> {
        Ok(self.session("viewport sync")?.screen())
    }

    /// What is shown now, with at most so many rows of what scrolled out.
    pub(crate) fn state(&self, scrollback: usize) -> Result<State, Failure> {
        Ok(self.session("viewport sync")?.state(scrollback))
    }

    /// The number by which clients know a frame of the program that is there now.
    pub(crate) fn revision(&self, frame: &Frame) -> u64 {
        self.playing().base + frame.revision
    }

    /// What was shown at a revision that a client knows; `None` where it is of a program before, or forgotten.
    pub(crate) fn frame_at(&self, revision: u64) -> Option<Arc<Frame>> {
        let playing = self.playing();
        let own = revision.checked_sub(playing.base)?;
        playing.session.as_ref()?.frame_at(own)
    }

    fn playing(&self) -> MutexGuard<'_, Playing> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// For those who follow what is shown.
impl Stage {
    /// The program after the one of this number, once there is one; `None` when told to stop.
    pub(crate) fn program_after(
        &self,
        number: u64,
        stop: &Interrupt,
    ) -> Option<(u64, Arc<Session>)> {
        let mut playing = self.playing();
        loop {
            if stop.is_raised() {
                return None;
            } else if let Some(session) = &playing.session
                && playing.programs > number
            {
                return Some((playing.programs, Arc::clone(session)));
            }
            playing = self
                .changed
                .wait(playing)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has those who follow look whether they should stop.
    pub(crate) fn call_off(&self, stop: &Interrupt) {
        stop.raise();
        // Whoever has looked and not yet begun to wait holds the lock.
        drop(self.playing());
        self.changed.notify_all();
    }
}
