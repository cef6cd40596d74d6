//! A folder of one's own for what must be on a disk, gone with its value.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// In memory, where the system has that.
const MEMORY: &str = "/dev/shm";

/// A new, empty folder.
pub(crate) fn folder() -> TempDir {
    let memory = PathBuf::from(MEMORY);
    let made = if Path::is_dir(&memory) {
        tempfile::tempdir_in(&memory)
    } else {
        tempfile::tempdir()
    };
    made.expect("a folder can be made")
}
