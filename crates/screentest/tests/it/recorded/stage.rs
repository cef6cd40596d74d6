//! What the scripts of all fixtures do: a program in a world of its own, marks at the moments that matter, and nothing of the machine on which it ran.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use screentest::core::{Chord, Condition, Size};
use screentest::pty::scripted::ScriptedPty;
use screentest::{App, Clock, ExitStatus, Mark, Options, RecordOptions, Session};

const SOON: Duration = Duration::from_secs(20);
/// A silence that a program keeps between two pictures, and never within one.
const BETWEEN: Duration = Duration::from_millis(50);

/// A program that is recorded.
pub(super) struct Stage(Session);

impl Stage {
    /// A line of shell in an empty folder.
    #[track_caller]
    pub(super) fn sh(record: RecordOptions, script: &str) -> Stage {
        // The folder is the program's home, so that no name of a folder of ours is kept.
        let app = App::new("sh").hermetic();
        let app = app.args(["-c", &format!("cd; {script}")]);
        let options = Options {
            record: Some(record),
            ..Options::default()
        };
        Stage(Session::start(&app, options).unwrap())
    }

    /// Waits, and gives the moment a name.
    #[track_caller]
    pub(super) fn shows(&self, condition: impl Into<Condition>, mark: &str) {
        self.waits(condition);
        self.0.record_mark(mark);
    }

    #[track_caller]
    pub(super) fn waits(&self, condition: impl Into<Condition>) {
        if let Err(error) = self.0.wait_for(condition, SOON) {
            let report = error.report().map(ToString::to_string);
            panic!("{error}\n{}", report.unwrap_or_default());
        }
    }

    /// Waits until so many pictures were shown.
    #[track_caller]
    pub(super) fn refreshes(&self, times: usize, mark: &str) {
        let mut since: Mark = self.0.mark();
        for _ in 0..times {
            since = self.0.wait_for_frame(since, SOON).unwrap().mark();
        }
        self.0.record_mark(mark);
    }

    #[track_caller]
    pub(super) fn press(&self, key: impl Into<Chord>) {
        self.0.press(key.into()).unwrap();
    }

    #[track_caller]
    pub(super) fn types(&self, text: &str) {
        self.0.type_text(text).unwrap();
    }

    /// Resizes it between two of its pictures: `top` takes a write that is interrupted by SIGWINCH for an error, and exits with 1.
    #[track_caller]
    pub(super) fn resize(&self, cols: u16, rows: u16) {
        self.0.wait_for_stable(BETWEEN, SOON).unwrap();
        self.0.resize(Size { cols, rows }).unwrap();
    }

    /// Waits for its end, and publishes the recording.
    #[track_caller]
    pub(super) fn ends(self) {
        self.0.wait_for_exit(SOON).unwrap();
        self.0.finish_recording().unwrap().unwrap();
    }
}

/// A stream of bytes that is recorded: one piece every 100 ms, on a clock of our own, so that the same is recorded every time.
pub(super) struct Stream {
    pty: ScriptedPty,
    session: Session,
    clock: Clock,
    came: usize,
}

impl Stream {
    pub(super) fn new(record: RecordOptions, size: Size) -> Stream {
        let clock = Clock::manual();
        let pty = ScriptedPty::new(size);
        let options = Options {
            size,
            record: Some(record),
            clock: clock.clone(),
            ..Options::default()
        };
        let session = Session::over(Arc::new(pty.clone()), options).unwrap();
        Stream {
            pty,
            session,
            clock,
            came: 0,
        }
    }

    /// Writes, and gives the moment behind it a name.
    #[track_caller]
    pub(super) fn writes(&mut self, bytes: impl AsRef<[u8]>, mark: &str) {
        let bytes = bytes.as_ref();
        self.clock.advance(Duration::from_millis(100));
        self.came += bytes.len();
        self.pty.print(bytes);
        let clock = Clock::system();
        while self.session.output_tail().bytes.len() < self.came {
            assert!(clock.now() < SOON, "{mark}: not in time");
            std::thread::yield_now();
        }
        self.session.record_mark(mark);
    }

    pub(super) fn resize(&self, cols: u16, rows: u16) {
        self.session.resize(Size { cols, rows }).unwrap();
    }

    #[track_caller]
    pub(super) fn ends(self) {
        self.pty.end(ExitStatus::Exited(0));
        self.session.wait_for_exit(SOON).unwrap();
        self.session.finish_recording().unwrap().unwrap();
    }
}

/// The name of whoever records; that of the superuser tells nobody anything.
fn user() -> Option<String> {
    let names = ["USER", "LOGNAME"].map(std::env::var);
    let name = names.into_iter().flatten().next()?;
    (name != "root" && name.len() > 3).then_some(name)
}

/// Covers the name of whoever records, which some programs show.
pub(super) fn unnamed(record: RecordOptions) -> RecordOptions {
    match user() {
        Some(name) => record.secret_value("user", name.as_bytes()),
        None => record,
    }
}

/// What is kept for everybody says nothing of the machine on which it was recorded.
#[track_caller]
pub(super) fn tells_nothing_of_this_machine(cassette: &Path) {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let home = std::env::var("HOME").unwrap_or_default();
    let own = env!("CARGO_MANIFEST_DIR").to_owned();
    let secrets = [host, home, own, user().unwrap_or_default()];
    let secrets = secrets.iter().map(|text| text.trim());
    // Shorter ones are words.
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
