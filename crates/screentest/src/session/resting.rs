//! Whether a program waits for input and all it wrote is shown; and letting time pass.
//!
//! Elsewhere: what the system tells (`pty/rest.rs`).

use super::Session;
use crate::patience::Patience;
use crate::pty::Activity;
use crate::wait::{self, Answer, Subject, Unanswered};

/// Whether anything is still to come of what a program was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing is, until it is given more, or acts of its own accord.
    Yes,
    /// Something may be.
    NotYet,
    /// Nobody knows.
    Unknown,
}

/// What ended a time that was let pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lapse {
    /// It is over.
    Over,
    /// Nothing will be shown any more.
    Ended,
    /// Somebody interrupted it.
    Interrupted,
}

impl Session {
    /// Whether the program waits for input, with nothing under way in either direction.
    pub(crate) fn rests(&self) -> Rest {
        let intake = &self.intake;
        let before = intake.tail.total();
        match intake.pty.activity() {
            Activity::Waiting => {}
            Activity::Busy => return Rest::NotYet,
            Activity::Unknown => return Rest::Unknown,
        }
        // What it wrote before it waited is read to its end here; and what was read may have been a question, whose answer it
        // is about to get.
        self.catch_up();
        let answered = intake.tail.total() != before || intake.outbox.is_waiting();
        let half_shown = intake.board.lock().synchronized_until.is_some();
        match answered || half_shown {
            true => Rest::NotYet,
            false => Rest::Yes,
        }
    }

    /// Reads what the program writes until a time is over.
    pub(crate) fn let_pass(&self, patience: &Patience) -> Lapse {
        let never = |_: &wait::Now<'_>| Answer::<()>::No;
        match wait::wait(&self.intake, Subject::Screens, patience, never) {
            Err(Unanswered::TimedOut) => Lapse::Over,
            Err(Unanswered::Interrupted) => Lapse::Interrupted,
            // A terminal that cannot be read shows nothing either.
            Ok(()) | Err(Unanswered::Ended(_) | Unanswered::Closed | Unanswered::Failed(_)) => {
                Lapse::Ended
            }
        }
    }
}
