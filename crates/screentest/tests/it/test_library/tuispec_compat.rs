//! Everything that the seed's test library can do, under the seed's names.
//!
//! `docs/test-library.md` has the table of what is tested here, and of what is tested elsewhere already.

use std::time::Duration;

use screentest::{Failure, Tui, TuiError, WaitError};

use crate::harness::sandbox::Desk;

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

/// What is never there is waited for this long.
const BRIEFLY: Duration = Duration::from_millis(50);

/// Runs a body while a program shows a text.
#[track_caller]
fn showing(text: &str, body: impl FnOnce(&Tui) -> Result<(), Failure>) {
    let desk = Desk::new().with("text", text);
    desk.run(|tui| {
        tui.launch(desk.sh("cat text; printf '\\033[24;1Hshown'; read end"))?;
        tui.wait_for("\nshown")?;
        body(tui)
    });
}

/// Whether a wait ended because its time was over.
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
