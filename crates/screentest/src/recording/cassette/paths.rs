//! Where a cassette is, and where it is before it is there. The one file here that asks the system for a rename in one step, and to follow no links.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, CWD, OFlags, RenameFlags, access, renameat_with};

use super::contents;

/// Opens a file of a cassette. A link is not followed, even if somebody put it there a moment ago.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Nor does a pipe that nobody writes into keep us waiting.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits() as i32).open(path)
}

/// Whether something can be made beside this path.
pub(crate) fn is_writable_beside(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if !folder.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

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

/// Renames a folder into its place in one step. A cassette that is there is replaced only where asked.
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
        Ok(()) => contents::remove(part),
        Err(error) if is_unsupported(&error) => {
            contents::remove(target)?;
            fs::rename(part, target)
        }
        Err(error) => Err(error),
    }
}

/// Some file systems, and other systems than Linux, cannot rename with conditions.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}
