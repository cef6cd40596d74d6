//! Waits until a program has drawn its screen.
//!
//! A program that computes before it prints anything has an unchanged screen too, a blank one. So
//! this waits for the first output, and only then for an unchanged screen.

use std::cell::Cell;
use std::time::Duration;

use anyhow::anyhow;
use screentest::clock::Clock;
use screentest::core::{Condition, Screen};
use screentest::session::{WaitError, WaitLimits};
use screentest::{Appeared, Mark, Session};

use crate::failure::{Exit, Failure};

/// A session and the position in its history that waits start from.
#[derive(Debug)]
pub(crate) struct Waiter<'a> {
    pub(crate) session: &'a Session,
    clock: &'a Clock,
    /// The last action or match: waits search the screens after it.
    from: Cell<Mark>,
    /// Timeout of each step.
    pub(crate) timeout: Duration,
}

impl<'a> Waiter<'a> {
    /// Starts with the first screen of the program.
    pub(crate) fn new(session: &'a Session, clock: &'a Clock, timeout: Duration) -> Waiter<'a> {
        Waiter {
            session,
            clock,
            from: Cell::new(Mark::START),
            timeout,
        }
    }

    /// Waits for a condition and returns the screen on which it held, which may no longer be shown.
    pub(crate) fn wait_for(
        &self,
        condition: Condition,
        appeared: Appeared,
    ) -> Result<Screen, WaitError> {
        let mut patience = WaitLimits::from(self.timeout);
        patience.appeared = appeared;
        let frame = self
            .session
            .wait_since(condition, self.from.get(), patience)?;
        self.from.set(frame.mark());
        Ok(frame.screen.clone())
    }

    /// Limits later waits to screens since the last input: earlier screens are not a result of it.
    pub(crate) fn input_sent(&self) {
        self.from.set(self.session.mark_before_input());
    }

    /// Waits for the first output, then until nothing has changed for `still` or the program has
    /// exited.
    pub(crate) fn wait_for_stable(&self, still: Duration) -> Result<Screen, Failure> {
        let timeout = self.timeout;
        let deadline = self.clock.now().saturating_add(timeout);
        let blank = Screen::blank(self.session.screen().size);
        let output = Condition::new("any output", move |screen| *screen != blank);
        // If the history is incomplete, there was output.
        if let Ok(None) = self.session.saw(&output, Mark::START) {
            match self.session.wait_for(output, timeout) {
                Ok(_) => {}
                // A program may print nothing.
                Err(WaitError::Ended { .. }) => return Ok(self.session.screen()),
                Err(error) => {
                    return Err(with_message(
                        error,
                        format!("the program showed nothing within {timeout:?}"),
                    ));
                }
            }
        }
        let left = deadline.saturating_sub(self.clock.now());
        self.session.wait_for_stable(still, left).map_err(|error| {
            with_message(
                error,
                format!("a screen unchanged for {still:?} did not appear within {timeout:?}"),
            )
        })
    }
}

/// Replaces the message of a timeout by one about the whole step.
fn with_message(error: WaitError, message: String) -> Failure {
    match &error {
        WaitError::TimedOut { report, .. } => {
            Failure::new(Exit::Failed, anyhow!(message)).report(Some(report))
        }
        _ => error.into(),
    }
}
