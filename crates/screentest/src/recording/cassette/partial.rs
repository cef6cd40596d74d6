//! The directory in which a cassette is written until it is published.
//!
//! It is called `NAME.cassette.part` and is next to its final path, so that one rename publishes
//! it. The writer holds a system file lock on one of its files; the system releases the lock when a
//! process is killed.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use screentest_core::formats::cassette::manifest::{
    Provenance, RecordedCommand, RecordedEnvironment, RecordedTerminal,
};
use screentest_core::formats::cassette::recording_end::pretty;
use screentest_core::formats::cassette::{self as format};

use super::error::CassetteError;
use super::{contents, paths};
use crate::pty::descriptors::explained;
use crate::recording::recorder::Existing;

/// The file that holds [`Start`] for recovery. It is removed before the cassette is published.
pub(crate) const START: &str = "start.json";

/// Everything that is known when a recording begins.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) id: String,
    pub(crate) command: RecordedCommand,
    pub(crate) environment: RecordedEnvironment,
    pub(crate) terminal: RecordedTerminal,
    pub(crate) provenance: Provenance,
    /// The names of the secrets whose values were redacted. Recovery needs the values again.
    pub(crate) secrets: Vec<String>,
}

impl Start {
    fn to_file(&self) -> Vec<u8> {
        pretty(&serde_json::json!({
            "id": self.id,
            "command": self.command,
            "environment": self.environment,
            "terminal": self.terminal,
            "provenance": self.provenance,
            "secrets": self.secrets,
        }))
    }

    /// Parses the contents of [`START`].
    pub(crate) fn parse(bytes: &[u8]) -> Result<Start, serde_json::Error> {
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(bytes)?;
        let mut take = |name: &str| fields.remove(name).unwrap_or_default();
        Ok(Start {
            id: serde_json::from_value(take("id"))?,
            command: serde_json::from_value(take("command"))?,
            environment: serde_json::from_value(take("environment"))?,
            terminal: serde_json::from_value(take("terminal"))?,
            provenance: serde_json::from_value(take("provenance"))?,
            secrets: match take("secrets") {
                serde_json::Value::Null => Vec::new(),
                names => serde_json::from_value(names)?,
            },
        })
    }
}

/// An unpublished cassette that this process has locked.
#[derive(Debug)]
pub(crate) struct Part {
    path: PathBuf,
    target: PathBuf,
    existing: Existing,
    pub(crate) raw: File,
}

/// Why there is no directory to write into.
#[derive(Debug)]
pub enum PartError {
    Exists {
        path: PathBuf,
    },
    NotReplaced {
        path: PathBuf,
        source: CassetteError,
    },
    InUse {
        path: PathBuf,
    },
    Unfinished {
        path: PathBuf,
    },
    Aside {
        path: PathBuf,
        target: PathBuf,
    },
    Write {
        path: PathBuf,
        source: io::Error,
    },
}

impl Part {
    /// Makes the directory for a cassette.
    pub(crate) fn create(
        target: &Path,
        existing: Existing,
        start: &Start,
    ) -> Result<Part, PartError> {
        may_take(target, existing)?;
        Part::create_in(&paths::part_of(target), target, existing, start)
    }

    /// Makes the directory in which an unfinished cassette is written again.
    pub(crate) fn create_beside(left: &Part, start: &Start) -> Result<Part, PartError> {
        may_take(&left.target, left.existing)?;
        let path = paths::part_of(&left.path);
        if is_there(&path) {
            // An earlier recovery was cut off too. Nothing in its directory is lost: everything was
            // derived from the unfinished cassette, which is locked by this process.
            let whole = contents::check(&path, contents::Stage::Unpublished);
            whole.map_err(|source| unwritten(&path)(io::Error::other(source)))?;
            contents::remove(&path).map_err(unwritten(&path))?;
        }
        Part::create_in(&path, &left.target, left.existing, start)
    }

