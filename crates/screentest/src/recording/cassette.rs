//! Cassettes on disk: open, verify, check, cut, scrub and recover them, and convert them from and
//! to asciicasts.
//!
//! An open [`Cassette`] has a manifest with a valid digest, and all files that the manifest lists,
//! with the listed lengths. [`Cassette::verify`] compares every byte with the recorded digests, and
//! the frames with the emulator.
//!
//! | | |
//! |---|---|
//! | `directory.rs` | the directory: which files it may hold, its paths, an unpublished one |
//! | `streams.rs` | the JSONL files, and feeding the output to an emulator |
//! | `verify.rs` | digests, order of the lines, and frames |
//! | `find_secret.rs` | secrets that the recorder did not know |
//! | `state_at.rs` | the screen with its scrollback at a given time |
//! | `assertions.rs` | checks against an assertions file |
//! | `rewrite.rs` | new cassettes from recordings: cut, scrub, recover |
//! | `asciicast.rs` | conversion from and to asciicasts |
//!
//! The last three are part of the feature `cassette-tools`.
//!
//! See also: `recorder.rs` (writes cassettes), `player.rs` (plays them),
//! `screentest_core::formats::cassette` (the format).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use screentest_core::Size;
use screentest_core::formats::cassette::{
    self as format, EventLine, InputLine, InputLineKind, Manifest, RecordingEnd, ScrubReport,
    from_line,
};
use serde::de::DeserializeOwned;

pub use self::error::CassetteError;
pub use self::find_secret::SecretInCassette;
pub use self::verify::{FrameDifference, Verification};
#[cfg(feature = "cassette-tools")]
pub use self::{
    asciicast::to_cast::{CastError, CastInput, CastOmissions, CastOptions},
    assertions::failed_assertion::FailedAssertion,
    assertions::{CheckError, CheckResult, FrameSource, assertions_file},
    rewrite::cut::CutError,
    rewrite::recover::{RecoverError, Recovery, recover},
    rewrite::scrub::ScrubError,
};
pub use crate::recording::recorder::ExistingCassette;

use self::directory::{DirectoryState, allowed_files, file_length, paths, read_small_file};
use self::error::{directory_error, line_error, read_error};
use self::streams::jsonl_reader::JsonlReader;
use self::streams::line_reader::LineReader;
use self::streams::output_replay::RecordedResize;

#[cfg(feature = "cassette-tools")]
pub(crate) mod asciicast;
#[cfg(feature = "cassette-tools")]
mod assertions;
#[doc(hidden)]
pub mod directory;
pub(crate) mod error;
mod find_secret;
#[cfg(feature = "cassette-tools")]
mod rewrite;
mod state_at;
pub(crate) mod streams;
mod verify;

/// An opened cassette. Its structure is valid; its digests and frames are not verified yet.
#[derive(Debug)]
pub struct Cassette {
    path: PathBuf,
    manifest: Manifest,
    ending: RecordingEnd,
}

impl Cassette {
    /// Opens a cassette. Only its small files are read, however large the cassette is.
    pub fn open(path: impl AsRef<Path>) -> Result<Cassette, CassetteError> {
        let path = path.as_ref();
        let path = match fs::canonicalize(path) {
            Ok(real) if real.is_dir() => real,
            Ok(_) => {
                return Err(CassetteError::NotADirectory {
                    path: path.to_owned(),
                });
            }
            Err(error) => return Err(directory_error(path, error)),
        };
        let manifest = match read_small_file(&path, format::MANIFEST) {
            Err(CassetteError::Missing { .. }) => return Err(CassetteError::NoManifest { path }),
            manifest => manifest?,
        };
        let manifest = Manifest::parse(&manifest).map_err(|source| CassetteError::Manifest {
            path: path.join(format::MANIFEST),
            source,
        })?;
        check_files(&path, &manifest)?;
        allowed_files::check(&path, DirectoryState::Published)?;
        let ending = RecordingEnd::parse(&read_small_file(&path, format::FINAL)?)
            .map_err(line_error(format::FINAL))?;
        if ending.id != manifest.id {
            return Err(CassetteError::IdMismatch {
                manifest: manifest.id,
                recording: ending.id,
            });
        }
        check_lengths(&path, &manifest)?;
        Ok(Cassette {
            path,
            manifest,
            ending,
        })
    }

