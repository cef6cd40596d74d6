//! Comparing a screen with one that was kept.
//!
//! Characters and all visible style are compared cell by cell, as the program gave them, after whatever may vary was
//! evened out on both sides. What is kept is what was seen: normalisers are for comparing only.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use screentest_core::formats::ansi;
use screentest_core::{Condition, Cursor, Diff, Normaliser, Paint, Screen};

use crate::format_duration::Elapsed;
use crate::session::Session;
use crate::session::wait::WaitError;
use crate::session::wait::limits::Patience;
use crate::session::wait::report::Report;
use crate::test::artifacts::{ArtifactError, Artifacts};
use crate::test::run_options::Update;
use crate::test::slug::Slug;
use crate::test::snapshot_files::Kept;

/// Why a screen is not the one that was kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It differs.
    #[error("snapshot `{}` differs from its baseline", .0.name)]
    Mismatch(Box<Mismatch>),
    /// There is no baseline, and none may be made.
    #[error(
        "snapshot `{name}` has no baseline, and none may be made: `CI` is set, or updates are `none`"
    )]
    NoBaseline {
        /// The snapshot.
        name: String,
        /// Where the baseline would be.
        baseline: PathBuf,
        /// What was seen.
        actual: PathBuf,
    },
    /// The screen did not stand still long enough to be kept.
    #[error(
        "snapshot `{name}` could not be taken: the screen did not stand still for {} within {}",
        Elapsed(*quiet),
        Elapsed(*waited)
    )]
    Restless {
        /// The snapshot.
        name: String,
        /// How long it should have stood still.
        quiet: Duration,
        /// How long it was given.
        waited: Duration,
    },
    /// A file could not be written or read.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The program's terminal is gone.
    #[error(transparent)]
    Wait(#[from] WaitError),
}

/// A screen that is not the one that was kept, both after whatever may vary was evened out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The snapshot.
    pub name: String,
    /// What was kept.
    pub expected: Screen,
    /// What was seen.
    pub actual: Screen,
    /// What differs.
    pub diff: Diff,
    /// How long it was waited for.
    pub waited: Duration,
    /// What else is known.
    pub report: Report,
    /// The file of what was kept.
    pub baseline: PathBuf,
    /// The file of what was seen.
    pub capture: PathBuf,
    /// The file of the difference.
    pub diff_file: PathBuf,
}

impl Mismatch {
    /// Both screens side by side, with the differing cells marked.
    pub fn told(&self, paint: Paint) -> String {
        self.diff
            .side_by_side(&self.expected, &self.actual)
            .labels("expected", "actual")
            .paint(paint)
            .to_string()
    }
}

/// Where a snapshot is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SnapshotFiles {
    /// What this run saw, as ANSI text.
    pub capture: PathBuf,
    /// Its size and its cursor.
    pub capture_meta: PathBuf,
    /// What it is compared with.
    pub baseline: PathBuf,
}

/// What became of a baseline when its snapshot was as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Baseline {
    /// It is what it was.
    Kept,
    /// There was none.
    New,
    /// It was written anew.
    Updated,
}

/// A snapshot that is as it should be.
#[derive(Debug)]
pub(crate) struct Fine {
    /// Where the screen is that was seen.
    pub(crate) capture: PathBuf,
    #[cfg_attr(
        not(feature = "render"),
        expect(dead_code, reason = "only tapes tell of it")
    )]
    pub(crate) baseline: Baseline,
}

/// When a comparison is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GiveUp {
    /// When there is no more time.
    InTime,
    /// Also once nothing has changed for this long and the program waits for input.
    #[cfg(feature = "render")]
    AtRest(Duration),
}

/// How long it is looked whether a program waits for input: a little longer than the timers that count.
#[cfg(feature = "render")]
const LOOKING: Duration = Duration::from_millis(100);

/// How long a screen must stand still before it becomes a baseline. Long enough for a program to finish a picture that
/// it draws in pieces, also on a busy machine.
const QUIET: Duration = Duration::from_millis(200);

