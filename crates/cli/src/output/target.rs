//! Output targets: stdout, a stream, or a file.
//!
//! A file is written completely or not at all (`atomic_file.rs`). Pipes and devices are written
//! directly, since a renamed file would replace them.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use screentest::core::formats::ansi::Meta;

use super::atomic_file::{AtomicFile, directory, write_error};
use crate::failure::Failure;
use crate::input::regular_file;
use crate::output::format::OutputFormat;
use crate::output::sanitize::replace_controls_in_lines;
use crate::output::screen_format::{self, EncodedScreen, ScreenFormat};

/// Where output goes.
#[derive(Debug)]
pub(super) enum Target {
    Stdout,
    /// A pipe or a device: output is appended.
    Stream(PathBuf),
    /// A regular file: output replaces it.
    File(PathBuf),
}

impl Target {
    /// Returns the target of a path (stdout without a path), and checks that it can be written.
    pub(super) fn new(path: Option<&Path>) -> Result<Target, Failure> {
        let Some(path) = path else {
            return Ok(Target::Stdout);
        };
        let failure = |why| Failure::usage(anyhow!("could not write `{}`: {why}", path.display()));
        // These are descriptors that are already open, often of files that others write to as well.
        let descriptors = ["/dev/stderr", "/dev/fd", "/proc/self/fd"];
        if path.as_os_str() == "-" || path == Path::new("/dev/stdout") {
            return Ok(Target::Stdout);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(failure("it is a directory")),
            Ok(metadata) if !metadata.is_file() => Ok(Target::Stream(path.to_owned())),
            _ if descriptors.iter().any(|prefix| path.starts_with(prefix)) => {
                Ok(Target::Stream(path.to_owned()))
            }
            _ if path.file_name().is_none() => Err(failure("it is not a file name")),
            _ if !directory(path).is_dir() => Err(failure("its directory does not exist")),
            _ => Ok(Target::File(path.to_owned())),
        }
    }

    /// Checks that a format can be written there, before a program runs.
    pub(super) fn check(&self, format: OutputFormat) -> Result<(), Failure> {
        let Target::File(path) = self else {
            return Ok(());
        };
        AtomicFile::new(path, b"").map_err(Failure::usage)?;
        if format == OutputFormat::Screen(ScreenFormat::Ansi) {
            check_size_file(path)
        } else {
            Ok(())
        }
    }

    /// Writes to the target.
    pub(super) fn write(&self, written: EncodedScreen) -> Result<(), Failure> {
        match self {
            // Only ANSI text has escape sequences for a terminal, which are printed unchanged.
            Target::Stdout if written.for_terminal.is_some() => {
                let painted = written.for_terminal.map(String::into_bytes);
                let shown = painted.filter(|_| io::stdout().is_terminal());
                let bytes = shown.unwrap_or(written.bytes);
                print_exact(&bytes).context("could not write to stdout")
            }
            Target::Stdout => print(&written.bytes).context("could not write to stdout"),
            Target::Stream(path) => append(path, &written.bytes).with_context(|| write_error(path)),
            Target::File(path) => save(path, written),
        }
        .map_err(Failure::usage)
    }

    /// Copies a file of binary data to the target, which is not a terminal.
    pub(super) fn copy(&self, mut file: File) -> Result<(), Failure> {
        match self {
            Target::Stdout => {
                let mut out = io::stdout().lock();
                let copied = io::copy(&mut file, &mut out).and_then(|_| out.flush());
                ignore_closed_pipe(copied).context("could not write to stdout")
            }
            Target::Stream(path) | Target::File(path) => {
                let stream = File::options().append(true).open(path);
                let copied = stream.and_then(|mut stream| io::copy(&mut file, &mut stream));
                ignore_closed_pipe(copied.map(drop)).with_context(|| write_error(path))
            }
        }
        .map_err(Failure::usage)
    }
}

/// Checks that the `.meta.json` file next to ANSI text may be replaced: other programs use that
/// name too.
fn check_size_file(path: &Path) -> Result<(), Failure> {
    let Some(meta) = screen_format::meta_path(path) else {
        return Ok(());
    };
    let name = meta.display();
    let Ok(metadata) = fs::metadata(&meta) else {
        return Ok(());
    };
    let error = if metadata.is_dir() {
        anyhow!("could not write `{name}`: it is a directory")
    } else if !metadata.is_file() {
        anyhow!("could not write `{name}`: it is not a file")
    } else {
        let json = regular_file::read(&meta, screen_format::MAX_META_BYTES);
        let json = json.with_context(|| format!("could not read `{name}`"));
        match json.map_err(Failure::usage).map(Meta::parse)? {
            Ok(_) => return Ok(()),
            Err(_) => {
                anyhow!("`{name}` is not the size file of a snapshot, and is not overwritten")
            }
        }
    };
    Err(Failure::usage(error).hint(format!(
        "the size of `{}` is stored there; choose another name with `-o`",
        path.display()
    )))
}

/// Writes to stdout. On a terminal, control characters are replaced. A pipe or a file receives the
/// exact bytes.
pub(crate) fn print(bytes: &[u8]) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return print_exact(bytes);
    }
    let text = String::from_utf8_lossy(bytes);
    print_exact(replace_controls_in_lines(&text).as_bytes())
}

/// Writes to stdout with escape sequences: text of our own, or a screen in ANSI text.
pub(crate) fn print_exact(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut printed = out.write_all(bytes);
    // JSON has no trailing newline; the shell prompt would follow it on the same line.
    if out.is_terminal() && !bytes.ends_with(b"\n") && !bytes.is_empty() {
        printed = printed.and_then(|()| out.write_all(b"\n"));
    }
    ignore_closed_pipe(printed.and_then(|()| out.flush()))
}

fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut stream = File::options().append(true).open(path)?;
    ignore_closed_pipe(stream.write_all(bytes))
}

/// A closed pipe is not an error: the reader has read enough.
fn ignore_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes a file, and the size file if the format has one. Each file is written completely or not
/// at all. If one cannot be created, the other is not written.
fn save(path: &Path, written: EncodedScreen) -> anyhow::Result<()> {
    let text = AtomicFile::new(path, &written.bytes)?;
    // The size file is renamed first: a reader that finds the text finds the size too.
    if let Some((meta, path)) = written.meta.zip(screen_format::meta_path(path)) {
        AtomicFile::new(&path, meta.to_string().as_bytes())?.persist()?;
    }
    text.persist()
}
