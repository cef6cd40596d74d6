//! The recording of a session: how it begins, what is attached to it, how it ends.
//!
//! Elsewhere: who writes it (`recorder.rs`).

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::Session;
use crate::intake::Intake;
use crate::recorder::{RecordError, Recorder};
use crate::signal::Signal;

/// How far the recording of a session is.
#[derive(Debug)]
pub(super) enum Progress {
    /// There is none.
    None,
    /// It is under way.
    Running(Recorder),
    /// It ended, or never began.
    Over(Result<PathBuf, Arc<RecordError>>),
}

impl Progress {
    /// Has a recorder told of all that happens from now on.
    pub(super) fn begin(recorder: Result<Recorder, RecordError>, intake: &mut Intake) -> Progress {
        match recorder {
            Ok(recorder) => {
                let tap = recorder.tap();
                // Whoever goes back to the beginning finds what was shown then: nothing.
                tap.shown(&intake.emulator().screen(), false);
                intake.tap = Some(tap);
                Progress::Running(recorder)
            }
            // The session is what was asked for; what became of its recording is told to whoever asks.
            Err(error) => Progress::Over(Err(Arc::new(error))),
        }
    }
}

impl Session {
    /// Ends the recording and publishes it, as closing the session does too. Says where the cassette is, or why there is none; `None` where
    /// nobody asked for one.
    pub fn finish_recording(&self) -> Option<Result<PathBuf, Arc<RecordError>>> {
        let mut recording = self
            .recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let result = match std::mem::replace(&mut *recording, Progress::None) {
            Progress::None => return None,
            Progress::Running(recorder) => {
                self.catch_up();
                recorder.finish().map_err(Arc::new)
            }
            Progress::Over(result) => result,
        };
        *recording = Progress::Over(result.clone());
        Some(result)
    }

    /// Writes down that a program which runs is asked to leave, or killed: whatever it still says, it says because of that.
    pub(super) fn record_close(&self, grace: Duration) {
        if let Some(tap) = &self.intake.tap
            && self.outcome().is_none()
        {
            tap.signal(match grace.is_zero() {
                true => Signal::KILL,
                false => Signal::HUP,
            });
        }
    }

    /// Gives this moment of the recording a name, by which a player finds it.
    pub fn record_mark(&self, name: &str) {
        self.record_event(Some(name), serde_json::Value::Null);
    }

    /// Attaches something to this moment of the recording: a test's step, an assertion, anything.
    pub fn record_event(&self, mark: Option<&str>, data: serde_json::Value) {
        if let Some(tap) = &self.intake.tap {
            self.catch_up();
            tap.event(mark.map(str::to_owned), data);
        }
    }
}