    fn create_in(
        path: &Path,
        target: &Path,
        existing: Existing,
        start: &Start,
    ) -> Result<Part, PartError> {
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(taken(path, target));
            }
            made => made.map_err(unwritten(path))?,
        }
        let filled = Part::fill(path.to_owned(), target, existing, start);
        if filled.is_err() {
            // It holds nothing yet and would only block the next attempt.
            let _ = contents::remove(path);
        }
        filled
    }

    fn fill(
        path: PathBuf,
        target: &Path,
        existing: Existing,
        start: &Start,
    ) -> Result<Part, PartError> {
        let raw = path.join(format::OUTPUT_RAW);
        // Not opened for appending: text that later turns out to be a secret is overwritten in
        // place.
        let raw = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&raw)
            .map_err(unwritten(&raw))?;
        raw.try_lock()
            .map_err(|_| PartError::InUse { path: path.clone() })?;
        let part = Part {
            path,
            target: target.to_owned(),
            existing,
            raw,
        };
        for name in [
            format::OUTPUT,
            format::INPUT,
            format::FRAMES,
            format::EVENTS,
        ] {
            let path = part.path.join(name);
            File::create_new(&path).map_err(unwritten(&path))?;
        }
        // Written last: where this file exists, all streams exist, and the directory can be
        // recovered.
        part.write(START, &start.to_file())?;
        Ok(part)
    }

    /// Opens and locks an unfinished directory that an earlier process left.
    pub(crate) fn open(path: &Path) -> Result<Part, PartError> {
        let raw = path.join(format::OUTPUT_RAW);
        let raw =
            paths::open(&raw, File::options().read(true).write(true)).map_err(unwritten(&raw))?;
        match raw.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(PartError::InUse {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(unwritten(path)(source)),
        }
        Ok(Part {
            path: path.to_owned(),
            target: paths::target_of(path),
            existing: Existing::Kept,
            raw,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens one of its streams for appending.
    pub(crate) fn stream(&self, name: &str) -> Result<File, PartError> {
        let path = self.path.join(name);
        paths::open(&path, File::options().append(true)).map_err(unwritten(&path))
    }

    /// Replaces a file atomically.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PartError> {
        let path = self.path.join(name);
        let written = self
            .passing(name)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| self.pass(name));
        written.map_err(unwritten(&path))
    }

    /// Creates the file that will replace another one. A leftover of the same name is removed.
    pub(crate) fn passing(&self, name: &str) -> io::Result<File> {
        let passing = self.path.join(format!("{name}.new"));
        match fs::remove_file(&passing) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        File::create_new(&passing)
    }

    /// Renames that file into place.
    pub(crate) fn pass(&self, name: &str) -> io::Result<()> {
        fs::rename(self.path.join(format!("{name}.new")), self.path.join(name))
    }

    /// Removes the directory.
    pub(crate) fn discard(self) -> Result<(), PartError> {
        contents::remove(&self.path).map_err(unwritten(&self.path))
    }

    /// Renames the directory to its final path in one step.
    pub(crate) fn publish(self) -> Result<PathBuf, PartError> {
        let remove = |name: &str| match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(unwritten(&self.path)(error))
            }
            _ => Ok(()),
        };
        may_take(&self.target, self.existing)?;
        remove(START)?;
        let replace = self.existing == Existing::Replaced;
        match paths::settle(&self.path, &self.target, replace) {
            Ok(()) => Ok(self.target),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(PartError::Exists { path: self.target })
            }
            Err(source) => Err(unwritten(&self.target)(source)),
        }
    }
}

/// Checks that a cassette may be put at this path: nothing is there, or a cassette that may be
/// replaced.
pub fn may_take(target: &Path, existing: Existing) -> Result<(), PartError> {
    let path = target.to_owned();
    match (is_there(target), existing) {
        (false, _) => Ok(()),
        (true, Existing::Kept) => Err(PartError::Exists { path }),
        (true, Existing::Replaced) => contents::check_cassette(target)
            .map_err(|source| PartError::NotReplaced { path, source }),
    }
}

/// Returns the reason why the directory could not be made: it exists already.
pub(crate) fn taken(path: &Path, target: &Path) -> PartError {
    let path = path.to_owned();
    match Part::open(&path) {
        Err(error @ PartError::InUse { .. }) => error,
        // Two cassettes whose paths were about to be exchanged, or have just been. It is unknown
        // which of them is wanted.
        Ok(_) if is_there(target) && contents::check_cassette(&path).is_ok() => PartError::Aside {
            path,
            target: target.to_owned(),
        },
        _ => PartError::Unfinished { path },
    }
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

pub(crate) fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> PartError {
    move |source| PartError::Write {
        path: path.to_owned(),
        source: explained(source),
    }
}
