//! Snapshots that wait for a decision.
//!
//! A comparison that failed leaves its files beside what the run saw: both screens as they were compared, and their
//! difference in words. Accepting makes what was seen the baseline, rejecting leaves the baseline as it is; with either
//! the files of the comparison go. Only what was looked at can be accepted: a test that ran again meanwhile may have seen
//! something else.
//!
//! ```text
//! <artifacts>/snapshots/<slug>/<name>.ansi.txt, .meta.json           the baseline
//! <artifacts>/tests/<slug>/snapshots/<name>.ansi.txt, .meta.json     what the last run saw; `sessions` likewise
//!                                    <name>.actual.ansi.txt, …       the same as it was compared
//!                                    <name>.expected.ansi.txt, …     the baseline as it was compared
//!                                    <name>.diff.txt                 the difference; while it is there, we wait
//! ```

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fmt, process};

use screentest_core::formats::ansi::{self, Meta, MetaError};
use screentest_core::{Screen, Size};

/// The most that is read of one file: a thousand times what a full screen takes in colour.
const MOST: u64 = 64 << 20;

const TEXT: &str = ".ansi.txt";
const META: &str = ".meta.json";
const DIFF: &str = ".diff.txt";
const ACTUAL: &str = ".actual";
const EXPECTED: &str = ".expected";

/// A snapshot that is not what its baseline says, or that has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    kind: Kind,
    slug: String,
    name: String,
    /// Without links, so that what is in it can be told from what is not.
    artifacts: PathBuf,
}

/// What took the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A test.
    Test,
    /// A session that somebody drove.
    Session,
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
    /// The system did not let us.
    #[error("could not read `{}`", path.display())]
    Read {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Not a file or folder where there should be one.
    #[error("`{}` is not a {expected}", path.display())]
    OtherKind {
        /// Which.
        path: PathBuf,
        /// What should be there.
        expected: &'static str,
    },
    /// Too much to read.
    #[error("`{}` is larger than the {MOST} bytes that are read", path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
    },
    /// A file that should say how large the screen was.
    #[error("`{}` gives no size", path.display())]
    Meta {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: MetaError,
    },
    /// A link out of the artifact folder.
    #[error("`{}` leads out of the artifact folder", path.display())]
    Outside {
        /// Which file or folder.
        path: PathBuf,
    },
    /// Something else than what was looked at.
    #[error("the files of `{slug}/{name}` have changed since they were looked at")]
    Changed {
        /// Whose snapshot.
        slug: String,
        /// Which one.
        name: String,
    },
    /// The system did not let us.
    #[error("could not write `{}`", path.display())]
    Write {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Kind {
    /// The folder below that of the artifacts.
    fn folder(self) -> &'static str {
        match self {
            Kind::Test => "tests",
            Kind::Session => "sessions",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Test => "test",
            Kind::Session => "session",
        })
    }
}

impl Pending {
    /// Looks for all that waits. Where nothing was ever kept, nothing waits.
    pub fn find(artifacts: &Path) -> Found {
        let mut found = Found::default();
        let artifacts = match fs::canonicalize(artifacts) {
            Ok(artifacts) => artifacts,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return found,
            Err(source) => {
                let path = artifacts.to_owned();
                found.errors.push(PendingError::Read { path, source });
                return found;
            }
        };
        for kind in [Kind::Test, Kind::Session] {
            let folder = artifacts.join(kind.folder());
            for slug in found.names(&artifacts, &folder, "") {
                let captures = folder.join(&slug).join("snapshots");
                for name in found.names(&artifacts, &captures, DIFF) {
                    found.pending.push(Pending {
                        kind,
                        slug: slug.clone(),
                        name,
                        artifacts: artifacts.clone(),
                    });
                }
            }
        }
        found.pending.sort_by_key(|pending| pending.capture(DIFF));
        found
    }

    /// What took it.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The test or session that took it.
    pub fn slug(&self) -> &str {
        &self.slug
    }

