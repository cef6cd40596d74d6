//! What can go wrong in a test.

use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use screentest_core::{Paint, SelectError};

use crate::format_duration::Elapsed;
use crate::pty::SpawnError;
use crate::session::exit_status::Outcome;
use crate::session::history::{Forgotten, Frame};
use crate::session::input::queue::InputError;
use crate::session::terminal_leaks::Leftover;
use crate::session::wait::report::Report;
use crate::session::wait::{WaitError, report};
use crate::session::{MouseError, ResizeError};
use crate::test::artifacts::ArtifactError;
use crate::test::failure::Failure;
use crate::test::snapshot::SnapshotError;

/// Why something that a test asked for did not come about. `{:?}` is for people: the error and all that explains it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TuiError {
    /// Nothing has been launched.
    #[error("no program was started: `launch` one first")]
    NotLaunched,
    /// The test is over, and this thread of it goes on.
    #[error("the test is over")]
    Over,
    /// The program could not be started.
    #[error("could not launch the program")]
    Launch(#[from] SpawnError),
    /// A program could not be ended.
    #[error("could not end the program")]
    Close(#[source] io::Error),
    /// What was to be pressed is no key, or the program did not take its input.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The mouse did not reach the program.
    #[error(transparent)]
    Mouse(#[from] MouseError),
    /// The terminal kept its size.
    #[error(transparent)]
    Resize(#[from] ResizeError),
    /// A signal could not be sent.
    #[error("could not send the signal")]
    Signal(#[source] io::Error),
    /// What was waited for did not come.
    #[error("{error}")]
    Wait {
        /// What the wait says.
        error: WaitError,
        /// How much time the wait should have had, where the test's own time cut it short.
        cut_short: Option<Duration>,
    },
    /// What is shown could not be drawn.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Picture(#[from] crate::test::picture::PictureError),
    /// Something takes longer than the test has.
    #[error("{} is longer than the {} that the test has left", Elapsed(*asked), Elapsed(*left))]
    NoTime {
        /// How long it would take.
        asked: Duration,
        /// How long the test may still take.
        left: Duration,
    },
    /// A selector does not lead to one match.
    #[error("{error}")]
    Select {
        /// What the selector says.
        error: SelectError,
        /// What was shown.
        report: Box<Report>,
    },
    /// A text was typed and never shown.
    #[error("the typed text {text} was not shown behind the cursor or anywhere new")]
    NotEchoed {
        /// What was typed.
        text: String,
        /// What the wait for it says.
        #[source]
        source: Box<TuiError>,
    },
    /// A line was submitted and nothing came of it.
    #[error("Enter after {text} changed nothing")]
    NothingChanged {
        /// What was typed.
        text: String,
        /// What the wait for a change says.
        #[source]
        source: Box<TuiError>,
    },
    /// It was not shown since the mark.
    #[error("{condition} was not shown since the mark")]
    NotSeen {
        /// What was asked.
        condition: String,
        /// What was shown instead.
        report: Box<Report>,
    },
    /// It was shown since the mark, and should never have been.
    #[error("{condition} was shown, {} after the start", Elapsed(*after))]
    Seen {
        /// What was asked.
        condition: String,
        /// How long after the program's start.
        after: Duration,
        /// What is there now.
        report: Box<Report>,
        /// On which screen.
        frame: Arc<Frame>,
    },
    /// The mark is too long ago.
    #[error(transparent)]
    Forgotten(#[from] Forgotten),
    /// The screen is not the one that was kept.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A file could not be written.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The program ended by itself and left the terminal otherwise than it found it.
    #[error(
        "the program ended ({outcome}) and left the terminal in disorder: {}",
        list(leftovers)
    )]
    LeftBehind {
        /// How it ended.
        outcome: Outcome,
        /// What it left.
        leftovers: Vec<Leftover>,
    },
    /// A step failed as often as it was tried.
    #[error("step `{label}` failed ({})", tries(*attempts))]
    Step {
        /// The step.
        label: String,
        /// How often it was tried.
        attempts: u32,
        /// What went wrong the last time.
        failure: Failure,
    },
}

/// What helps a test that is not given the time it needs.
pub(crate) const MORE_TIME: &str =
    "`RunOptions::timeout` or SCREENTEST_TIMEOUT_SECONDS gives a test more time";

/// A wait that had all the time it asked for.
impl From<WaitError> for TuiError {
    fn from(error: WaitError) -> TuiError {
        TuiError::Wait {
            error,
            cut_short: None,
        }
    }
}

fn list(leftovers: &[Leftover]) -> String {
    let each: Vec<String> = leftovers.iter().map(Leftover::to_string).collect();
    each.join("; ")
}

fn tries(attempts: u32) -> String {
    match attempts {
        1 => "tried once".to_owned(),
        attempts => format!("tried {attempts} times"),
    }
}

impl TuiError {
    /// Whether another thread ended it: see [`Interrupt`](crate::Interrupt).
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

    /// What was there instead, where there is something to tell.
    pub fn report(&self) -> Option<&Report> {
        match self {
            TuiError::Wait { error, .. } | TuiError::Snapshot(SnapshotError::Wait(error)) => {
                error.report()
            }
            TuiError::Select { report, .. } | TuiError::NotSeen { report, .. } => Some(report),
            TuiError::NotEchoed { source, .. } | TuiError::NothingChanged { source, .. } => {
                source.report()
            }
            TuiError::Step { failure, .. } => failure
                .downcast_ref::<TuiError>()
                .and_then(TuiError::report),
            _ => None,
        }
    }

    /// Whether what it tells shows what was on the screen.
    pub(crate) fn shows_screen(&self) -> bool {
        let shown = matches!(
            self,
            TuiError::Seen { .. } | TuiError::Snapshot(SnapshotError::Mismatch(_))
        );
        shown || self.report().is_some()
    }

    /// What to do about it, where there is something that helps often.
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
                Some("a program that does not show what is typed wants `send_line`".to_owned())
            }
            TuiError::LeftBehind { .. } => Some(
                "`RunOptions::exit_check(ExitCheck::Off)` is for programs that do so on purpose"
                    .to_owned(),
            ),
            TuiError::Select {
                error: SelectError::Ambiguous { .. },
                ..
            } => Some(
                "`.nth(0)`, `.within(rect)` or `.right_of(…)` says which one; `WaitOptions::ambiguity` takes the first \
                 or the last"
                    .to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::Artifact(
                ArtifactError::Read { .. } | ArtifactError::Meta { .. },
            )) => Some(
                "SCREENTEST_UPDATE_SNAPSHOTS=all writes it anew".to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::NoBaseline { .. }) => Some(
                "run the test once where neither is so, and commit the baseline"
                    .to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::Mismatch(_)) => Some(
                "SCREENTEST_UPDATE_SNAPSHOTS=changed takes every screen that differs; `screentest review` shows each \
                 and asks"
                    .to_owned(),
            ),
            TuiError::Snapshot(SnapshotError::Restless { .. }) => Some(
                "wait for what the screen should say first, or mask what moves".to_owned(),
            ),
            _ => None,
        }
    }
}

