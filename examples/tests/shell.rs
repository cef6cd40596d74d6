//! Testing what happens in a shell: what a command prints, and how the shell ends.

use screentest::{App, Outcome, RunOptions, Selector, tui_test};

fn options() -> RunOptions {
    RunOptions::default().artifacts_dir("examples/artifacts")
}

/// A shell that knows nothing of whoever runs the tests: no settings, no history, an empty home.
fn shell() -> App {
    App::new("sh").env("PS1", "> ").hermetic()
}

#[test]
fn a_command_prints_its_result() {
    tui_test(options(), "shell: result", |tui| {
        tui.launch_and_wait(shell(), ">")?;
        tui.submit("echo $((6 * 7))")?;
        // Below what was typed, not any 42 on the screen.
        tui.expect_visible(Selector::exact("42").below("> echo"))?;
        tui.expect_not_visible("not found")?;
        Ok(())
    });
}

#[test]
fn an_exit_code_is_what_the_shell_was_told() {
    tui_test(options(), "shell: exit code", |tui| {
        tui.launch_and_wait(shell(), ">")?;
        tui.send_line("exit 3")?;
        assert_eq!(tui.wait_for_exit()?, Outcome::Exited(3));
        Ok(())
    });
}
