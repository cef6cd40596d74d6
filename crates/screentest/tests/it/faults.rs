//! What goes wrong around us: limits, terminals that do not open, programs that stand still, and runners that kill their tests.
//!
//! Each test says what is expected of us then. docs/reliability.md lists them, with those that stand where they belong otherwise.

use std::time::Duration;

use rustix::process::{Resource, getrlimit, setrlimit};
use screentest::{App, Options, Session};

mod descriptors;
mod file_limit;
mod killed;
mod read_only;
mod stopped;
mod terminals;
mod unread_input;

/// Long enough for a busy machine; a test that waits this long has failed.
const SOON: Duration = Duration::from_secs(20);

/// Runs a line of shell.
#[track_caller]
fn sh(script: &str) -> Session {
    Session::start(&App::new("sh").args(["-c", script]), Options::default()).expect("sh starts")
}

/// Limits this process, which is the test's own, until it is limited otherwise.
fn limit(resource: Resource, most: u64) {
    let limit = getrlimit(resource);
    // What is allowed at most stays, so that a test can take back what it did.
    let limit = rustix::process::Rlimit {
        current: Some(limit.maximum.map_or(most, |maximum| maximum.min(most))),
        ..limit
    };
    setrlimit(resource, limit).unwrap();
}
