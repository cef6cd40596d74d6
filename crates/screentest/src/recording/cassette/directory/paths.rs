//! Paths of a cassette and of its unpublished `.part` directory.
//!
//! This is the only file here that makes system calls for atomic renames and for opening files
//! without following links.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, CWD, OFlags, RenameFlags, SeekFrom, access, renameat_with, seek};

use super::allowed_files;

/// Opens a file of a cassette. Does not follow links, even if one was put there a moment ago.
pub fn open_no_follow(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // `NONBLOCK`: opening a pipe without a writer must not block.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits() as i32).open(path)
}

/// Returns the offset of the first hole in a file: a range that takes no space on the disk. The end
/// of the file counts as a hole.
pub(super) fn first_hole(path: &Path) -> io::Result<u64> {
    let file = open_no_follow(path, File::options().read(true))?;
    Ok(seek(file, SeekFrom::Hole(0))?)
}

/// Returns an error unless new entries can be made in the parent directory of this path.
pub fn check_parent_writable(path: &Path) -> io::Result<()> {
    let directory = match path.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    };
    if !directory.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(access(directory, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// The directory in which a cassette is written.
pub fn partial_path(target: &Path) -> PathBuf {
    let mut name = OsString::from(target.as_os_str());
    name.push(".part");
    name.into()
}

/// The final path of the cassette that is written in the directory `partial`.
pub fn target_path(partial: &Path) -> PathBuf {
    match partial.extension() {
        Some(extension) if extension == "part" => partial.with_extension(""),
        _ => {
            let mut name = OsString::from(partial.as_os_str());
            name.push(".cassette");
            name.into()
        }
    }
}

/// Renames a directory to its final path, in one step if the system supports conditional renames.
/// An existing cassette is replaced only if `replace` is set.
pub fn rename_into_place(partial: &Path, target: &Path, replace: bool) -> io::Result<()> {
    let rename = |flags| renameat_with(CWD, partial, CWD, target, flags).map_err(io::Error::from);
    if target.symlink_metadata().is_err() {
        return match rename(RenameFlags::NOREPLACE) {
            Err(error) if is_unsupported(&error) => fs::rename(partial, target),
            renamed => renamed,
        };
    }
    if !replace {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    // The two directories swap names, so the target is a complete cassette at every moment.
    match rename(RenameFlags::EXCHANGE) {
        Ok(()) => allowed_files::remove(partial),
        Err(error) if is_unsupported(&error) => {
            allowed_files::remove(target)?;
            fs::rename(partial, target)
        }
        Err(error) => Err(error),
    }
}

/// Returns whether the system or the file system does not support conditional renames.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}
