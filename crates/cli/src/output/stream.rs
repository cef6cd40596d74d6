//! A recording on its way to a file: it is written in stretches, and is whole or not there.
//!
//! A recording cannot be made again, so that one that is there is replaced only where the caller said so.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::draft::{Draft, could_not, folder, led};
use super::place::Place;
use crate::failure::Failure;
use screentest::recording::cassette::ExistingCassette;

/// Where a recording goes.
#[derive(Debug)]
pub(crate) struct Stream {
    place: Place,
    existing: ExistingCassette,
}

impl Stream {
    /// What a path leads to, which is stdout without one, and whether it could be written.
    pub(crate) fn to(path: Option<&Path>, existing: ExistingCassette) -> Result<Stream, Failure> {
        let place = Place::of(path)?;
        if let Place::File(path) = &place {
            if existing == ExistingCassette::Keep && path.symlink_metadata().is_ok() {
                return Err(exists(path));
            }
            Draft::new(path, b"").map_err(Failure::usage)?;
        }
        Ok(Stream { place, existing })
    }

    /// The one place that two would both take: stdout, or a file by the name it was first given. What goes to a device joins what is
    /// there.
    pub(crate) fn shared(&self, other: &Stream) -> Option<String> {
        match (&self.place, &other.place) {
            (Place::Stdout, Place::Stdout) => Some("stdout".to_owned()),
            (Place::File(one), Place::File(other)) => {
                (whole(one) == whole(other)).then(|| format!("`{}`", one.display()))
            }
            _ => None,
        }
    }

    /// Lets somebody write to it. What fails on the way leaves nothing.
    pub(crate) fn write<T>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match &self.place {
            Place::Stdout => flushed(io::stdout().lock(), write, || "stdout".to_owned()),
            Place::Stream(path) => {
                let file = File::options().append(true).open(path);
                let file = file.with_context(|| could_not(path));
                let name = || path.display().to_string();
                flushed(file.map_err(Failure::usage)?, write, name)
            }
            Place::File(path) => {
                let draft = Draft::new(path, b"").map_err(Failure::usage)?;
                let file = File::options().append(true).open(draft.path());
                let file = file.with_context(|| could_not(path));
                let name = || path.display().to_string();
                let written = flushed(file.map_err(Failure::usage)?, write, name)?;
                match self.existing {
                    ExistingCassette::Replace => draft.settle().map_err(Failure::usage)?,
                    ExistingCassette::Keep => match draft.settle_new() {
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                            return Err(exists(path));
                        }
                        settled => settled
                            .with_context(|| could_not(path))
                            .map_err(Failure::usage)?,
                    },
                }
                Ok(written)
            }
        }
    }
}

/// A file that is perhaps not there yet, in a folder that is, by its one path.
fn whole(path: &Path) -> PathBuf {
    let place = led(path).unwrap_or_else(|_| path.to_owned());
    let folder = fs::canonicalize(folder(&place)).unwrap_or_else(|_| folder(&place).to_owned());
    folder.join(place.file_name().unwrap_or_default())
}

fn flushed<T>(
    to: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    name: impl FnOnce() -> String,
) -> Result<T, Failure> {
    let mut buffer = BufWriter::with_capacity(64 << 10, Read { to, failed: None });
    let written = write(&mut buffer);
    let flushed = buffer.flush();
    // Who writes does not know where to; what went wrong there is told with its name.
    let failed = buffer.get_mut().failed.take().or(flushed.err());
    match failed {
        Some(error) => Err(error)
            .with_context(|| format!("could not write `{}`", name()))
            .map_err(Failure::usage),
        None => written,
    }
}

/// What somebody reads. Who closes a pipe has read enough, and is no error.
struct Read<W> {
    to: W,
    /// What went wrong, of which who writes is told the kind.
    failed: Option<io::Error>,
}

impl<W> Read<W> {
    fn unless_closed<T>(&mut self, done: io::Result<T>, closed: T) -> io::Result<T> {
        done.or_else(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(closed),
            // To be tried again.
            io::ErrorKind::Interrupted => Err(error),
            kind => {
                self.failed = Some(error);
                Err(kind.into())
            }
        })
    }
}

impl<W: Write> Write for Read<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.to.flush();
        self.unless_closed(flushed, ())
    }
}

/// There is something already.
fn exists(path: &Path) -> Failure {
    Failure::usage(anyhow!("`{}` exists already", path.display())).hint("`--force` replaces it")
}
