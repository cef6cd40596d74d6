//! Selectors with more than one match.

use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::{Ambiguity, Position, Selector};
use screentest::{TuiError, WaitOptions};

use super::{SHORT_TIMEOUT, showing};
use crate::harness::sandbox::Sandbox;

const TASKS: &str = "Task 1\n  Task 2\nTask 3\n";

/// Checks the position at which `Task` is found with this ambiguity mode.
#[track_caller]
fn check(ambiguity: Ambiguity, row: usize, col: usize) {
    // As an option of the test ...
    let sandbox = Sandbox::new().with("text", TASKS);
    sandbox.run_with(sandbox.options().ambiguity(ambiguity), |tui| {
        tui.launch(sandbox.sh("cat text; read end"))?;
        tui.wait_for("Task 3")?;
        let found = tui.wait_for_text("Task")?;
        assert_eq!(found.position(), Position { row, col });
        Ok(())
    });
    // ... and of a wait.
    showing(TASKS, |tui| {
        let waits = WaitOptions::default().ambiguity(ambiguity);
        let found = tui.with(waits).wait_for_selector("Task")?;
        assert_eq!(found.position(), Position { row, col });
        Ok(())
    });
}

#[test]
fn first_visible_match_takes_the_first() {
    check(Ambiguity::First, 0, 0);
}

#[test]
fn last_visible_match_takes_the_last() {
    check(Ambiguity::Last, 2, 0);
}

#[test]
fn fail_on_ambiguous_names_every_match() {
    showing(TASKS, |tui| {
        let tui = tui.with(WaitOptions::timeout(SHORT_TIMEOUT));
        for error in [
            tui.wait_for_text("Task").unwrap_err(),
            tui.expect_visible("Task").unwrap_err(),
        ] {
            assert!(matches!(error, TuiError::Select { .. }));
            assert_eq!(
                error.to_string(),
                "text \"Task\" found 3 times: \"Task\" at row 1, column 1; \"Task\" at row 2, column 3; \
                 \"Task\" at row 3, column 1"
            );
        }
        Ok(())
    });
}

#[test]
fn fail_on_ambiguous_tolerates_at_and_nth() {
    showing(TASKS, |tui| {
        tui.expect_visible(Selector::exact("Task").nth(2))?;
        tui.expect_visible(Selector::at(Position { row: 1, col: 2 }))?;
        Ok(())
    });
}

#[test]
fn fail_on_ambiguous_waits_until_one_match_is_left() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        // While the program is busy, one of the matches may still disappear.
        let script = "mkfifo go; printf 'Task 1\\nTask 2'; read x < go; printf '\\033[2J\\033[HTask 3\\n'; read end";
        tui.launch(sandbox.sh(script))?;
        tui.wait_for("Task 2")?;
        let found = std::thread::scope(|threads| {
            // Continues the program once the wait has begun or is about to begin.
            threads.spawn(|| std::fs::write(sandbox.path().join("go"), "\n"));
            tui.wait_for_text("Task")
        })?;
        assert_eq!(found.position(), Position { row: 0, col: 0 });
        Ok(())
    });
}

#[test]
fn expect_not_visible_fails_for_any_number_of_matches() {
    showing(TASKS, |tui| {
        let tui = tui.with(WaitOptions::timeout(SHORT_TIMEOUT));
        assert!(super::timed_out(tui.expect_not_visible("Task")));
        Ok(())
    });
}

#[test]
fn ambiguity_is_reported_once_the_program_waits_for_input() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh("printf 'Task\\r\\nTask\\r\\n'; read x; exec sleep 100"))?;
        tui.wait_for(Selector::exact("Task").nth(1))?;
        let patient = tui.with(WaitOptions::timeout(Duration::from_secs(60)));
        let clock = Clock::system();
        let begin = clock.now();
        patient.wait_for_text("Task").unwrap_err();
        // If the program does not wait for input, the ambiguity is reported once the screen has not
        // changed for half a second.
        tui.send_line("")?;
        patient
            .with(WaitOptions::timeout(Duration::from_secs(60)).anytime())
            .wait_for_text("Task")
            .unwrap_err();
        assert!(clock.now() < begin + Duration::from_secs(20));
        Ok(())
    });
}
