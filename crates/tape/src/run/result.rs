//! The result of running a tape.

use std::path::PathBuf;
use std::time::Duration;

use crate::language::{Diagnostic, Severity, Span, without_control_chars};
use screentest_core::{Paint, Screen, Secrets};

use screentest::test::snapshot::Baseline;

/// The result of running a tape.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TapeRun {
    /// The name of the tape in messages.
    pub name: String,
    /// How long the run took.
    pub duration: Duration,
    /// The length of the recording: the time that the tape gives, even if pauses were skipped. Zero
    /// if a step failed.
    pub recorded: Duration,
    /// The number of steps that succeeded.
    pub steps_done: usize,
    /// The number of steps.
    pub steps: usize,
    /// The failure; `None` if the run succeeded.
    pub failure: Option<TapeFailure>,
    /// The outputs that were written, in order. Empty if a step failed; if an output failed, those
    /// before it.
    pub files: Vec<PathBuf>,
    /// Files written by steps (`Screenshot`, `State`); they stay after a failure.
    pub checkpoints: Vec<PathBuf>,
    /// The snapshots that were compared or written.
    pub snapshots: Vec<PathBuf>,
    /// The names of snapshots whose baseline was created or updated, and which of the two.
    pub baselines: Vec<(String, Baseline)>,
    /// Problems that are not failures.
    pub notes: Vec<String>,
}

/// Why a tape failed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TapeFailure {
    /// The kind of failure.
    pub kind: TapeFailureKind,
    /// The position in the tape; `None` if the failure belongs to no line.
    pub span: Option<Span>,
    /// The failure, in one line.
    pub message: String,
    /// Details: the last screen, the closest match, the latest input.
    pub details: String,
    /// The directory with the files that explain the failure.
    pub bundle: Option<PathBuf>,
    /// The last screen; `None` unless the failure happened while the steps ran.
    pub screen: Option<Box<Screen>>,
    /// Values that are redacted in the line of the tape that a message quotes.
    pub(super) secrets: Secrets,
}

/// The kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TapeFailureKind {
    /// The program did not start, or the recording could not be written or read.
    Start,
    /// A step failed. Usually, the program does not do what the tape expects.
    Step,
    /// All steps succeeded, but an output could not be written.
    Output,
    /// The run was interrupted.
    Interrupted,
}

impl TapeRun {
    /// Returns whether the run succeeded.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }

    /// The failure, for people; empty if the run succeeded.
    pub fn failure_text(&self) -> String {
        let failure = self.failure.as_ref();
        failure.map_or_else(String::new, |failed| failed.render(Paint::Plain))
    }
}

impl TapeFailure {
    /// The message with the marked position in the tape, without the details.
    pub fn position(&self) -> String {
        let text = match self.diagnostic() {
            Some(diagnostic) => diagnostic.to_string(),
            None => self.message.clone(),
        };
        self.secrets.text(&text).into_owned()
    }

    fn diagnostic(&self) -> Option<Diagnostic> {
        let span = self.span.clone()?;
        let message = self.message.clone();
        Some(Diagnostic::new(Severity::Error, span, message))
    }

    /// The failure, for people: the marked position in the tape, and the details.
    pub fn render(&self, paint: Paint) -> String {
        let mut text = match self.diagnostic() {
            Some(diagnostic) => diagnostic.render(paint),
            None => format!("error: {}\n", without_control_chars(&self.message)),
        };
        if !self.details.is_empty() {
            for line in self.details.trim_end().split('\n') {
                text.push_str(&without_control_chars(line));
                text.push('\n');
            }
        }
        if let Some(bundle) = &self.bundle {
            let path = bundle.display().to_string();
            text.push_str(&format!("artifacts: {}\n", without_control_chars(&path)));
        }
        self.secrets.text(&text).into_owned()
    }
}
