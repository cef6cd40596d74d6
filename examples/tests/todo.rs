//! Tests of a program of this crate: `src/bin/todo.rs`.

use std::fs;
use std::path::PathBuf;

use screentest::{App, Color, Failure, RunOptions, Selector, Size, Styled, Terminal, tui_test};

/// Shared options. The artifacts folder is relative to the root of the workspace.
fn options() -> RunOptions {
    RunOptions::default()
        .artifacts_dir("examples/artifacts")
        .size(40, 8)
}

/// Starts the program with two tasks; returns the file of the tasks, which is in the test's
/// artifacts folder. The folder is empty at the start of each test.
fn launch(tui: &Terminal) -> Result<PathBuf, Failure> {
    let file = tui.artifacts().join("tasks.txt");
    fs::write(&file, "[ ] buy milk\n[x] call Ada\n")?;
    tui.launch_and_wait(App::cargo_bin("todo")?.arg(&file), "1 of 2 done")?;
    Ok(file)
}

#[test]
fn a_task_is_added_and_saved() {
    tui_test(options(), "todo: add", |tui| {
        let file = launch(tui)?;
        tui.press("a")?;
        tui.wait_for_text("New task:")?;
        tui.submit("water the plants")?;
        let chosen = Styled::new().inverse();
        tui.expect_visible(Selector::exact("[ ] water the plants").and(chosen))?;
        tui.wait_for_text("1 of 3 done, saved")?;
        assert!(fs::read_to_string(file)?.ends_with("[ ] water the plants\n"));
        Ok(())
    });
}

#[test]
fn a_click_marks_a_task_as_done() {
    tui_test(options(), "todo: click", |tui| {
        launch(tui)?;
        let before = tui.mark()?;
        tui.click_selector("buy milk")?;
        let green = Styled::new().fg(Color::Indexed(2));
        tui.expect_visible(Selector::exact("[x] buy milk").and(green))?;
        tui.wait_for_text("2 of 2 done, saved")?;
        // Text that was visible for less than a millisecond is found.
        tui.saw("2 of 2 done, saving", before)?;
        tui.never("0 of 2 done", before)?;
        Ok(())
    });
}

#[test]
fn the_help_stays_centred_and_the_exit_is_clean() {
    tui_test(options(), "todo: help", |tui| {
        launch(tui)?;
        tui.press("?")?;
        tui.expect_snapshot("help")?;
        tui.resize(Size { cols: 60, rows: 10 })?;
        tui.expect_snapshot("help, wider")?;
        tui.press("Esc")?;
        tui.expect_not_visible("Help")?;
        tui.press("q")?;
        assert!(tui.wait_for_exit()?.success());
        Ok(())
    });
}
