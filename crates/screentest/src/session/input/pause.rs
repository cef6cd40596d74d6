//! Pauses during which the program's output is read.

use std::time::Duration;

use super::Session;
use crate::session::wait;
use crate::session::wait::limits::WaitLimits;
use crate::session::wait::{Evaluation, WaitContext, WaitEnd, WaitSubject};

/// Why a pause ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseEnd {
    /// The time has passed.
    Over,
    /// The screen has changed.
    Shown,
    /// The program has exited or the session was closed.
    Ended,
    /// Another thread interrupted it.
    Interrupted,
}

impl Session {
    /// Reads the program's output until the time has passed.
    #[doc(hidden)]
    pub fn pause(&self, limits: &WaitLimits) -> PauseEnd {
        self.pause_until(limits, |_| false)
    }

    /// Reads the program's output until the time has passed or the screen changes.
    pub(in crate::session) fn pause_until_shown(&self, limits: &WaitLimits) -> PauseEnd {
        let revision = self.shown().revision;
        self.pause_until(limits, |now| now.last.revision != revision)
    }

    fn pause_until(
        &self,
        limits: &WaitLimits,
        is_shown: impl Fn(&WaitContext<'_>) -> bool,
    ) -> PauseEnd {
        let evaluate = |now: &WaitContext<'_>| {
            if is_shown(now) {
                Evaluation::Ready(())
            } else {
                Evaluation::Pending
            }
        };
        match wait::wait(&self.reader, WaitSubject::Screens, limits, evaluate) {
            Ok(()) => PauseEnd::Shown,
            Err(WaitEnd::TimedOut) => PauseEnd::Over,
            Err(WaitEnd::Interrupted) => PauseEnd::Interrupted,
            // A terminal that cannot be read shows nothing new either.
            Err(WaitEnd::Ended(_) | WaitEnd::Closed | WaitEnd::Failed(_)) => PauseEnd::Ended,
        }
    }

    /// Like [`Session::pause_until_shown`], by the system's clock if the session's own clock is
    /// manual.
    pub(in crate::session) fn pause_for_real(
        &self,
        time: Duration,
        limits: &WaitLimits,
    ) -> PauseEnd {
        if !self.reader.clock.is_manual() {
            return self.pause_until_shown(&limits.with_timeout(time));
        }
        self.real_time.pass(time);
        let interrupt = limits.interrupt.as_ref();
        match (
            interrupt.is_some_and(|it| it.is_raised()),
            self.is_closing(),
        ) {
            (true, _) => PauseEnd::Interrupted,
            (false, true) => PauseEnd::Ended,
            (false, false) => PauseEnd::Over,
        }
    }
}
