//! vim: an editor on the alternate screen that sends many queries to the terminal.

use screentest::core::{Condition, Key, Position};
use screentest::{ExitStatus, Failure, Terminal};

use super::{line, program, size};
use crate::harness::sandbox::Sandbox;

/// No user settings and no swap files. `-N` turns off vi compatibility: if a reply of the terminal
/// arrives in insert mode, a vi-compatible vim reads it as the Escape key followed by commands.
const PLAIN: [&str; 8] = [
    "-u",
    "NONE",
    "-N",
    "-i",
    "NONE",
    "-n",
    "--cmd",
    "set ttimeout ttimeoutlen=50",
];

/// Runs vim with an empty buffer and waits until it is completely drawn.
#[track_caller]
fn vim(body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    let sandbox = Sandbox::new();
    let app = program(&sandbox, "vim", "vim").args(PLAIN);
    sandbox.run(|tui| {
        tui.launch_and_wait(app, "VIM - Vi IMproved")?;
        body(tui)
    });
}

fn cursor(row: usize, col: usize) -> Condition {
    Condition::CursorAt(Position { row, col })
}

#[test]
fn empty_rows_are_marked_with_tildes() {
    vim(|tui| {
        let screen = tui.current_view()?;
        assert!(screen.modes.alternate_screen);
        assert_eq!(line(&screen, 0), "");
        for row in 1..23 {
            assert!(line(&screen, row).starts_with('~'), "row {row}:\n{screen}");
        }
        Ok(())
    });
}

#[test]
fn typed_text_is_shown_before_the_cursor() {
    vim(|tui| {
        tui.type_text("ihello")?;
        let screen = tui.wait_for(Condition::all([Condition::text("hello"), cursor(0, 5)]))?;
        assert_eq!(line(&screen, 0), "hello");
        assert_eq!(line(&screen, 1), "~");
        tui.press(Key::Esc)?;
        // Leaving insert mode moves the cursor back onto the last letter.
        tui.wait_for(cursor(0, 4))?;
        Ok(())
    });
}

#[test]
fn the_cursor_moves_and_lines_are_deleted_and_pasted() {
    vim(|tui| {
        tui.type_text("ione\ntwo\nthree")?;
        tui.wait_for(Condition::all([
            Condition::text("one\ntwo\nthree"),
            cursor(2, 5),
        ]))?;
        tui.press(Key::Esc)?;
        tui.wait_for(cursor(2, 4))?;
        tui.press('k')?;
        tui.wait_for(cursor(1, 2))?;
        tui.press(Key::Up)?;
        tui.wait_for(cursor(0, 2))?;
        tui.press('0')?;
        tui.wait_for(cursor(0, 0))?;
        tui.press(Key::Right)?;
        tui.wait_for(cursor(0, 1))?;
        tui.type_text("dd")?;
        tui.wait_for(Condition::all([
            Condition::text("two\nthree\n~"),
            cursor(0, 0),
        ]))?;
        tui.press('p')?;
        tui.wait_for(Condition::all([
            Condition::text("two\none\nthree\n~"),
            cursor(1, 0),
        ]))?;
        Ok(())
    });
}

#[test]
fn a_resize_reflows_a_long_line() {
    vim(|tui| {
        let text = "0123456789".repeat(5);
        tui.type_text("i")?;
        tui.type_text(&text)?;
        tui.wait_for(cursor(0, 50))?;

        tui.resize(size(20, 10))?;
        // 50 characters are two rows of 20 and one of 10. Below the text are tildes, up to the last
        // row, which is vim's command line.
        let tildes = Condition::text("~\n~\n~\n~\n~\n~\n");
        let screen = tui.wait_for(Condition::all([cursor(2, 10), tildes]))?;
        assert_eq!(screen.size, size(20, 10));
        assert_eq!(line(&screen, 0), "01234567890123456789");
        assert_eq!(line(&screen, 2), "0123456789");
        assert_eq!(line(&screen, 3), "~");
        assert_eq!(line(&screen, 8), "~");

        tui.resize(size(60, 10))?;
        let screen = tui.wait_for(cursor(0, 50))?;
        assert_eq!(line(&screen, 0), text);
        Ok(())
    });
}

#[test]
fn quitting_exits_and_leaves_the_alternate_screen() {
    let sandbox = Sandbox::new();
    program(&sandbox, "vim", "vim");
    let script = "echo before; vim \"$@\"; echo after";
    sandbox.run(|tui| {
        let app = sandbox.sh(script).arg("sh").args(PLAIN);
        tui.launch_and_wait(app, "VIM - Vi IMproved")?;
        tui.expect_not_visible("before")?;
        tui.type_text("ihello")?;
        tui.wait_for_text("hello")?;
        tui.press(Key::Esc)?;
        tui.send_line(":q!")?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        let screen = tui.current_view()?;
        assert!(!screen.modes.alternate_screen);
        assert_eq!(screen.picture(), "before\nafter\n|\n");
        Ok(())
    });
}

#[test]
fn quitting_restores_the_terminal() {
    vim(|tui| {
        assert!(!tui.session()?.leftovers().is_empty());
        tui.send_line(":q")?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        assert_eq!(tui.session()?.leftovers(), []);
        Ok(())
    });
}
