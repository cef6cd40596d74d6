//! The recording of a session: its start, its events, its end.
//!
//! See also: `recorder.rs` (the writer).

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use screentest_core::{Secrets, Size};

use super::Session;
use crate::app::App;
use crate::clock::Clock;
use crate::pty::signal::Signal;
use crate::recording::recorder::{
    RecordError, RecordOptions, Recorder, RecordingStart, TerminalInfo,
};
use crate::session::reader::Intake;

/// Facts about the session that a recording stores.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) app: Option<App>,
    pub(super) setting: TerminalInfo,
    pub(super) unseen: Secrets,
}

impl Origin {
    pub(super) fn recorder(
        &self,
        options: RecordOptions,
        begins: RecordingStart,
        size: Option<Size>,
        clock: &Clock,
    ) -> Result<Recorder, RecordError> {
        // Secrets masked in this session are redacted in its recording.
        let options = options.secret_values(&self.unseen);
        let mut setting = self.setting.clone();
        setting.size = size.unwrap_or(setting.size);
        Recorder::start(&options, begins, self.app.as_ref(), &setting, clock)
    }
}

/// State of a session's recording.
#[derive(Debug)]
pub(super) enum Progress {
    /// Not recorded.
    None,
    /// Being recorded.
    Running(Recorder),
    /// It ended, or could not be started.
    Over(Result<PathBuf, Arc<RecordError>>),
}

impl Progress {
    /// Starts to send all events to a recorder.
    pub(super) fn begin(recorder: Result<Recorder, RecordError>, intake: &Intake) -> Progress {
        match recorder {
            Ok(recorder) => {
                let tap = recorder.event_queue();
                // The first frame is the empty screen, so that players can go back to the
                // beginning.
                tap.shown(&intake.emulator().screen(), false);
                intake.set_tap(Some(tap));
                Progress::Running(recorder)
            }
            // The session starts anyway; `finish_recording` returns the error.
            Err(error) => Progress::Over(Err(Arc::new(error))),
        }
    }
}

impl Session {
    /// Starts a recording of a running session. It begins with the current screen. A session can
    /// have several recordings, one after the other.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// use screentest::pty::scripted::ScriptedPty;
    /// use screentest::{Cassette, Options, RecordOptions, Session};
    ///
    /// # let scratch = std::env::temp_dir().join(format!("screentest-{}", std::process::id()));
    /// # std::fs::create_dir_all(&scratch)?;
    /// let options = Options::default();
    /// let pty = ScriptedPty::new(options.size);
    /// let session = Session::over(Arc::new(pty.clone()), options)?;
    /// pty.print(b"before");
    /// session.start_recording(RecordOptions::new(scratch.join("x.cassette")))?;
    /// pty.print(b" and after");
    /// let path = session.finish_recording().expect("one was started")?;
    /// let cassette = Cassette::open(&path)?;
    /// assert_eq!(cassette.ending().screen()?.text(), "before and after\n");
    /// # std::fs::remove_dir_all(scratch)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start_recording(&self, options: RecordOptions) -> Result<(), RecordError> {
        let mut recording = self
            .recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Progress::Running(recorder) = &*recording {
            return Err(RecordError::Running {
                path: recorder.partial_path().to_owned(),
            });
        }
        self.catch_up();
        // Closing sets this flag first and then ends the current recording.
        if self.intake.board.lock().closing {
            return Err(RecordError::Closed);
        }
        let size = self.intake.emulator().screen().size;
        let recorder = self.origin.recorder(
            options,
            RecordingStart::MidSession,
            Some(size),
            &self.intake.clock,
        )?;
        self.intake.join(recorder.event_queue(), size);
        *recording = Progress::Running(recorder);
        Ok(())
    }

    /// Returns whether a recording is running.
    pub fn is_recording(&self) -> bool {
        let recording = self
            .recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        matches!(*recording, Progress::Running(_))
    }

    /// Ends the recording and publishes it, as closing the session does. Returns the cassette's
    /// path or the error; `None` if there was no recording.
    pub fn finish_recording(&self) -> Option<Result<PathBuf, Arc<RecordError>>> {
        let mut recording = self
            .recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let result = match std::mem::replace(&mut *recording, Progress::None) {
            Progress::None => return None,
            Progress::Running(recorder) => {
                self.catch_up();
                if recorder.start_point() == RecordingStart::MidSession
                    && let Some(outcome) = self.outcome()
                {
                    // The program may have exited before the recording, or just as it began.
                    recorder.event_queue().ended(outcome);
                }
                self.intake.set_tap(None);
                recorder.finish().map_err(Arc::new)
            }
            Progress::Over(result) => result,
        };
        *recording = Progress::Over(result.clone());
        Some(result)
    }

    /// Records the signal that closing sends to a running program: it is the reason for the output
    /// after it.
    pub(super) fn record_close(&self, grace: Duration) {
        if let Some(tap) = self.intake.tap()
            && self.outcome().is_none()
        {
            tap.signal(if grace.is_zero() {
                Signal::KILL
            } else {
                Signal::HUP
            });
        }
    }

    /// Sets a named mark at this moment of the recording, by which players find it.
    pub fn record_mark(&self, name: &str) {
        self.record_event(Some(name), serde_json::Value::Null);
    }

    /// Attaches data to this moment of the recording, such as a test's step or an assertion.
    pub fn record_event(&self, mark: Option<&str>, data: serde_json::Value) {
        if let Some(tap) = self.intake.tap() {
            self.catch_up();
            tap.event(mark.map(str::to_owned), data);
        }
    }
}
