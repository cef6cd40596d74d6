//! Waiting until a program has shown what it had to show.
//!
//! A program that thinks before it shows anything has a screen that stands still too, a blank one. So the first output is
//! waited for, and only then is counted.

use std::cell::Cell;
use std::time::Duration;

use anyhow::anyhow;
use screentest::core::{Condition, Screen};
use screentest::{Appeared, Clock, Mark, Session, WaitError, WaitLimits};

use crate::failure::{Exit, Failure};

/// A session, and how far into what it showed somebody has looked.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    pub(crate) session: &'a Session,
    clock: &'a Clock,
    /// The last thing that was done or seen: what is waited for comes after it.
    from: Cell<Mark>,
    /// How long each step may take.
    pub(crate) timeout: Duration,
}

impl<'a> Watch<'a> {
    /// From the program's start on.
    pub(crate) fn new(session: &'a Session, clock: &'a Clock, timeout: Duration) -> Watch<'a> {
        Watch {
            session,
            clock,
            from: Cell::new(Mark::START),
            timeout,
        }
    }

    /// Waits for a text and gives the screen on which it stood, which may already be gone.
    pub(crate) fn seen(&self, text: &str, appeared: Appeared) -> Result<Screen, WaitError> {
        let mut limits = WaitLimits::from(self.timeout);
        limits.appeared = appeared;
        let frame = self.session.wait_since(text, self.from.get(), limits)?;
        self.from.set(frame.mark());
        Ok(frame.screen.clone())
    }

    /// Looks only at what is shown since the last input: what came before it is no answer to it.
    pub(crate) fn acted(&self) {
        self.from.set(self.session.mark_before_input());
    }

    /// Waits for the first output, unless there was some, then until nothing changes for so long, or the end.
    pub(crate) fn settled(&self, still: Duration) -> Result<Screen, Failure> {
        let timeout = self.timeout;
        let deadline = self.clock.now().saturating_add(timeout);
        let blank = Screen::blank(self.session.screen().size);
        let output = Condition::new("any output", move |screen| *screen != blank);
        // Where too much was shown to remember all of it, there was some.
        if let Ok(None) = self.session.saw(&output, Mark::START) {
            match self.session.wait_for(output, timeout) {
                Ok(_) => {}
                // A program may have nothing to show.
                Err(WaitError::Ended { .. }) => return Ok(self.session.screen()),
                Err(error) => {
                    return Err(timed_out(
                        error,
                        format!("the program showed nothing within {timeout:?}"),
                    ));
                }
            }
        }
        let left = deadline.saturating_sub(self.clock.now());
        self.session.wait_for_stable(still, left).map_err(|error| {
            timed_out(
                error,
                format!("a screen unchanged for {still:?} did not appear within {timeout:?}"),
            )
        })
    }
}

/// The failure of a wait that is one part of another, in words for the whole.
fn timed_out(error: WaitError, words: String) -> Failure {
    match &error {
        WaitError::TimedOut { report, .. } => {
            Failure::new(Exit::Failed, anyhow!(words)).report(Some(report))
        }
        _ => error.into(),
    }
}
