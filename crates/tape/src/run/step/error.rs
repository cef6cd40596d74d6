//! Errors of steps, and the details that explain them.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::language::{Elsewhere, Pattern};
use screentest_core::Paint;

use super::super::assertion::Untrue;
use super::super::outputs::OutputError;
use super::super::scheduler::Stopped;
use super::super::script::Ready;
use screentest::InputError;
use screentest::Report;
use screentest::WaitError;
use screentest::internals::Elapsed;
use screentest::internals::chain;
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
    Untrue(#[from] Untrue),
    #[error(transparent)]
    Develop(#[from] OutputError),
    #[error("could not write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the {0} mouse button is {1}")]
    Button(&'static str, &'static str),
    #[error(transparent)]
    NotInLine(NotInLine),
    #[error("the run was interrupted")]
    Stopped,
}

/// A wait for the cursor's line that ended without a match.
#[derive(Debug, thiserror::Error)]
#[error("{}{}", self.missed(), self.advice())]
pub(crate) struct NotInLine {
    pub(super) pattern: Pattern,
    pub(super) why: Missed,
    /// Whether the line matches, but already did before Enter.
    pub(super) before_enter: bool,
    /// A match outside of the line.
    pub(super) elsewhere: Option<Elsewhere>,
    pub(super) report: Box<Report>,
}

/// Why a wait for the cursor's line ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Missed {
    /// The timeout expired.
    TimedOut(Duration),
    /// The program exited.
    Ended(ExitStatus),
}

impl NotInLine {
    /// The pattern as written in a tape.
    fn shown(&self) -> String {
        match &self.pattern {
            Pattern::Text(text) => format!("{text:?}"),
            Pattern::Regex(regex) => format!("/{}/", regex.as_str()),
        }
    }

    fn missed(&self) -> String {
        let pattern = self.shown();
        match self.why {
            Missed::TimedOut(waited) => format!(
                "{pattern} did not match the cursor's line within {}",
                Elapsed(waited)
            ),
            Missed::Ended(outcome) => {
                format!("the program ended ({outcome}) before {pattern} matched the cursor's line")
            }
        }
    }

    fn advice(&self) -> String {
        let pattern = self.shown();
        match self.elsewhere {
            _ if self.before_enter => format!(
                " after Enter: the line matched before Enter and has not changed; accept it with `Wait+Anytime {pattern}`"
            ),
            Some(Elsewhere { row, is_new: true }) => format!(
                "; row {} matches: use `Wait+Screen {pattern}` to look at the whole screen",
                row + 1
            ),
            Some(Elsewhere { row, is_new: false }) => format!(
                "; row {} matches, and did so before Enter: use `Wait+Screen+Anytime {pattern}` to look at all text on the whole screen",
                row + 1
            ),
            None => String::new(),
        }
    }
}

impl From<Stopped> for StepError {
    fn from(_: Stopped) -> StepError {
        StepError::Stopped
    }
}

/// Conversions from errors that tests have too.
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
    pub(crate) fn details(&self, session: &Session, ready: &Ready) -> String {
        match self {
            StepError::Terminal(error) => {
                let told = match self.hint(ready) {
                    Some(hint) => error.told_hinting(Paint::Plain, Some(hint)),
                    None => error.told(Paint::Plain),
                };
                let first = told.lines().next().unwrap_or_default();
                let rest = told.strip_prefix(first).unwrap_or_default();
                let rest = rest.trim_start_matches('\n').to_owned();
                if error.shows_screen() {
                    rest
                } else {
                    format!("{rest}\n{}", session.report_now())
                }
            }
            StepError::NotInLine(missed) => missed.report.to_text(Paint::Plain),
            StepError::Untrue(untrue) => {
                format!("{}{}", untrue.details(), session.report_now())
            }
            _ => session.report_now().to_string(),
        }
        .trim_start_matches('\n')
        .to_owned()
    }

    /// A hint that replaces the one for tests.
    fn hint(&self, ready: &Ready) -> Option<String> {
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
    pub(crate) fn is_stop(&self) -> bool {
        match self {
            StepError::Stopped => true,
            StepError::Terminal(error) => error.is_interrupted(),
            _ => false,
        }
    }
}
