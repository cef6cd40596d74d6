//! Recording of fixtures: hermetic programs, marks at the moments that matter, and no trace of the
//! machine.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::{Chord, Condition, Size};
use screentest::pty::scripted::ScriptedPty;
use screentest::recording::RecordOptions;
use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Mark, Session};

const TIMEOUT: Duration = Duration::from_secs(20);
/// A pause that programs make between two screens, but never within one.
const BETWEEN: Duration = Duration::from_millis(50);

/// A program that is recorded.
pub(super) struct RecordedProgram(Session);

impl RecordedProgram {
    /// Records a shell script in an empty folder.
    #[track_caller]
    pub(super) fn sh(record: RecordOptions, script: &str) -> RecordedProgram {
        // The folder is the program's home, so that no local folder name is recorded.
        let app = App::new("sh").hermetic();
        let app = app.args(["-c", &format!("cd; {script}")]);
        let options = SessionOptions::default().record(record);
        RecordedProgram(Session::start(&app, options).unwrap())
    }

    /// Waits, then sets a mark.
    #[track_caller]
    pub(super) fn wait_and_mark(&self, condition: impl Into<Condition>, mark: &str) {
        self.wait_for(condition);
        self.0.record_mark(mark);
    }

    #[track_caller]
    pub(super) fn wait_for(&self, condition: impl Into<Condition>) {
        if let Err(error) = self.0.wait_for(condition, TIMEOUT) {
            let report = error.report().map(ToString::to_string);
            panic!("{error}\n{}", report.unwrap_or_default());
        }
    }

    /// Waits until this many screens were shown, then sets a mark.
    #[track_caller]
    pub(super) fn wait_for_frames(&self, times: usize, mark: &str) {
        let mut since: Mark = self.0.mark();
        for _ in 0..times {
            since = self.0.wait_for_frame(since, TIMEOUT).unwrap().mark();
        }
        self.0.record_mark(mark);
    }

    #[track_caller]
    pub(super) fn press(&self, key: impl Into<Chord>) {
        self.0.press(key.into()).unwrap();
    }

    #[track_caller]
    pub(super) fn type_text(&self, text: &str) {
        self.0.type_text(text).unwrap();
    }

    /// Resizes between two screens: if SIGWINCH interrupts a write, `top` treats it as an error and
    /// exits with code 1.
    #[track_caller]
    pub(super) fn resize(&self, cols: u16, rows: u16) {
        self.0.wait_for_stable(BETWEEN, TIMEOUT).unwrap();
        self.0.resize(Size { cols, rows }).unwrap();
    }

    /// Waits for the exit and publishes the recording.
    #[track_caller]
    pub(super) fn finish(self) {
        self.0.wait_for_exit(TIMEOUT).unwrap();
        self.0.finish_recording().unwrap().unwrap();
    }
}

/// A recorded byte stream, one chunk every 100 ms on a manual clock, so that every recording is the
/// same.
pub(super) struct RecordedStream {
    pty: ScriptedPty,
    session: Session,
    clock: Clock,
    written: usize,
}

impl RecordedStream {
    pub(super) fn new(record: RecordOptions, size: Size) -> RecordedStream {
        let clock = Clock::manual();
        let pty = ScriptedPty::new(size);
        let options = SessionOptions {
            size,
            clock: clock.clone(),
            ..SessionOptions::default().record(record)
        };
        let session = Session::over(Arc::new(pty.clone()), options).unwrap();
        RecordedStream {
            pty,
            session,
            clock,
            written: 0,
        }
    }

    /// Writes a chunk, then sets a mark.
    #[track_caller]
    pub(super) fn write(&mut self, bytes: impl AsRef<[u8]>, mark: &str) {
        let bytes = bytes.as_ref();
        self.clock.advance(Duration::from_millis(100));
        self.written += bytes.len();
        self.pty.print(bytes);
        let clock = Clock::system();
        while self.session.output_tail().bytes.len() < self.written {
            assert!(clock.now() < TIMEOUT, "{mark}: not in time");
            std::thread::yield_now();
        }
        self.session.record_mark(mark);
    }

    pub(super) fn resize(&self, cols: u16, rows: u16) {
        self.session.resize(Size { cols, rows }).unwrap();
    }

    #[track_caller]
    pub(super) fn finish(self) {
        self.pty.end(ExitStatus::Exited(0));
        self.session.wait_for_exit(TIMEOUT).unwrap();
        self.session.finish_recording().unwrap().unwrap();
    }
}

/// Returns the name of the current user, unless it is `root`, which identifies no person, or so
/// short that it could be an ordinary word.
fn user() -> Option<String> {
    let names = ["USER", "LOGNAME"].map(std::env::var);
    let name = names.into_iter().flatten().next()?;
    (name != "root" && name.len() > 3).then_some(name)
}

/// Redacts the name of the current user, which some programs show.
pub(super) fn cover_user_name(record: RecordOptions) -> RecordOptions {
    match user() {
        Some(name) => record.secret_value("user", name.as_bytes()),
        None => record,
    }
}

/// Checks that a cassette contains no names of this machine or user.
#[track_caller]
pub(super) fn assert_no_local_names(cassette: &Path) {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let home = std::env::var("HOME").unwrap_or_default();
    let own = env!("CARGO_MANIFEST_DIR").to_owned();
    let secrets = [host, home, own, user().unwrap_or_default()];
    let secrets = secrets.iter().map(|text| text.trim());
    // Shorter names could be ordinary words.
    let secrets: Vec<&str> = secrets.filter(|text| text.len() > 3).collect();
    for entry in fs::read_dir(cassette).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for secret in &secrets {
            assert!(
                !text.contains(secret),
                "`{secret}` is in {}",
                path.display()
            );
        }
    }
}
