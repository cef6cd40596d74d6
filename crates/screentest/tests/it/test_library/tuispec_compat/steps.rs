//! Parts of a test that are tried again.

use std::time::Duration;

use screentest::{Clock, StepOptions, TuiError};

use crate::harness::sandbox::Desk;

/// How often a step is tried that always fails, and what it says then.
#[track_caller]
fn check(options: StepOptions, of_the_test: u32, tries: usize, told: &str) {
    let desk = Desk::new();
    desk.run_with(desk.options().step_retries(of_the_test), |tui| {
        let mut count = 0;
        let failed = tui.step(options, "hopeless", || {
            count += 1;
            // Nothing was launched.
            Ok(tui.current_view()?)
        });
        assert_eq!(failed.unwrap_err().to_string(), told);
        assert_eq!(count, tries);
        Ok(())
    });
}

#[test]
fn step_max_retries_is_how_often_it_is_tried_again() {
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
fn step_retries_of_the_run_options_count_where_a_step_says_nothing() {
    let told = "step `hopeless` failed (tried 2 times)";
    check(StepOptions::default(), 1, 2, told);
}

#[test]
fn step_retry_delay_passes_between_two_tries() {
    let delay = Duration::from_millis(30);
    let clock = Clock::system();
    let told = "step `hopeless` failed (tried 3 times)";
    check(StepOptions::retries(2).delay(delay), 0, 3, told);
    assert!(clock.now() >= 2 * delay);
}

#[test]
fn step_gives_back_what_its_body_made_once_it_succeeds() {
    Desk::new().run(|tui| {
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
