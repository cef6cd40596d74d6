//! Snapshots that are pending review.
//!
//! A failed comparison leaves files next to the run's captures: both compared screens and a
//! description of their difference. Accepting makes the capture the baseline, rejecting keeps the
//! baseline; both remove the files of the comparison. Only a capture that was shown to the reviewer
//! can be accepted: a later run may have captured another screen.
//!
//! See also: `snapshot_files.rs` (names of the files), `artifacts.rs` (their directories).

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use screentest_core::{Screen, Size};

use crate::test::artifacts::ArtifactError;
use crate::test::atomic_write::{Folder, could_not, unread};
use crate::test::slug::Slug;
use crate::test::snapshot_files::Kept;

/// A snapshot that differs from its baseline, or has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    kind: Kind,
    slug: Slug,
    name: Slug,
    artifacts: Folder,
}

/// The kind of run that took the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A test.
    Test,
    /// A session of a script.
    Session,
    /// A tape.
    Tape,
}

/// Result of the search: all pending snapshots, and errors.
#[derive(Debug, Default)]
pub struct Found {
    /// Sorted by path.
    pub pending: Vec<Pending>,
    /// Directories that could not be read.
    pub errors: Vec<PendingError>,
}

/// The content of a pending snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The compared baseline; `None` if there is none yet.
    pub old: Option<Screen>,
    /// The compared capture.
    pub new: Screen,
    /// The description of the difference.
    pub words: String,
    /// The state of the files at the time of reading.
    pub seen: Seen,
}

/// State of a snapshot's files. It changes when one of them is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen([Option<Stamp>; 3]);

/// State of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds.
    changed: (i64, i64),
}

impl Comparison {
    /// Returns the smallest size that holds both screens.
    pub fn size(&self) -> Size {
        let (new, old) = (self.new.size, self.old.as_ref().map(|old| old.size));
        let old = old.unwrap_or(new);
        Size {
            cols: new.cols.max(old.cols),
            rows: new.rows.max(old.rows),
        }
    }
}

/// Why a snapshot could not be read, accepted or rejected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PendingError {
    /// A file or folder could not be read or written.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The files have changed since they were read.
    #[error("the files of `{slug}/{name}` have changed since they were read")]
    Changed {
        /// The test or session.
        slug: String,
        /// The snapshot.
        name: String,
    },
}

impl Kind {
    /// Returns the directory of such runs, below the artifact directory.
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
    /// Finds all pending snapshots. A missing artifact directory has none.
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

    /// Returns the kind of run that took it.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the test or session that took it.
    pub fn slug(&self) -> &str {
        self.slug.as_str()
    }

    /// Returns its name there.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the file of the capture.
    pub fn capture_path(&self) -> PathBuf {
        self.captured().text()
    }

    /// Returns the file of the baseline, which may not exist yet.
    pub fn baseline_path(&self) -> PathBuf {
        self.baseline().text()
    }

    /// Returns the file of the difference's description.
    pub fn diff_path(&self) -> PathBuf {
        self.captured().diff()
    }

    /// Reads both screens and their difference.
    pub fn read(&self) -> Result<Comparison, PendingError> {
        // Before the files: a change while they are read is detected later.
        let seen = self.seen();
        let kept = self.captured();
        let words = self.artifacts.read(&kept.diff())?;
        // A capture that cannot become a baseline must not be offered as one.
        kept.read(&self.artifacts)?;
        Ok(Comparison {
            old: kept.expected().find(&self.artifacts)?,
            new: kept.actual().read(&self.artifacts)?,
            words: String::from_utf8_lossy(&words).into_owned(),
            seen,
        })
    }

    /// Makes the capture the baseline. Fails if the files have changed since.
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

    /// Keeps the baseline, and removes the comparison.
    pub fn reject(&self) -> Result<(), PendingError> {
        self.forget()
    }
}

/// The files.
impl Pending {
    /// Returns the directory of the run that took it.
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

    /// Removes the files of the comparison.
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
    /// Returns the names in a directory that have this extension, without it. Names that are no
    /// slugs were not written by this library and could lead elsewhere.
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

/// Returns the names in a directory; none if it does not exist.
fn names(artifacts: &Folder, folder: &Path) -> Result<Vec<String>, ArtifactError> {
    // A stray file among the directories of tests contains no snapshots.
    let nothing = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    match fs::metadata(folder) {
        Err(error) if nothing.contains(&error.kind()) => return Ok(Vec::new()),
        Ok(there) if !there.is_dir() => return Ok(Vec::new()),
        _ => artifacts.check(folder)?,
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread(folder))? {
        // A name that is not Unicode was not written by this library.
        names.extend(entry.map_err(unread(folder))?.file_name().into_string());
    }
    Ok(names)
}
