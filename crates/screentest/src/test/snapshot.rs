//! Comparison of a screen with its stored baseline.
//!
//! Characters and all visible styles are compared cell by cell, in the program's own colours, after
//! normalisers were applied to both sides. The stored baseline and capture are not normalised.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use screentest_core::formats::ansi;
use screentest_core::{Condition, Cursor, Diff, Normaliser, Paint, Screen, Secrets};

use crate::format_duration::Elapsed;
use crate::session::Session;
use crate::session::wait::WaitError;
use crate::session::wait::limits::WaitLimits;
use crate::session::wait::report::WaitReport;
use crate::test::artifacts::{ArtifactError, Artifacts};
use crate::test::run_options::Update;
use crate::test::slug::Slug;
use crate::test::snapshot_files::ScreenFiles;

/// Why a snapshot does not match its baseline.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The screen differs.
    #[error("snapshot `{}` differs from its baseline", .0.name)]
    Mismatch(Box<Mismatch>),
    /// There is no baseline, and writing one is disabled.
    #[error(
        "snapshot `{name}` has no baseline, and writing one is disabled: `CI` is set, or updates are `none`"
    )]
    NoBaseline {
        /// The snapshot.
        name: String,
        /// The path where the baseline would be.
        baseline: PathBuf,
        /// The path of the capture.
        actual: PathBuf,
    },
    /// The screen was not stable long enough to become a baseline.
    #[error(
       "snapshot `{name}` could not be taken: the screen was not stable for {} within {}",
        Elapsed(*quiet),
        Elapsed(*waited)
    )]
    Restless {
        /// The snapshot.
        name: String,
        /// How long it should have been stable.
        quiet: Duration,
        /// The timeout.
        waited: Duration,
    },
    /// A file could not be written or read.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The wait failed for another reason than the timeout.
    #[error(transparent)]
    Wait(#[from] WaitError),
}

/// A screen that differs from its baseline; both after normalisation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The snapshot.
    pub name: String,
    /// The baseline.
    pub expected: Screen,
    /// The current screen.
    pub actual: Screen,
    /// The difference.
    pub diff: Diff,
    /// How long the comparison waited.
    pub waited: Duration,
    /// The state of the session.
    pub report: WaitReport,
    /// The file of the baseline.
    pub baseline: PathBuf,
    /// The file of the capture.
    pub capture: PathBuf,
    /// The file of the difference.
    pub diff_file: PathBuf,
}

impl Mismatch {
    /// Formats both screens side by side, with the differing cells marked.
    pub fn to_text(&self, paint: Paint) -> String {
        self.diff
            .side_by_side(&self.expected, &self.actual)
            .labels("expected", "actual")
            .paint(paint)
            .to_string()
    }
}

/// Paths of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SnapshotFiles {
    /// The capture of this run, as ANSI text.
    pub capture: PathBuf,
    /// The size and the cursor of the capture.
    pub capture_meta: PathBuf,
    /// The baseline.
    pub baseline: PathBuf,
}

/// Effect of a successful comparison on the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Baseline {
    /// It was not changed.
    Kept,
    /// It was created.
    New,
    /// It was overwritten.
    Updated,
}

/// Result of a successful comparison.
#[derive(Debug)]
#[doc(hidden)]
pub struct SnapshotMatch {
    /// The file of the capture.
    pub capture: PathBuf,
    /// Effect on the baseline.
    pub baseline: Baseline,
}

/// When a comparison gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum GiveUp {
    /// At the timeout.
    InTime,
    /// Also when nothing has changed for this long and the program waits for input.
    AtRest(Duration),
}

/// How long to check whether a program waits for input: longer than the timers that count as short.
const LOOKING: Duration = Duration::from_millis(100);

/// How long a screen must be stable before it becomes a baseline. Long enough for a program to
/// finish a screen that it draws in parts, also on a busy machine.
const QUIET: Duration = Duration::from_millis(200);

/// A snapshot of a run, by name.
#[derive(Debug)]
#[doc(hidden)]
pub struct Snapshot<'a> {
    artifacts: &'a Artifacts,
    normalisers: &'a [Normaliser],
    name: &'a str,
    slug: Slug,
}

/// A screen, with its normalised form for the comparison.
struct NormalisedCapture {
    screen: Screen,
    compared: Screen,
}

