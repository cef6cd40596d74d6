//! Watches files for changes, with notifications from the system instead of polling.
//!
//! The directories of the files are watched, not the files: many editors replace a file with a new
//! one. The parent directories are watched too, since a checkout may replace a directory.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use anyhow::Context;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use screentest::clock::Clock;

use super::select::canonical;
use crate::failure::{Exit, Failure};

/// Changes are reported once nothing has changed for this long: editors save in several writes, and
/// a checkout changes many files.
const DEBOUNCE: Duration = Duration::from_millis(100);

/// Watches files for changes.
#[derive(Debug)]
pub(crate) struct FileWatcher {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    /// The current directory.
    cwd: PathBuf,
    /// The directories of all followed files.
    followed: BTreeSet<PathBuf>,
    /// The watched directories: existing directories of `followed`, and their parents.
    watched: BTreeSet<PathBuf>,
}

impl FileWatcher {
    /// Returns a watcher without files.
    pub(crate) fn new() -> Result<FileWatcher, Failure> {
        let (sender, events) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |event| {
            // Sending fails only if the watcher was dropped.
            let _ = sender.send(event);
        });
        Ok(FileWatcher {
            watcher: watcher.map_err(watch_failed)?,
            events,
            cwd: canonical(Path::new(".")),
            followed: BTreeSet::new(),
            watched: BTreeSet::new(),
        })
    }

    /// Follows a file, also if its directory does not exist yet.
    pub(crate) fn follow(&mut self, file: &Path) -> Result<(), Failure> {
        let dir = dir_of(file);
        self.watch(&dir)?;
        self.followed.insert(dir);
        Ok(())
    }

    /// Watches a directory and its parents, as far as they exist.
    fn watch(&mut self, target: &Path) -> Result<(), Failure> {
        // From the top down: a directory created meanwhile is then either found here or reported.
        for dir in watch_chain(target, &self.cwd).into_iter().rev() {
            if self.watched.contains(dir) {
                continue;
            }
            match self.watcher.watch(dir, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(dir.to_owned());
                }
                // Its creation is reported by the watch on the parent.
                Err(error) if is_missing(&error) => return Ok(()),
                Err(error) if dir == target => return Err(watch_failed(error)),
                // A parent that cannot be read cannot be watched. Changes in it are missed.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Renews watches after a directory was created, removed or replaced. Returns the
    /// current entries of the followed directories in it.
    fn replaced(&mut self, changed_dir: &Path) -> Result<Vec<PathBuf>, Failure> {
        let (removed, remaining) = std::mem::take(&mut self.watched)
            .into_iter()
            .partition(|dir| dir.starts_with(changed_dir));
        self.watched = remaining;
        let removed: BTreeSet<PathBuf> = removed;
        for dir in &removed {
            // A removed directory has no watch left; a renamed one would still be watched.
            let _ = self.watcher.unwatch(dir);
        }
        let below = self
            .followed
            .iter()
            .filter(|dir| dir.starts_with(changed_dir));
        let below: Vec<PathBuf> = below.cloned().collect();
        let mut found = Vec::new();
        for dir in below {
            self.watch(&dir)?;
            let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
            found.extend(entries.map(|entry| entry.path()));
        }
        Ok(found)
    }

    /// Blocks until wanted files change, and returns their canonical paths.
    pub(crate) fn next(
        &mut self,
        is_wanted: impl Fn(&Path) -> bool,
    ) -> Result<BTreeSet<PathBuf>, Failure> {
        let clock = Clock::system();
        let mut changed = BTreeSet::new();
        // Other changes in a directory, such as writes to a log, do not extend the debounce time.
        let mut until = Duration::ZERO;
        loop {
            let event = if changed.is_empty() {
                self.events
                    .recv()
                    .map_err(|_| mpsc::RecvTimeoutError::Disconnected)
            } else {
                match until.saturating_sub(clock.now()) {
                    Duration::ZERO => return Ok(changed),
                    remaining => self.events.recv_timeout(remaining),
                }
            };
            match event {
                Ok(event) => {
                    let event = event.map_err(watch_failed)?;
                    let mut relevant = false;
                    for path in event.paths.into_iter().filter(|_| is_write(event.kind)) {
                        if self.contains_followed(&path) && creates_or_removes(event.kind) {
                            let mut found = self.replaced(&path)?;
                            found.retain(|path| is_wanted(path));
                            relevant |= !found.is_empty();
                            changed.extend(found);
                        }
                        if is_wanted(&path) {
                            relevant = true;
                            changed.insert(path);
                        }
                    }
                    if relevant {
                        until = clock.now() + DEBOUNCE;
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => return Ok(changed),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new(
                        Exit::Internal,
                        anyhow::anyhow!("the file watcher stopped"),
                    ));
                }
            }
        }
    }

    /// Returns whether followed files are in or below this directory.
    fn contains_followed(&self, path: &Path) -> bool {
        self.followed.iter().any(|dir| dir.starts_with(path))
    }
}

fn is_missing(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
        ),
        _ => false,
    }
}

/// Returns a directory and its parents, up to the current directory; outside of it, the directory
/// and its parent. A deleted directory loses its watch, and only the watch on the parent reports
/// that it was created again.
fn watch_chain<'a>(start: &'a Path, cwd: &Path) -> Vec<&'a Path> {
    if start.starts_with(cwd) {
        let above = start.ancestors();
        above.take_while(|dir| dir.starts_with(cwd)).collect()
    } else {
        start.ancestors().take(2).collect()
    }
}

/// Returns the path under which changes of a file are reported: its canonical directory and its
/// name.
pub(crate) fn watched_path(file: &Path) -> PathBuf {
    dir_of(file).join(file.file_name().unwrap_or_default())
}

fn dir_of(file: &Path) -> PathBuf {
    match file.parent() {
        // A directory that does not exist has no links to resolve.
        Some(dir) if dir != Path::new("") => {
            canonical(&std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()))
        }
        _ => canonical(Path::new(".")),
    }
}

/// Returns whether the event creates, removes or renames something.
fn creates_or_removes(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
    )
}

/// Returns whether the event writes something. Reads are events too, including our own.
fn is_write(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

fn watch_failed(error: notify::Error) -> Failure {
    let error = Err::<(), _>(error).context("could not watch for changes");
    Failure::new(Exit::Internal, error.expect_err("it was one"))
}
