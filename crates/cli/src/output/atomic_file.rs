//! A file that is whole or not there: it is written under another name beside its place and then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

/// How many links in a row are followed: as many as Linux does.
const LINKS: usize = 40;

/// A file that is about to take its place; without that, it is removed.
#[derive(Debug)]
pub(super) struct Draft {
    file: NamedTempFile,
    path: PathBuf,
    place: PathBuf,
}

impl Draft {
    /// A draft of the file at this path, with this in it.
    pub(super) fn new(path: &Path, bytes: &[u8]) -> anyhow::Result<Draft> {
        let place = led(path).with_context(|| could_not(path))?;
        let file = filled(&place, bytes);
        Ok(Draft {
            file: file.with_context(|| could_not(path))?,
            path: path.to_owned(),
            place,
        })
    }

    /// Where it stands for now, for others to write to.
    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Takes its place unless something is there.
    pub(super) fn settle_new(self) -> io::Result<()> {
        self.file.persist_noclobber(self.place)?;
        Ok(())
    }

    /// Takes its place.
    pub(super) fn settle(self) -> anyhow::Result<()> {
        let settled = self.file.persist(self.place);
        settled.with_context(|| could_not(&self.path))?;
        Ok(())
    }
}

/// What went wrong, for a sentence.
pub(super) fn could_not(path: &Path) -> String {
    format!("could not write `{}`", path.display())
}

/// The folder that a file is in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Where a path leads. A link stays one: what it leads to is replaced, or made where there is nothing yet.
pub(super) fn led(path: &Path) -> io::Result<PathBuf> {
    let missing = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => error,
        other => return other,
    };
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&place) {
            Ok(next) => place = folder(&place).join(next),
            Err(_) => return Ok(place),
        }
    }
    Err(missing)
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
