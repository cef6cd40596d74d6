//! Records a session: the recorder as an observer of the session, and the methods that start and
//! finish it.
//!
//! See also: `session/observer.rs` (the events), `recorder.rs` (the writer).

use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use screentest_core::Size;
use serde_json::json;

use crate::lock::lock;
use crate::recording::recorder::{
    EventQueue, RecordError, RecordOptions, Recorder, RecordingStart, TerminalInfo,
};
use crate::session::observer::{AttachAtStart, SessionEvent, SessionObserver};
use crate::session::{Session, SessionOptions};

/// A recording of a session: running, finished, or not started because of an error.
#[derive(Debug)]
struct SessionRecording {
    /// `None` if the recorder could not be started.
    queue: Option<Arc<EventQueue>>,
    /// The recorder while it runs.
    recorder: Mutex<Option<Recorder>>,
    result: OnceLock<Result<PathBuf, Arc<RecordError>>>,
}

impl SessionRecording {
    fn running(recorder: Recorder) -> SessionRecording {
        SessionRecording {
            queue: Some(recorder.event_queue()),
            recorder: Mutex::new(Some(recorder)),
            result: OnceLock::new(),
        }
    }

    fn failed(error: RecordError) -> SessionRecording {
        SessionRecording {
            queue: None,
            recorder: Mutex::default(),
            result: OnceLock::from(Err(Arc::new(error))),
        }
    }

    /// Returns the recording, if the observer of a session is one.
    fn of(observer: &Option<Arc<dyn SessionObserver>>) -> Option<&SessionRecording> {
        let observer: &dyn Any = &**observer.as_ref()?;
        observer.downcast_ref()
    }
}

impl SessionObserver for SessionRecording {
    fn wait_for_room(&self, timeout: Duration) -> bool {
        let queue = self.queue.as_ref();
        queue.is_none_or(|queue| queue.wait_for_room(timeout))
    }

    fn observe(&self, event: SessionEvent<'_>) {
        let Some(queue) = &self.queue else {
            return;
        };
        match event {
            SessionEvent::Output(bytes) => queue.output(bytes),
            SessionEvent::Reply(bytes) => queue.reply(bytes),
            SessionEvent::Screen { screen, unfinished } => queue.shown(screen, unfinished),
            SessionEvent::Input { input, bytes, pty } => queue.input(input, bytes, pty),
            SessionEvent::AutoWaitTimeout(timeout) => {
                let waited = timeout.waited.as_millis();
                let program = timeout.why.as_str();
                let data = json!({ "autoWait": { "waitedMs": waited, "program": program } });
                queue.event(None, data);
            }
            SessionEvent::Resize(size) => queue.resized(size),
            SessionEvent::Signal(signal) => queue.signal(signal),
            SessionEvent::Mark { name, data } => queue.event(name.map(str::to_owned), data),
            SessionEvent::Exit(exit_status) => queue.ended(exit_status),
        }
    }

    fn session_closed(&self, session: &Session) {
        session.finish_recording();
    }
}

impl SessionOptions {
    /// Records the session from its first byte. The session starts even if the recording does not;
    /// [`Session::finish_recording`] returns the error.
    #[must_use]
    pub fn record(mut self, options: RecordOptions) -> SessionOptions {
        self.observer = Some(Arc::new(options));
        self
    }
}

impl AttachAtStart for RecordOptions {
    fn attach_to(&self, session: &Session) {
        let mut observer = session.observer();
        let size = session.origin().size;
        let started = session.start_recorder(self.clone(), RecordingStart::WithSession, size);
        let recording = match started {
            Ok(recorder) => {
                let recording = Arc::new(SessionRecording::running(recorder));
                session.attach_observer_at_start(Arc::clone(&recording) as _);
                recording
            }
            Err(error) => Arc::new(SessionRecording::failed(error)),
        };
        *observer = Some(recording);
    }
}

impl Session {
    /// Starts a recording of a running session. It begins with the current screen. A session can
    /// have several recordings, one after the other.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// use screentest::pty::scripted::ScriptedPty;
    /// use screentest::Session;
    /// use screentest::recording::{Cassette, RecordOptions};
    /// use screentest::session::SessionOptions;
    ///
    /// # let scratch = std::env::temp_dir().join(format!("screentest-{}", std::process::id()));
    /// # std::fs::create_dir_all(&scratch)?;
    /// let options = SessionOptions::default();
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
        let mut observer = self.observer();
        if let Some(recording) = SessionRecording::of(&observer)
            && let Some(recorder) = &*lock(&recording.recorder)
        {
            return Err(RecordError::Running {
                path: recorder.partial_path().to_owned(),
            });
        }
        self.catch_up();
        // Closing sets this flag first and then ends the current recording.
        if self.is_closing() {
            return Err(RecordError::Closed);
        }
        let size = self.current_size();
        let recorder = self.start_recorder(options, RecordingStart::MidSession, size)?;
        let recording = Arc::new(SessionRecording::running(recorder));
        self.attach_observer(Arc::clone(&recording) as _, size);
        *observer = Some(recording);
        Ok(())
    }

    /// Returns whether a recording is running.
    pub fn is_recording(&self) -> bool {
        let observer = self.observer();
        SessionRecording::of(&observer).is_some_and(|recording| lock(&recording.recorder).is_some())
    }

    /// Ends the recording and publishes it, as closing the session does. Returns the cassette's
    /// path or the error; `None` if there was no recording.
    pub fn finish_recording(&self) -> Option<Result<PathBuf, Arc<RecordError>>> {
        let observer = self.observer();
        let recording = SessionRecording::of(&observer)?;
        if let Some(recorder) = lock(&recording.recorder).take() {
            self.catch_up();
            if recorder.start_point() == RecordingStart::MidSession
                && let Some(exit_status) = self.exit_status()
            {
                // The program may have exited before the recording, or just as it began.
                recording.observe(SessionEvent::Exit(exit_status));
            }
            self.detach_observer();
            let result = recorder.finish().map_err(Arc::new);
            let _ = recording.result.set(result);
        }
        recording.result.get().cloned()
    }

    /// Sets a named mark at this moment of the recording, by which players find it.
    pub fn record_mark(&self, name: &str) {
        self.record_event(Some(name), serde_json::Value::Null);
    }

    /// Attaches data to this moment of the recording, such as a test's step or an assertion.
    pub fn record_event(&self, mark: Option<&str>, data: serde_json::Value) {
        if self.is_observed() {
            self.catch_up();
            self.report_event(SessionEvent::Mark { name: mark, data });
        }
    }

    fn start_recorder(
        &self,
        options: RecordOptions,
        start: RecordingStart,
        size: Size,
    ) -> Result<Recorder, RecordError> {
        let origin = self.origin();
        // Secrets masked in this session are redacted in its recording.
        let options = options.secret_values(&origin.secrets);
        let terminal = TerminalInfo {
            size,
            scrollback: origin.scrollback,
            identity: origin.identity,
            hostname: origin.hostname.clone(),
        };
        Recorder::start(
            &options,
            start,
            origin.app.as_ref(),
            &terminal,
            self.clock(),
        )
    }
}