/// What `?` and `unwrap` print in a test that failed, so it is for people.
impl fmt::Debug for TuiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(Paint::Plain))
    }
}

impl TuiError {
    /// The error and all that explains it.
    pub(crate) fn told(&self, paint: Paint) -> String {
        self.told_hinting(paint, self.hint())
    }

    /// The same with another hint.
    pub(crate) fn told_hinting(&self, paint: Paint, hint: Option<String>) -> String {
        let mut told = self.to_string();
        match self {
            TuiError::NotEchoed { source, .. } | TuiError::NothingChanged { source, .. } => {
                told.push_str(":\n");
                told.push_str(&source.told(paint));
            }
            TuiError::Step { failure, .. } => {
                told.push_str(&format!(" at {}\n", failure.place()));
                told.push_str(&failure.told(paint));
            }
            TuiError::Wait { error, .. } => told = error.told(paint),
            TuiError::Snapshot(SnapshotError::Mismatch(mismatch)) => {
                told.push('\n');
                told.push_str(&mismatch.told(paint));
                told.push_str(&format!("waited for {}\n", Elapsed(mismatch.waited)));
                told.push_str(&mismatch.report.details().to_string());
                for (name, path) in [
                    ("expected: ", &mismatch.baseline),
                    ("actual:   ", &mismatch.capture),
                    ("diff:     ", &mismatch.diff_file),
                ] {
                    told.push_str(&format!("{name}{}\n", path.display()));
                }
            }
            TuiError::Snapshot(SnapshotError::NoBaseline {
                baseline, actual, ..
            }) => {
                let (baseline, actual) = (baseline.display(), actual.display());
                told.push_str(&format!("\nexpected: {baseline}\nactual:   {actual}"));
            }
            TuiError::Seen { frame, report, .. } => {
                let screen = match paint {
                    Paint::Ansi => frame.screen.painted(paint),
                    _ => frame.screen.picture(),
                };
                told.push_str(&format!(" on this screen:\n{}", report::frame(&screen)));
                told.push_str(&report.details().to_string());
            }
            _ => {
                let mut cause = std::error::Error::source(self);
                while let Some(error) = cause {
                    told.push_str(&format!(": {error}"));
                    cause = error.source();
                }
                if let Some(report) = self.report() {
                    told.push_str(&format!("\n{}", report.told(paint)));
                }
            }
        }
        told.truncate(told.trim_end().len());
        if let Some(hint) = hint {
            told.push_str(&format!("\nhint: {hint}"));
        }
        told
    }
}
