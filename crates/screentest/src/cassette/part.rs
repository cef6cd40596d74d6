//! The folder in which a cassette is written until it is published.
//!
//! It stands beside its place, as `NAME.cassette.part`, so that it can take that place in one step. Whoever writes holds a lock of the system on
//! one of its files, which a killed process does not leave behind.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use screentest_core::formats::cassette::ending::pretty;
use screentest_core::formats::cassette::manifest::{Command, Environment, Provenance, Terminal};
use screentest_core::formats::cassette::{self as format};

use super::place;
use crate::recorder::Existing;

/// What is known when a recording begins. It stands in the folder for whoever has to recover it, and is not published.
pub(crate) const START: &str = "start.json";

/// What is known when a recording begins.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) id: String,
    pub(crate) command: Command,
    pub(crate) environment: Environment,
    pub(crate) terminal: Terminal,
    pub(crate) provenance: Provenance,
}

impl Start {
    fn to_file(&self) -> Vec<u8> {
        pretty(&serde_json::json!({
            "id": self.id,
            "command": self.command,
            "environment": self.environment,
            "terminal": self.terminal,
            "provenance": self.provenance,
        }))
    }

    /// Reads what [`START`] holds.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Start, serde_json::Error> {
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(bytes)?;
        let mut take = |name: &str| fields.remove(name).unwrap_or_default();
        Ok(Start {
            id: serde_json::from_value(take("id"))?,
            command: serde_json::from_value(take("command"))?,
            environment: serde_json::from_value(take("environment"))?,
            terminal: serde_json::from_value(take("terminal"))?,
            provenance: serde_json::from_value(take("provenance"))?,
        })
    }
}

/// An unpublished cassette that belongs to us.
#[derive(Debug)]
pub(crate) struct Part {
    path: PathBuf,
    target: PathBuf,
    existing: Existing,
    pub(crate) raw: File,
}

/// Why there is no folder to write into.
#[derive(Debug)]
pub(crate) enum PartError {
    Exists { path: PathBuf },
    InUse { path: PathBuf },
    Unfinished { path: PathBuf },
    Write { path: PathBuf, source: io::Error },
}

impl Part {
    /// Makes the folder for a cassette.
    pub(crate) fn create(
        target: &Path,
        existing: Existing,
        start: &Start,
    ) -> Result<Part, PartError> {
        if existing == Existing::Kept && target.symlink_metadata().is_ok() {
            return Err(PartError::Exists {
                path: target.to_owned(),
            });
        }
        let path = place::part_of(target);
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(match Part::open(&path) {
                    Err(error @ PartError::InUse { .. }) => error,
                    _ => PartError::Unfinished { path },
                });
            }
            made => made.map_err(unwritten(&path))?,
        }
        let raw = path.join(format::OUTPUT_RAW);
        // Not to be appended to: what turns out to be a secret later is covered where it lies.
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
        // Where it is, all streams are: there is something to recover.
        part.write(START, &start.to_file())?;
        Ok(part)
    }

    /// Takes a folder that somebody left.
    pub(crate) fn open(path: &Path) -> Result<Part, PartError> {
        let raw = path.join(format::OUTPUT_RAW);
        let raw = File::options()
            .read(true)
            .write(true)
            .open(&raw)
            .map_err(unwritten(&raw))?;
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
            target: place::target_of(path),
            existing: Existing::Kept,
            raw,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// One of its streams, to be written on.
    pub(crate) fn stream(&self, name: &str) -> Result<File, PartError> {
        let path = self.path.join(name);
        File::options()
            .append(true)
            .open(&path)
            .map_err(unwritten(&path))
    }

    /// Writes a file whole, or not at all.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PartError> {
        let path = self.path.join(name);
        let passing = self.path.join(format!("{name}.new"));
        let written = File::create(&passing)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&passing, &path));
        written.map_err(unwritten(&path))
    }

    /// Puts the folder into its place, in one step.
    pub(crate) fn publish(self) -> Result<PathBuf, PartError> {
        let remove = |name: &str| match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(unwritten(&self.path)(error))
            }
            _ => Ok(()),
        };
        remove(START)?;
        let replace = self.existing == Existing::Replaced;
        match place::settle(&self.path, &self.target, replace) {
            Ok(()) => Ok(self.target),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(PartError::Exists { path: self.target })
            }
            Err(source) => Err(unwritten(&self.target)(source)),
        }
    }
}

pub(crate) fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> PartError {
    move |source| PartError::Write {
        path: path.to_owned(),
        source,
    }
}
