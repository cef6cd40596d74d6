//! Recordings of requests, responses, notifications and frames, one event per line.
//!
//! Each event is appended to the file as it happens, in one write. If the server is killed, the
//! events before that are complete. A failed recording does not affect the session or its requests:
//! the recording ends, and `recording.status` and `recording.stop` report the error.
//!
//! See also: `recording/frame_delta.rs` (frames and their differences), `recording/event.rs`
//! (reading), `method/replay.rs` (replaying).

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use screentest::clock::Clock;

use crate::service::lock;
use crate::session::follower::{Delivery, Follower};
use crate::session::{NamedSession, screen_text};

mod event;
mod frame_delta;

pub use event::{Direction, Event, EventError, EventReader};
use frame_delta::FrameEncoder;
pub use frame_delta::apply_frame_delta;

/// Writes the current recording, if there is one.
#[derive(Debug)]
pub(crate) struct TranscriptRecorder {
    clock: Clock,
    state: Mutex<RecorderState>,
}

#[derive(Debug, Default)]
struct RecorderState {
    active: Option<ActiveRecording>,
    /// The error that ended the last recording.
    error: Option<String>,
}

#[derive(Debug)]
struct ActiveRecording {
    file: File,
    path: PathBuf,
    /// System time and monotonic clock at the start. Times are computed from both, so that a change
    /// of the system time does not change the order of events.
    started: (Duration, Duration),
    interval: Duration,
    /// The session whose frames are recorded. `None` selects the first one that is opened.
    session_name: Option<String>,
    frames: FrameEncoder,
    /// No event has been written yet.
    fresh: bool,
    session: Option<Arc<NamedSession>>,
    follower: Option<Follower>,
}

/// What to record.
#[derive(Debug)]
pub(crate) struct RecordingOptions {
    pub(crate) path: PathBuf,
    /// Interval between frames. Zero records no frames.
    pub(crate) interval: Duration,
    pub(crate) session_name: Option<String>,
    pub(crate) session: Option<Arc<NamedSession>>,
}

/// Status of the current or last recording.
#[derive(Debug)]
pub(crate) struct RecorderStatus {
    pub(crate) path: Option<PathBuf>,
    pub(crate) error: Option<String>,
}

impl TranscriptRecorder {
    pub(crate) fn new(clock: Clock) -> TranscriptRecorder {
        TranscriptRecorder {
            clock,
            state: Mutex::default(),
        }
    }

    /// Starts a recording and returns its path. Ends the recording before it, if there is one.
    pub(crate) fn start(&self, options: RecordingOptions) -> io::Result<PathBuf> {
        // Writing to a pipe may block, and `/dev/stdout` carries the responses.
        if fs::metadata(&options.path).is_ok_and(|existing| !existing.is_file()) {
            return Err(io::Error::other("the path exists and is not a file"));
        }
        if let Some(folder) = options
            .path
            .parent()
            .filter(|path| !path.as_os_str().is_empty())
        {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
        }
        let file = File::options()
            .append(true)
            .create(true)
            // A recording contains what was typed.
            .mode(0o600)
            .open(&options.path)?;
        let path = fs::canonicalize(&options.path)?;
        let before = {
            let mut state = self.state();
            state.error = None;
            state.active.replace(ActiveRecording {
                file,
                path: path.clone(),
                started: (self.clock.date(), self.clock.now()),
                interval: options.interval,
                session_name: options.session_name,
                frames: FrameEncoder::default(),
                fresh: true,
                session: options.session,
                follower: None,
            })
        };
        // Dropped without the lock: the follower may need it to write a last frame.
        drop(before);
        Ok(path)
    }

    /// Writes the current frame and ends the recording. Returns the error of a recording that ended
    /// early.
    pub(crate) fn stop(&self) -> Option<String> {
        let followed = {
            let state = self.state();
            let active = state.active.as_ref();
            let follower = active.and_then(|active| active.follower.as_ref());
            follower.map(|follower| Arc::clone(follower.session()))
        };
        if let Some(session) = followed {
            self.write_current_frame(&session);
        }
        let (active, error) = {
            let mut state = self.state();
            (state.active.take(), state.error.take())
        };
        drop(active);
        error
    }

    pub(crate) fn status(&self) -> RecorderStatus {
        let state = self.state();
        RecorderStatus {
            path: state.active.as_ref().map(|active| active.path.clone()),
            error: state.error.clone(),
        }
    }

    /// Returns whether a recording is active.
    pub(crate) fn is_active(&self) -> bool {
        self.state().active.is_some()
    }

    /// Writes an event. The first event, the response to `recording.start`, also starts the frames.
    /// Notifications before it are not part of the recording.
    pub(crate) fn write_event(self: &Arc<TranscriptRecorder>, direction: Direction, line: &str) {
        let start_frames_of = {
            let mut state = self.state();
            let fresh = state.active.as_ref().is_some_and(|active| active.fresh);
            if fresh && direction == Direction::Notification {
                return;
            }
            self.write(&mut state, direction, line);
            match &mut state.active {
                Some(active) => std::mem::take(&mut active.fresh)
                    .then(|| active.session.clone())
                    .flatten(),
                None => None,
            }
        };
        if let Some(session) = start_frames_of {
            self.follow(&session);
        }
    }

