//! The daemon's runtime directory: its socket, its lock and its log.
//!
//! Another user who can write to this directory could put a socket there and receive typed
//! passwords. So the directory must belong to the user and be inaccessible to others. Any other
//! directory is an error; its permissions are not changed, since they may be intended.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::http_client::connect;
use crate::failure::{Exit, Failure};

/// A directory that belongs to the user alone.
#[derive(Debug, Clone)]
pub(super) struct RuntimeDir(PathBuf);

impl RuntimeDir {
    /// Returns the directory if it exists.
    pub(super) fn find() -> Result<Option<RuntimeDir>, Failure> {
        let path = path_from_environment()?;
        match fs::symlink_metadata(&path) {
            Ok(metadata) => check(&path, &metadata).map(|()| Some(RuntimeDir(path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(&path, anyhow!(error).context("could not be read"))),
        }
    }

    /// Returns the directory and creates it if it does not exist.
    pub(super) fn make() -> Result<RuntimeDir, Failure> {
        let path = path_from_environment()?;
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => Ok(RuntimeDir(path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let found = RuntimeDir::find()?;
                found.ok_or_else(|| unusable(&path, anyhow!("was removed")))
            }
            Err(error) => Err(unusable(
                &path,
                anyhow!(error).context("could not be created"),
            )),
        }
    }

    /// Returns a path in the directory.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns the path of the daemon's socket.
    pub(super) fn socket(&self) -> PathBuf {
        self.join("socket")
    }

    /// Returns the path of the daemon's log.
    pub(super) fn log(&self) -> PathBuf {
        self.join("log")
    }

    /// Locks the start of a daemon, and blocks while another process holds the lock.
    pub(super) fn lock(&self) -> Result<DaemonLock, Failure> {
        let locked = DaemonLock::take(self.join("lock"), FlockOperation::LockExclusive);
        locked
            .with_context(|| format!("could not lock `{}`", self.join("lock").display()))
            .map_err(|error| Failure::new(Exit::Internal, error))
    }

    /// Removes the socket and the lock of a daemon that ended. If another daemon is being started
    /// or already listens, both files belong to that daemon and stay.
    pub(super) fn clear(&self) {
        let how = FlockOperation::NonBlockingLockExclusive;
        let Ok(lock) = DaemonLock::take(self.join("lock"), how) else {
            return;
        };
        if matches!(connect(&self.socket()), Ok(None)) {
            // Ignore errors: the next daemon replaces the files.
            let _ = fs::remove_file(self.socket());
            let _ = fs::remove_file(&lock.path);
        }
    }
}

/// The start lock. Dropping this value releases the lock.
#[derive(Debug)]
pub(super) struct DaemonLock {
    path: PathBuf,
    /// Closing the file releases the lock.
    _file: File,
}

impl DaemonLock {
    fn take(path: PathBuf, how: FlockOperation) -> io::Result<DaemonLock> {
        loop {
            let file = open_own(&path)?;
            flock(&file, how)?;
            // An ending daemon may have removed the file meanwhile. Then other processes lock a new
            // file of that name.
            let inode = file.metadata()?.ino();
            if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.ino() == inode) {
                return Ok(DaemonLock { path, _file: file });
            }
        }
    }
}

/// Opens a file of the daemon for reading and writing, and creates it if it does not exist. Fails
/// if the path is not a regular file, is a symbolic link, or belongs to another user.
pub(super) fn open_own(path: &Path) -> io::Result<File> {
    // `NONBLOCK`: opening a pipe without a reader must not block.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(flags.bits() as i32)
        .open(path);
    let file =
        opened.map_err(
            |error| match error.raw_os_error().map(Errno::from_raw_os_error) {
                Some(Errno::LOOP) => io::Error::other("it is a symbolic link: remove it"),
                _ => error,
            },
        )?;
    let metadata = file.metadata()?;
    let user = rustix::process::geteuid().as_raw();
    if !metadata.is_file() {
        Err(io::Error::other("it is not a regular file: remove it"))
    } else if metadata.uid() != user {
        let owner = metadata.uid();
        Err(io::Error::other(format!(
            "it belongs to user {owner}, and you are {user}: remove it"
        )))
    } else {
        Ok(file)
    }
}

/// Returns the path from XDG_RUNTIME_DIR, or in the temporary directory.
fn path_from_environment() -> Result<PathBuf, Failure> {
    let user = rustix::process::geteuid().as_raw();
    let (variable, parent, name) =
        match env::var_os("XDG_RUNTIME_DIR").filter(|value| !value.is_empty()) {
            Some(runtime) => (
                "XDG_RUNTIME_DIR",
                PathBuf::from(runtime),
                "screentest".to_owned(),
            ),
            None => ("TMPDIR", env::temp_dir(), format!("screentest-{user}")),
        };
    if !parent.is_absolute() {
        return Err(Failure::usage(anyhow!(
            "{variable} is not an absolute path: `{}`",
            parent.display()
        )));
    }
    // If the parent does not exist, `find` finds nothing, and `make` reports the error.
    if let Ok(metadata) = fs::metadata(&parent) {
        check_parent(variable, &parent, &metadata)?;
    }
    Ok(parent.join(name))
}

/// Fails if another user could replace the session directory by renaming it. A parent directory in
/// which other users may write, such as `/tmp`, must have the sticky bit.
fn check_parent(variable: &str, parent: &Path, metadata: &fs::Metadata) -> Result<(), Failure> {
    let (owner, user) = (metadata.uid(), rustix::process::geteuid().as_raw());
    let is_sticky = metadata.mode() & 0o1000 != 0;
    let problem = if owner != user && owner != 0 {
        format!("belongs to user {owner}, and you are {user}")
    } else if metadata.mode() & 0o022 != 0 && !is_sticky {
        let mode = metadata.mode() & 0o777;
        format!("is writable by other users (mode {mode:o})")
    } else {
        return Ok(());
    };
    let error = anyhow!(problem).context(format!("{variable}, `{}`", parent.display()));
    Err(Failure::usage(error).hint("set XDG_RUNTIME_DIR to a directory of yours"))
}

fn check(path: &Path, metadata: &fs::Metadata) -> Result<(), Failure> {
    if !metadata.is_dir() {
        return Err(unusable(path, anyhow!("is not a directory")));
    }
    let user = rustix::process::geteuid().as_raw();
    if metadata.uid() != user {
        let error = anyhow!("belongs to user {}, and you are {user}", metadata.uid());
        return Err(unusable(path, error));
    }
    let mode = metadata.mode() & 0o777;
    if mode & 0o077 != 0 {
        let error = anyhow!("is accessible to other users (mode {mode:o})");
        let hint = format!("check why, then run `chmod 700 {}`", path.display());
        return Err(unusable(path, error).hint(hint));
    }
    Ok(())
}

fn unusable(path: &Path, error: anyhow::Error) -> Failure {
    Failure::usage(error.context(format!("the session directory `{}`", path.display())))
        .hint("set XDG_RUNTIME_DIR to create it in another directory")
}
