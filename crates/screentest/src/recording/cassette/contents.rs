//! Checks that the directory of a cassette holds only regular files that belong to the format.
//!
//! Code that writes into such a directory, or replaces it, calls this first, so that foreign files
//! are neither followed nor lost.

use std::path::Path;
use std::{fs, io};

use screentest_core::formats::cassette as format;
use serde_json::Value;

use super::error::CassetteError;
use super::open::{kind, small, unread};
use super::partial::START;

/// The two states of a cassette directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A finished cassette.
    Published,
    /// A directory that a recorder writes into, or left unfinished.
    Unpublished,
}

/// The names of the files that the directory may hold.
fn names(stage: Stage) -> Vec<String> {
    let published = format::NAMES.into_iter().chain([format::MANIFEST]);
    match stage {
        Stage::Published => published.map(str::to_owned).collect(),
        // A file that is replaced as a whole is first written as `NAME.new`.
        Stage::Unpublished => published
            .chain([START])
            .flat_map(|name| [name.to_owned(), format!("{name}.new")])
            .collect(),
    }
}

/// Checks that everything in a directory is a regular file that belongs there. Links are an error
/// wherever they lead, and so is a link to the directory itself.
pub(crate) fn check(folder: &Path, stage: Stage) -> Result<(), CassetteError> {
    let path = folder.to_owned();
    match folder.symlink_metadata() {
        Ok(there) if there.is_symlink() => return Err(CassetteError::Link { path }),
        Ok(there) if there.is_dir() => {}
        Ok(_) => return Err(CassetteError::NotADirectory { path }),
        Err(_) => return Err(CassetteError::NoDirectory { path }),
    }
    let known = names(stage);
    for entry in fs::read_dir(folder).map_err(unread(folder))? {
        let entry = entry.map_err(unread(folder))?;
        let path = entry.path();
        if !known.iter().any(|name| entry.file_name() == name.as_str()) {
            return Err(CassetteError::Foreign { path });
        }
        kind(&path)?;
    }
    Ok(())
}

/// Checks that a directory is a cassette, possibly a damaged one, so that replacing it can lose
/// nothing else.
pub(crate) fn check_cassette(folder: &Path) -> Result<(), CassetteError> {
    check(folder, Stage::Published)?;
    let path = folder.to_owned();
    let manifest = match small(folder, format::MANIFEST) {
        Err(CassetteError::Missing { .. }) => return Err(CassetteError::NoManifest { path }),
        manifest => manifest?,
    };
    let manifest: Option<Value> = serde_json::from_slice(&manifest).ok();
    if manifest.is_some_and(|manifest| manifest["format"] == format::manifest::FORMAT) {
        Ok(())
    } else {
        Err(CassetteError::Foreign {
            path: path.join(format::MANIFEST),
        })
    }
}

/// Removes a directory and the files that belong there. A directory that holds anything else stays,
/// with the other files.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    for name in names(Stage::Unpublished) {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::remove_dir(folder)
}
