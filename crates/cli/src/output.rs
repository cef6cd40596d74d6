//! Where a written screen goes, and in which format.
//!
//! A file is whole or not there: it is written under another name beside its place and then renamed. What is not a file,
//! such as a pipe or a device, is written as it is, since a renamed file would take its place.

use std::fs::{self, File, Permissions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use screentest::core::{State, Theme};
use tempfile::NamedTempFile;

use crate::failure::{self, Failure};
use crate::format::{self, Format, Written};

/// What a command may be told about its output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// What to write: text, unless the name of the file says otherwise
    #[arg(long, value_enum, value_name = "F")]
    format: Option<Format>,
    /// Write to a file: .txt, .json, .vt2 and .ansi.txt pick the format; ANSI gets a .meta.json beside it
    #[arg(short, long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// The colours of the terminal, by which json names them
    #[arg(long, value_enum, value_name = "T", default_value = "dark")]
    theme: ThemeName,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ThemeName {
    Dark,
    Light,
}

impl Output {
    /// The colours.
    pub(crate) fn theme(&self) -> Theme {
        match self.theme {
            ThemeName::Dark => Theme::DARK,
            ThemeName::Light => Theme::LIGHT,
        }
    }

    /// Settles where to write and what, before there is anything to write.
    pub(crate) fn destination(&self) -> Result<Destination, Failure> {
        let place = match &self.output {
            Some(path) => place(path)?,
            None => Place::Stdout,
        };
        let format = match (self.format, &place) {
            (Some(format), _) => format,
            (None, Place::Stdout | Place::Stream(_)) => Format::Text,
            (None, Place::File(path)) => by_name(path)?,
        };
        if format == Format::Vt2 && matches!(place, Place::Stdout) && io::stdout().is_terminal() {
            return Err(
                Failure::usage(anyhow!("vt2 is binary, and stdout is a terminal"))
                    .hint("`-o FILE` writes it to a file; a pipe takes it too"),
            );
        }
        Ok(Destination {
            place,
            format,
            theme: self.theme(),
        })
    }
}

/// What a path leads to, and whether it could be written.
fn place(path: &Path) -> Result<Place, Failure> {
    let failure = |why| Failure::usage(anyhow!("could not write `{}`: {why}", path.display()));
    // These stand for what is open already, often a file that others write to as well.
    let open = ["/dev/stderr", "/dev/fd", "/proc/self/fd"];
    if path.as_os_str() == "-" || path == Path::new("/dev/stdout") {
        return Ok(Place::Stdout);
    }
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(failure("it is a directory")),
        Ok(there) if !there.is_file() => Ok(Place::Stream(path.to_owned())),
        _ if open.iter().any(|open| path.starts_with(open)) => Ok(Place::Stream(path.to_owned())),
        _ if path.file_name().is_none() => Err(failure("it is not the name of a file")),
        _ if !folder(path).is_dir() => Err(failure("its directory does not exist")),
        _ => Ok(Place::File(path.to_owned())),
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn by_name(path: &Path) -> Result<Format, Failure> {
    match (Format::promised(path), path.extension()) {
        (Some(format), _) => Ok(format),
        // A plain name promises nothing, and neither does a device.
        (None, None) => Ok(Format::Text),
        (None, Some(ending)) => Err(Failure::usage(anyhow!(
            "no format is known by the ending `.{}` of `{}`",
            ending.display(),
            path.display()
        ))
        .hint(format!(
            "`--format` picks one for any name; known endings are {}",
            Format::endings()
        ))),
    }
}

/// Where to write, and what.
#[derive(Debug)]
pub(crate) struct Destination {
    place: Place,
    format: Format,
    theme: Theme,
}

#[derive(Debug)]
enum Place {
    Stdout,
    /// A pipe, a device: what is written joins what was.
    Stream(PathBuf),
    /// What is written takes the place of what was.
    File(PathBuf),
}

impl Destination {
    /// Writes a state.
    pub(crate) fn write(&self, state: &State) -> Result<(), Failure> {
        let written = self.format.write(state, &self.theme);
        let cut = written.cut;
        match &self.place {
            Place::Stdout => print(&written.bytes).context("could not write to stdout"),
            Place::Stream(path) => append(path, &written.bytes).with_context(|| could_not(path)),
            Place::File(path) => save(path, written).with_context(|| could_not(path)),
        }
        .map_err(Failure::usage)?;
        if cut > 0 {
            failure::note(&format!(
                "vt2 has room for one code point in a cell: `{cut}` cells lost what joined it"
            ));
        }
        Ok(())
    }
}

fn could_not(path: &Path) -> String {
    format!("could not write `{}`", path.display())
}

fn print(bytes: &[u8]) -> io::Result<()> {
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
fn save(path: &Path, written: Written) -> io::Result<()> {
    let text = beside(path, &written.bytes)?;
    // The size goes first: who finds the text finds it too.
    if let Some((meta, path)) = written.meta.zip(format::meta_beside(path)) {
        beside(&path, meta.to_string().as_bytes())?.settle()?;
    }
    text.settle()
}

/// A file that is about to take its place; without that, it is removed.
struct Beside {
    file: NamedTempFile,
    place: PathBuf,
}

impl Beside {
    fn settle(self) -> io::Result<()> {
        self.file.persist(self.place)?;
        Ok(())
    }
}

fn beside(path: &Path, bytes: &[u8]) -> io::Result<Beside> {
    // A link stays one: what it leads to is replaced.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut file = tempfile::Builder::new()
        .prefix(".screentest-")
        // What any new file gets; the process's mask takes from it.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder(&place))?;
    file.write_all(bytes)?;
    if let Ok(replaced) = fs::metadata(&place) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    Ok(Beside { file, place })
}