/// A snapshot of a run, by name.
#[derive(Debug)]
pub(crate) struct Snapshot<'a> {
    artifacts: &'a Artifacts,
    normalisers: &'a [Normaliser],
    name: &'a str,
    slug: Slug,
}

/// A screen that is compared, and as it was.
struct Taken {
    screen: Screen,
    compared: Screen,
}

impl<'a> Snapshot<'a> {
    /// The snapshot of this name.
    pub(crate) fn new(
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

    /// Where it is, or will be.
    pub(crate) fn files(&self) -> SnapshotFiles {
        SnapshotFiles {
            capture: self.captured().text(),
            capture_meta: self.captured().meta(),
            baseline: self.baseline().text(),
        }
    }

    /// Keeps a screen in this run's folder, and says where.
    pub(crate) fn capture(&self, screen: &Screen) -> Result<PathBuf, ArtifactError> {
        let kept = self.captured();
        self.artifacts.keep(&kept, screen)?;
        Ok(kept.text())
    }

    /// Keeps a picture beside it, and says where.
    #[cfg(feature = "render")]
    pub(crate) fn capture_picture(&self, png: &[u8]) -> Result<PathBuf, ArtifactError> {
        let path = self.captured().picture();
        self.artifacts.write(&path, png)?;
        Ok(path)
    }

    /// Waits until the program shows what was kept, or keeps what it shows, as `update` says.
    pub(crate) fn expect(
        &self,
        session: &Session,
        update: Update,
        patience: &Patience,
        give_up: GiveUp,
    ) -> Result<Fine, SnapshotError> {
        // What an earlier failure left would still be taken for one that waits for a decision.
        self.forget_comparison();
        let baseline = match update {
            // Whatever is there is written over, whether it could be read or not.
            Update::All => None,
            _ => self.artifacts.find(&self.baseline())?,
        };
        let baseline = baseline.map(|screen| self.taken(screen));
        match (baseline, update) {
            (_, Update::All) | (None, Update::Changed | Update::Missing) => {
                let taken = self.settled(session, patience)?;
                self.keep(&taken.screen)
            }
            (Some(baseline), Update::Changed) => {
                let taken = self.settled(session, patience)?;
                if same(&baseline.compared, &taken.compared) {
                    return self.fine(&taken.screen);
                }
                self.keep(&taken.screen)
            }
            (Some(baseline), Update::Missing | Update::None) => {
                self.compare(session, &baseline, patience, give_up)
            }
            (None, Update::None) => {
                let taken = self.settled(session, patience)?;
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
        baseline: &Taken,
        patience: &Patience,
        give_up: GiveUp,
    ) -> Result<Fine, SnapshotError> {
        let expected = baseline.compared.clone();
        let normalisers = self.normalisers.to_vec();
        let shown = Condition::new(format!("snapshot `{}`", self.name), move |screen| {
            same(&expected, &compared(screen, &normalisers))
        });
        let started = session.clock().now();
        let deadline = started.saturating_add(patience.timeout);
        let report = loop {
            let left = deadline.saturating_sub(session.clock().now());
            let part = match give_up {
                GiveUp::InTime => left,
                #[cfg(feature = "render")]
                GiveUp::AtRest(still) => left.min(still),
            };
            let report = match session.wait_for(shown.clone(), patience.of(part)) {
                Ok(screen) => return self.fine(&screen),
                Err(WaitError::TimedOut { report, .. }) => report,
                Err(WaitError::Ended { report, .. }) => break *report,
                Err(error) => return Err(error.into()),
            };
            let at_rest = match give_up {
                GiveUp::InTime => false,
                #[cfg(feature = "render")]
                GiveUp::AtRest(still) => {
                    let is_still = report.unchanged.is_some_and(|time| time >= still);
                    is_still && session.wait_rest(LOOKING)
                }
            };
            if at_rest || session.clock().now() >= deadline {
                break *report;
            }
        };
        let waited = session.clock().now().saturating_sub(started);
        let taken = self.taken(report.last.clone());
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
        let words = mismatch.told(Paint::Plain);
        let written = self.write_comparison(Some(baseline), &taken, &words)?;
        mismatch.diff_file = self.artifacts.shown(&written);
        Err(SnapshotError::Mismatch(Box::new(mismatch)))
    }

    /// Keeps a screen as what was seen, which is as it should be.
    fn fine(&self, screen: &Screen) -> Result<Fine, SnapshotError> {
        Ok(Fine {
            capture: self.capture(screen)?,
            baseline: Baseline::Kept,
        })
    }

    /// Keeps a screen as what was seen and as the baseline.
    fn keep(&self, screen: &Screen) -> Result<Fine, SnapshotError> {
        let capture = self.capture(screen)?;
        let baseline = match self.baseline().text().exists() {
            true => Baseline::Updated,
            false => Baseline::New,
        };
        self.artifacts.keep(&self.baseline(), screen)?;
        Ok(Fine { capture, baseline })
    }

    /// The screen once it stands still, apart from what may vary; not before the program has shown anything.
    fn settled(&self, session: &Session, patience: &Patience) -> Result<Taken, SnapshotError> {
        let clock = session.clock().clone();
        let deadline = clock.now().saturating_add(patience.timeout);
        let anything = Condition::new("anything", |screen| *screen != Screen::blank(screen.size));
        match session.wait_for(anything, patience.clone()) {
            // A program may mean to show nothing.
            Ok(_) | Err(WaitError::TimedOut { .. } | WaitError::Ended { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let mut mark = session.mark();
        let mut taken = self.taken(session.screen());
        let mut since = clock.now();
        loop {
            let quiet = since.saturating_add(QUIET);
            let left = quiet.min(deadline).saturating_sub(clock.now());
            match session.wait_frame(mark, patience.of(left)) {
                Ok(frame) => {
                    mark = frame.mark();
                    let next = self.taken(frame.screen.clone());
                    if !same(&taken.compared, &next.compared) {
                        since = frame.time;
                    }
                    taken = next;
                }
                Err(WaitError::Ended { .. }) => return Ok(taken),
                Err(WaitError::TimedOut { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            if clock.now() >= quiet && since.saturating_add(QUIET) == quiet {
                return Ok(taken);
            } else if clock.now() >= deadline {
                return Err(SnapshotError::Restless {
                    name: self.name.to_owned(),
                    quiet: QUIET,
                    waited: patience.timeout,
                });
            }
        }
    }

    fn taken(&self, screen: Screen) -> Taken {
        Taken {
            compared: compared(&screen, self.normalisers),
            screen,
        }
    }

    /// Leaves both sides as they were compared, and the difference in words, for people and for `screentest review`.
    fn write_comparison(
        &self,
        baseline: Option<&Taken>,
        taken: &Taken,
        diff: &str,
    ) -> Result<PathBuf, ArtifactError> {
        let kept = self.captured();
        if let Some(baseline) = baseline {
            self.artifacts.keep(&kept.expected(), &baseline.compared)?;
        }
        self.artifacts.keep(&kept.actual(), &taken.compared)?;
        let path = kept.diff();
        self.artifacts.write(&path, diff.as_bytes())?;
        Ok(path)
    }

    fn forget_comparison(&self) {
        for path in self.captured().comparison() {
            // Mostly there is none; one that cannot be removed is written over or reported when it is.
            let _ = fs::remove_file(path);
        }
    }

    /// What this run saw.
    fn captured(&self) -> Kept {
        Kept::new(self.artifacts.captures(), self.slug.as_str())
    }

    /// What it is compared with.
    fn baseline(&self) -> Kept {
        Kept::new(self.artifacts.baselines(), self.slug.as_str())
    }
}

/// What is compared of a screen: its size and its cells, evened out.
fn compared(screen: &Screen, normalisers: &[Normaliser]) -> Screen {
    let mut screen = ansi::reduce(screen);
    screen.cursor = Cursor::default();
    screen.title = "".into();
    normalisers
        .iter()
        .fold(screen, |screen, normaliser| normaliser.apply(&screen))
}

fn same(expected: &Screen, actual: &Screen) -> bool {
    Diff::between(expected, actual).is_empty()
}
