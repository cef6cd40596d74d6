//! Snapshots that are pending review.
//!
//! A failed comparison leaves files next to the run's captures: both compared screens and a
//! description of their difference. Accepting makes the capture the baseline, rejecting keeps the
//! baseline; both remove the files of the comparison. Only a capture that was shown to the reviewer
//! can be accepted: a later run may have captured another screen.
//!
//! See also: `snapshot_files.rs` (names of the files), `artifacts.rs` (their directories).

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use screentest_core::{Screen, Size};

use crate::test::artifacts::ArtifactError;
use crate::test::atomic_write::{Folder, read_error, write_error};
use crate::test::slug::Slug;
use crate::test::snapshot_files::ScreenFiles;

/// A snapshot that differs from its baseline, or has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    kind: RunKind,
    slug: Slug,
    name: Slug,
    artifacts: Folder,
}

/// The kind of run that took the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// A test.
    Test,
    /// A session of a script.
    Session,
    /// A tape.
    Tape,
}

/// Result of the search: all pending snapshots, and errors.
#[derive(Debug, Default)]
pub struct PendingList {
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
    pub stamps: FileStamps,
}

/// State of a snapshot's files. It changes when one of them is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamps([Option<Stamp>; 3]);

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
        /// The slug of the run.
        slug: String,
        /// The snapshot.
        name: String,
    },
}

impl RunKind {
    /// Returns the directory of such runs, below the artifact directory.
    fn folder(self) -> &'static str {
        match self {
            RunKind::Test => "tests",
            RunKind::Session => "sessions",
            RunKind::Tape => "tapes",
        }
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RunKind::Test => "test",
            RunKind::Session => "session",
            RunKind::Tape => "tape",
        })
    }
}

impl Pending {
    /// Finds all pending snapshots. A missing artifact directory has none.
    pub fn find(artifacts: &Path) -> PendingList {
        let mut list = PendingList::default();
        let artifacts = match Folder::open(artifacts) {
            Ok(artifacts) => artifacts,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return list,
            Err(source) => {
                list.errors.push(read_error(artifacts)(source).into());
                return list;
            }
        };
        for kind in [RunKind::Test, RunKind::Session, RunKind::Tape] {
            let folder = artifacts.path().join(kind.folder());
            for slug in list.names(&artifacts, &folder, "") {
                let captures = folder.join(&slug).join("snapshots");
                for name in list.names(&artifacts, &captures, ScreenFiles::DIFF) {
                    list.pending.push(Pending {
                        kind,
                        slug: slug.clone(),
                        name,
                        artifacts: artifacts.clone(),
                    });
                }
            }
        }
        list.pending.sort_by_key(Pending::diff_path);
        list
    }

    /// Returns the kind of run that took it.
    pub fn kind(&self) -> RunKind {
        self.kind
    }

    /// Returns the slug of the run that took it.
    pub fn slug(&self) -> &str {
        self.slug.as_str()
    }

    /// Returns the slug of the snapshot's name.
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
        let stamps = self.stamps();
        let files = self.captured();
        let words = self.artifacts.read(&files.diff())?;
        // A capture that cannot become a baseline must not be offered as one.
        files.read(&self.artifacts)?;
        Ok(Comparison {
            old: files.expected().find(&self.artifacts)?,
            new: files.actual().read(&self.artifacts)?,
            words: String::from_utf8_lossy(&words).into_owned(),
            stamps,
        })
    }

    /// Makes the capture the baseline. Fails if the files have changed since `stamps` was read.
    pub fn accept(&self, stamps: &FileStamps) -> Result<(), PendingError> {
        let _lock = self.lock()?;
        if self.stamps() != *stamps {
            return Err(self.changed());
        }
        let (run, files) = (self.run(), self.captured());
        self.artifacts.check(&run)?;
        self.baseline().copy(&self.artifacts, &run, &files)?;
        self.forget()
    }

    /// Keeps the baseline, and removes the comparison. Fails if there is no comparison any more: a
    /// later run or another review has removed it.
    pub fn reject(&self) -> Result<(), PendingError> {
        let _lock = self.lock()?;
        if self.diff_path().symlink_metadata().is_err() {
            return Err(self.changed());
        }
        self.forget()
    }

    /// Waits until no other review changes the snapshots of this run. The lock is released when it
    /// is dropped.
    fn lock(&self) -> Result<File, PendingError> {
        let folder = self.run().join("snapshots");
        self.artifacts.check(&folder)?;
        let lock = File::open(&folder).map_err(read_error(&folder))?;
        // Some file systems have no locks; two reviews at one moment are rare.
        let _ = lock.lock();
        Ok(lock)
    }

    fn changed(&self) -> PendingError {
        PendingError::Changed {
            slug: self.slug.to_string(),
            name: self.name.to_string(),
        }
    }
}

/// The files.
impl Pending {
    /// Returns the directory of the run that took it.
    fn run(&self) -> PathBuf {
        let runs = self.artifacts.path().join(self.kind.folder());
        runs.join(&self.slug)
    }

    fn captured(&self) -> ScreenFiles {
        ScreenFiles::new(self.run().join("snapshots"), self.name.as_str())
    }

    fn baseline(&self) -> ScreenFiles {
        let folder = self.artifacts.path().join("snapshots").join(&self.slug);
        ScreenFiles::new(folder, self.name.as_str())
    }

    fn stamps(&self) -> FileStamps {
        let files = self.captured();
        FileStamps([files.text(), files.meta(), files.diff()].map(|path| {
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
                    return Err(write_error(&path)(error).into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl PendingList {
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
    for entry in fs::read_dir(folder).map_err(read_error(folder))? {
        // A name that is not Unicode was not written by this library.
        names.extend(entry.map_err(read_error(folder))?.file_name().into_string());
    }
    Ok(names)
}
