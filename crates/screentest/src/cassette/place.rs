//! Where a cassette is, and where it is before it is there. The one file here that asks the system for a rename in one step.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

/// The folder in which a cassette is written.
pub(crate) fn part_of(target: &Path) -> PathBuf {
    let mut name = OsString::from(target.as_os_str());
    name.push(".part");
    name.into()
}

/// The cassette that such a folder will be.
pub(crate) fn target_of(part: &Path) -> PathBuf {
    match part.extension() {
        Some(extension) if extension == "part" => part.with_extension(""),
        _ => {
            let mut name = OsString::from(part.as_os_str());
            name.push(".cassette");
            name.into()
        }
    }
}

/// Renames a folder into its place in one step. What is there is replaced only where asked.
pub(crate) fn settle(part: &Path, target: &Path, replace: bool) -> io::Result<()> {
    let rename = |flags| renameat_with(CWD, part, CWD, target, flags).map_err(io::Error::from);
    if target.symlink_metadata().is_err() {
        return match rename(RenameFlags::NOREPLACE) {
            Err(error) if is_unsupported(&error) => fs::rename(part, target),
            renamed => renamed,
        };
    }
    if !replace {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    // At every moment one of the two is there, whole.
    match rename(RenameFlags::EXCHANGE) {
        Ok(()) => remove(part),
        Err(error) if is_unsupported(&error) => {
            remove(target)?;
            fs::rename(part, target)
        }
        Err(error) => Err(error),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata()?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

/// Some file systems, and other systems than Linux, cannot rename with conditions.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}
