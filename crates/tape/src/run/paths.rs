//! Paths and files of tapes. Paths are relative to the current directory, as in VHS and Betamax.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use screentest::internals::Passing;
use screentest::internals::cassette_paths;
use screentest::internals::environment;
use screentest::test::artifacts::ArtifactError;
use screentest::test::project;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error("it is a directory")]
    Directory,
    #[error("it has more than {0} bytes")]
    TooLong(usize),
    #[error("it is not UTF-8 (invalid byte at offset {0})")]
    NotText(usize),
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Reads a text file of at most `most` bytes.
pub(super) fn read(path: &Path, most: usize) -> Result<String, ReadError> {
    if fs::metadata(path)?.is_dir() {
        return Err(ReadError::Directory);
    }
    text(File::open(path)?, most)
}

/// Reads a text of at most `most` bytes.
pub(super) fn text(from: impl Read, most: usize) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(ReadError::TooLong(most));
    }
    String::from_utf8(bytes).map_err(|error| ReadError::NotText(error.utf8_error().valid_up_to()))
}

/// A path for messages, which is the same for all spellings of a path: relative to the current
/// directory if possible, without links and `..`.
pub(super) fn shown(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let near = here
        .ok()
        .and_then(|here| whole.strip_prefix(here).ok().map(Path::to_owned));
    let path = near.filter(|near| near != Path::new("")).unwrap_or(whole);
    path.to_string_lossy().into_owned()
}

/// An absolute path that is the same for all spellings, for a file that may not exist yet: existing
/// directories are resolved, the remaining names are appended.
pub(super) fn whole(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path
        .ancestors()
        .skip(1)
        .find_map(|folder| Some((folder, fs::canonicalize(folder).ok()?)));
    let Some((folder, real)) = there else {
        return path;
    };
    // Compare components: a trailing slash makes no difference.
    let below = path.strip_prefix(folder).unwrap_or(&path);
    real.join(below.components().collect::<PathBuf>())
}

/// The name of a tape, independent of the current directory: its path relative to the project root,
/// or its absolute path outside of it.
pub(super) fn named(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    let root = project::root(environment, &here);
    let root = fs::canonicalize(&root).unwrap_or(root);
    let name = whole.strip_prefix(root).unwrap_or(&whole);
    name.to_string_lossy().into_owned()
}

/// Checks, without writing, whether a file can be written here. The error is the reason.
pub(super) fn takes_a_file(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err("it is a directory".to_owned());
    }
    takes_a_folder(parent(path))
}

/// Checks whether a directory exists or can be created.
pub(super) fn takes_a_folder(path: &Path) -> Result<(), String> {
    let mut folders = path.ancestors();
    let there = folders.find(|folder| folder.as_os_str().is_empty() || folder.exists());
    match there {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("`{}` is not a directory", folder.display()))
        }
        // Check a path inside the directory.
        Some(folder) => cassette_paths::is_writable_beside(&folder.join("x")).map_err(|error| {
            let folder = if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            };
            format!("`{}` is not writable: {error}", folder.display())
        }),
        None => Ok(()),
    }
}

/// The parent directory of a file; empty for the current directory.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Creates the parent directory of a file.
pub(super) fn make_room(path: &Path) -> io::Result<PathBuf> {
    let folder = match parent(path) {
        folder if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    fs::create_dir_all(folder)?;
    Ok(folder.to_owned())
}

/// Writes a file atomically; replaces an existing file.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = make_room(path)?;
    let written = Passing::write(&folder, path, bytes).and_then(Passing::settle);
    written.map_err(|error| match error {
        // The caller knows the path.
        ArtifactError::Write { source, .. } => source,
        error => io::Error::other(error),
    })
}

/// A temporary directory that is removed on drop.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Creates a temporary directory inside a directory.
    pub(super) fn within(folder: &Path) -> io::Result<Scratch> {
        use std::os::unix::fs::DirBuilderExt;
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let next = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!(".screentest-tape-{}-{next}", std::process::id());
            let path = folder.join(name);
            // Recordings may be private.
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch(path)),
                // Left by a killed process with the same id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates a temporary directory on the same file system as a directory that may not exist yet,
    /// without creating that.
    pub(super) fn near(folder: &Path) -> io::Result<Scratch> {
        let there = folder.ancestors().find(|folder| folder.is_dir());
        Scratch::within(there.unwrap_or(Path::new(".")))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // An error cannot be reported here.
        let _ = fs::remove_dir_all(&self.0);
    }
}
