//! Faults in the environment: limits, terminals that do not open, stopped programs, and test
//! runners that kill their tests.
//!
//! Each test documents the expected behaviour. docs/reliability.md lists them, together with tests
//! of faults in other modules.

use std::time::Duration;

use rustix::process::{Resource, getrlimit, setrlimit};
use screentest::session::SessionOptions;
use screentest::{App, Session};

mod descriptors;
mod file_limit;
mod killed;
mod read_only;
mod stopped;
mod terminals;
mod unread_input;

/// Long enough for a busy machine; a wait that takes this long is a failure.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Runs a shell script.
#[track_caller]
fn sh(script: &str) -> Session {
    Session::start(
        &App::new("sh").args(["-c", script]),
        SessionOptions::default(),
    )
    .expect("sh starts")
}

/// Sets a limit of this process, which must be the test's own. A later call can raise it again.
fn limit(resource: Resource, most: u64) {
    let limit = getrlimit(resource);
    // The hard limit stays, so that a test can restore the soft limit.
    let limit = rustix::process::Rlimit {
        current: Some(limit.maximum.map_or(most, |maximum| maximum.min(most))),
        ..limit
    };
    setrlimit(resource, limit).unwrap();
}
