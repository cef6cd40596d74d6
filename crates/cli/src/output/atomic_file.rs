//! A file that is complete or absent: it is written under a temporary name in the same directory,
//! then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

/// Maximum length of a chain of symbolic links; Linux has the same limit.
const MAX_LINKS: usize = 40;

/// A file under its temporary name. Dropping it without `persist` removes it.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    file: NamedTempFile,
    path: PathBuf,
    destination: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file for `path`, with these bytes.
    pub(crate) fn new(path: &Path, bytes: &[u8]) -> anyhow::Result<AtomicFile> {
        // The permissions of any new file, before the umask.
        AtomicFile::with_mode(path, bytes, 0o666)
    }

    /// Creates the temporary file for `path`, readable only by its owner from the moment it exists.
    pub(crate) fn private(path: &Path, bytes: &[u8]) -> anyhow::Result<AtomicFile> {
        AtomicFile::with_mode(path, bytes, 0o600)
    }

    fn with_mode(path: &Path, bytes: &[u8], mode: u32) -> anyhow::Result<AtomicFile> {
        let destination = resolve_links(path).with_context(|| write_error(path))?;
        let file = create_temporary(&destination, bytes, mode);
        Ok(AtomicFile {
            file: file.with_context(|| write_error(path))?,
            path: path.to_owned(),
            destination,
        })
    }

    /// Returns the temporary path, for other writers.
    pub(super) fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Renames the temporary file to its path. Fails if that path exists.
    pub(crate) fn persist_new(self) -> io::Result<()> {
        // A dangling symbolic link exists too.
        if self.path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.file.persist_noclobber(self.destination)?;
        Ok(())
    }

    /// Renames the temporary file to its path, and replaces an existing file.
    pub(crate) fn persist(self) -> anyhow::Result<()> {
        let renamed = self.file.persist(self.destination);
        renamed.with_context(|| write_error(&self.path))?;
        Ok(())
    }
}

/// Returns the error message for a path.
pub(super) fn write_error(path: &Path) -> String {
    format!("could not write `{}`", path.display())
}

/// Returns the directory of a path.
pub(super) fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    }
}

/// Resolves symbolic links. A link is kept: its destination is replaced, or created if missing.
pub(super) fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let missing = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => error,
        other => return other,
    };
    let mut destination = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&destination) {
            Ok(next) => destination = directory(&destination).join(next),
            Err(_) => return Ok(destination),
        }
    }
    Err(missing)
}

fn create_temporary(destination: &Path, bytes: &[u8], mode: u32) -> io::Result<NamedTempFile> {
    // Remember the error of the system: the error of `make_in` also contains the temporary name,
    // which means nothing to the user.
    let mut system_error = None;
    let file =
        tempfile::Builder::new()
            .prefix(".screentest-")
            .make_in(directory(destination), |path| {
                let mut new = File::options();
                let opened = new.write(true).create_new(true).mode(mode).open(path);
                opened.inspect_err(|error| system_error = error.raw_os_error())
            });
    let mut file =
        file.map_err(|error| system_error.map_or(error, io::Error::from_raw_os_error))?;
    file.as_file_mut().write_all(bytes)?;
    if let Ok(replaced) = fs::metadata(destination) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    Ok(file)
}
