//! Recordings: what was asked and answered, and what was shown meanwhile, one event on each line.
//!
//! Each line reaches the file as it happens, in one piece, so that whoever kills the server loses nothing that was before. A
//! recording never changes what is recorded: where it fails, it ends, and says so when it is asked.
//!
//! Elsewhere: frames and what differs between them (`recording/frames.rs`), reading (`recording/event.rs`), replaying
//! (`method/replay.rs`).

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use screentest::Clock;

use crate::follow::{Follower, Told};
use crate::service::lock;
use crate::stage::Stage;
use crate::view;

mod event;
mod frames;

pub use event::{Direction, Event, EventError, Reader};
use frames::Frames;
pub use frames::apply;

/// What is being recorded, if anything is.
#[derive(Debug)]
pub(crate) struct Recorder {
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    active: Option<Active>,
    /// Why the last one ended, where nobody ended it.
    failed: Option<String>,
}

#[derive(Debug)]
struct Active {
    file: File,
    path: PathBuf,
    /// The date when it began, and the clock then: a change of date must not turn the order of lines around.
    began: (Duration, Duration),
    interval: Duration,
    /// Whose frames; the first session that there is, where none was named.
    session: Option<String>,
    frames: Frames,
    /// Nothing has been written yet.
    fresh: bool,
    stage: Option<Arc<Stage>>,
    follower: Option<Follower>,
}

/// What to record.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) path: PathBuf,
    /// How often frames are taken; zero for never.
    pub(crate) interval: Duration,
    pub(crate) session: Option<String>,
    pub(crate) stage: Option<Arc<Stage>>,
}

/// What is known of a recording.
#[derive(Debug)]
pub(crate) struct Status {
    pub(crate) path: Option<PathBuf>,
    pub(crate) failed: Option<String>,
}

impl Recorder {
    pub(crate) fn new(clock: Clock) -> Recorder {
        Recorder {
            clock,
            state: Mutex::default(),
        }
    }