    /// The path of the cassette.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The manifest: the recorded program, the recorder, and the digests of all files.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How the recording ended.
    pub fn ending(&self) -> &RecordingEnd {
        &self.ending
    }

    /// The redaction report: how many secrets were redacted, and where in the output.
    pub fn scrub_report(&self) -> Result<ScrubReport, CassetteError> {
        let bytes = read_small_file(&self.path, format::SCRUB_REPORT)?;
        from_line(&bytes, 1).map_err(line_error(format::SCRUB_REPORT))
    }

    /// All lines of `input.jsonl`: inputs, answers of the terminal, resizes and signals.
    pub fn inputs(&self) -> Result<Vec<InputLine>, CassetteError> {
        self.read_all(format::INPUT)
    }

    /// All events: marks and data of the caller, and notes about input that was sent early.
    pub fn events(&self) -> Result<Vec<EventLine>, CassetteError> {
        self.read_all(format::EVENTS)
    }

    /// The length of the recorded output in bytes.
    pub fn output_len(&self) -> u64 {
        let raw = self.manifest.files.get(format::OUTPUT_RAW);
        raw.map_or(0, |facts| facts.bytes)
    }

    /// Opens the program's output for reading.
    pub fn output(&self) -> Result<File, CassetteError> {
        self.file(format::OUTPUT_RAW)
    }

    /// Opens one of the cassette's files for reading. Links are not followed.
    pub fn file(&self, name: &str) -> Result<File, CassetteError> {
        let path = self.path.join(name);
        paths::open_no_follow(&path, File::options().read(true)).map_err(read_error(&path))
    }

    pub(crate) fn jsonl<T: DeserializeOwned>(
        &self,
        name: &'static str,
    ) -> Result<JsonlReader<T>, CassetteError> {
        let lines = LineReader::new(self.file(name)?);
        Ok(JsonlReader::new(lines, &self.path, name))
    }

    /// Returns the sizes that the terminal was changed to, in order.
    pub fn resized_to(&self) -> Result<Vec<Size>, CassetteError> {
        let resizes = self.resizes()?;
        Ok(resizes.into_iter().map(|resize| resize.size).collect())
    }

    pub(crate) fn resizes(&self) -> Result<Vec<RecordedResize>, CassetteError> {
        let mut resizes = Vec::new();
        let mut inputs = self.jsonl::<InputLine>(format::INPUT)?;
        while let Some(input) = inputs.next()? {
            if let InputLineKind::Resize { cols, rows } = input.kind {
                let size = Size::checked(cols.into(), rows.into());
                let size = size.map_err(|error| inputs.error(error.to_string()))?;
                resizes.push(RecordedResize {
                    seq: input.seq,
                    at: input.at,
                    size,
                });
            }
        }
        Ok(resizes)
    }

    fn read_all<T: DeserializeOwned>(&self, name: &'static str) -> Result<Vec<T>, CassetteError> {
        let mut lines = self.jsonl(name)?;
        let mut all = Vec::new();
        while let Some(value) = lines.next()? {
            all.push(value);
        }
        Ok(all)
    }
}

/// Checks that the manifest lists exactly the files of the format and that they are regular files.
fn check_files(path: &Path, manifest: &Manifest) -> Result<(), CassetteError> {
    if let Some(name) = manifest
        .files
        .keys()
        .find(|name| !format::NAMES.contains(&name.as_str()))
    {
        return Err(CassetteError::UnknownFile { name: name.clone() });
    }
    for name in format::NAMES {
        if !manifest.files.contains_key(name) {
            return Err(CassetteError::Unlisted {
                name: name.to_owned(),
            });
        }
        file_length(&path.join(name))?;
    }
    Ok(())
}

fn check_lengths(path: &Path, manifest: &Manifest) -> Result<(), CassetteError> {
    let files: &BTreeMap<_, _> = &manifest.files;
    for (name, facts) in files {
        let path = path.join(name);
        let found = file_length(&path)?;
        let expected = facts.bytes;
        if found < expected {
            return Err(CassetteError::Truncated {
                path,
                expected,
                found,
            });
        } else if found > expected {
            return Err(CassetteError::Grown {
                path,
                expected,
                found,
            });
        }
    }
    Ok(())
}
