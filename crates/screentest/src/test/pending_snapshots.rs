//! Snapshots that wait for a decision.
//!
//! A comparison that failed leaves its files beside what the run saw: both screens as they were compared, and their
//! difference in words. Accepting makes what was seen the baseline, rejecting leaves the baseline as it is; with either
//! the files of the comparison go. Only what was looked at can be accepted: a test that ran again meanwhile may have seen
//! something else.
//!
//! Elsewhere: the names of the files (`kept.rs`), and where they are (`artifacts.rs`).

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use screentest_core::{Screen, Size};

use crate::test::artifacts::ArtifactError;
use crate::test::atomic_write::{Folder, could_not, unread};
use crate::test::slug::Slug;
use crate::test::snapshot_files::Kept;

/// A snapshot that is not what its baseline says, or that has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    kind: Kind,
    slug: Slug,
    name: Slug,
    artifacts: Folder,
}

/// What took the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A test.
    Test,
    /// A session that somebody drove.
    Session,
    /// A tape.
    Tape,
}

/// What was found: all that waits, and what kept us from looking everywhere.
#[derive(Debug, Default)]
pub struct Found {
    /// Sorted by path.
    pub pending: Vec<Pending>,
    /// The folders that could not be looked into.
    pub errors: Vec<PendingError>,
}

/// What is to be decided on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The baseline as it was compared; `None` where there is none yet.
    pub old: Option<Screen>,
    /// What was seen, as it was compared.
    pub new: Screen,
    /// The difference in words.
    pub words: String,
    /// Which state of the files this is.
    pub seen: Seen,
}

/// A state of a snapshot's files: they have another once something writes to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen([Option<Stamp>; 3]);

/// What tells one state of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds.
    changed: (i64, i64),
}

impl Comparison {
    /// How large a screen is that holds both.
    pub fn size(&self) -> Size {
        let (new, old) = (self.new.size, self.old.as_ref().map(|old| old.size));
        let old = old.unwrap_or(new);
        Size {
            cols: new.cols.max(old.cols),
            rows: new.rows.max(old.rows),
        }
    }
}

/// Why a snapshot could not be looked at or decided on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PendingError {
    /// A file or folder could not be read or written.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// Something else than what was looked at.
    #[error("the files of `{slug}/{name}` have changed since they were looked at")]
    Changed {
        /// Whose snapshot.
        slug: String,
        /// Which one.
        name: String,
    },
}

impl Kind {
    /// The folder below that of the artifacts.
    fn folder(self) -> &'static str {
        match self {
            Kind::Test => "tests",
            Kind::Session => "sessions",
            Kind::Tape => "tapes",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Test => "test",
            Kind::Session => "session",
            Kind::Tape => "tape",
        })
    }
}

impl Pending {
    /// Looks for all that waits. Where nothing was ever kept, nothing waits.
    pub fn find(artifacts: &Path) -> Found {
        let mut found = Found::default();
        let artifacts = match Folder::open(artifacts) {
            Ok(artifacts) => artifacts,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return found,
            Err(source) => {
                found.errors.push(unread(artifacts)(source).into());
                return found;
            }
        };
        for kind in [Kind::Test, Kind::Session, Kind::Tape] {
            let folder = artifacts.path().join(kind.folder());
            for slug in found.names(&artifacts, &folder, "") {
                let captures = folder.join(&slug).join("snapshots");
                for name in found.names(&artifacts, &captures, Kept::DIFF) {
                    found.pending.push(Pending {
                        kind,
                        slug: slug.clone(),
                        name,
                        artifacts: artifacts.clone(),
                    });
                }
            }
        }
        found.pending.sort_by_key(Pending::diff_path);
        found
    }

    /// What took it.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The test or session that took it.
    pub fn slug(&self) -> &str {
        self.slug.as_str()
    }

    /// Its name there.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The file that holds what was seen.
    pub fn capture_path(&self) -> PathBuf {
        self.captured().text()
    }

    /// The file that holds the baseline, or will.
    pub fn baseline_path(&self) -> PathBuf {
        self.baseline().text()
    }

    /// The file that holds the difference in words.
    pub fn diff_path(&self) -> PathBuf {
        self.captured().diff()
    }

    /// Reads what is to be decided on.
    pub fn read(&self) -> Result<Comparison, PendingError> {
        // Before the files: what changes while they are read is not what was seen.
        let seen = self.seen();
        let kept = self.captured();
        let words = self.artifacts.read(&kept.diff())?;
        // What could not become a baseline should not be offered as one.
        kept.read(&self.artifacts)?;
        Ok(Comparison {
            old: kept.expected().find(&self.artifacts)?,
            new: kept.actual().read(&self.artifacts)?,
            words: String::from_utf8_lossy(&words).into_owned(),
            seen,
        })
    }

    /// Makes what was seen the baseline. What has changed since is left alone.
    pub fn accept(&self, seen: &Seen) -> Result<(), PendingError> {
        if self.seen() != *seen {
            return Err(PendingError::Changed {
                slug: self.slug.to_string(),
                name: self.name.to_string(),
            });
        }
        let (run, kept) = (self.run(), self.captured());
        self.artifacts.check(&run)?;
        self.baseline().copy(&self.artifacts, &run, &kept)?;
        self.forget()
    }

    /// Leaves the baseline as it is, and forgets the comparison.
    pub fn reject(&self) -> Result<(), PendingError> {
        self.forget()
    }
}

/// The files.
impl Pending {
    /// The folder of the run that took it.
    fn run(&self) -> PathBuf {
        let runs = self.artifacts.path().join(self.kind.folder());
        runs.join(&self.slug)
    }

    fn captured(&self) -> Kept {
        Kept::new(self.run().join("snapshots"), self.name.as_str())
    }

    fn baseline(&self) -> Kept {
        let folder = self.artifacts.path().join("snapshots").join(&self.slug);
        Kept::new(folder, self.name.as_str())
    }

    fn seen(&self) -> Seen {
        let kept = self.captured();
        Seen([kept.text(), kept.meta(), kept.diff()].map(|path| {
            let there = fs::symlink_metadata(path).ok()?;
            Some(Stamp {
                inode: there.ino(),
                bytes: there.size(),
                changed: (there.ctime(), there.ctime_nsec()),
            })
        }))
    }

    /// Removes what the comparison left.
    fn forget(&self) -> Result<(), PendingError> {
        self.artifacts.check(&self.run().join("snapshots"))?;
        for path in self.captured().comparison() {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(could_not(&path)(error).into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Found {
    /// The names in a folder that are followed by this ending. Others are not ours: a name of ours cannot lead anywhere.
    fn names(&mut self, artifacts: &Folder, folder: &Path, ending: &str) -> Vec<Slug> {
        match names(artifacts, folder) {
            Ok(names) => names
                .iter()
                .filter_map(|name| name.strip_suffix(ending))
                .filter_map(Slug::parse)
                .collect(),
            Err(error) => {
                self.errors.push(error.into());
                Vec::new()
            }
        }
    }
}

/// The names in a folder; none where there is no such folder.
fn names(artifacts: &Folder, folder: &Path) -> Result<Vec<String>, ArtifactError> {
    // A stray file beside the folders of tests has nothing that waits.
    let nothing = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    match fs::metadata(folder) {
        Err(error) if nothing.contains(&error.kind()) => return Ok(Vec::new()),
        Ok(there) if !there.is_dir() => return Ok(Vec::new()),
        _ => artifacts.check(folder)?,
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread(folder))? {
        // A name that is not Unicode is not ours.
        names.extend(entry.map_err(unread(folder))?.file_name().into_string());
    }
    Ok(names)
}
