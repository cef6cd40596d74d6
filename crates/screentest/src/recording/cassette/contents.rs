//! What lies in the folder of a cassette: files of ours, each of them a file, and nothing else.
//!
//! Whoever writes in a folder, or puts another in its place, asks here first: what somebody else put there is neither followed nor lost.

use std::path::Path;
use std::{fs, io};

use screentest_core::formats::cassette as format;
use serde_json::Value;

use super::error::CassetteError;
use super::open::{kind, small, unread};
use super::partial::START;

/// What a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A cassette.
    Published,
    /// What a recorder writes, or left.
    Unpublished,
}

/// The files that a folder may hold.
fn names(stage: Stage) -> Vec<String> {
    let published = format::NAMES.into_iter().chain([format::MANIFEST]);
    match stage {
        Stage::Published => published.map(str::to_owned).collect(),
        // A file that is written whole has another name until it is.
        Stage::Unpublished => published
            .chain([START])
            .flat_map(|name| [name.to_owned(), format!("{name}.new")])
            .collect(),
    }
}

/// Whether all that lies in a folder are files that belong there. A link is refused wherever it leads, and so is a link to the folder.
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

/// Whether a folder is a cassette, however damaged, that nothing is lost with but a cassette.
pub(crate) fn check_cassette(folder: &Path) -> Result<(), CassetteError> {
    check(folder, Stage::Published)?;
    let path = folder.to_owned();
    let manifest = match small(folder, format::MANIFEST) {
        Err(CassetteError::Missing { .. }) => return Err(CassetteError::NoManifest { path }),
        manifest => manifest?,
    };
    let manifest: Option<Value> = serde_json::from_slice(&manifest).ok();
    match manifest.is_some_and(|manifest| manifest["format"] == format::manifest::FORMAT) {
        true => Ok(()),
        false => Err(CassetteError::Foreign {
            path: path.join(format::MANIFEST),
        }),
    }
}

/// Removes a folder with the files that belong there. One that holds anything else stays, with that.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    for name in names(Stage::Unpublished) {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::remove_dir(folder)
}
