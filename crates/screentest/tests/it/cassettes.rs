//! Cassettes: recorded, opened, verified, checked, damaged, recovered.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use screentest::core::Size;
use screentest::pty::scripted::ScriptedPty;
use screentest::{App, Cassette, Clock, ExitStatus, Options, RecordOptions, Session};
use screentest_fixtures::scratch::Scratch;

mod asciinema;
mod casts;
mod checking;
mod cutting;
mod damage;
mod kept;
mod midway;
mod playing;
mod recording;
mod recovery;
mod scrubbing;
mod secrets;

const SOON: Duration = Duration::from_secs(20);
const SIZE: Size = Size { cols: 40, rows: 8 };

/// Options that record here.
fn recorded(record: RecordOptions) -> Options {
    Options {
        size: SIZE,
        record: Some(record),
        ..Options::default()
    }
}

/// Records a line of shell to its end.
#[track_caller]
fn record(path: &Path, script: &str) -> PathBuf {
    let app = App::new("sh").args(["-c", script]);
    let session = Session::start(&app, recorded(RecordOptions::new(path))).unwrap();
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap()
}

/// A program that the test itself plays, recorded.
fn scripted(record: RecordOptions) -> (ScriptedPty, Session) {
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), recorded(record)).unwrap();
    (pty, session)
}

/// The same by a clock that the test moves.
fn timed(path: &Path) -> (Clock, ScriptedPty, Session) {
    let clock = Clock::manual();
    let pty = ScriptedPty::new(SIZE);
    let options = Options {
        clock: clock.clone(),
        ..recorded(RecordOptions::new(path))
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    (clock, pty, session)
}

/// The program ends, and what was recorded is opened.
#[track_caller]
fn ended(pty: &ScriptedPty, session: &Session, outcome: ExitStatus) -> Cassette {
    pty.end(outcome);
    session.wait_for_exit(SOON).unwrap();
    Cassette::open(session.finish_recording().unwrap().unwrap()).unwrap()
}

/// Every file of a folder, by name.
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

/// Looks again and again, at what no wait can be asked for.
#[track_caller]
fn until(what: &str, done: impl Fn() -> bool) {
    let clock = Clock::system();
    while !done() {
        assert!(clock.now() < SOON, "{what}: not in time");
        std::thread::yield_now();
    }
}
