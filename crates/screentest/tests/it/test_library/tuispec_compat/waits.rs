//! Waits and expectations.

use std::time::Duration;

use screentest::WaitOptions;
use screentest::clock::Clock;
use screentest::core::{Condition, Position, Selector};

use super::{SHORT_TIMEOUT, showing, timed_out};
use crate::harness::sandbox::Sandbox;

/// Prints `before`, then `after` once it receives a line.
const TURNS: &str = "printf before; read go; printf '\\033[2J\\033[Hafter\\n'; read end";

#[test]
fn wait_for_accepts_any_condition() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh(TURNS))?;
        tui.wait_for_text("before")?;
        tui.send_line("")?;
        let moved = Condition::new("the cursor below `after`", |screen| {
            screen.contains("after") && screen.cursor.position == Position { row: 1, col: 0 }
        });
        let screen = tui.wait_for(moved)?;
        assert_eq!(screen.text(), "after\n");
        Ok(())
    });
}

#[test]
fn wait_for_text_sees_rendered_text() {
    // Colours and cursor movements are between the letters.
    showing("\x1b[31mre\x1b[1;9Hdy\x1b[1;3Ha\x1b[m\x1b[1;4Hdy", |tui| {
        let found = tui.wait_for_text("ready")?;
        assert_eq!(found.position(), Position { row: 0, col: 0 });
        Ok(())
    });
}

#[test]
fn wait_for_text_uses_the_timeout_of_the_run_options() {
    let sandbox = Sandbox::new();
    sandbox.run_with(sandbox.options().timeout(SHORT_TIMEOUT), |tui| {
        tui.launch(sandbox.sh("read end"))?;
        let error = tui.wait_for_text("never").unwrap_err();
        assert_eq!(
            error.to_string(),
            "text \"never\" did not appear within 50ms"
        );
        let error = tui.expect_visible("never").unwrap_err();
        assert!(error.to_string().ends_with("within 50ms"), "{error}");
        Ok(())
    });
}

#[test]
fn wait_for_selector_takes_its_own_options() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh(TURNS))?;
        tui.wait_for_text("before")?;
        let clock = Clock::system();
        let brief = tui.with(WaitOptions::timeout(SHORT_TIMEOUT));
        assert!(timed_out(
            brief.wait_for_selector(Selector::pattern("af.*r"))
        ));
        assert!(clock.now() >= SHORT_TIMEOUT);
        tui.send_line("")?;
        tui.wait_for_selector(Selector::pattern("af.*r"))?;
        Ok(())
    });
}

#[test]
fn wait_for_stable_waits_for_the_debounce() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.sh("echo ready; read end"), "ready")?;
        let clock = Clock::system();
        let screen = tui.wait_for_stable(Duration::from_millis(80))?;
        assert!(clock.now() >= Duration::from_millis(80));
        assert_eq!(screen.text(), "ready\n");
        Ok(())
    });
}

#[test]
fn expect_visible_waits_until_it_is_visible() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh(TURNS))?;
        tui.expect_visible("before")?;
        tui.send_line("")?;
        tui.expect_visible("after")?;
        Ok(())
    });
}

#[test]
fn expect_not_visible_waits_until_it_is_gone() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh(TURNS))?;
        tui.expect_visible("before")?;
        let brief = tui.with(WaitOptions::timeout(SHORT_TIMEOUT));
        let error = brief.expect_not_visible("before").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("a screen without text \"before\""),
            "{error}"
        );
        tui.send_line("")?;
        tui.expect_not_visible("before")?;
        Ok(())
    });
}
