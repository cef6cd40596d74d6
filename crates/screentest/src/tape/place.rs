//! Where a tape's files are: from the directory that we are in, as VHS and Betamax have it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::recording::cassette::paths as cassette_place;
use crate::test::artifacts::ArtifactError;
use crate::test::atomic_write::Passing;
use crate::test::project;
use crate::test::run_options::environment;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error("it is a directory")]
    Directory,
    #[error("it has more than {0} bytes")]
    TooLong(usize),
    #[error("it is not UTF-8: the byte {0} is none")]
    NotText(usize),
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Reads a text of at most so many bytes.
pub(super) fn read(path: &Path, most: usize) -> Result<String, ReadError> {
    if fs::metadata(path)?.is_dir() {
        return Err(ReadError::Directory);
    }
    text(File::open(path)?, most)
}

/// The same from anything that is read.
pub(super) fn text(from: impl Read, most: usize) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(ReadError::TooLong(most));
    }
    String::from_utf8(bytes).map_err(|error| ReadError::NotText(error.utf8_error().valid_up_to()))
}

/// A path as messages name it, and by which two are the same: from the directory that we are in, without links and detours.
pub(super) fn shown(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let near = here
        .ok()
        .and_then(|here| whole.strip_prefix(here).ok().map(Path::to_owned));
    let path = near.filter(|near| near != Path::new("")).unwrap_or(whole);
    path.to_string_lossy().into_owned()
}

/// A path by which two of a file that is perhaps not there yet are the same: its folder without links and detours, as far as there is
/// one, and the names below.
pub(super) fn whole(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path
        .ancestors()
        .skip(1)
        .find_map(|folder| Some((folder, fs::canonicalize(folder).ok()?)));
    let Some((folder, real)) = there else {
        return path;
    };
    // The parts alone: a slash behind the name of a folder changes nothing.
    let below = path.strip_prefix(folder).unwrap_or(&path);
    real.join(below.components().collect::<PathBuf>())
}

/// What a tape is called, wherever one stands: its path from the root of the project, and one that is elsewhere by its whole path.
pub(super) fn named(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    let root = project::root(environment, &here);
    let root = fs::canonicalize(&root).unwrap_or(root);
    let name = whole.strip_prefix(root).unwrap_or(&whole);
    name.to_string_lossy().into_owned()
}

/// Whether a file can be put here, as far as can be told without doing it: `Err` says why not.
pub(super) fn takes_a_file(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err("it is a directory".to_owned());
    }
    takes_a_folder(parent(path))
}

/// Whether a folder is here, or can be made.
pub(super) fn takes_a_folder(path: &Path) -> Result<(), String> {
    let mut folders = path.ancestors();
    let there = folders.find(|folder| folder.as_os_str().is_empty() || folder.exists());
    match there {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("`{}` is not a directory", folder.display()))
        }
        // Asked of what would be in it.
        Some(folder) => cassette_place::is_writable_beside(&folder.join("x")).map_err(|error| {
            let folder = match folder.as_os_str().is_empty() {
                true => Path::new("."),
                false => folder,
            };
            format!("`{}` takes no file: {error}", folder.display())
        }),
        None => Ok(()),
    }
}

/// The folder that a file is in; empty for the one that we are in.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Makes the folder that a file will be in.
pub(super) fn make_room(path: &Path) -> io::Result<PathBuf> {
    let folder = match parent(path) {
        folder if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    fs::create_dir_all(folder)?;
    Ok(folder.to_owned())
}

/// Writes a file as a whole, in place of what is there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = make_room(path)?;
    let written = Passing::write(&folder, path, bytes).and_then(Passing::settle);
    written.map_err(|error| match error {
        // Who asked knows which file it is.
        ArtifactError::Write { source, .. } => source,
        error => io::Error::other(error),
    })
}

/// A folder that is removed with what is in it.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one in a folder.
    pub(super) fn within(folder: &Path) -> io::Result<Scratch> {
        use std::os::unix::fs::DirBuilderExt;
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let next = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!(".screentest-tape-{}-{next}", std::process::id());
            let path = folder.join(name);
            // What a program shows may be private.
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch(path)),
                // Left by a process of this number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Makes one from which things can be moved into a folder that is perhaps not there yet, and does not make that.
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
        // There is nobody here to tell.
        let _ = fs::remove_dir_all(&self.0);
    }
}
