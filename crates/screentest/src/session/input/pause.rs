//! Letting time pass while the program's output is read.

use std::time::Duration;

use super::Session;
use crate::session::wait;
use crate::session::wait::limits::Patience;
use crate::session::wait::{Answer, Subject, Unanswered};

/// What ended a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PauseEnd {
    /// Its time is over.
    Over,
    /// Something new is shown.
    Shown,
    /// Nothing will be shown any more.
    Ended,
    /// It was interrupted.
    Interrupted,
}

impl Session {
    /// Reads the program's output until a time is over.
    #[cfg(feature = "render")]
    pub(crate) fn pause(&self, patience: &Patience) -> PauseEnd {
        self.pause_until(patience, |_| false)
    }

    /// Reads the program's output until a time is over or something new is shown.
    pub(in crate::session) fn pause_until_shown(&self, patience: &Patience) -> PauseEnd {
        let revision = self.shown().revision;
        self.pause_until(patience, |now| now.last.revision != revision)
    }

    fn pause_until(&self, patience: &Patience, shown: impl Fn(&wait::Now<'_>) -> bool) -> PauseEnd {
        let ask = |now: &wait::Now<'_>| match shown(now) {
            true => Answer::Yes(()),
            false => Answer::No,
        };
        match wait::wait(&self.intake, Subject::Screens, patience, ask) {
            Ok(()) => PauseEnd::Shown,
            Err(Unanswered::TimedOut) => PauseEnd::Over,
            Err(Unanswered::Interrupted) => PauseEnd::Interrupted,
            // A terminal that cannot be read shows nothing either.
            Err(Unanswered::Ended(_) | Unanswered::Closed | Unanswered::Failed(_)) => {
                PauseEnd::Ended
            }
        }
    }

    /// Pauses like [`Session::pause_until_shown`], by the system's clock where the session's own stands still.
    pub(in crate::session) fn pause_for_real(
        &self,
        time: Duration,
        patience: &Patience,
    ) -> PauseEnd {
        if !self.intake.clock.is_manual() {
            return self.pause_until_shown(&patience.of(time));
        }
        self.real_time.pass(time);
        let interrupt = patience.interrupt.as_ref();
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
