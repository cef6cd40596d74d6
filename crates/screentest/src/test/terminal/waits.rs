//! Waits of a test.
//!
//! In a `tui_test`, a wait never outlasts the test: it ends with the test's own time limit, and the
//! test gets a moment more to report it.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Ambiguity, Appeared, Condition, Match, Screen, Selector};

use super::{Terminal, TuiError};
use crate::session::AutoWait;
use crate::session::exit_status::ExitStatus;
use crate::session::history::{Mark, SessionFrame};
use crate::session::wait::WaitError;
use crate::session::wait::limits::{Interrupt, WaitLimits};

/// Options of waits and expectations. A `None` takes the value of the test's
/// [`RunOptions`](crate::RunOptions).
///
/// ```
/// use std::time::Duration;
/// use screentest::WaitOptions;
/// use screentest::core::Ambiguity;
///
/// let patient = WaitOptions::timeout(Duration::from_secs(60)).ambiguity(Ambiguity::First);
/// assert_eq!(patient.ambiguity, Some(Ambiguity::First));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WaitOptions {
    /// How long to wait.
    pub timeout: Option<Duration>,
    /// Behaviour if a selector finds more than one match.
    pub ambiguity: Option<Ambiguity>,
    /// Ends a wait early.
    pub interrupt: Option<Interrupt>,
    /// Whether input waits until the program is ready for it.
    pub auto_wait: Option<AutoWait>,
    /// Maximum time of all auto-waits of one call together; if `None`, each has its own limit.
    pub input_timeout: Option<Duration>,
    /// Minimum time between two inputs.
    pub delay: Option<Duration>,
    /// Which matches satisfy a wait.
    pub appeared: Appeared,
}

impl WaitOptions {
    /// Returns options with this timeout.
    pub fn timeout(timeout: Duration) -> WaitOptions {
        WaitOptions {
            timeout: Some(timeout),
            ..WaitOptions::default()
        }
    }

    /// Sets the behaviour if a selector finds more than one match.
    #[must_use]
    pub fn ambiguity(mut self, ambiguity: Ambiguity) -> WaitOptions {
        self.ambiguity = Some(ambiguity);
        self
    }

    /// Sets whether input waits until the program is ready for it.
    ///
    /// ```no_run
    /// # use screentest::{AutoWait, Terminal, TuiError, WaitOptions};
    /// # fn body(tui: &Terminal) -> Result<(), TuiError> {
    /// // Types ahead, while the program works.
    /// tui.with(WaitOptions::default().auto_wait(AutoWait::Off)).type_text("ls")?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn auto_wait(mut self, auto_wait: AutoWait) -> WaitOptions {
        self.auto_wait = Some(auto_wait);
        self
    }

    /// Sets the minimum time between two inputs. With a delay, text is typed character by
    /// character.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> WaitOptions {
        self.delay = Some(delay);
        self
    }

    /// Also accepts text that was on the screen before Enter. By default, a wait after Enter
    /// ignores matches that were already there, such as the echo of the command line.
    #[must_use]
    pub fn anytime(mut self) -> WaitOptions {
        self.appeared = Appeared::Anytime;
        self
    }

    /// Sets an interrupt that ends a wait early.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> WaitOptions {
        self.interrupt = Some(interrupt);
        self
    }
}

impl Terminal {
    /// Waits until a screen is shown for which a condition holds, and returns that screen.
    ///
    /// If Enter was the last input, a selector's match counts only if it appeared after Enter; see
    /// [`WaitOptions::anytime`].
    pub fn wait_for(&self, condition: impl Into<Condition>) -> Result<Screen, TuiError> {
        let session = self.session()?;
        let condition = self.checked(condition.into())?;
        self.timed(|timeout| session.wait_for(condition, timeout))
    }

    /// Waits like [`Terminal::wait_for`], but also searches the screens since a mark. Finds text
    /// that the program showed before the wait began and has already removed.
    pub fn wait_since(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
    ) -> Result<Arc<SessionFrame>, TuiError> {
        let session = self.session()?;
        let condition = self.checked(condition.into())?;
        self.timed(|timeout| session.wait_since(condition, since, timeout))
    }

