//! Pauses during which the program's output is read.

use std::time::Duration;

use super::Session;
use crate::session::wait;
use crate::session::wait::limits::WaitLimits;
use crate::session::wait::{Answer, Subject, Unanswered};

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
    pub fn pause(&self, patience: &WaitLimits) -> PauseEnd {
        self.pause_until(patience, |_| false)
    }

    /// Reads the program's output until the time has passed or the screen changes.
    pub(in crate::session) fn pause_until_shown(&self, patience: &WaitLimits) -> PauseEnd {
        let revision = self.shown().revision;
        self.pause_until(limits, |now| now.last.revision != revision)
    }

    fn pause_until(
        &self,
        patience: &WaitLimits,
        shown: impl Fn(&wait::Now<'_>) -> bool,
    ) -> PauseEnd {
        let ask = |now: &wait::Now<'_>| {
            if shown(now) {
                Answer::Yes(())
            } else {
                Answer::No
            }
        };
        match wait::wait(&self.intake, Subject::Screens, limits, ask) {
            Ok(()) => PauseEnd::Shown,
            Err(Unanswered::TimedOut) => PauseEnd::Over,
            Err(Unanswered::Interrupted) => PauseEnd::Interrupted,
            // A terminal that cannot be read shows nothing new either.
            Err(Unanswered::Ended(_) | Unanswered::Closed | Unanswered::Failed(_)) => {
                PauseEnd::Ended
            }
        }
    }

    /// Like [`Session::pause_until_shown`], by the system's clock if the session's own clock is
    /// manual.
    pub(in crate::session) fn pause_for_real(
        &self,
        time: Duration,
        patience: &WaitLimits,
    ) -> PauseEnd {
        if !self.intake.clock.is_manual() {
            return self.pause_until_shown(&limits.with_timeout(time));
        }
        self.real_time.pass(time);
        let interrupt = limits.interrupt.as_ref();
        match (
            interrupt.is_some_and(|it| it.is_raised()),
            self.intake.board.lock().closing,
        ) {
            (true, _) => PauseEnd::Interrupted,
            (false, true) => PauseEnd::Ended,
            (false, false) => PauseEnd::Over,
        }
    }
}
