//! Sessions with small programs: output, input, waits and exits.
//!
//! Programs are shell scripts, so that a test shows both sides. Tests of timing use a manual clock
//! and a scripted program (`timeline.rs`).

use std::sync::Arc;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::Size;
use screentest::pty::scripted::ScriptedPty;
use screentest::session::SessionOptions;
use screentest::{App, Session};

mod after_enter;
mod auto_wait;
mod colors;
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

/// Long enough for a busy machine; a wait that takes this long is a failure.
const TIMEOUT: Duration = Duration::from_secs(20);

const SIZE: Size = Size { cols: 80, rows: 24 };

/// Runs a shell script.
#[track_caller]
fn sh(script: &str) -> Session {
    sh_with(script, SessionOptions::default())
}

#[track_caller]
fn sh_with(script: &str, options: SessionOptions) -> Session {
    Session::start(&App::new("sh").args(["-c", script]), options).expect("sh starts")
}

/// Returns options with a grace period that no program exceeds, even on a busy machine.
fn patient() -> SessionOptions {
    SessionOptions {
        grace: TIMEOUT,
        ..SessionOptions::default()
    }
}

/// Starts a session over a scripted PTY.
fn scripted() -> (ScriptedPty, Session) {
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), SessionOptions::default()).unwrap();
    (pty, session)
}

/// Makes the background reader reply to a query, so that it is about to wait when this returns.
fn sync_with_background_reader(pty: &ScriptedPty) {
    pty.print(b"\x1b[5n");
    let answer = pty.wait_for_input(TIMEOUT, |input| !input.is_empty());
    assert_eq!(answer, b"\x1b[0n");
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
