//! Tests of cassettes: recording, opening, verifying, checking, damage, recovery and playback.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::Size;
use screentest::pty::scripted::ScriptedPty;
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Session};
use screentest_fixtures::scratch::Scratch;

mod asciicast;
mod asciinema;
mod assertions;
mod compatibility;
mod cut;
mod damage;
mod fake_program;
mod mid_session;
mod player;
mod recording;
mod recovery;
mod scrub;
mod secrets;

const TIMEOUT: Duration = Duration::from_secs(20);
const SIZE: Size = Size { cols: 40, rows: 8 };

/// Returns options that record.
fn recording_options(record: RecordOptions) -> SessionOptions {
    SessionOptions {
        size: SIZE,
        ..SessionOptions::default().record(record)
    }
}

/// Records a shell script to its end.
#[track_caller]
fn record(path: &Path, script: &str) -> PathBuf {
    let app = App::new("sh").args(["-c", script]);
    let session = Session::start(&app, recording_options(RecordOptions::new(path))).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap()
}

/// Starts a recorded session over a scripted PTY.
fn scripted(record: RecordOptions) -> (ScriptedPty, Session) {
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), recording_options(record)).unwrap();
    (pty, session)
}

/// Like [`scripted`], with a manual clock.
fn timed(path: &Path) -> (Clock, ScriptedPty, Session) {
    let clock = Clock::manual();
    let pty = ScriptedPty::new(SIZE);
    let options = SessionOptions {
        clock: clock.clone(),
        ..recording_options(RecordOptions::new(path))
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    (clock, pty, session)
}

/// Ends the program and opens the recorded cassette.
#[track_caller]
fn finish(pty: &ScriptedPty, session: &Session, exit_status: ExitStatus) -> Cassette {
    pty.end(exit_status);
    session.wait_for_exit(TIMEOUT).unwrap();
    Cassette::open(session.finish_recording().unwrap().unwrap()).unwrap()
}

/// Returns every file of a folder with its name and contents.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Polls a state for which there is no wait.
#[track_caller]
fn poll_until(what: &str, done: impl Fn() -> bool) {
    let clock = Clock::system();
    while !done() {
        assert!(clock.now() < TIMEOUT, "{what}: not in time");
        std::thread::yield_now();
    }
}
