//! Typing text.

use screentest::core::Key;
use screentest::session::InputError;
use screentest::{ExitStatus, TuiError};

use crate::harness::sandbox::Sandbox;

#[test]
fn type_text_types_the_text_unchanged() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh("read line; printf 'got:%s.' \"$line\"; read end"))?;
        tui.type_text("two words, é")?;
        tui.wait_for("two words, é")?;
        tui.expect_not_visible("got:")?;
        tui.press(Key::Enter)?;
        tui.wait_for_text("got:two words, é.")?;
        Ok(())
    });
}

#[test]
fn send_line_ends_with_enter() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh("read line; printf 'got:%s.' \"$line\"; read end"))?;
        tui.send_line("a line")?;
        tui.wait_for_text("got:a line.")?;
        Ok(())
    });
}

#[test]
fn input_without_a_program_is_an_error() {
    Sandbox::new().run(|tui| {
        let error = tui.send_line("a line").unwrap_err();
        assert!(matches!(error, TuiError::NotLaunched));
        Ok(())
    });
}

#[test]
fn input_after_exit_reports_the_exit_status() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh("exit 3"))?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(3));
        let error = tui.press(Key::Enter).unwrap_err();
        let TuiError::Input(InputError::Ended(exit_status)) = error else {
            panic!("{error:?}")
        };
        assert_eq!(exit_status, ExitStatus::Exited(3));
        Ok(())
    });
}
