//! The directory of a cassette, and the files in it.
//!
//! See also: `directory/allowed_files.rs` (which files it may hold), `directory/paths.rs` (its
//! paths, and atomic renames), `directory/partial.rs` (the directory until it is published).

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use screentest_core::formats::cassette as format;

use super::error::{CassetteError, read_error};

pub(crate) mod access;
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
        Ok(there) if is_sparse(&path, &there) => Err(CassetteError::Sparse {
            path,
            length: there.len(),
        }),
        Ok(there) => Ok(there.len()),
    }
}

/// Shorter files are never reported as sparse, because they are read in less than a second.
const MIN_SPARSE: u64 = 64 << 20;

/// A recorded file occupies at least 1/1024 of its length on the disk, even if the file system
/// compresses.
const MIN_STORED: u64 = 1024;

/// Returns whether hardly any of a file's bytes are on the disk. A recorder writes every byte. A
/// sparse file takes no space but may take hours to read. A file system that does not count blocks
/// may report none, so the file must also have a hole.
fn is_sparse(path: &Path, there: &Metadata) -> bool {
    let length = there.len();
    let stored = there.blocks() * 512;
    length >= MIN_SPARSE
        && stored < length / MIN_STORED
        && paths::first_hole(path).is_ok_and(|hole| hole < length)
}

/// Reads a file that holds a single value.
pub(crate) fn read_small_file(
    directory: &Path,
    name: &'static str,
) -> Result<Vec<u8>, CassetteError> {
    let path = directory.join(name);
    let length = file_length(&path)?;
    // Refuse a larger file before reading it.
    if length > format::MAX_LINE as u64 {
        let error = io::Error::other(format!("it has more than {} bytes", format::MAX_LINE));
        return Err(read_error(&path)(error));
    }
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
