//! The directory in which a cassette is written until it is published.
//!
//! It is called `NAME.cassette.part` and is next to its final path, so that one rename publishes
//! it. The writer holds a system file lock on one of its files; the system releases the lock when
//! the writer is killed. Until the cassette is published, only its owner may enter the directory.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use screentest_core::formats::cassette::manifest::{
    Provenance, RecordedCommand, RecordedEnvironment, RecordedTerminal,
};
use screentest_core::formats::cassette::recording_end::pretty;
use screentest_core::formats::cassette::{self as format, Manifest};

use super::access::CassetteAccess;
use super::{DirectoryState, allowed_files, paths};
use crate::pty::descriptors::with_limit_advice;
use crate::recording::cassette::error::CassetteError;
use crate::recording::recorder::{ExistingCassette, new_cassette_id};

/// The file that holds [`RecordingMetadata`] for recovery. It is removed before the cassette is
/// published.
pub(crate) const METADATA_FILE: &str = "start.json";

/// The JSONL files, in the order in which a recorder flushes them.
pub(crate) const STREAMS: [&str; 4] = [
    format::OUTPUT,
    format::INPUT,
    format::FRAMES,
    format::EVENTS,
];

/// Everything that is known when a recording begins.
#[derive(Debug, Clone)]
pub(crate) struct RecordingMetadata {
    pub(crate) id: String,
    pub(crate) command: RecordedCommand,
    pub(crate) environment: RecordedEnvironment,
    pub(crate) terminal: RecordedTerminal,
    pub(crate) provenance: Provenance,
    /// The names of the secrets whose values are redacted. Recovery needs the values again.
    pub(crate) secrets: Vec<String>,
}

impl RecordingMetadata {
    /// Metadata of a new cassette that is made of the cassette with this manifest.
    pub(crate) fn of_copy(manifest: &Manifest) -> RecordingMetadata {
        RecordingMetadata {
            id: new_cassette_id(),
            command: manifest.command.clone(),
            environment: manifest.environment.clone(),
            terminal: manifest.terminal.clone(),
            provenance: manifest.provenance.clone(),
            secrets: Vec::new(),
        }
    }

    /// Limits the bytes that draw the starting screen to the output that there is.
    pub(crate) fn limit_portrait(&mut self, output: u64) {
        if let Some(bytes) = &mut self.provenance.portrait_bytes {
            *bytes = output.min(*bytes);
        }
    }

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

