//! Checks that the directory of a cassette holds only regular files that belong to the format.
//!
//! Code that opens such a directory, writes into it or replaces it calls this first, so that links
//! are not followed and foreign files are not lost.

use std::path::Path;
use std::{fs, io};

use screentest_core::formats::cassette as format;
use serde_json::Value;

use super::partial::METADATA_FILE;
use super::{file_length, read_small_file};
use crate::recording::cassette::error::{CassetteError, directory_error, read_error};

/// The two states of a cassette directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DirectoryState {
    /// A finished cassette.
    Published,
    /// A directory that a recorder writes into, or left unfinished.
    Unpublished,
}

/// The names of the files that the directory may hold.
fn allowed_names(state: DirectoryState) -> Vec<String> {
    let published = format::NAMES.into_iter().chain([format::MANIFEST]);
    match state {
        DirectoryState::Published => published.map(str::to_owned).collect(),
        // A file that is replaced as a whole is first written as `NAME.new`.
        DirectoryState::Unpublished => published
            .chain([METADATA_FILE])
            .flat_map(|name| [name.to_owned(), format!("{name}.new")])
            .collect(),
    }
}

/// Checks that everything in a directory is a regular file that belongs there. A symbolic link is
/// an error wherever it leads, also if `directory` is one.
pub(crate) fn check(directory: &Path, state: DirectoryState) -> Result<(), CassetteError> {
    let path = directory.to_owned();
    match directory.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => return Err(CassetteError::Link { path }),
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(CassetteError::NotADirectory { path }),
        Err(error) => return Err(directory_error(directory, error)),
    }
    let allowed = allowed_names(state);
    for entry in fs::read_dir(directory).map_err(read_error(directory))? {
        let entry = entry.map_err(read_error(directory))?;
        let path = entry.path();
        if !allowed
            .iter()
            .any(|name| entry.file_name() == name.as_str())
        {
            return Err(CassetteError::ForeignFile { path });
        }
        file_length(&path)?;
    }
    Ok(())
}

/// Checks that a directory is a cassette, possibly a damaged one, so that replacing it loses
/// nothing else.
pub(crate) fn check_is_cassette(directory: &Path) -> Result<(), CassetteError> {
    check(directory, DirectoryState::Published)?;
    let path = directory.to_owned();
    let manifest = match read_small_file(directory, format::MANIFEST) {
        Err(CassetteError::Missing { .. }) => return Err(CassetteError::NoManifest { path }),
        manifest => manifest?,
    };
    let manifest: Option<Value> = serde_json::from_slice(&manifest).ok();
    if manifest.is_some_and(|manifest| manifest["format"] == format::manifest::FORMAT) {
        Ok(())
    } else {
        Err(CassetteError::ForeignFile {
            path: path.join(format::MANIFEST),
        })
    }
}

/// Removes a directory and the files that belong there. A directory that holds anything else stays,
/// with the other files.
pub(crate) fn remove(directory: &Path) -> io::Result<()> {
    for name in allowed_names(DirectoryState::Unpublished) {
        match fs::remove_file(directory.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::remove_dir(directory)
}
