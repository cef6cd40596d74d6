//! Everything that tuispec's test library offers, under tuispec's names.
//!
//! `docs/test-library.md` has a table of these tests and of tests in other modules.

use std::time::Duration;

use screentest::session::WaitError;
use screentest::{Failure, Terminal, TuiError};

use crate::harness::sandbox::Sandbox;

mod ambiguity;
mod documented_tests;
mod input;
mod keys;
mod launch;
mod mouse;
mod options;
mod selectors;
mod snapshots;
mod steps;
mod waits;

/// Timeout of waits that are expected to fail.
const SHORT_TIMEOUT: Duration = Duration::from_millis(50);

/// Runs the body while a program shows a text.
#[track_caller]
fn showing(text: &str, body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    let sandbox = Sandbox::new().with("text", text);
    sandbox.run(|tui| {
        tui.launch(sandbox.sh("cat text; printf '\\033[24;1Hshown'; read end"))?;
        tui.wait_for("\nshown")?;
        body(tui)
    });
}

/// Returns whether a wait timed out.
fn timed_out<T>(waited: Result<T, TuiError>) -> bool {
    let error = waited.err();
    error.is_some_and(|error| {
        matches!(
            error,
            TuiError::Wait {
                error: WaitError::TimedOut { .. },
                ..
            }
        )
    })
}
