//! Why a step of a tape failed, and what explains it.

use std::io;
use std::path::PathBuf;

use screentest_core::Paint;

use super::super::assertion::Untrue;
use super::super::develop::DevelopError;
use super::super::pace::Stopped;
use super::super::script::Ready;
use crate::artifacts::ArtifactError;
use crate::failure::chain;
use crate::outbox::InputError;
use crate::session::{MouseError, ResizeError, Session};
use crate::snapshot::SnapshotError;
use crate::tui::TuiError;
use crate::wait::WaitError;

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub(in crate::tape) enum StepError {
    #[error(transparent)]
    Tui(#[from] TuiError),
    #[error(transparent)]
    Untrue(#[from] Untrue),
    #[error(transparent)]
    Develop(#[from] DevelopError),
    #[error("could not write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the {0} mouse button is {1}")]
    Button(&'static str, &'static str),
    #[error("nobody knows how to do `{0}`")]
    Unknown(String),
    #[error("the run was ended")]
    Stopped,
}

impl From<Stopped> for StepError {
    fn from(_: Stopped) -> StepError {
        StepError::Stopped
    }
}

/// What is an error of a test is one here.
macro_rules! from {
    ($($error:ty),*) => {$(
        impl From<$error> for StepError {
            fn from(error: $error) -> StepError {
                StepError::Tui(error.into())
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
    /// What went wrong, in a line with its causes.
    pub(in crate::tape) fn message(&self) -> String {
        chain(self)
    }

    /// What explains it.
    pub(in crate::tape) fn details(&self, session: &Session, ready: &Ready) -> String {
        match self {
            StepError::Tui(error) => {
                let told = match self.hint(ready) {
                    Some(hint) => error.told_hinting(Paint::Plain, Some(hint)),
                    None => error.told(Paint::Plain),
                };
                let first = told.lines().next().unwrap_or_default();
                let rest = told.strip_prefix(first).unwrap_or_default();
                let rest = rest.trim_start_matches('\n').to_owned();
                match error.shows_screen() {
                    true => rest,
                    false => format!("{rest}\n{}", session.report_now()),
                }
            }
            StepError::Untrue(untrue) => {
                format!("{}{}", untrue.details(), session.report_now())
            }
            _ => session.report_now().to_string(),
        }
        .trim_start_matches('\n')
        .to_owned()
    }

    /// What to do about it, where a test would do something else.
    fn hint(&self, ready: &Ready) -> Option<String> {
        let StepError::Tui(TuiError::Snapshot(error)) = self else {
            return None;
        };
        let tape = ready.command_word();
        Some(match error {
            SnapshotError::Mismatch(_) => format!(
                "`screentest run -u {tape}` takes every screen that differs; `screentest review` shows each and asks"
            ),
            SnapshotError::NoBaseline { .. } => {
                format!("`screentest run -u {tape}` writes it, to be looked at and committed")
            }
            SnapshotError::Artifact(ArtifactError::Read { .. } | ArtifactError::Meta { .. }) => {
                format!("`screentest run -u=all {tape}` writes it anew")
            }
            _ => return None,
        })
    }

    /// Whether somebody ended the run.
    pub(in crate::tape) fn is_stop(&self) -> bool {
        match self {
            StepError::Stopped => true,
            StepError::Tui(
                TuiError::Wait { error, .. } | TuiError::Snapshot(SnapshotError::Wait(error)),
            ) => matches!(error, WaitError::Interrupted { .. }),
            _ => false,
        }
    }
}
