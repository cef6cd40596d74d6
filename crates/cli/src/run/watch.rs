//! Which of some files change: woken by the system, never looked for.
//!
//! Their folders are watched and not they themselves, since many editors put a new file in the place of the old one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use anyhow::Context;
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::select::whole;
use crate::failure::{Exit, Failure};

/// How long nothing must change before what changed is told: who saves writes in pieces, and a checkout many files.
const QUIET: Duration = Duration::from_millis(100);

/// What watches.
#[derive(Debug)]
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    told: Receiver<notify::Result<Event>>,
    folders: BTreeSet<PathBuf>,
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
            folders: BTreeSet::new(),
        })
    }

    /// Watches the folder of a file, if it is there.
    pub(crate) fn follow(&mut self, file: &Path) -> Result<(), Failure> {
        let folder = folder(file);
        if folder.is_dir() && !self.folders.contains(&folder) {
            let watched = self.watcher.watch(&folder, RecursiveMode::NonRecursive);
            watched.map_err(unwatched)?;
            self.folders.insert(folder);
        }
        Ok(())
    }

    /// Blocks until files change that are asked for, and says which; paths are whole.
    pub(crate) fn next(
        &self,
        wanted: impl Fn(&Path) -> bool,
    ) -> Result<BTreeSet<PathBuf>, Failure> {
        let mut changed = BTreeSet::new();
        loop {
            let event = match changed.is_empty() {
                true => self
                    .told
                    .recv()
                    .map_err(|_| mpsc::RecvTimeoutError::Disconnected),
                false => self.told.recv_timeout(QUIET),
            };
            match event {
                Ok(event) => {
                    let event = event.map_err(unwatched)?;
                    if writes(event.kind) {
                        changed.extend(event.paths.into_iter().filter(|path| wanted(path)));
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
}

/// Where a file is told of: its folder without links, and its name.
pub(crate) fn told_as(file: &Path) -> PathBuf {
    folder(file).join(file.file_name().unwrap_or_default())
}

fn folder(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if folder != Path::new("") => whole(folder),
        _ => whole(Path::new(".")),
    }
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