    /// Returns the condition if all positions that it names are on the screen.
    pub(super) fn checked(&self, condition: Condition) -> Result<Condition, TuiError> {
        let session = self.session()?;
        match condition.check(session.screen().size) {
            Ok(()) => Ok(condition),
            Err(error) => Err(TuiError::Select {
                error,
                report: Box::new(session.report_now()),
            }),
        }
    }

    /// Waits until a selector finds its match: exactly one, unless the options accept more. If
    /// there are several while the program waits for input, the error is returned at once.
    pub(super) fn wait_for_match(&self, selector: &Selector) -> Result<Match, TuiError> {
        let ambiguity = self.ambiguity();
        let session = self.session()?;
        let fail = |error| TuiError::Select {
            error,
            report: Box::new(session.report(&Condition::visible(selector))),
        };
        let end = self.wait_end();
        let condition = self.checked(Condition::visible(selector))?;
        let entered = session.enter_baseline(self.waits.appeared);
        let frame = self.timed(|limits| session.wait_frame_for(&condition, &limits))?;
        let rest = self.limits(end.saturating_sub(self.shared.clock.now()));
        let resolved = session.resolve_from(&frame, selector, ambiguity, entered.as_deref(), &rest);
        match resolved {
            Ok(resolved) => resolved.map_err(fail),
            Err(ending) => Err(session.wait_error(ending, &condition, rest.timeout).into()),
        }
    }

    /// Waits until the screen has not changed for `debounce`, counted from now at the earliest.
    /// Changes of the title and of modes count, too.
    pub fn wait_for_stable(&self, debounce: Duration) -> Result<Screen, TuiError> {
        let session = self.session()?;
        self.timed(|timeout| session.wait_for_stable(debounce, timeout))
    }

    /// Waits for the next screen after a mark: a change, or a whole synchronized update.
    pub fn wait_for_frame(&self, since: Mark) -> Result<Arc<SessionFrame>, TuiError> {
        let session = self.session()?;
        self.timed(|timeout| session.wait_for_frame(since, timeout))
    }

    /// Waits until the program has exited by itself and all its output has been processed. It must
    /// have restored the terminal, unless [`RunOptions::exit_check`](crate::RunOptions::exit_check)
    /// is off.
    pub fn wait_for_exit(&self) -> Result<ExitStatus, TuiError> {
        let session = self.session()?;
        let exit_status = self.timed(|timeout| session.wait_for_exit(timeout))?;
        self.check_exit(&session)?;
        Ok(exit_status)
    }

    /// Runs a wait with the time that is available.
    pub(super) fn timed<T>(
        &self,
        wait: impl FnOnce(WaitLimits) -> Result<T, WaitError>,
    ) -> Result<T, TuiError> {
        let (timeout, cut_short) = self.time();
        wait(self.limits(timeout)).map_err(|error| TuiError::Wait {
            cut_short: cut_short.filter(|asked| {
                // If the wait had most of its timeout, more of the test's time would not have
                // helped.
                let enough = timeout >= *asked / 5 * 4;
                !enough && matches!(error, WaitError::TimedOut { .. })
            }),
            error,
        })
    }

    /// Returns the limits of a wait with this timeout.
    pub(super) fn limits(&self, timeout: Duration) -> WaitLimits {
        WaitLimits {
            timeout,
            interrupt: self.waits.interrupt.clone(),
            appeared: self.waits.appeared,
        }
    }

    /// Returns the available time of a wait, and its full timeout if that is longer.
    pub(super) fn time(&self) -> (Duration, Option<Duration>) {
        let options = &self.shared.options;
        let asked = self.waits.timeout.unwrap_or(options.timeout);
        match self.time_left() {
            Some(left) if left < asked => (left, Some(asked)),
            _ => (asked, None),
        }
    }

    /// Returns the time at which a wait that begins now must be over.
    pub(super) fn wait_end(&self) -> Duration {
        self.shared.clock.now().saturating_add(self.time().0)
    }

    /// Returns the test's remaining time; `None` for a session and for a `Tui`, which have no
    /// limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let deadline = self.shared.deadline?;
        Some(deadline.saturating_sub(self.shared.clock.now()))
    }
}