    /// Starts to record the frames of a session that has just been opened, if the recording is for
    /// it.
    pub(crate) fn session_opened(self: &Arc<TranscriptRecorder>, session: &Arc<NamedSession>) {
        let start_now = {
            let mut state = self.state();
            match &mut state.active {
                Some(active) if active.session.is_none() => {
                    let wanted = active.session_name.as_deref();
                    let matches = wanted.is_none_or(|name| name == session.name());
                    if matches {
                        active.session = Some(Arc::clone(session));
                    }
                    matches && !active.fresh
                }
                _ => false,
            }
        };
        if start_now {
            self.follow(session);
        }
    }

    /// Stops recording the frames of a session that is about to be closed.
    pub(crate) fn session_closed(&self, session: &Arc<NamedSession>) {
        let follower = {
            let mut state = self.state();
            state.active.as_mut().and_then(|active| {
                active
                    .session
                    .take_if(|followed| Arc::ptr_eq(followed, session));
                active
                    .follower
                    .take_if(|follower| Arc::ptr_eq(follower.session(), session))
            })
        };
        drop(follower);
    }

    fn follow(self: &Arc<TranscriptRecorder>, session: &Arc<NamedSession>) {
        let interval = match &self.state().active {
            Some(active) if !active.interval.is_zero() => active.interval,
            _ => return,
        };
        // The first frame shows the current screen. The follower's task may start later.
        self.write_current_frame(session);
        let recorder = Arc::downgrade(self);
        let follower =
            Follower::start(
                session,
                interval,
                Delivery::Skipped,
                move |frame| match recorder.upgrade() {
                    Some(recorder) => recorder.write_frame(&screen_text::text(&frame.screen)),
                    None => Delivery::Skipped,
                },
            );
        let unused = {
            let mut state = self.state();
            match (follower, &mut state.active) {
                (Ok(follower), Some(active)) => active.follower.replace(follower),
                (Ok(follower), None) => Some(follower),
                (Err(error), _) => {
                    state.error = Some(format!("could not record frames: {error}"));
                    None
                }
            }
        };
        // Dropped without the lock: the drop waits for a delivery in progress, which may need the
        // lock for a frame.
        drop(unused);
    }

    fn write_current_frame(&self, session: &NamedSession) {
        if let Ok(screen) = session.screen() {
            self.write_frame(&screen_text::text(&screen));
        }
    }

    fn write_frame(&self, text: &str) -> Delivery {
        let mut state = self.state();
        let now = self.clock.now();
        // A frame before the first event is one of the recording before this one.
        let Some(active) = state.active.as_mut().filter(|active| !active.fresh) else {
            return Delivery::Skipped;
        };
        match active.frames.encode(text, now) {
            Some((direction, line)) => {
                self.write(&mut state, direction, &line);
                Delivery::Sent
            }
            None => Delivery::Skipped,
        }
    }

    fn write(&self, state: &mut RecorderState, direction: Direction, line: &str) {
        let Some(active) = &mut state.active else {
            return;
        };
        let (date, start) = active.started;
        let time = date.saturating_add(self.clock.now().saturating_sub(start));
        let event = Event {
            direction,
            line: line.to_owned(),
            timestamp_micros: u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
        };
        if let Err(error) = active.file.write_all(event.to_line().as_bytes()) {
            let path = active.path.display();
            state.error = Some(format!("could not write `{path}`: {error}"));
            // The caller may be a delivery of the follower, and a drop would wait for this delivery
            // forever. Without an active recording, the follower writes nothing more.
            if let Some(mut active) = state.active.take()
                && let Some(follower) = active.follower.take()
            {
                follower.detach();
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, RecorderState> {
        lock(&self.state)
    }
}

#[cfg(test)]
mod tests {
    use screentest_fixtures::scratch::Scratch;

    use super::*;

    #[test]
    fn frames_follow_the_first_event() {
        let scratch = Scratch::new();
        let recorder = Arc::new(TranscriptRecorder::new(Clock::manual()));
        let path = recorder.start(RecordingOptions {
            path: scratch.path().join("recording.jsonl"),
            interval: Duration::from_millis(1),
            session_name: None,
            session: None,
        });
        // A follower of the recording before this one.
        recorder.write_frame("early");
        recorder.write_event(Direction::Response, "answer");
        recorder.write_frame("late");
        let written = fs::read_to_string(path.unwrap()).unwrap();
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!(lines.len(), 2, "{written}");
        assert!(lines[0].contains("answer"), "{written}");
        assert!(lines[1].contains("late"), "{written}");
    }
}