    /// Its name there.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file that holds what was seen.
    pub fn capture_path(&self) -> PathBuf {
        self.capture(TEXT)
    }

    /// The file that holds the baseline, or will.
    pub fn baseline_path(&self) -> PathBuf {
        self.baseline(TEXT)
    }

    /// The file that holds the difference in words.
    pub fn diff_path(&self) -> PathBuf {
        self.capture(DIFF)
    }

    /// Reads what is to be decided on.
    pub fn read(&self) -> Result<Comparison, PendingError> {
        // Before the files: what changes while they are read is not what was seen.
        let seen = self.seen();
        let words = self.bytes(&self.capture(DIFF))?;
        // What could not become a baseline should not be offered as one.
        self.screen("")?;
        let expected = self.capture(&format!("{EXPECTED}{TEXT}"));
        let old = match fs::symlink_metadata(expected) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            _ => Some(self.screen(EXPECTED)?),
        };
        Ok(Comparison {
            old,
            new: self.screen(ACTUAL)?,
            words: String::from_utf8_lossy(&words).into_owned(),
            seen,
        })
    }

    /// Makes what was seen the baseline. What has changed since is left alone.
    pub fn accept(&self, seen: &Seen) -> Result<(), PendingError> {
        if self.seen() != *seen {
            return Err(PendingError::Changed {
                slug: self.slug.clone(),
                name: self.name.clone(),
            });
        }
        let mut folder = self.artifacts.clone();
        for part in ["snapshots", &self.slug] {
            folder.push(part);
            self.make_folder(&folder)?;
        }
        let meta = Beside::write(self.baseline(META), &self.bytes(&self.capture(META))?)?;
        let text = Beside::write(self.baseline(TEXT), &self.bytes(&self.capture(TEXT))?)?;
        // The size goes first: who finds the text finds it too.
        meta.settle()?;
        text.settle()?;
        self.forget()
    }

    /// Leaves the baseline as it is, and forgets the comparison.
    pub fn reject(&self) -> Result<(), PendingError> {
        self.forget()
    }
}

/// The files.
impl Pending {
    fn captures(&self) -> PathBuf {
        let folder = self.artifacts.join(self.kind.folder());
        folder.join(&self.slug).join("snapshots")
    }

    fn capture(&self, ending: &str) -> PathBuf {
        self.captures().join(format!("{}{ending}", self.name))
    }

    fn baseline(&self, ending: &str) -> PathBuf {
        let folder = self.artifacts.join("snapshots").join(&self.slug);
        folder.join(format!("{}{ending}", self.name))
    }

    fn seen(&self) -> Seen {
        Seen([TEXT, META, DIFF].map(|ending| {
            let there = fs::symlink_metadata(self.capture(ending)).ok()?;
            Some(Stamp {
                inode: there.ino(),
                bytes: there.size(),
                changed: (there.ctime(), there.ctime_nsec()),
            })
        }))
    }

    /// A screen by what stands between the name and the ending of its two files.
    fn screen(&self, part: &str) -> Result<Screen, PendingError> {
        let path = self.capture(&format!("{part}{META}"));
        let meta = Meta::parse(self.bytes(&path)?)
            .map_err(|source| PendingError::Meta { path, source })?;
        let text = self.bytes(&self.capture(&format!("{part}{TEXT}")))?;
        let mut screen = ansi::read(&text, meta.size());
        meta.place_cursor(&mut screen);
        Ok(screen)
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, PendingError> {
        let there = inside(&self.artifacts, path)?;
        let path = path.to_owned();
        // A pipe would keep us waiting, and a device has no end.
        if !there.is_file() {
            let expected = "file";
            return Err(PendingError::OtherKind { path, expected });
        }
        if there.len() > MOST {
            return Err(PendingError::TooLarge { path });
        }
        let mut bytes = Vec::new();
        // It may grow while it is read.
        let read = File::open(&path).and_then(|file| file.take(MOST).read_to_end(&mut bytes));
        match read {
            Ok(_) => Ok(bytes),
            Err(source) => Err(PendingError::Read { path, source }),
        }
    }

    fn make_folder(&self, path: &Path) -> Result<(), PendingError> {
        match fs::create_dir(path) {
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                let path = path.to_owned();
                Err(PendingError::Write { path, source })
            }
            _ => inside(&self.artifacts, path).map(|_| ()),
        }
    }

