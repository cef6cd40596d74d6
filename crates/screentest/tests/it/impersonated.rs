//! Recorded programs, driven by what drove them when they were recorded.

use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest::core::{Condition, Key, Position, Size};
use screentest::recording::fake_program::{Chunks, Impersonation, MISMATCH, Matching};
use screentest::{
    App, Clock, ExitStatus, Options, Pace, RecordOptions, Session, Signal, SpawnError, WaitError,
};
use screentest_fixtures::scratch::Scratch;

use crate::alone::alone;
use crate::desk::Desk;
use crate::rounds::rounds;

mod drivers;
mod ends;

const SOON: Duration = Duration::from_secs(20);
const SIZE: Size = Size { cols: 60, rows: 12 };

fn options() -> Options {
    Options {
        size: SIZE,
        grace: SOON,
        ..Options::default()
    }
}

/// Records what a driver does with a program.
#[track_caller]
fn record(app: &App, path: &Path, drive: impl FnOnce(&Session)) -> PathBuf {
    let recorded = Options {
        record: Some(RecordOptions::new(path).keep_keys()),
        ..options()
    };
    let session = Session::start(app, recorded).unwrap();
    drive(&session);
    session.close().unwrap();
    session.finish_recording().unwrap().unwrap()
}

/// A line of shell in a terminal that shows what is typed.
fn sh(script: &str) -> App {
    App::new("sh").args(["-c", script]).hermetic()
}

#[track_caller]
fn play(how: impl Into<App>) -> Session {
    Session::start(&how.into(), options()).unwrap()
}

/// Pieces in which no driver may be troubled by its program's output.
fn all_chunks() -> impl Iterator<Item = Chunks> {
    [Chunks::Original, Chunks::EveryByte, Chunks::Coalesced]
        .into_iter()
        .chain(rounds(3, 50).map(|seed| Chunks::Random(seed as u64)))
}
