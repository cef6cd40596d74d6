//! Which of some files change: woken by the system, never looked for.
//!
//! Their folders are watched and not they themselves, since many editors put a new file in the place of the old one; and the folders
//! above these, since a checkout may do the same with a folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use anyhow::Context;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use screentest::Clock;

use super::select::whole;
use crate::failure::{Exit, Failure};

/// How long nothing must change before what changed is told: who saves writes in pieces, and a checkout many files.
const QUIET: Duration = Duration::from_millis(100);

/// What watches.
#[derive(Debug)]
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    told: Receiver<notify::Result<Event>>,
    /// The directory that we are in.
    here: PathBuf,
    /// The folders of the files that are followed.
    followed: BTreeSet<PathBuf>,
    /// Those of them that are there, and those above them.
    watched: BTreeSet<PathBuf>,
}

impl Watch {
    /// Nothing is watched yet.
    pub(crate) fn new() -> Result<Watch, Failure> {
        let (teller, told) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |event| {
            // Who no longer listens has ended.
            let _ = teller.send(event);
        });
        Ok(Watch {
            watcher: watcher.map_err(unwatched)?,
            told,
            here: whole(Path::new(".")),
            followed: BTreeSet::new(),
            watched: BTreeSet::new(),
        })
    }

    /// Watches the folder of a file, as soon as it is there.
    pub(crate) fn follow(&mut self, file: &Path) -> Result<(), Failure> {
        let folder = folder(file);
        self.watch(&folder)?;
        self.followed.insert(folder);
        Ok(())
    }

    /// Watches a folder and those on the way to it, as far as they are there.
    fn watch(&mut self, folder: &Path) -> Result<(), Failure> {
        // From the top: what is made below one meanwhile is either seen here or told of.
        for one in way(folder, &self.here).into_iter().rev() {
            if self.watched.contains(one) {
                continue;
            }
            match self.watcher.watch(one, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(one.to_owned());
                }
                // Once it is there, the one above tells.
                Err(error) if is_missing(&error) => return Ok(()),
                Err(error) if one == folder => return Err(unwatched(error)),
                // One that may be passed through and not be looked at says nothing, and no more.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// A folder came or went: what was watched there is no more, and what is there now has not been seen yet. Says what is in it.
    fn replaced(&mut self, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        let (gone, left) = std::mem::take(&mut self.watched)
            .into_iter()
            .partition(|one| one.starts_with(folder));
        self.watched = left;
        let gone: BTreeSet<PathBuf> = gone;
        for one in &gone {
            // The system has forgotten one that is gone, and follows one that has another name now.
            let _ = self.watcher.unwatch(one);
        }
        let below = self.followed.iter().filter(|one| one.starts_with(folder));
        let below: Vec<PathBuf> = below.cloned().collect();
        let mut found = Vec::new();
        for one in below {
            self.watch(&one)?;
            let entries = fs::read_dir(&one).into_iter().flatten().flatten();
            found.extend(entries.map(|entry| entry.path()));
        }
        Ok(found)
    }

    /// Blocks until files change that are asked for, and says which; paths are whole.
    pub(crate) fn next(
        &mut self,
        wanted: impl Fn(&Path) -> bool,
    ) -> Result<BTreeSet<PathBuf>, Failure> {
        let clock = Clock::system();
        let mut changed = BTreeSet::new();
        // What else happens in a folder, such as a log that is written, does not put off what changed.
        let mut until = Duration::ZERO;
        loop {
            let event = match changed.is_empty() {
                true => self
                    .told
                    .recv()
                    .map_err(|_| mpsc::RecvTimeoutError::Disconnected),
                false => match until.saturating_sub(clock.now()) {
                    Duration::ZERO => return Ok(changed),
                    left => self.told.recv_timeout(left),
                },
            };
            match event {
                Ok(event) => {
                    let event = event.map_err(unwatched)?;
                    let mut concerns = false;
                    for path in event.paths.into_iter().filter(|_| writes(event.kind)) {
                        if self.leads_to_followed(&path) && comes_or_goes(event.kind) {
                            let mut found = self.replaced(&path)?;
                            found.retain(|path| wanted(path));
                            concerns |= !found.is_empty();
                            changed.extend(found);
                        }
                        if wanted(&path) {
                            concerns = true;
                            changed.insert(path);
                        }
                    }
                    if concerns {
                        until = clock.now() + QUIET;
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => return Ok(changed),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new(
                        Exit::Internal,
                        anyhow::anyhow!("nothing is watched any more"),
                    ));
                }
            }
        }
    }

    /// Whether a path is a folder in which, or below which, files are followed.
    fn leads_to_followed(&self, path: &Path) -> bool {
        self.followed.iter().any(|folder| folder.starts_with(path))
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

/// A folder and those above it, as far as the directory that we are in; elsewhere it and the one above it. When a folder is deleted its
/// watch ends with it, and only the one above tells that it is there again.
fn way<'a>(folder: &'a Path, here: &Path) -> Vec<&'a Path> {
    match folder.starts_with(here) {
        true => {
            let above = folder.ancestors();
            above.take_while(|one| one.starts_with(here)).collect()
        }
        false => folder.ancestors().take(2).collect(),
    }
}

/// Where a file is told of: its folder without links, and its name.
pub(crate) fn told_as(file: &Path) -> PathBuf {
    folder(file).join(file.file_name().unwrap_or_default())
}

fn folder(file: &Path) -> PathBuf {
    match file.parent() {
        // One that is not there yet has no links either.
        Some(folder) if folder != Path::new("") => {
            whole(&std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()))
        }
        _ => whole(Path::new(".")),
    }
}

/// Whether something is there that was not, or the other way round.
fn comes_or_goes(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
    )
}

/// Whether something was written. That somebody reads, as we do, is no change.
fn writes(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

fn unwatched(error: notify::Error) -> Failure {
    let error = Err::<(), _>(error).context("could not watch for changes");
    Failure::new(Exit::Internal, error.expect_err("it was one"))
}
