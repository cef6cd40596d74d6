//! Opens a cassette and checks what can be checked without reading all of it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use screentest_core::Size;
use screentest_core::formats::cassette::{
    self as format, EventLine, InputKind, InputLine, Manifest, RecordingEnd, ScrubReport, from_line,
};
use serde::de::DeserializeOwned;

use super::contents::{self, Stage};
use super::error::CassetteError;
use super::iter::Resize;
use super::lines::Lines;
use super::paths;
use super::stream::Stream;

/// A cassette with a valid structure.
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
            Err(_) => {
                return Err(CassetteError::NoDirectory {
                    path: path.to_owned(),
                });
            }
        };
        let place = path.join(format::MANIFEST);
        if place.symlink_metadata().is_err() {
            return Err(CassetteError::NoManifest { path });
        }
        let manifest = Manifest::parse(&small(&path, format::MANIFEST)?).map_err(|source| {
            CassetteError::Manifest {
                path: place,
                source,
            }
        })?;
        check(&path, &manifest)?;
        contents::check(&path, Stage::Published)?;
        let ending =
            RecordingEnd::parse(&small(&path, format::FINAL)?).map_err(wrong(format::FINAL))?;
        if ending.id != manifest.id {
            return Err(CassetteError::Swapped {
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

    /// The manifest: what was recorded, and by which program.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How the recording ended.
    pub fn ending(&self) -> &RecordingEnd {
        &self.ending
    }

    /// The redaction report: how many secrets were redacted, and where.
    pub fn scrub_report(&self) -> Result<ScrubReport, CassetteError> {
        let bytes = small(&self.path, format::SCRUB_REPORT)?;
        from_line(&bytes, 1).map_err(wrong(format::SCRUB_REPORT))
    }

    /// The inputs of the program. Reads all of them into memory.
    pub fn inputs(&self) -> Result<Vec<InputLine>, CassetteError> {
        self.all(format::INPUT)
    }

    /// The events (marks and data) that the caller added. Reads all of them into memory.
    pub fn events(&self) -> Result<Vec<EventLine>, CassetteError> {
        self.all(format::EVENTS)
    }

    /// The number of bytes that the program wrote.
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
        paths::open(&path, File::options().read(true)).map_err(unread(&path))
    }

    pub(crate) fn stream<T: DeserializeOwned>(
        &self,
        name: &'static str,
    ) -> Result<Stream<T>, CassetteError> {
        let lines = Lines::new(self.file(name)?);
        Ok(Stream::new(lines, &self.path, name))
    }

    /// Returns the sizes that the terminal was changed to, in order.
    pub fn resized_to(&self) -> Result<Vec<Size>, CassetteError> {
        let resizes = self.resizes()?;
        Ok(resizes.into_iter().map(|resize| resize.size).collect())
    }

    pub(crate) fn resizes(&self) -> Result<Vec<Resize>, CassetteError> {
        let mut resizes = Vec::new();
        let mut inputs = self.stream::<InputLine>(format::INPUT)?;
        while let Some(input) = inputs.next()? {
            if let InputKind::Resize { cols, rows } = input.kind {
                let size = Size::checked(cols.into(), rows.into());
                let size = size.map_err(|error| inputs.wrong(error.to_string()))?;
                resizes.push(Resize {
                    seq: input.seq,
                    at: input.at,
                    size,
                });
            }
        }
        Ok(resizes)
    }

    fn all<T: DeserializeOwned>(&self, name: &'static str) -> Result<Vec<T>, CassetteError> {
        let mut stream = self.stream(name)?;
        let mut all = Vec::new();
        while let Some(value) = stream.next()? {
            all.push(value);
        }
        Ok(all)
    }
}

/// Checks that the manifest lists exactly the files of the format and that they are regular files.
fn check(path: &Path, manifest: &Manifest) -> Result<(), CassetteError> {
    if let Some(name) = manifest
        .files
        .keys()
        .find(|name| !format::NAMES.contains(&name.as_str()))
    {
        return Err(CassetteError::Stranger { name: name.clone() });
    }
    for name in format::NAMES {
        if !manifest.files.contains_key(name) {
            return Err(CassetteError::Unlisted {
                name: name.to_owned(),
            });
        }
        kind(&path.join(name))?;
    }
    Ok(())
}

fn check_lengths(path: &Path, manifest: &Manifest) -> Result<(), CassetteError> {
    let files: &BTreeMap<_, _> = &manifest.files;
    for (name, facts) in files {
        let path = path.join(name);
        let found = kind(&path)?;
        let told = facts.bytes;
        if found < told {
            return Err(CassetteError::CutOff { path, told, found });
        } else if found > told {
            return Err(CassetteError::Grown { path, told, found });
        }
    }
    Ok(())
}

/// Returns the length of a file of a cassette. Links are an error wherever they lead: their target
/// may change unnoticed.
pub(super) fn kind(path: &Path) -> Result<u64, CassetteError> {
    let path = path.to_owned();
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(CassetteError::Missing { path })
        }
        Err(source) => Err(CassetteError::Read { path, source }),
        Ok(there) if there.is_symlink() => Err(CassetteError::Link { path }),
        Ok(there) if !there.is_file() => Err(CassetteError::NotAFile { path }),
        Ok(there) => Ok(there.len()),
    }
}

/// Reads a file that holds a single value.
pub(crate) fn small(folder: &Path, name: &'static str) -> Result<Vec<u8>, CassetteError> {
    let path = folder.join(name);
    kind(&path)?;
    let mut bytes = Vec::new();
    let file = paths::open(&path, File::options().read(true)).map_err(unread(&path))?;
    // Read one byte more than allowed, so that the parser reports a file that is too long.
    let read = file
        .take(format::MAX_LINE as u64 + 1)
        .read_to_end(&mut bytes);
    read.map_err(unread(&path))?;
    Ok(bytes)
}

pub(crate) fn wrong(file: &'static str) -> impl Fn(format::LineError) -> CassetteError {
    move |source| CassetteError::Line { file, source }
}

pub(crate) fn unread(path: &Path) -> impl Fn(io::Error) -> CassetteError {
    move |source| CassetteError::Read {
        path: path.to_owned(),
        source,
    }
}