    /// Starts a recording in place of the one before, and says where it is.
    pub(crate) fn start(&self, order: Order) -> io::Result<PathBuf> {
        // A pipe would keep us waiting until somebody reads it, and our own stdout has other readers.
        if fs::metadata(&order.path).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::other("what is there is not a file"));
        }
        if let Some(folder) = order
            .path
            .parent()
            .filter(|path| !path.as_os_str().is_empty())
        {
            fs::create_dir_all(folder)?;
        }
        let file = File::options()
            .append(true)
            .create(true)
            .open(&order.path)?;
        let path = fs::canonicalize(&order.path)?;
        let before = {
            let mut state = self.state();
            state.failed = None;
            state.active.replace(Active {
                file,
                path: path.clone(),
                began: (self.clock.date(), self.clock.now()),
                interval: order.interval,
                session: order.session,
                frames: Frames::default(),
                fresh: true,
                stage: order.stage,
                follower: None,
            })
        };
        // Not under the lock: its follower may want to write a last frame.
        drop(before);
        Ok(path)
    }

    /// Ends the recording, if there is one, with what is shown then.
    pub(crate) fn stop(&self) -> Option<String> {
        let followed = {
            let state = self.state();
            let active = state.active.as_ref();
            let follower = active.and_then(|active| active.follower.as_ref());
            follower.map(|follower| Arc::clone(follower.stage()))
        };
        if let Some(stage) = followed {
            self.note_shown(&stage);
        }
        let (active, failed) = {
            let mut state = self.state();
            (state.active.take(), state.failed.take())
        };
        drop(active);
        failed
    }

    pub(crate) fn status(&self) -> Status {
        let state = self.state();
        Status {
            path: state.active.as_ref().map(|active| active.path.clone()),
            failed: state.failed.clone(),
        }
    }

    /// Whether anything is recorded, so that nobody writes lines for nothing.
    pub(crate) fn is_active(&self) -> bool {
        self.state().active.is_some()
    }

    /// Writes an event. With the first one the frames begin: that is the answer to who started the recording. What is told before
    /// it was there before the recording.
    pub(crate) fn note(self: &Arc<Recorder>, direction: Direction, line: &str) {
        let begins = {
            let mut state = self.state();
            let fresh = state.active.as_ref().is_some_and(|active| active.fresh);
            if fresh && direction == Direction::Notification {
                return;
            }
            self.write(&mut state, direction, line);
            match &mut state.active {
                Some(active) => std::mem::take(&mut active.fresh)
                    .then(|| active.stage.clone())
                    .flatten(),
                None => None,
            }
        };
        if let Some(stage) = begins {
            self.follow(&stage);
        }
    }

    /// A session has been opened: its frames are recorded, if it is the one that is meant.
    pub(crate) fn opened(self: &Arc<Recorder>, stage: &Arc<Stage>) {
        let meant = {
            let mut state = self.state();
            match &mut state.active {
                Some(active) if active.stage.is_none() => {
                    let named = active.session.as_deref();
                    let meant = named.is_none_or(|name| name == stage.name());
                    if meant {
                        active.stage = Some(Arc::clone(stage));
                    }
                    meant && !active.fresh
                }
                _ => false,
            }
        };
        if meant {
            self.follow(stage);
        }
    }

    /// A session is about to be closed.
    pub(crate) fn closed(&self, stage: &Arc<Stage>) {
        let follower = {
            let mut state = self.state();
            state.active.as_mut().and_then(|active| {
                active
                    .stage
                    .take_if(|followed| Arc::ptr_eq(followed, stage));
                active
                    .follower
                    .take_if(|follower| Arc::ptr_eq(follower.stage(), stage))
            })
        };
        drop(follower);
    }

    fn follow(self: &Arc<Recorder>, stage: &Arc<Stage>) {
        let interval = match &self.state().active {
            Some(active) if !active.interval.is_zero() => active.interval,
            _ => return,
        };
        // Now, and not when its thread gets its turn.
        self.note_shown(stage);
        let recorder = Arc::downgrade(self);
        let follower = Follower::start(stage, interval, Told::No, move |frame| {
            match recorder.upgrade() {
                Some(recorder) => recorder.note_frame(&view::text(&frame.screen)),
                None => Told::No,
            }
        });
        let unused = {
            let mut state = self.state();
            match (follower, &mut state.active) {
                (Ok(follower), Some(active)) => active.follower.replace(follower),
                (Ok(follower), None) => Some(follower),
                (Err(error), _) => {
                    state.failed = Some(format!("frames could not be taken: {error}"));
                    None
                }
            }
        };
        // Not under the lock: it is waited for, and may be about to write a frame.
        drop(unused);
    }

    /// Writes what is shown now.
    fn note_shown(&self, stage: &Stage) {
        if let Ok(screen) = stage.screen() {
            self.note_frame(&view::text(&screen));
        }
    }

    fn note_frame(&self, text: &str) -> Told {
        let mut state = self.state();
        let now = self.clock.now();
        let Some(active) = &mut state.active else {
            return Told::No;
        };
        match active.frames.next(text, now) {
            Some((direction, line)) => {
                self.write(&mut state, direction, &line);
                Told::Yes
            }
            None => Told::No,
        }
    }

    fn write(&self, state: &mut State, direction: Direction, line: &str) {
        let Some(active) = &mut state.active else {
            return;
        };
        let (date, then) = active.began;
        let time = date.saturating_add(self.clock.now().saturating_sub(then));
        let event = Event {
            direction,
            line: line.to_owned(),
            timestamp_micros: u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
        };
        if let Err(error) = active.file.write_all(event.to_line().as_bytes()) {
            let path = active.path.display();
            state.failed = Some(format!("could not write `{path}`: {error}"));
            // Its follower calls from within here, so that it cannot be waited for: without a file it says no more.
            if let Some(mut active) = state.active.take()
                && let Some(follower) = active.follower.take()
            {
                follower.leave();
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}
