//! Temporary folders, removed on drop.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A file system in memory. Not every system has it.
const MEMORY: &str = "/dev/shm";

/// Creates an empty folder.
pub(crate) fn folder() -> TempDir {
    let memory = PathBuf::from(MEMORY);
    let made = if Path::is_dir(&memory) {
        tempfile::tempdir_in(&memory)
    } else {
        tempfile::tempdir()
    };
    made.expect("a folder can be made")
}
