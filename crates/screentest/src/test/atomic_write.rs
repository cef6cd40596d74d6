//! Atomic writes into a directory, refusing links that lead out of it.
//!
//! Every path below the directory is checked component by component, so that such a link is refused
//! before anything is written. Files are written under a temporary name and renamed, so that they
//! are complete or absent.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::file_limit::with_file_limit_as_error;
use crate::pty::descriptors::with_limit_advice;
use crate::test::artifacts::ArtifactError;

/// Maximum size of a file to read. The largest screen has 4 million cells; a cell takes up to about
/// 100 bytes as text, with three colours and all attributes.
pub(crate) const MAX_FILE_BYTES: u64 = 512 << 20;

/// A directory, by its path without links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens the directory at a path, which may contain links.
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        fs::canonicalize(path).map(Folder)
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Creates a directory below this one, with its parents.
    pub(crate) fn make(&self, path: &Path) -> Result<(), ArtifactError> {
        let Ok(below) = path.strip_prefix(&self.0) else {
            return Err(self.outside(path));
        };
        let mut folder = self.0.clone();
        for part in below.components() {
            folder.push(part);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(write_error(&folder)(error));
                }
                _ => self.check(&folder)?,
            }
        }
        Ok(())
    }

    /// Reads a file below this directory.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, ArtifactError> {
        let there = fs::metadata(path).map_err(read_error(path))?;
        self.check(path)?;
        // Reading a pipe would block, and a device has no end.
        if !there.is_file() {
            return Err(ArtifactError::NotAFile {
                path: path.to_owned(),
            });
        }
        let mut bytes = Vec::new();
        // The file may grow while it is read.
        let mut read = File::open(path)
            .map_err(read_error(path))?
            .take(MAX_FILE_BYTES + 1);
        if there.len() > MAX_FILE_BYTES
            || read.read_to_end(&mut bytes).map_err(read_error(path))? as u64 > MAX_FILE_BYTES
        {
            return Err(ArtifactError::TooLarge {
                path: path.to_owned(),
            });
        }
        Ok(bytes)
    }

    /// Returns an error if a path leads out of the directory.
    pub(crate) fn check(&self, path: &Path) -> Result<(), ArtifactError> {
        let real = fs::canonicalize(path).map_err(read_error(path))?;
        if real.starts_with(&self.0) {
            Ok(())
        } else {
            Err(self.outside(path))
        }
    }

    fn outside(&self, path: &Path) -> ArtifactError {
        ArtifactError::Outside {
            path: path.to_owned(),
            folder: self.0.clone(),
        }
    }
}

/// A file under a temporary name, to be renamed to its final path; removed if dropped before.
#[derive(Debug)]
pub struct AtomicFile {
    file: PathBuf,
    place: PathBuf,
}

impl AtomicFile {
    /// Writes the file into `folder`, which must be on the file system of `place`. A killed process
    /// leaves it there, so `folder` should not be a committed directory.
    pub fn write(folder: &Path, place: &Path, bytes: &[u8]) -> Result<AtomicFile, ArtifactError> {
        let (mut file, path) = new_file(folder).map_err(write_error(place))?;
        let temporary_file = AtomicFile {
            file: path,
            place: place.to_owned(),
        };
        let written = with_file_limit_as_error(|| file.write_all(bytes)).and_then(|()| {
            // Keeps the permissions of the replaced file.
            match fs::symlink_metadata(place) {
                Ok(replaced) if replaced.is_file() => file.set_permissions(replaced.permissions()),
                _ => Ok(()),
            }
        });
        written.map_err(write_error(place))?;
        Ok(temporary_file)
    }

    /// Renames the file to its final path, replacing an existing file.
    pub fn commit(self) -> Result<(), ArtifactError> {
        fs::rename(&self.file, &self.place).map_err(write_error(&self.place))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // After renaming, there is nothing to remove.
        let _ = fs::remove_file(&self.file);
    }
}

/// Creates a file with a new name. An existing link, or a file of an earlier process with the same
/// id, is not touched.
fn new_file(folder: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".screentest-{}-{next}", std::process::id()));
        match File::options().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((file?, path)),
        }
    }
}

/// Returns the error of a file or directory that could not be written.
pub(crate) fn write_error(path: &Path) -> impl FnOnce(io::Error) -> ArtifactError {
    move |source| ArtifactError::Write {
        path: path.to_owned(),
        source: with_limit_advice(source),
    }
}

/// Returns the error of a file or directory that could not be read.
pub(crate) fn read_error(path: &Path) -> impl FnOnce(io::Error) -> ArtifactError {
    move |source| ArtifactError::Read {
        path: path.to_owned(),
        source: with_limit_advice(source),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use screentest_fixtures::scratch::Scratch;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_created_through_a_link_that_leads_out() {
        let (scratch, other) = (Scratch::new(), Scratch::new());
        let folder = Folder::open(scratch.path()).unwrap();
        symlink(other.path(), folder.path().join("out")).unwrap();
        symlink(other.path().join("new"), folder.path().join("nowhere")).unwrap();
        folder.make(&folder.path().join("a/b")).unwrap();
        symlink("a", folder.path().join("in")).unwrap();
        folder.make(&folder.path().join("in/c")).unwrap();
        assert_eq!(names(&folder.path().join("a")), ["b", "c"]);
        for path in ["out/a/b", "nowhere/a", "a/b/../../out/c", "a/../.."] {
            folder.make(&folder.path().join(path)).unwrap_err();
        }
        assert!(names(other.path()).is_empty());
    }

    #[test]
    fn a_temporary_file_is_renamed_or_removed() {
        let (scratch, temporary) = (Scratch::new(), Scratch::new());
        let place = scratch.path().join("x");
        scratch.write("x", "old");
        fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).unwrap();
        drop(AtomicFile::write(temporary.path(), &place, b"never").unwrap());
        assert_eq!(fs::read(&place).unwrap(), b"old");
        let file = AtomicFile::write(temporary.path(), &place, b"new").unwrap();
        assert_eq!(names(scratch.path()), ["x"]);
        file.commit().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        let mode = fs::metadata(&place).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(names(temporary.path()).is_empty());
    }
}
