//! Fake programs: recordings that are driven like the recorded programs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::{Condition, Key, Position, Size};
use screentest::pty::SpawnError;
use screentest::recording::fake_program::{Chunks, FakeProgramOptions, MISMATCH, Matching};
use screentest::recording::{Pace, RecordOptions};
use screentest::session::{SessionOptions, WaitError};
use screentest::{App, ExitStatus, Session, Signal};
use screentest_fixtures::scratch::Scratch;

use crate::harness::own_process::in_own_process;
use crate::harness::sandbox::Sandbox;
use screentest_fixtures::random::quick_or_full;

mod driving;
mod playback;

const TIMEOUT: Duration = Duration::from_secs(20);
const SIZE: Size = Size { cols: 60, rows: 12 };

fn options() -> SessionOptions {
    SessionOptions {
        size: SIZE,
        grace: TIMEOUT,
        ..SessionOptions::default()
    }
}

/// Records a program while `drive` drives it.
#[track_caller]
fn record(app: &App, path: &Path, drive: impl FnOnce(&Session)) -> PathBuf {
    let recorded = options().record(RecordOptions::new(path).keep_keys());
    let session = Session::start(app, recorded).unwrap();
    drive(&session);
    session.close().unwrap();
    session.finish_recording().unwrap().unwrap()
}

/// Returns a hermetic shell script.
fn sh(script: &str) -> App {
    App::new("sh").args(["-c", script]).hermetic()
}

#[track_caller]
fn play(how: impl Into<App>) -> Session {
    Session::start(&how.into(), options()).unwrap()
}

/// Returns the ways to split the recorded output; a driver must work with each.
fn all_chunkings() -> impl Iterator<Item = Chunks> {
    [Chunks::Original, Chunks::EveryByte, Chunks::Coalesced]
        .into_iter()
        .chain(quick_or_full(3, 50).map(|seed| Chunks::Random(seed as u64)))
}
