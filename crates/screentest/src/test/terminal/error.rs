//! Errors of a test.

use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use screentest_core::{Paint, SelectError};

use crate::format_duration::Elapsed;
use crate::pty::SpawnError;
use crate::pty::signal::UnknownSignal;
use crate::session::exit_status::ExitStatus;
use crate::session::history::{Forgotten, SessionFrame};
use crate::session::input::queue::InputError;
use crate::session::terminal_leaks::TerminalLeak;
use crate::session::wait::report::WaitReport;
use crate::session::wait::{WaitError, report};
use crate::session::{MouseError, ResizeError};
use crate::test::artifacts::ArtifactError;
use crate::test::failure::Failure;
use crate::test::snapshot::SnapshotError;

/// Why a call of a test failed. `{:?}` is meant for people: it prints the error with its
/// explanation.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TuiError {
    /// Nothing has been launched.
    #[error("no program was started: call `launch` first")]
    NotLaunched,
    /// The test is over, but this thread of it continues.
    #[error("the test is over")]
    Over,
    /// The program could not be started.
    #[error("could not launch the program")]
    Launch(#[from] SpawnError),
    /// A program could not be ended.
    #[error("could not end the program")]
    Close(#[source] io::Error),
    /// The key's name is unknown, or the program did not take the input.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The mouse event did not reach the program.
    #[error(transparent)]
    Mouse(#[from] MouseError),
    /// The terminal could not be resized.
    #[error(transparent)]
    Resize(#[from] ResizeError),
    /// A signal could not be sent.
    #[error("could not send the signal")]
    Signal(#[source] io::Error),
    /// No signal has this name.
    #[error(transparent)]
    UnknownSignal(#[from] UnknownSignal),
    /// A wait failed.
    #[error("{error}")]
    Wait {
        /// The wait's error.
        error: WaitError,
        /// The wait's full timeout, if the end of the test cut it short.
        cut_short: Option<Duration>,
    },
    /// The screen could not be drawn.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Picture(#[from] crate::test::picture::PictureError),
    /// The call takes longer than the test's remaining time.
    #[error("{} is longer than the {} that the test has left", Elapsed(*asked), Elapsed(*left))]
    NoTime {
        /// The time it would take.
        asked: Duration,
        /// The test's remaining time.
        left: Duration,
    },
    /// A selector does not resolve to one match.
    #[error("{error}")]
    Select {
        /// The selector's error.
        error: SelectError,
        /// The state at that moment.
        report: Box<WaitReport>,
    },
    /// A typed text was not shown.
    #[error("the typed text {text} was not shown at the cursor or in a new place")]
    NotEchoed {
        /// The typed text.
        text: String,
        /// The error of the wait for it.
        #[source]
        source: Box<TuiError>,
    },
    /// Nothing changed after a line was submitted.
    #[error("Enter after {text} changed nothing")]
    NothingChanged {
        /// The typed text.
        text: String,
        /// The error of the wait for a change.
        #[source]
        source: Box<TuiError>,
    },
    /// The condition did not hold since the mark.
    #[error("{condition} was not shown since the mark")]
    NotSeen {
        /// The condition.
        condition: String,
        /// The state at that moment.
        report: Box<WaitReport>,
    },
    /// The condition held since the mark and never should have.
    #[error("{condition} was shown, {} after the start", Elapsed(*after))]
    Seen {
        /// The condition.
        condition: String,
        /// The time since the program's start.
        after: Duration,
        /// The current state.
        report: Box<WaitReport>,
        /// The frame on which it held.
        frame: Arc<SessionFrame>,
    },
    /// The history since the mark is incomplete.
    #[error(transparent)]
    Forgotten(#[from] Forgotten),
    /// The screen differs from its baseline, or could not be compared.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A file could not be written.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The program exited by itself and did not restore the terminal.
    #[error(
        "the program ended ({exit_status}) and did not restore the terminal: {}",
        list(leftovers)
    )]
    LeftBehind {
        /// The program's exit status.
        exit_status: ExitStatus,
        /// The terminal state that was not restored.
        leftovers: Vec<TerminalLeak>,
    },
    /// The program ended in another way than expected.
    #[error("the program ended ({exit_status}); expected exit code {expected}")]
    ExitStatus {
        /// The expected exit code.
        expected: i32,
        /// The program's exit status.
        exit_status: ExitStatus,
        /// The state at that moment.
        report: Box<WaitReport>,
    },
    /// A step failed in all its attempts.
    #[error("step `{label}` failed ({})", tries(*attempts))]
    Step {
        /// The step's label.
        label: String,
        /// The number of attempts.
        attempts: u32,
        /// The error of the last attempt.
        failure: Failure,
    },
}

/// A hint for tests that run out of time.
pub(crate) const MORE_TIME: &str = "raise `RunOptions::timeout` or SCREENTEST_TIMEOUT_SECONDS";

/// Conversion for a wait that had its full timeout.
impl From<WaitError> for TuiError {
    fn from(error: WaitError) -> TuiError {
        TuiError::Wait {
            error,
            cut_short: None,
        }
    }
}

fn list(leftovers: &[TerminalLeak]) -> String {
    let each: Vec<String> = leftovers.iter().map(TerminalLeak::to_string).collect();
    each.join("; ")
}

fn tries(attempts: u32) -> String {
    match attempts {
        1 => "tried once".to_owned(),
        attempts => format!("tried {attempts} times"),
    }
}

impl TuiError {
    /// Returns whether another thread ended the call; see [`Interrupt`](crate::session::Interrupt).
    pub fn is_interrupted(&self) -> bool {
        match self {
            TuiError::Wait { error, .. } | TuiError::Snapshot(SnapshotError::Wait(error)) => {
                matches!(error, WaitError::Interrupted { .. })
            }
            TuiError::Input(error) | TuiError::Mouse(MouseError::Input(error)) => {
                matches!(error, InputError::Interrupted)
            }
            TuiError::NotEchoed { source, .. } | TuiError::NothingChanged { source, .. } => {
                source.is_interrupted()
            }
            TuiError::Step { failure, .. } => failure
                .downcast_ref::<TuiError>()
                .is_some_and(TuiError::is_interrupted),
            _ => false,
        }
    }

    /// Returns the report with the last screen. `None` for variants without one, and for
    /// [`TuiError::Seen`] and [`SnapshotError::Mismatch`], whose messages show other screens.
    pub fn report(&self) -> Option<&WaitReport> {
        match self {
            TuiError::Wait { error, .. } | TuiError::Snapshot(SnapshotError::Wait(error)) => {
                error.report()
            }
            TuiError::Select { report, .. }
            | TuiError::NotSeen { report, .. }
            | TuiError::ExitStatus { report, .. } => Some(report),
            TuiError::NotEchoed { source, .. } | TuiError::NothingChanged { source, .. } => {
                source.report()
            }
            TuiError::Step { failure, .. } => failure
                .downcast_ref::<TuiError>()
                .and_then(TuiError::report),
            _ => None,
        }
    }

    /// Returns whether the formatted error contains a screen.
    #[doc(hidden)]
    pub fn shows_screen(&self) -> bool {
        let shown = matches!(
            self,
            TuiError::Seen { .. } | TuiError::Snapshot(SnapshotError::Mismatch(_))
        );
        shown || self.report().is_some()
    }

    /// Returns what usually helps against this error.
    fn hint(&self) -> Option<String> {
        match self {
            TuiError::Wait {
                cut_short: Some(asked),
                ..
            } => Some(format!(
                "the test's time ended before the {} of this wait: {MORE_TIME}",
                Elapsed(*asked)
            )),
            TuiError::NoTime { .. } => Some(MORE_TIME.to_owned()),
            TuiError::NotEchoed { .. } => {
                Some("if the program does not echo its input, use `send_line`".to_owned())
            }
            TuiError::LeftBehind { .. } => Some(
                "if the program does so on purpose, set `RunOptions::exit_check(ExitCheck::Off)`"
                    .to_owned(),
            ),
            TuiError::Select {
                error: SelectError::Ambiguous { .. },
                ..
            } => Some(
                "choose one with `.nth(0)`, `.within(rect)` or `.right_of(…)`, or accept the first or last with \
                 `WaitOptions::ambiguity`"
                    .to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::Artifact(
                ArtifactError::Read { .. } | ArtifactError::Meta { .. },
            )) => Some(
                "rewrite it with SCREENTEST_UPDATE_SNAPSHOTS=all".to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::NoBaseline { .. }) => Some(
                "run the test once without CI or that setting, and commit the baseline"
                    .to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::Mismatch(_)) => Some(
                "accept all changes with SCREENTEST_UPDATE_SNAPSHOTS=changed, or review them with \
                 `screentest review`"
                    .to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::Restless { .. }) => Some(
                "first wait for the expected text, or mask the cells that change".to_owned(),
            ),
            _ => None,
        }
    }
}

/// Written for people, because `?` and `unwrap` print it in a failed test.
impl fmt::Debug for TuiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(Paint::Plain))
    }
}

impl TuiError {
    /// Formats the error with its explanation.
    #[doc(hidden)]
    pub fn to_text(&self, paint: Paint) -> String {
        self.to_text_with_hint(paint, self.hint())
    }

    /// Like [`TuiError::to_text`], with another hint.
    #[doc(hidden)]
    pub fn to_text_with_hint(&self, paint: Paint, hint: Option<String>) -> String {
        let mut text = self.to_string();
        match self {
            TuiError::NotEchoed { source, .. } | TuiError::NothingChanged { source, .. } => {
                text.push_str(":\n");
                text.push_str(&source.to_text(paint));
            }
            TuiError::Step { failure, .. } => {
                text.push_str(&format!(" at {}\n", failure.place()));
                text.push_str(&failure.to_text(paint));
            }
            TuiError::Wait { error, .. } => text = error.to_text(paint),
            TuiError::Snapshot(SnapshotError::Mismatch(mismatch)) => {
                text.push('\n');
                text.push_str(&mismatch.to_text(paint));
                text.push_str(&format!("waited for {}\n", Elapsed(mismatch.waited)));
                text.push_str(&mismatch.report.details().to_string());
                for (name, path) in [
                    ("expected: ", &mismatch.baseline),
                    ("actual:   ", &mismatch.capture),
                    ("diff:     ", &mismatch.diff_file),
                ] {
                    text.push_str(&format!("{name}{}\n", path.display()));
                }
            }
            TuiError::Snapshot(SnapshotError::NoBaseline {
                baseline, actual, ..
            }) => {
                let (baseline, actual) = (baseline.display(), actual.display());
                text.push_str(&format!("\nexpected: {baseline}\nactual:   {actual}"));
            }
            TuiError::Seen { frame, report, .. } => {
                let screen = match paint {
                    Paint::Ansi => frame.screen.painted(paint),
                    _ => frame.screen.picture(),
                };
                text.push_str(&format!(" on this screen:\n{}", report::frame(&screen)));
                text.push_str(&report.details().to_string());
            }
            _ => {
                let mut cause = std::error::Error::source(self);
                while let Some(error) = cause {
                    text.push_str(&format!(": {error}"));
                    cause = error.source();
                }
                if let Some(report) = self.report() {
                    text.push_str(&format!("\n{}", report.to_text(paint)));
                }
            }
        }
        text.truncate(text.trim_end().len());
        if let Some(hint) = hint {
            text.push_str(&format!("\nhint: {hint}"));
        }
        text
    }
}
