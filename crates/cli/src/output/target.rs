//! What a path leads to: stdout, a stream, or a file.
//!
//! A file is whole or not there (`draft.rs`). What is not a file, such as a pipe or a device, is written as it is, since a
//! renamed file would take its place.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use screentest::core::formats::ansi::Meta;

use super::draft::{Draft, could_not, folder};
use crate::failure::Failure;
use crate::format::Format;
use crate::notation::{self, Notation, Written};

/// Where something is written.
#[derive(Debug)]
pub(super) enum Place {
    Stdout,
    /// A pipe, a device: what is written joins what was.
    Stream(PathBuf),
    /// What is written takes the place of what was.
    File(PathBuf),
}

impl Place {
    /// What a path leads to, which is stdout without one, and whether it could be written.
    pub(super) fn of(path: Option<&Path>) -> Result<Place, Failure> {
        let Some(path) = path else {
            return Ok(Place::Stdout);
        };
        let failure = |why| Failure::usage(anyhow!("could not write `{}`: {why}", path.display()));
        // These stand for what is open already, often a file that others write to as well.
        let open = ["/dev/stderr", "/dev/fd", "/proc/self/fd"];
        if path.as_os_str() == "-" || path == Path::new("/dev/stdout") {
            return Ok(Place::Stdout);
        }
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(failure("it is a directory")),
            Ok(there) if !there.is_file() => Ok(Place::Stream(path.to_owned())),
            _ if open.iter().any(|open| path.starts_with(open)) => {
                Ok(Place::Stream(path.to_owned()))
            }
            _ if path.file_name().is_none() => Err(failure("it is not the name of a file")),
            _ if !folder(path).is_dir() => Err(failure("its directory does not exist")),
            _ => Ok(Place::File(path.to_owned())),
        }
    }

    /// Whether a format can be written there: better known before a program has run.
    pub(super) fn check(&self, format: Format) -> Result<(), Failure> {
        let Place::File(path) = self else {
            return Ok(());
        };
        Draft::new(path, b"").map_err(Failure::usage)?;
        match format == Format::Written(Notation::Ansi) {
            true => check_meta(path),
            false => Ok(()),
        }
    }

    /// Writes to it.
    pub(super) fn put(&self, written: Written) -> Result<(), Failure> {
        match self {
            Place::Stdout => print(&written.bytes).context("could not write to stdout"),
            Place::Stream(path) => append(path, &written.bytes).with_context(|| could_not(path)),
            Place::File(path) => save(path, written),
        }
        .map_err(Failure::usage)
    }
}

/// Whether the file beside ANSI text may take its place: many things are called `.meta.json`.
fn check_meta(path: &Path) -> Result<(), Failure> {
    let Some(meta) = notation::meta_beside(path) else {
        return Ok(());
    };
    let name = meta.display();
    let Ok(there) = fs::metadata(&meta) else {
        return Ok(());
    };
    let why = if there.is_dir() {
        anyhow!("could not write `{name}`: it is a directory")
    } else if !there.is_file() {
        anyhow!("could not write `{name}`: it is not a file")
    } else {
        let json = fs::read(&meta).with_context(|| format!("could not read `{name}`"));
        match json.map_err(Failure::usage).map(Meta::parse)? {
            Ok(_) => return Ok(()),
            Err(_) => anyhow!("`{name}` is not a snapshot's, and is not overwritten"),
        }
    };
    Err(Failure::usage(why).hint(format!(
        "the size of `{}` would stand there; `-o` with another name leaves it alone",
        path.display()
    )))
}

/// Writes to stdout.
pub(crate) fn print(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut printed = out.write_all(bytes);
    // JSON has no newline at its end, and a prompt would stand behind it.
    if out.is_terminal() && !bytes.ends_with(b"\n") && !bytes.is_empty() {
        printed = printed.and_then(|()| out.write_all(b"\n"));
    }
    unless_closed(printed.and_then(|()| out.flush()))
}

fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut stream = File::options().append(true).open(path)?;
    unless_closed(stream.write_all(bytes))
}

/// Who closes a pipe has read enough, and is no error.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes a file, and one beside it where the format has one: each as a whole, and none where one cannot be written.
fn save(path: &Path, written: Written) -> anyhow::Result<()> {
    let text = Draft::new(path, &written.bytes)?;
    // The size goes first: who finds the text finds it too.
    if let Some((meta, path)) = written.meta.zip(notation::meta_beside(path)) {
        Draft::new(&path, meta.to_string().as_bytes())?.settle()?;
    }
    text.settle()
}