impl<'a> Snapshot<'a> {
    /// Creates the snapshot of this name.
    #[doc(hidden)]
    pub fn new(
        artifacts: &'a Artifacts,
        normalisers: &'a [Normaliser],
        name: &'a str,
    ) -> Result<Snapshot<'a>, ArtifactError> {
        Ok(Snapshot {
            slug: artifacts.snapshot_slug(name)?,
            artifacts,
            normalisers,
            name,
        })
    }

    /// Returns its paths, which may not exist yet.
    #[doc(hidden)]
    pub fn files(&self) -> SnapshotFiles {
        SnapshotFiles {
            capture: self.captured().text(),
            capture_meta: self.captured().meta(),
            baseline: self.baseline().text(),
        }
    }

    /// Stores a screen as the capture, and returns its path.
    #[doc(hidden)]
    pub fn capture(&self, screen: &Screen) -> Result<PathBuf, ArtifactError> {
        let files = self.captured();
        self.artifacts.keep(&files, screen)?;
        Ok(files.text())
    }

    /// Stores a picture next to the capture, and returns the picture's path.
    #[cfg(feature = "render")]
    #[doc(hidden)]
    pub fn capture_picture(&self, png: &[u8]) -> Result<PathBuf, ArtifactError> {
        let path = self.captured().picture();
        self.artifacts.write(&path, png)?;
        Ok(path)
    }

    /// Waits until the screen equals the baseline, or stores it as the baseline, depending on
    /// `update`.
    #[doc(hidden)]
    pub fn expect(
        &self,
        session: &Session,
        update: Update,
        limits: &WaitLimits,
        give_up: GiveUp,
    ) -> Result<SnapshotMatch, SnapshotError> {
        // Otherwise the files of an earlier failure would still count as pending.
        self.forget_comparison();
        let baseline = match update {
            // The baseline is overwritten, whether it could be read or not.
            Update::All => None,
            _ => self.artifacts.find(&self.baseline())?,
        };
        let baseline = baseline.map(|screen| self.normalised(screen));
        match (baseline, update) {
            (_, Update::All) | (None, Update::Changed | Update::Missing) => {
                let taken = self.settled(session, limits)?;
                self.keep(&taken.screen)
            }
            (Some(baseline), Update::Changed) => {
                let taken = self.settled(session, limits)?;
                if same(&baseline.compared, &taken.compared) {
                    return self.matched(&taken.screen);
                }
                self.keep(&taken.screen)
            }
            (Some(baseline), Update::Missing | Update::None) => {
                self.compare(session, &baseline, limits, give_up)
            }
            (None, Update::None) => {
                let taken = self.settled(session, limits)?;
                let actual = self.capture(&taken.screen)?;
                self.write_comparison(None, &taken, "there is no baseline\n")?;
                Err(SnapshotError::NoBaseline {
                    name: self.name.to_owned(),
                    baseline: self.artifacts.shown(&self.baseline().text()),
                    actual: self.artifacts.shown(&actual),
                })
            }
        }
    }

    fn compare(
        &self,
        session: &Session,
        baseline: &NormalisedCapture,
        limits: &WaitLimits,
        give_up: GiveUp,
    ) -> Result<SnapshotMatch, SnapshotError> {
        let expected = baseline.compared.clone();
        let normalisers = self.normalisers.to_vec();
        let secrets = self.artifacts.secrets().clone();
        let shown = Condition::new(format!("snapshot `{}`", self.name), move |screen| {
            same(&expected, &compared(screen, &secrets, &normalisers))
        });
        let started = session.clock().now();
        let deadline = started.saturating_add(limits.timeout);
        let report = loop {
            let left = deadline.saturating_sub(session.clock().now());
            let part = match give_up {
                GiveUp::InTime => left,
                GiveUp::AtRest(still) => left.min(still),
            };
            let report = match session.wait_for(shown.clone(), limits.with_timeout(part)) {
                Ok(screen) => return self.matched(&screen),
                Err(WaitError::TimedOut { report, .. }) => report,
                Err(WaitError::Ended { report, .. }) => break *report,
                Err(error) => return Err(error.into()),
            };
            let at_rest = match give_up {
                GiveUp::InTime => false,
                GiveUp::AtRest(still) => {
                    let is_still = report.unchanged.is_some_and(|time| time >= still);
                    is_still && session.wait_until_idle(LOOKING)
                }
            };
            if at_rest || session.clock().now() >= deadline {
                break *report;
            }
        };
        let waited = session.clock().now().saturating_sub(started);
        let taken = self.normalised(report.last.clone());
        let actual = self.capture(&taken.screen)?;
        let mut mismatch = Mismatch {
            name: self.name.to_owned(),
            diff: Diff::between(&baseline.compared, &taken.compared),
            expected: baseline.compared.clone(),
            actual: taken.compared.clone(),
            baseline: self.artifacts.shown(&self.baseline().text()),
            capture: self.artifacts.shown(&actual),
            diff_file: PathBuf::new(),
            waited,
            report,
        };
        let words = mismatch.to_text(Paint::Plain);
        let written = self.write_comparison(Some(baseline), &taken, &words)?;
        mismatch.diff_file = self.artifacts.shown(&written);
        Err(SnapshotError::Mismatch(Box::new(mismatch)))
    }

    /// Stores a screen as the capture of a successful comparison.
    fn matched(&self, screen: &Screen) -> Result<SnapshotMatch, SnapshotError> {
        Ok(SnapshotMatch {
            capture: self.capture(screen)?,
            baseline: Baseline::Kept,
        })
    }

    /// Stores a screen as the capture and as the baseline.
    fn keep(&self, screen: &Screen) -> Result<SnapshotMatch, SnapshotError> {
        let capture = self.capture(screen)?;
        let baseline = if self.baseline().text().exists() {
            Baseline::Updated
        } else {
            Baseline::New
        };
        self.artifacts.keep(&self.baseline(), screen)?;
        Ok(SnapshotMatch { capture, baseline })
    }

    /// Waits until the program has drawn something and the normalised screen is stable.
    fn settled(
        &self,
        session: &Session,
        limits: &WaitLimits,
    ) -> Result<NormalisedCapture, SnapshotError> {
        let clock = session.clock().clone();
        let deadline = clock.now().saturating_add(limits.timeout);
        let anything = Condition::new("anything", |screen| *screen != Screen::blank(screen.size));
        // A program may intentionally draw nothing. Some time is left to check that its screen is
        // stable.
        let quiet = QUIET.min(limits.timeout);
        let wait = limits.with_timeout(limits.timeout - quiet);
        let least = match session.wait_for(anything, wait) {
            Ok(_) => Duration::ZERO,
            Err(WaitError::TimedOut { .. } | WaitError::Ended { .. }) => quiet,
            Err(error) => return Err(error.into()),
        };
        // Output written by now is not a change, even if it was not read yet.
        session.catch_up();
        let left = deadline.saturating_sub(clock.now()).max(least);
        let mut taken: Option<NormalisedCapture> = None;
        let settled = session.wait_until_settled(QUIET, limits.with_timeout(left), |frame| {
            let next = self.normalised(frame.screen.clone());
            let last = taken.as_ref();
            let is_change = last.is_none_or(|last| !same(&last.compared, &next.compared));
            taken = Some(next);
            is_change
        });
        match settled {
            Ok(frame) => Ok(taken.unwrap_or_else(|| self.normalised(frame.screen.clone()))),
            Err(WaitError::TimedOut { .. }) => Err(SnapshotError::Restless {
                name: self.name.to_owned(),
                quiet: QUIET,
                waited: limits.timeout,
            }),
            Err(error) => Err(error.into()),
        }
    }

    fn normalised(&self, screen: Screen) -> NormalisedCapture {
        NormalisedCapture {
            compared: compared(&screen, self.artifacts.secrets(), self.normalisers),
            screen,
        }
    }

    /// Stores both compared screens and the description of their difference, for people and for
    /// `screentest review`.
    fn write_comparison(
        &self,
        baseline: Option<&NormalisedCapture>,
        taken: &NormalisedCapture,
        diff: &str,
    ) -> Result<PathBuf, ArtifactError> {
        let files = self.captured();
        if let Some(baseline) = baseline {
            self.artifacts.keep(&files.expected(), &baseline.compared)?;
        }
        self.artifacts.keep(&files.actual(), &taken.compared)?;
        let path = files.diff();
        self.artifacts.write(&path, diff.as_bytes())?;
        Ok(path)
    }

    fn forget_comparison(&self) {
        for path in self.captured().comparison() {
            // Usually there is none. A file that cannot be removed is overwritten by the next
            // comparison, which reports an error if that fails.
            let _ = fs::remove_file(path);
        }
    }

    /// Returns the files of the capture.
    fn captured(&self) -> ScreenFiles {
        ScreenFiles::new(self.artifacts.captures(), self.slug.as_str())
    }

    /// Returns the files of the baseline.
    fn baseline(&self) -> ScreenFiles {
        ScreenFiles::new(self.artifacts.baselines(), self.slug.as_str())
    }
}

/// Returns the compared part of a screen: its size and its normalised cells. Secrets are redacted,
/// as in the stored screen.
fn compared(screen: &Screen, secrets: &Secrets, normalisers: &[Normaliser]) -> Screen {
    let mut screen = ansi::reduce(&secrets.screen(screen));
    screen.cursor = Cursor::default();
    screen.title = "".into();
    normalisers
        .iter()
        .fold(screen, |screen, normaliser| normaliser.apply(&screen))
}

fn same(expected: &Screen, actual: &Screen) -> bool {
    Diff::between(expected, actual).is_empty()
}
