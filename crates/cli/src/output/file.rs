//! An output file that is written in pieces, and is complete or absent.
//!
//! A recording cannot be made again, so an existing file is replaced only if the caller asks for
//! it.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::atomic_file::{AtomicFile, directory, resolve_links, write_error};
use super::target::{Target, print};
use crate::failure::Failure;
use screentest::recording::cassette::ExistingCassette;

/// The output file.
#[derive(Debug)]
pub(crate) struct OutputFile {
    target: Target,
    existing: ExistingCassette,
}

impl OutputFile {
    /// Opens the target that a path leads to (stdout without a path), and checks that it can be
    /// written.
    pub(crate) fn to(
        path: Option<&Path>,
        existing: ExistingCassette,
    ) -> Result<OutputFile, Failure> {
        let target = Target::new(path)?;
        if let Target::File(path) = &target {
            if existing == ExistingCassette::Keep && path.symlink_metadata().is_ok() {
                return Err(exists_failure(path));
            }
            AtomicFile::new(path, b"").map_err(Failure::usage)?;
        }
        Ok(OutputFile { target, existing })
    }

    /// Returns the name of the target if both write to the same one: `stdout`, or the path of this
    /// file. Output to a device is appended, so a device can be shared.
    pub(crate) fn shared(&self, other: &OutputFile) -> Option<String> {
        match (&self.target, &other.target) {
            (Target::Stdout, Target::Stdout) => Some("stdout".to_owned()),
            (Target::File(one), Target::File(other)) => {
                (canonical(one) == canonical(other)).then(|| format!("`{}`", one.display()))
            }
            _ => None,
        }
    }

    /// Calls `write` with the output. If it fails, no new file remains, and an existing file is
    /// unchanged.
    pub(crate) fn write<T>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match &self.target {
            // On a terminal, control characters are replaced, which needs the whole text.
            Target::Stdout if io::stdout().is_terminal() => {
                let mut bytes = Vec::new();
                let written = write(&mut bytes)?;
                let printed = print(&bytes).context("could not write `stdout`");
                printed.map(|()| written).map_err(Failure::usage)
            }
            Target::Stdout => write_and_flush(io::stdout().lock(), write, || "stdout".to_owned()),
            Target::Stream(path) => {
                let file = File::options().append(true).open(path);
                let file = file.with_context(|| write_error(path));
                let name = || path.display().to_string();
                write_and_flush(file.map_err(Failure::usage)?, write, name)
            }
            Target::File(path) => {
                let temporary = AtomicFile::new(path, b"").map_err(Failure::usage)?;
                let file = File::options()
                    .append(true)
                    .open(temporary.temporary_path());
                let file = file.with_context(|| write_error(path));
                let name = || path.display().to_string();
                let written = write_and_flush(file.map_err(Failure::usage)?, write, name)?;
                match self.existing {
                    ExistingCassette::Replace => temporary.persist().map_err(Failure::usage)?,
                    ExistingCassette::Keep => match temporary.persist_new() {
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                            return Err(exists_failure(path));
                        }
                        renamed => renamed
                            .with_context(|| write_error(path))
                            .map_err(Failure::usage)?,
                    },
                }
                Ok(written)
            }
        }
    }
}

/// Returns the canonical path of a file that may not exist yet, in a directory that exists.
fn canonical(path: &Path) -> PathBuf {
    let target = resolve_links(path).unwrap_or_else(|_| path.to_owned());
    let directory =
        fs::canonicalize(directory(&target)).unwrap_or_else(|_| directory(&target).to_owned());
    directory.join(target.file_name().unwrap_or_default())
}

fn write_and_flush<T>(
    to: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    name: impl FnOnce() -> String,
) -> Result<T, Failure> {
    let mut buffer = BufWriter::with_capacity(64 << 10, ClosedPipeAsEnd { to, failed: None });
    let written = write(&mut buffer);
    let flushed = buffer.flush();
    // `write` does not know the target, so the error is reported here, with the name of the target.
    let failed = buffer.get_mut().failed.take().or(flushed.err());
    match failed {
        Some(error) => Err(error)
            .with_context(|| format!("could not write `{}`", name()))
            .map_err(Failure::usage),
        None => written,
    }
}

/// Writer that treats a closed pipe as success: the reader has read enough.
struct ClosedPipeAsEnd<W> {
    to: W,
    /// The last error. The writing code receives only its kind.
    failed: Option<io::Error>,
}

impl<W> ClosedPipeAsEnd<W> {
    fn ignore_closed_pipe<T>(&mut self, result: io::Result<T>, closed: T) -> io::Result<T> {
        result.or_else(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(closed),
            // The caller retries.
            io::ErrorKind::Interrupted => Err(error),
            kind => {
                self.failed = Some(error);
                Err(kind.into())
            }
        })
    }
}

impl<W: Write> Write for ClosedPipeAsEnd<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes);
        self.ignore_closed_pipe(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.to.flush();
        self.ignore_closed_pipe(flushed, ())
    }
}

/// Returns the failure for a file that exists.
fn exists_failure(path: &Path) -> Failure {
    Failure::usage(anyhow!("`{}` exists already", path.display())).hint("`--force` replaces it")
}
