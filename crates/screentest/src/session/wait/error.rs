//! The error of a wait that ended without success.

use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use screentest_core::{Condition, Diff, Paint};

use super::WaitEnd;
use crate::format_duration::Elapsed;
use crate::session::exit_status::ExitStatus;
use crate::session::reader::PtyReader;
use crate::session::wait::report::WaitReport;

/// Why a wait ended without success. The [`WaitReport`] describes the state at that moment.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum WaitError {
    /// The timeout expired.
    #[error("{condition} did not appear within {}{}", Elapsed(*waited), before_enter(report))]
    TimedOut {
        /// The condition.
        condition: String,
        /// The timeout.
        waited: Duration,
        /// The state at that moment.
        report: Box<WaitReport>,
    },
    /// The program exited first.
    #[error(
        "the program ended ({exit_status}) before {condition} appeared{}",
        before_enter(report)
    )]
    Ended {
        /// The condition.
        condition: String,
        /// The program's exit status.
        exit_status: ExitStatus,
        /// The state at that moment.
        report: Box<WaitReport>,
    },
    /// The screen changed although it should not have.
    #[error("the screen changed after {}, but {condition} was expected", Elapsed(*after))]
    Changed {
        /// The condition.
        condition: String,
        /// How long nothing changed.
        after: Duration,
        /// The difference.
        diff: Box<Diff>,
        /// The current state.
        report: Box<WaitReport>,
    },
    /// Another thread ended the wait; see [`Interrupt`](crate::session::Interrupt).
    #[error("the wait for {condition} was interrupted")]
    Interrupted {
        /// The condition.
        condition: String,
    },
    /// The session was closed meanwhile.
    #[error("the session was closed before {condition} appeared")]
    Closed {
        /// The condition.
        condition: String,
    },
    /// The terminal could not be read.
    #[error("could not read from the terminal")]
    Read(#[source] Arc<io::Error>),
}

impl WaitError {
    /// The name of the option that accepts text from before Enter, as messages print it. Other
    /// interfaces replace it with their own.
    pub const ANYTIME: &str = "`WaitOptions::anytime()`";

    /// Returns the report, for variants that have one.
    pub fn report(&self) -> Option<&WaitReport> {
        match self {
            WaitError::TimedOut { report, .. }
            | WaitError::Ended { report, .. }
            | WaitError::Changed { report, .. } => Some(report),
            WaitError::Interrupted { .. } | WaitError::Closed { .. } | WaitError::Read(_) => None,
        }
    }
}

impl WaitError {
    /// Formats the error for people: the message, the difference if the screen changed, and the
    /// report with the last screen.
    pub(crate) fn to_text(&self, paint: Paint) -> String {
        let mut text = match self {
            WaitError::Read(error) => format!("{self}: {error}\n"),
            WaitError::Changed { diff, .. } => format!("{self}\n{diff}"),
            _ => format!("{self}\n"),
        };
        if let Some(report) = self.report() {
            text.push_str(&report.to_text(paint));
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// Written for people, because `unwrap` prints it in a failed test.
impl fmt::Debug for WaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(Paint::Plain))
    }
}

/// Completes the message if the expected text was on the screen before Enter.
fn before_enter(report: &WaitReport) -> String {
    match report.before_enter() {
        Some(found) => format!(
            " after Enter: it was already on the screen before Enter (row {}) and did not appear again; accept it with {}",
            found.position().to_wire().row,
            WaitError::ANYTIME
        ),
        None => String::new(),
    }
}

/// Makes the error of a wait for a condition.
pub(crate) fn wait_error(
    reader: &Arc<PtyReader>,
    end: WaitEnd,
    condition: &Condition,
    waited: Duration,
) -> WaitError {
    let report = || Box::new(WaitReport::new(reader, condition));
    wait_error_with(end, condition, waited, report)
}

pub(super) fn wait_error_with(
    end: WaitEnd,
    condition: &Condition,
    waited: Duration,
    report: impl FnOnce() -> Box<WaitReport>,
) -> WaitError {
    let text = match condition {
        // “not … did not appear” would be a double negation.
        Condition::Not(inner) => format!("a screen without {inner}"),
        condition => condition.to_string(),
    };
    match end {
        WaitEnd::TimedOut => WaitError::TimedOut {
            report: report(),
            condition: text,
            waited,
        },
        WaitEnd::Ended(exit_status) => WaitError::Ended {
            report: report(),
            condition: text,
            exit_status,
        },
        WaitEnd::Interrupted => WaitError::Interrupted { condition: text },
        WaitEnd::Closed => WaitError::Closed { condition: text },
        WaitEnd::Failed(error) => WaitError::Read(error),
    }
}
