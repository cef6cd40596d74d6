//! Sessions with small programs: output, input, waiting, ends.
//!
//! Programs are lines of shell, so that a test shows both sides. Where time matters the clock is the test's own, and the
//! program a script (`timeline.rs`).

use std::sync::Arc;
use std::time::Duration;

use screentest::core::Size;
use screentest::pty::scripted::ScriptedPty;
use screentest::{App, Clock, Options, Session};

mod after_enter;
mod auto_wait;
mod exit;
mod floods;
mod history;
mod idle;
mod input;
mod notes;
mod replies;
mod reports;
mod terminal_leaks;
mod threads;
mod timeline;
mod timing;
mod transient_screens;
mod waits;

/// Long enough for a busy machine; a test that waits this long has failed.
const SOON: Duration = Duration::from_secs(20);

const SIZE: Size = Size { cols: 80, rows: 24 };

/// Runs a line of shell.
#[track_caller]
fn sh(script: &str) -> Session {
    sh_with(script, Options::default())
}

#[track_caller]
fn sh_with(script: &str, options: Options) -> Session {
    Session::start(&App::new("sh").args(["-c", script]), options).expect("sh starts")
}

/// Programs are killed only after a time that none of them takes, however busy the machine is.
fn patient() -> Options {
    Options {
        grace: SOON,
        ..Options::default()
    }
}

/// A program that the test itself plays, and the session that shows it.
fn scripted() -> (ScriptedPty, Session) {
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), Options::default()).unwrap();
    (pty, session)
}

/// Lets the pump show that it reads, so that it is about to wait when this returns.
fn meet_pump(pty: &ScriptedPty) {
    pty.print(b"\x1b[5n");
    let answer = pty.wait_for_input(SOON, |input| !input.is_empty());
    assert_eq!(answer, b"\x1b[0n");
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
