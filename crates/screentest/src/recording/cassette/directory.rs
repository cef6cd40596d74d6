//! The directory of a cassette, and the files in it.
//!
//! See also: `directory/allowed_files.rs` (which files it may hold), `directory/paths.rs` (its
//! paths, and atomic renames), `directory/partial.rs` (the directory until it is published).

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use screentest_core::formats::cassette as format;

use super::error::{CassetteError, read_error};

pub(crate) mod allowed_files;
pub mod partial;
pub mod paths;

pub(crate) use allowed_files::DirectoryState;

/// Returns the length of a file of a cassette. Links are an error wherever they lead: their target
/// may change unnoticed.
pub(crate) fn file_length(path: &Path) -> Result<u64, CassetteError> {
    let path = path.to_owned();
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(CassetteError::Missing { path })
        }
        Err(source) => Err(CassetteError::Read { path, source }),
        Ok(there) if there.is_symlink() => Err(CassetteError::Link { path }),
        Ok(there) if !there.is_file() => Err(CassetteError::NotAFile { path }),
        Ok(there) => Ok(there.len()),
    }
}

/// Reads a file that holds a single value.
pub(crate) fn read_small_file(
    directory: &Path,
    name: &'static str,
) -> Result<Vec<u8>, CassetteError> {
    let path = directory.join(name);
    file_length(&path)?;
    let mut bytes = Vec::new();
    let file =
        paths::open_no_follow(&path, File::options().read(true)).map_err(read_error(&path))?;
    // Read one byte more than allowed, so that the parser reports a file that is too long.
    let read = file
        .take(format::MAX_LINE as u64 + 1)
        .read_to_end(&mut bytes);
    read.map_err(read_error(&path))?;
    Ok(bytes)
}
