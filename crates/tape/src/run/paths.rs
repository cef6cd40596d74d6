//! Paths and files of tapes. Paths are relative to the current directory, as in VHS and Betamax.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use screentest::internals::AtomicFile;
use screentest::internals::cassette_paths;
use screentest::internals::environment;
use screentest::test::artifacts::ArtifactError;
use screentest::test::project;
use tempfile::TempDir;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error("it is a directory")]
    Directory,
    #[error("it is not a regular file")]
    NotRegular,
    #[error("it has more than {0} bytes")]
    TooLong(usize),
    #[error("it is not UTF-8 (invalid byte at offset {0})")]
    NotText(usize),
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Reads a text file of at most `limit` bytes.
pub(super) fn read(path: &Path, limit: usize) -> Result<String, ReadError> {
    if fs::metadata(path)?.is_dir() {
        return Err(ReadError::Directory);
    }
    read_text(File::open(path)?, limit)
}

/// Reads a text file that a tape names, of at most `limit` bytes. A named pipe would block, and a
/// device may have no end, so neither is read.
pub(super) fn read_regular(path: &Path, limit: usize) -> Result<String, ReadError> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(ReadError::NotRegular);
    }
    read(path, limit)
}

/// Reads a text of at most `limit` bytes.
pub(super) fn read_text(from: impl Read, limit: usize) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    from.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        return Err(ReadError::TooLong(limit));
    }
    String::from_utf8(bytes).map_err(|error| ReadError::NotText(error.utf8_error().valid_up_to()))
}

/// A path for messages, which is the same for all spellings of a path: relative to the current
/// directory if possible, without links and `..`.
pub(super) fn display_path(path: &Path) -> String {
    let absolute = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let current = std::env::current_dir().and_then(fs::canonicalize);
    let relative = current
        .ok()
        .and_then(|current| absolute.strip_prefix(current).ok().map(Path::to_owned));
    let path = relative
        .filter(|relative| relative != Path::new(""))
        .unwrap_or(absolute);
    path.to_string_lossy().into_owned()
}

/// An absolute path that is the same for all spellings, for a file that may not exist yet: existing
/// directories are resolved, the remaining names are appended.
pub(super) fn absolute_path(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path
        .ancestors()
        .skip(1)
        .find_map(|directory| Some((directory, fs::canonicalize(directory).ok()?)));
    let Some((directory, real)) = there else {
        return path;
    };
    // Compare components: a trailing slash makes no difference.
    let below = path.strip_prefix(directory).unwrap_or(&path);
    real.join(below.components().collect::<PathBuf>())
}

/// The name of a tape, independent of the current directory: its path relative to the project root,
/// or its absolute path outside of it.
pub(super) fn tape_name(path: &Path) -> String {
    let absolute = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let current = std::env::current_dir().unwrap_or_default();
    let root = project::root(environment, &current);
    let root = fs::canonicalize(&root).unwrap_or(root);
    let name = absolute.strip_prefix(root).unwrap_or(&absolute);
    name.to_string_lossy().into_owned()
}

/// Checks, without writing, whether a file can be written here. The error is the reason.
pub(super) fn check_file_writable(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err("it is a directory".to_owned());
    }
    check_directory_writable(parent(path))
}

/// Checks whether a directory exists or can be created.
pub(super) fn check_directory_writable(path: &Path) -> Result<(), String> {
    let mut ancestors = path.ancestors();
    let there = ancestors.find(|directory| directory.as_os_str().is_empty() || directory.exists());
    match there {
        Some(directory) if !directory.as_os_str().is_empty() && !directory.is_dir() => {
            Err(format!("`{}` is not a directory", directory.display()))
        }
        // Check a path inside the directory.
        Some(directory) => {
            cassette_paths::check_parent_writable(&directory.join("x")).map_err(|error| {
                let directory = if directory.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    directory
                };
                format!("`{}` is not writable: {error}", directory.display())
            })
        }
        None => Ok(()),
    }
}

/// The parent directory of a file; empty for the current directory.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Creates the parent directory of a file.
pub(super) fn create_parent(path: &Path) -> io::Result<PathBuf> {
    let directory = match parent(path) {
        directory if directory.as_os_str().is_empty() => Path::new("."),
        directory => directory,
    };
    fs::create_dir_all(directory)?;
    Ok(directory.to_owned())
}

/// Writes a file atomically; replaces an existing file.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = create_parent(path)?;
    let written = AtomicFile::write(&directory, path, bytes).and_then(AtomicFile::commit);
    written.map_err(|error| match error {
        // The caller knows the path.
        ArtifactError::Write { source, .. } => source,
        error => io::Error::other(error),
    })
}

/// Creates a temporary directory inside a directory. It is removed on drop.
pub(super) fn temp_dir_in(directory: &Path) -> io::Result<TempDir> {
    use std::os::unix::fs::PermissionsExt;
    let prefix = format!(".screentest-tape-{}-", std::process::id());
    tempfile::Builder::new()
        .prefix(&prefix)
        // Recordings may be private.
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(directory)
}

/// Creates a temporary directory on the same file system as `directory`, which may not exist yet.
/// Does not create `directory`.
pub(super) fn temp_dir_near(directory: &Path) -> io::Result<TempDir> {
    let existing = directory.ancestors().find(|ancestor| ancestor.is_dir());
    temp_dir_in(existing.unwrap_or(Path::new(".")))
}
