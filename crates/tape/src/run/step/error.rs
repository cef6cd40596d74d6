//! Errors of steps, and the details that explain them.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::language::NotInTape;
use screentest_core::Paint;
use screentest_core::query::condition::{MatchElsewhere, WaitPattern};

use super::assertion::AssertionError;
use crate::run::outputs::OutputError;
use crate::run::scheduler::Interrupted;
use crate::run::script::ReadyTape;
use screentest::internals::Elapsed;
use screentest::internals::chain;
use screentest::session::InputError;
use screentest::session::WaitError;
use screentest::session::WaitReport;
use screentest::session::exit_status::ExitStatus;
use screentest::session::{MouseError, ResizeError, Session};
use screentest::test::artifacts::ArtifactError;
use screentest::test::snapshot::SnapshotError;
use screentest::test::terminal::TuiError;

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StepError {
    #[error(transparent)]
    Terminal(#[from] TuiError),
    #[error(transparent)]
    Assertion(#[from] AssertionError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("could not write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(transparent)]
    NotInTape(#[from] NotInTape),
    #[error("the {0} mouse button is {1}")]
    Button(&'static str, &'static str),
    #[error(transparent)]
    NoMatchInLine(NoMatchInLine),
    #[error("the run was interrupted")]
    Interrupted,
}

/// A wait for the cursor's line that ended without a match.
#[derive(Debug, thiserror::Error)]
#[error("{}{}", self.reason(), self.hint_text())]
pub(crate) struct NoMatchInLine {
    pub(super) pattern: WaitPattern,
    pub(super) why: WaitFailure,
    /// Whether the line matches, but already did before Enter.
    pub(super) before_enter: bool,
    /// A match outside of the line.
    pub(super) elsewhere: Option<MatchElsewhere>,
    pub(super) report: Box<WaitReport>,
}

/// Why a wait for the cursor's line ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum WaitFailure {
    /// The timeout expired.
    TimedOut(Duration),
    /// The program exited.
    Ended(ExitStatus),
}

impl NoMatchInLine {
    /// The pattern as written in a tape.
    fn pattern_text(&self) -> String {
        match &self.pattern {
            WaitPattern::Text(text) => format!("{text:?}"),
            WaitPattern::Regex(regex) => format!("/{}/", regex.as_str()),
        }
    }

    fn reason(&self) -> String {
        let pattern = self.pattern_text();
        match self.why {
            WaitFailure::TimedOut(waited) => format!(
                "{pattern} did not match the cursor's line within {}",
                Elapsed(waited)
            ),
            WaitFailure::Ended(exit_status) => {
                format!(
                    "the program ended ({exit_status}) before {pattern} matched the cursor's line"
                )
            }
        }
    }

    fn hint_text(&self) -> String {
        let pattern = self.pattern_text();
        match self.elsewhere {
            _ if self.before_enter => format!(
                " after Enter: the line matched before Enter and has not changed; accept it with `Wait+Anytime {pattern}`"
            ),
            Some(MatchElsewhere { row, is_new: true }) => format!(
                "; row {} matches: use `Wait+Screen {pattern}` to look at the whole screen",
                row + 1
            ),
            Some(MatchElsewhere { row, is_new: false }) => format!(
                "; row {} matches, and did so before Enter: use `Wait+Screen+Anytime {pattern}` to look at all text on the whole screen",
                row + 1
            ),
            None => String::new(),
        }
    }
}

impl From<Interrupted> for StepError {
    fn from(_: Interrupted) -> StepError {
        StepError::Interrupted
    }
}

/// Conversions by way of [`TuiError`], which has these errors too.
macro_rules! from {
    ($($error:ty),*) => {$(
        impl From<$error> for StepError {
            fn from(error: $error) -> StepError {
                StepError::Terminal(error.into())
            }
        }
    )*};
}
from!(
    WaitError,
    InputError,
    MouseError,
    ResizeError,
    ArtifactError
);

impl StepError {
    /// The error and its causes, in one line.
    pub(crate) fn message(&self) -> String {
        chain(self).replace(
            WaitError::ANYTIME,
            "`+Anytime`, as in `Expect+Anytime` or `Wait+Screen+Anytime`",
        )
    }

    /// The details.
    pub(crate) fn details(&self, session: &Session, ready: &ReadyTape) -> String {
        match self {
            StepError::Terminal(error) => {
                let text = match self.hint(ready) {
                    Some(hint) => error.to_text_with_hint(Paint::Plain, Some(hint)),
                    None => error.to_text(Paint::Plain),
                };
                let first = text.lines().next().unwrap_or_default();
                let rest = text.strip_prefix(first).unwrap_or_default();
                let rest = rest.trim_start_matches('\n').to_owned();
                if error.shows_screen() {
                    rest
                } else {
                    format!("{rest}\n{}", session.report_now())
                }
            }
            StepError::NoMatchInLine(error) => error.report.to_text(Paint::Plain),
            StepError::Assertion(error) => {
                format!("{}{}", error.details(), session.report_now())
            }
            _ => session.report_now().to_string(),
        }
        .trim_start_matches('\n')
        .to_owned()
    }

    /// A hint that replaces the one for tests.
    fn hint(&self, ready: &ReadyTape) -> Option<String> {
        let StepError::Terminal(TuiError::Snapshot(error)) = self else {
            return None;
        };
        let tape = ready.command_word();
        Some(match error {
            SnapshotError::Mismatch(_) => format!(
                "`screentest run -u {tape}` accepts every screen that differs; `screentest review` shows each and asks"
            ),
            SnapshotError::NoBaseline { .. } => {
                format!("`screentest run -u {tape}` writes it; then check and commit it")
            }
            SnapshotError::Artifact(ArtifactError::Read { .. } | ArtifactError::Meta { .. }) => {
                format!("`screentest run -u=all {tape}` writes it again")
            }
            _ => return None,
        })
    }

    /// Returns whether the run was interrupted.
    pub(crate) fn is_interrupted(&self) -> bool {
        match self {
            StepError::Interrupted => true,
            StepError::Terminal(error) => error.is_interrupted(),
            _ => false,
        }
    }
}
