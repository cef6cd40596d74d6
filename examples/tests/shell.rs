//! Tests of a shell: the output of a command and the exit code.

use screentest::{App, ExitStatus, RunOptions, Selector, tui_test};

fn options() -> RunOptions {
    RunOptions::default().artifacts_dir("examples/artifacts")
}

/// A shell without the user's settings and history, and with an empty home directory.
fn shell() -> App {
    App::new("sh").env("PS1", "> ").hermetic()
}

#[test]
fn a_command_prints_its_result() {
    tui_test(options(), "shell: result", |tui| {
        tui.launch_and_wait(shell(), ">")?;
        tui.submit("echo $((6 * 7))")?;
        // The 42 below the typed command, not any 42 on the screen.
        tui.expect_visible(Selector::exact("42").below("> echo"))?;
        tui.expect_not_visible("not found")?;
        Ok(())
    });
}

#[test]
fn the_exit_code_is_the_argument_of_exit() {
    tui_test(options(), "shell: exit code", |tui| {
        tui.launch_and_wait(shell(), ">")?;
        tui.send_line("exit 3")?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(3));
        Ok(())
    });
}
