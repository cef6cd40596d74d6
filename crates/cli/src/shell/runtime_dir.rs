//! The folder in which the user's daemon is found: its socket, the lock of whoever starts it, what it had to say.
//!
//! Who can write into this folder can put a socket there and be typed passwords to. So it is the user's alone, and one that is not is
//! refused in words, never mended: somebody made it so.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use rustix::fs::{FlockOperation, flock};

use super::http_client::connect;
use crate::failure::{Exit, Failure};

/// A folder of the user's own.
#[derive(Debug, Clone)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// The folder, if there is one.
    pub(super) fn find() -> Result<Option<Folder>, Failure> {
        let path = place()?;
        match fs::symlink_metadata(&path) {
            Ok(there) => check(&path, &there).map(|()| Some(Folder(path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused(
                &path,
                anyhow!(error).context("could not be looked at"),
            )),
        }
    }

    /// The folder, which is made where there is none.
    pub(super) fn make() -> Result<Folder, Failure> {
        let path = place()?;
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => Ok(Folder(path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let found = Folder::find()?;
                found.ok_or_else(|| refused(&path, anyhow!("is gone again")))
            }
            Err(error) => Err(refused(&path, anyhow!(error).context("could not be made"))),
        }
    }

    /// A place in it.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Where the daemon listens.
    pub(super) fn socket(&self) -> PathBuf {
        self.join("socket")
    }

    /// What the daemon had to say.
    pub(super) fn log(&self) -> PathBuf {
        self.join("log")
    }

    /// Waits until nobody else starts a daemon, and keeps others from it.
    pub(super) fn lock(&self) -> Result<Lock, Failure> {
        let locked = Lock::take(self.join("lock"), FlockOperation::LockExclusive);
        locked
            .with_context(|| format!("could not lock `{}`", self.join("lock").display()))
            .map_err(|error| Failure::new(Exit::Internal, error))
    }

    /// Removes the socket and the lock that a daemon leaves behind it. Whoever starts another has the lock, and once that one listens, the
    /// socket is its own: then both stay.
    pub(super) fn clear(&self) {
        let how = FlockOperation::NonBlockingLockExclusive;
        let Ok(lock) = Lock::take(self.join("lock"), how) else {
            return;
        };
        if matches!(connect(&self.socket()), Ok(None)) {
            // Where they stay, the next daemon takes their place.
            let _ = fs::remove_file(self.socket());
            let _ = fs::remove_file(&lock.path);
        }
    }
}

/// The lock, until dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closing it lets go.
    _file: File,
}

impl Lock {
    fn take(path: PathBuf, how: FlockOperation) -> io::Result<Lock> {
        loop {
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(&path)?;
            flock(&file, how)?;
            // A daemon that ended may have removed it while we waited: then others lock another file of that name.
            let ours = file.metadata()?.ino();
            if fs::metadata(&path).is_ok_and(|there| there.ino() == ours) {
                return Ok(Lock { path, _file: file });
            }
        }
    }
}

/// Where the folder is.
fn place() -> Result<PathBuf, Failure> {
    match env::var_os("XDG_RUNTIME_DIR").filter(|value| !value.is_empty()) {
        Some(runtime) => {
            let runtime = PathBuf::from(runtime);
            match runtime.is_absolute() {
                true => Ok(runtime.join("screentest")),
                false => Err(Failure::usage(anyhow!(
                    "XDG_RUNTIME_DIR is `{}`, which is no absolute path",
                    runtime.display()
                ))),
            }
        }
        None => {
            let user = rustix::process::geteuid().as_raw();
            Ok(env::temp_dir().join(format!("screentest-{user}")))
        }
    }
}

fn check(path: &Path, there: &fs::Metadata) -> Result<(), Failure> {
    if !there.is_dir() {
        return Err(refused(path, anyhow!("is no folder")));
    }
    let user = rustix::process::geteuid().as_raw();
    if there.uid() != user {
        let words = anyhow!("belongs to user {}, and you are {user}", there.uid());
        return Err(refused(path, words));
    }
    let mode = there.mode() & 0o777;
    if mode & 0o077 != 0 {
        let words = anyhow!("is open to others (its mode is {mode:o})");
        let hint = format!(
            "look who made it so; `chmod 700 {}` makes it yours alone",
            path.display()
        );
        return Err(refused(path, words).hint(hint));
    }
    Ok(())
}

fn refused(path: &Path, words: anyhow::Error) -> Failure {
    Failure::usage(words.context(format!("the folder of the sessions, `{}`", path.display())))
        .hint("XDG_RUNTIME_DIR names the folder in which it is made")
}