    /// Parses the contents of [`METADATA_FILE`].
    pub(crate) fn parse(bytes: &[u8]) -> Result<RecordingMetadata, serde_json::Error> {
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(bytes)?;
        let mut take = |name: &str| fields.remove(name).unwrap_or_default();
        Ok(RecordingMetadata {
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
pub(crate) struct PartialCassette {
    path: PathBuf,
    target: PathBuf,
    existing: ExistingCassette,
    access: CassetteAccess,
    pub(crate) raw: File,
}

/// Why a cassette could not be created, written or published.
#[derive(Debug)]
pub enum PartialCassetteError {
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
    InterruptedReplace {
        path: PathBuf,
        target: PathBuf,
    },
    Write {
        path: PathBuf,
        source: io::Error,
    },
}

impl PartialCassette {
    /// Makes the directory for a cassette.
    pub(crate) fn create(
        target: &Path,
        existing: ExistingCassette,
        access: CassetteAccess,
        metadata: &RecordingMetadata,
    ) -> Result<PartialCassette, PartialCassetteError> {
        check_target(target, existing)?;
        let path = paths::partial_path(target);
        PartialCassette::create_in(&path, target, existing, access, metadata)
    }

    /// Makes the directory in which recovery writes a copy of an unfinished cassette.
    pub(crate) fn create_beside(
        interrupted: &PartialCassette,
        metadata: &RecordingMetadata,
    ) -> Result<PartialCassette, PartialCassetteError> {
        check_target(&interrupted.target, interrupted.existing)?;
        let path = paths::partial_path(&interrupted.path);
        if exists(&path) {
            // An earlier recovery was interrupted too. Removing its directory loses nothing:
            // everything in it was derived from the unfinished cassette, which this process has
            // locked.
            let whole = allowed_files::check(&path, DirectoryState::Unpublished);
            whole.map_err(|source| write_error(&path)(io::Error::other(source)))?;
            allowed_files::remove(&path).map_err(write_error(&path))?;
        }
        PartialCassette::create_in(
            &path,
            &interrupted.target,
            interrupted.existing,
            interrupted.access,
            metadata,
        )
    }

    fn create_in(
        path: &Path,
        target: &Path,
        existing: ExistingCassette,
        access: CassetteAccess,
        metadata: &RecordingMetadata,
    ) -> Result<PartialCassette, PartialCassetteError> {
        // Until the recording ends, a file may hold the beginning of a secret that only its later
        // bytes reveal. If the recorder is killed, that beginning stays in the file. So only the
        // owner may enter the directory.
        match DirBuilder::new().mode(OWNER_ONLY).create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(existing_error(path, target));
            }
            made => made.map_err(write_error(path))?,
        }
        let result = PartialCassette::fill(path.to_owned(), target, existing, access, metadata);
        if result.is_err() {
            // The directory holds no recording yet and would only block the next attempt.
            let _ = allowed_files::remove(path);
        }
        result
    }

    fn fill(
        path: PathBuf,
        target: &Path,
        existing: ExistingCassette,
        access: CassetteAccess,
        metadata: &RecordingMetadata,
    ) -> Result<PartialCassette, PartialCassetteError> {
        let raw = path.join(format::OUTPUT_RAW);
        // Not opened for appending: text that later turns out to be a secret is overwritten in
        // place.
        let raw = access.create_new(&raw).map_err(write_error(&raw))?;
        lock(&raw, &path)?;
        let partial = PartialCassette {
            path,
            target: target.to_owned(),
            existing,
            access,
            raw,
        };
        for name in STREAMS {
            let path = partial.path.join(name);
            access.create_new(&path).map_err(write_error(&path))?;
        }
        // Written last: where this file exists, all streams exist, and the directory can be
        // recovered.
        partial.replace_file(METADATA_FILE, &metadata.to_file())?;
        Ok(partial)
    }

    /// Opens and locks an unfinished directory that an earlier process left.
    pub(crate) fn open(path: &Path) -> Result<PartialCassette, PartialCassetteError> {
        let raw = path.join(format::OUTPUT_RAW);
        let raw = paths::open_no_follow(&raw, File::options().read(true).write(true))
            .map_err(write_error(&raw))?;
        lock(&raw, path)?;
        Ok(PartialCassette {
            path: path.to_owned(),
            target: paths::target_path(path),
            existing: ExistingCassette::Keep,
            access: CassetteAccess::of(&path.join(format::OUTPUT_RAW)),
            raw,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens one of its streams for appending.
    pub(crate) fn stream(&self, name: &str) -> Result<File, PartialCassetteError> {
        let path = self.path.join(name);
        paths::open_no_follow(&path, File::options().append(true)).map_err(write_error(&path))
    }

    /// Replaces a file atomically.
    pub(crate) fn replace_file(
        &self,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), PartialCassetteError> {
        let path = self.path.join(name);
        let written = self
            .create_replacement(name)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| self.commit_replacement(name));
        written.map_err(write_error(&path))
    }

    /// Creates the file that will replace another one. A leftover of the same name is removed.
    pub(crate) fn create_replacement(&self, name: &str) -> io::Result<File> {
        let replacement = self.path.join(format!("{name}.new"));
        match fs::remove_file(&replacement) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        self.access.create_new(&replacement)
    }

    /// Renames the replacement into place.
    pub(crate) fn commit_replacement(&self, name: &str) -> io::Result<()> {
        fs::rename(self.path.join(format!("{name}.new")), self.path.join(name))
    }

    /// Removes the directory.
    pub(crate) fn discard(self) -> Result<(), PartialCassetteError> {
        allowed_files::remove(&self.path).map_err(write_error(&self.path))
    }

    /// Removes the metadata file, sets the final permissions, and renames the directory to its
    /// final path.
    pub(crate) fn publish(self) -> Result<PathBuf, PartialCassetteError> {
        let remove = |name: &str| match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(write_error(&self.path)(error))
            }
            _ => Ok(()),
        };
        check_target(&self.target, self.existing)?;
        remove(METADATA_FILE)?;
        // The files have the mode for the published cassette. The directory gets the same, and the
        // search permission (x) for everyone who may read.
        let files = self.raw.metadata().map_err(write_error(&self.path))?.mode() & 0o777;
        set_mode(&self.path, files | (files & 0o444) >> 2).map_err(write_error(&self.path))?;
        let replace = self.existing == ExistingCassette::Replace;
        match paths::rename_into_place(&self.path, &self.target, replace) {
            Ok(()) => Ok(self.target),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(PartialCassetteError::Exists { path: self.target })
            }
            Err(source) => Err(write_error(&self.target)(source)),
        }
    }
}

/// Locks the output of an unpublished directory, so that no other process writes into it.
fn lock(raw: &File, directory: &Path) -> Result<(), PartialCassetteError> {
    raw.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => PartialCassetteError::InUse {
            path: directory.to_owned(),
        },
        // Some file systems have no locks.
        TryLockError::Error(source) => write_error(directory)(source),
    })
}

/// Checks that a cassette may be published at this path: it does not exist, or is a cassette that
/// may be replaced.
pub fn check_target(target: &Path, existing: ExistingCassette) -> Result<(), PartialCassetteError> {
    let path = target.to_owned();
    match (exists(target), existing) {
        (false, _) => Ok(()),
        (true, ExistingCassette::Keep) => Err(PartialCassetteError::Exists { path }),
        (true, ExistingCassette::Replace) => allowed_files::check_is_cassette(target)
            .map_err(|source| PartialCassetteError::NotReplaced { path, source }),
    }
}

/// Returns the error for an unpublished directory that exists already.
pub(crate) fn existing_error(path: &Path, target: &Path) -> PartialCassetteError {
    let path = path.to_owned();
    match PartialCassette::open(&path) {
        Err(error @ PartialCassetteError::InUse { .. }) => error,
        // A replacement was interrupted just before or just after the two cassettes swapped paths.
        // It is unknown which of them is wanted.
        Ok(_) if exists(target) && allowed_files::check_is_cassette(&path).is_ok() => {
            PartialCassetteError::InterruptedReplace {
                path,
                target: target.to_owned(),
            }
        }
        _ => PartialCassetteError::Unfinished { path },
    }
}

/// Mode of the directory until it is published: no other user may enter it.
const OWNER_ONLY: u32 = 0o700;

/// Sets the permissions of a directory, and keeps its other bits, such as an inherited group.
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    let other = path.metadata()?.mode() & 0o7000;
    fs::set_permissions(path, Permissions::from_mode(other | mode))
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

pub(crate) fn write_error(path: &Path) -> impl FnOnce(io::Error) -> PartialCassetteError {
    move |source| PartialCassetteError::Write {
        path: path.to_owned(),
        source: with_limit_advice(source),
    }
}