    /// Removes what the comparison left. The difference goes first: without it nothing waits, however far we come.
    fn forget(&self) -> Result<(), PendingError> {
        inside(&self.artifacts, &self.captures())?;
        let mut paths = vec![self.capture(DIFF)];
        for part in [ACTUAL, EXPECTED] {
            paths.extend([TEXT, META].map(|ending| self.capture(&format!("{part}{ending}"))));
        }
        for path in paths {
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(PendingError::Write { path, source });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Found {
    /// The names in a folder that are followed by this ending. Others are not ours: a name of ours cannot lead anywhere.
    fn names(&mut self, artifacts: &Path, folder: &Path, ending: &str) -> Vec<String> {
        match names(artifacts, folder) {
            Ok(names) => names
                .iter()
                .filter_map(|name| name.strip_suffix(ending))
                .filter(|name| is_slug(name))
                .map(str::to_owned)
                .collect(),
            Err(error) => {
                self.errors.push(error);
                Vec::new()
            }
        }
    }
}

fn is_slug(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-')
}

/// The names in a folder; none where there is no such folder.
fn names(artifacts: &Path, folder: &Path) -> Result<Vec<String>, PendingError> {
    // A stray file beside the folders of tests has nothing that waits.
    let nothing = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    match fs::metadata(folder) {
        Err(error) if nothing.contains(&error.kind()) => return Ok(Vec::new()),
        Ok(there) if !there.is_dir() => return Ok(Vec::new()),
        _ => inside(artifacts, folder)?,
    };
    let failed = |source| PendingError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        // A name that is not Unicode is not ours.
        names.extend(entry.map_err(failed)?.file_name().into_string());
    }
    Ok(names)
}

/// What is at a path, wherever links lead from there, as long as that is in the artifact folder.
fn inside(artifacts: &Path, path: &Path) -> Result<Metadata, PendingError> {
    let real = fs::canonicalize(path).and_then(|real| Ok((fs::metadata(&real)?, real)));
    let path = path.to_owned();
    match real {
        Ok((there, real)) if real.starts_with(artifacts) => Ok(there),
        Ok(_) => Err(PendingError::Outside { path }),
        Err(source) => Err(PendingError::Read { path, source }),
    }
}

/// A file that is about to take its place; without that, it is removed.
#[derive(Debug)]
struct Beside {
    file: PathBuf,
    place: PathBuf,
}

impl Beside {
    fn write(place: PathBuf, bytes: &[u8]) -> Result<Beside, PendingError> {
        // Beside its place, since a file cannot be renamed from one disk to another. No other process has our number.
        let mut name = place.clone().into_os_string();
        name.push(format!(".{}.tmp", process::id()));
        let beside = Beside {
            file: name.into(),
            place,
        };
        // What somebody of the same number left behind, long ago.
        let _ = fs::remove_file(&beside.file);
        let new = File::options()
            .write(true)
            .create_new(true)
            .open(&beside.file);
        let written = new.and_then(|mut file| {
            file.write_all(bytes)?;
            match fs::metadata(&beside.place) {
                Ok(replaced) => file.set_permissions(replaced.permissions()),
                Err(_) => Ok(()),
            }
        });
        match written {
            Ok(()) => Ok(beside),
            Err(source) => Err(PendingError::Write {
                path: beside.place.clone(),
                source,
            }),
        }
    }

    fn settle(self) -> Result<(), PendingError> {
        fs::rename(&self.file, &self.place).map_err(|source| PendingError::Write {
            path: self.place.clone(),
            source,
        })
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Once it has taken its place, there is nothing here any more.
        let _ = fs::remove_file(&self.file);
    }
}
