//! Which users may read a cassette.

use std::fs::File;
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Which users may read a cassette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CassetteAccess {
    /// Those that the umask permits.
    Umask,
    /// Its owner.
    OwnerOnly,
}

impl CassetteAccess {
    /// Returns the access of an existing file or directory.
    pub(crate) fn of(path: &Path) -> CassetteAccess {
        match path.symlink_metadata() {
            Ok(metadata) if metadata.mode() & 0o077 == 0 => CassetteAccess::OwnerOnly,
            _ => CassetteAccess::Umask,
        }
    }

    /// Creates a file for reading and writing.
    pub(super) fn create_new(self, path: &Path) -> io::Result<File> {
        let mode = match self {
            CassetteAccess::Umask => 0o666,
            CassetteAccess::OwnerOnly => 0o600,
        };
        File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(path)
    }
}
