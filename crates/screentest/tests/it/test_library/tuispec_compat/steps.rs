//! Steps that are retried.

use std::time::Duration;

use screentest::clock::Clock;
use screentest::{StepOptions, TuiError};

use crate::harness::sandbox::Sandbox;

/// Checks how often a step that always fails is tried, and its error.
#[track_caller]
fn check(options: StepOptions, of_the_test: u32, tries: usize, message: &str) {
    let sandbox = Sandbox::new();
    sandbox.run_with(sandbox.options().step_retries(of_the_test), |tui| {
        let mut count = 0;
        let failed = tui.step(options, "hopeless", || {
            count += 1;
            // Fails, since no program was launched.
            Ok(tui.current_view()?)
        });
        assert_eq!(failed.unwrap_err().to_string(), message);
        assert_eq!(count, tries);
        Ok(())
    });
}

#[test]
fn step_max_retries_is_the_number_of_retries() {
    check(
        StepOptions::retries(2),
        0,
        3,
        "step `hopeless` failed (tried 3 times)",
    );
    check(
        StepOptions::retries(0),
        5,
        1,
        "step `hopeless` failed (tried once)",
    );
}

#[test]
fn step_retries_of_the_run_options_apply_to_steps_without_their_own() {
    let message = "step `hopeless` failed (tried 2 times)";
    check(StepOptions::default(), 1, 2, message);
}

#[test]
fn step_retry_delay_passes_between_two_tries() {
    let delay = Duration::from_millis(30);
    let clock = Clock::system();
    let message = "step `hopeless` failed (tried 3 times)";
    check(StepOptions::retries(2).delay(delay), 0, 3, message);
    assert!(clock.now() >= 2 * delay);
}

#[test]
fn step_returns_the_value_of_its_body_once_it_succeeds() {
    Sandbox::new().run(|tui| {
        let mut count = 0;
        let made = tui.step(StepOptions::retries(5), "third time", || {
            count += 1;
            match count {
                3 => Ok("made"),
                _ => Err(TuiError::NotLaunched.into()),
            }
        })?;
        assert_eq!((made, count), ("made", 3));
        Ok(())
    });
}
