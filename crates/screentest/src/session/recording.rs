//! The recording of a session: how it begins, what is attached to it, how it ends.
//!
//! Elsewhere: who writes it (`recorder.rs`).

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use screentest_core::{Secrets, Size};

use super::Session;
use crate::app::App;
use crate::clock::Clock;
use crate::pty::signal::Signal;
use crate::recording::recorder::{Begins, RecordError, RecordOptions, Recorder, Setting};
use crate::session::reader::Intake;

/// What a recording says of its session.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) app: Option<App>,
    pub(super) setting: Setting,
    pub(super) unseen: Secrets,
}

impl Origin {
    pub(super) fn recorder(
        &self,
        options: RecordOptions,
        begins: Begins,
        size: Option<Size>,
        clock: &Clock,
    ) -> Result<Recorder, RecordError> {
        // What nobody may see here, nobody may see there.
        let options = options.secret_values(&self.unseen);
        let mut setting = self.setting.clone();
        setting.size = size.unwrap_or(setting.size);
        Recorder::start(&options, begins, self.app.as_ref(), &setting, clock)
    }
}

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
    pub(super) fn begin(recorder: Result<Recorder, RecordError>, intake: &Intake) -> Progress {
        match recorder {
            Ok(recorder) => {
                let tap = recorder.tap();
                // Whoever goes back to the beginning finds what was shown then: nothing.
                tap.shown(&intake.emulator().screen(), false);
                intake.set_tap(Some(tap));
                Progress::Running(recorder)
            }
            // The session is what was asked for; what became of its recording is told to whoever asks.
            Err(error) => Progress::Over(Err(Arc::new(error))),
        }
    }
}

impl Session {
    /// Begins to record here, in the middle: what is shown now comes first, then all that happens. One recording can follow another.
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
                path: recorder.part().to_owned(),
            });
        }
        self.catch_up();
        // Whoever closes it says so first, and then looks for a recording to end.
        if self.intake.board.lock().closing {
            return Err(RecordError::Closed);
        }
        let size = self.intake.emulator().screen().size;
        let recorder =
            self.origin
                .recorder(options, Begins::InTheMiddle, Some(size), &self.intake.clock)?;
        self.intake.join(recorder.tap(), size);
        *recording = Progress::Running(recorder);
        Ok(())
    }

    /// Whether it is recorded now.
    pub fn is_recording(&self) -> bool {
        let recording = self
            .recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        matches!(*recording, Progress::Running(_))
    }

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
                if recorder.begins() == Begins::InTheMiddle
                    && let Some(outcome) = self.outcome()
                {
                    // It may have ended before, or just as the recording began.
                    recorder.tap().ended(outcome);
                }
                self.intake.set_tap(None);
                recorder.finish().map_err(Arc::new)
            }
            Progress::Over(result) => result,
        };
        *recording = Progress::Over(result.clone());
        Some(result)
    }

    /// Writes down that a program which runs is asked to leave, or killed: whatever it still says, it says because of that.
    pub(super) fn record_close(&self, grace: Duration) {
        if let Some(tap) = self.intake.tap()
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
        if let Some(tap) = self.intake.tap() {
            self.catch_up();
            tap.event(mark.map(str::to_owned), data);
        }
    }
}
