//! Where a written screen goes, and in which format.
//!
//! A file is whole or not there: it is written under another name beside its place and then renamed. What is not a file,
//! such as a pipe or a device, is written as it is, since a renamed file would take its place.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::ansi::Meta;
use screentest::core::{State, Theme, ThemeError};
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
    /// Write to a file: .txt, .json, .vt2, .ansi.txt and .ansi pick the format, and the last two get a .meta.json beside
    /// them; `-` is stdout
    #[arg(short, long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Reads the value of `--theme`: a name, or a theme written inline.
pub(crate) fn theme(text: &str) -> Result<Theme, String> {
    text.parse().map_err(|error: ThemeError| match &error {
        ThemeError::Unknown(unknown) if unknown.nearest.is_none() => {
            format!("{error}; `screentest themes` lists all")
        }
        _ => error.to_string(),
    })
}

impl Output {
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
        if let Place::File(path) = &place {
            check_writable(path)?;
            if format == Format::Ansi {
                check_meta(path)?;
            }
        }
        Ok(Destination { place, format })
    }
}

/// Whether a file can be made in the folder: better known before a program has run.
fn check_writable(path: &Path) -> Result<(), Failure> {
    let tried = beside(path, b"");
    tried.map_err(Failure::usage)?;
    Ok(())
}

/// Whether the file beside ANSI text may take its place: many things are called `.meta.json`.
fn check_meta(path: &Path) -> Result<(), Failure> {
    let Some(meta) = format::meta_beside(path) else {
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
    pub(crate) fn write(&self, state: &State, theme: &Theme) -> Result<(), Failure> {
        let written = self.format.write(state, theme);
        let cut = written.cut;
        match &self.place {
            Place::Stdout => print(&written.bytes).context("could not write to stdout"),
            Place::Stream(path) => append(path, &written.bytes).with_context(|| could_not(path)),
            Place::File(path) => save(path, written),
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
    path: PathBuf,
    place: PathBuf,
}

impl Beside {
    fn settle(self) -> anyhow::Result<()> {
        let settled = self.file.persist(self.place);
        settled.with_context(|| could_not(&self.path))?;
        Ok(())
    }
}

fn beside(path: &Path, bytes: &[u8]) -> anyhow::Result<Beside> {
    // A link stays one: what it leads to is replaced.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let file = filled(&place, bytes);
    Ok(Beside {
        file: file.with_context(|| could_not(path))?,
        path: path.to_owned(),
        place,
    })
}

fn filled(place: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    // What the system said: the error that comes back also has the passing name of a file that nobody knows.
    let mut why = None;
    let file = tempfile::Builder::new()
        .prefix(".screentest-")
        .make_in(folder(place), |path| {
            let mut new = File::options();
            // What any new file gets; the process's mask takes from it.
            let made = new.write(true).create_new(true).mode(0o666).open(path);
            made.inspect_err(|error| why = error.raw_os_error())
        });
    let mut file = file.map_err(|error| why.map_or(error, io::Error::from_raw_os_error))?;
    file.as_file_mut().write_all(bytes)?;
    if let Ok(replaced) = fs::metadata(place) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    Ok(file)
}
