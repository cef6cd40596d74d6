//! nano: an editor with a title, help lines and a question on exit.

use screentest::core::{Condition, Key, Position};
use screentest::{ExitStatus, Failure, Terminal};

use super::{inverse, line, program};
use crate::harness::sandbox::Sandbox;

/// Runs nano on a new file and waits until it is completely drawn.
#[track_caller]
fn nano(sandbox: &Sandbox, body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    let app = program(sandbox, "nano", "nano").args(["--ignorercfiles", "notes.txt"]);
    sandbox.run(|tui| {
        tui.launch(app)?;
        tui.wait_for(Condition::all([
            Condition::text("^X Exit"),
            Condition::text("[ New File ]"),
            cursor(1, 0),
        ]))?;
        body(tui)
    });
}

/// Holds if the cursor is at this position. The text begins in the second row, below the title.
fn cursor(row: usize, col: usize) -> Condition {
    Condition::CursorAt(Position { row, col })
}

#[test]
fn the_title_and_the_help_keys_are_inverse() {
    nano(&Sandbox::new(), |tui| {
        let screen = tui.current_view()?;
        assert!(line(&screen, 0).contains("GNU nano"), "{screen}");
        assert!(line(&screen, 0).contains("notes.txt"), "{screen}");
        assert_eq!(inverse(&screen, 0), "#".repeat(80));
        for row in [22, 23] {
            // Six columns of help, each with a key of two characters and its description.
            assert_eq!(inverse(&screen, row), keys(line(&screen, row)), "{screen}");
            assert_eq!(line(&screen, row).matches('^').count(), 6, "{screen}");
        }
        Ok(())
    });
}

/// Returns which cells of a help line are keys: a `^` and a character each.
fn keys(line: &str) -> String {
    let mut marks = ".".repeat(line.len());
    for (col, _) in line.match_indices('^') {
        marks.replace_range(col..col + 2, "##");
    }
    marks.trim_end_matches('.').to_owned()
}

#[test]
fn typed_text_is_shown_and_marks_the_file_as_modified() {
    nano(&Sandbox::new(), |tui| {
        tui.type_text("some words")?;
        let screen = tui.wait_for(Condition::all([
            Condition::text("some words"),
            Condition::text("Modified"),
            cursor(1, 10),
        ]))?;
        assert_eq!(line(&screen, 1), "some words");
        assert!(line(&screen, 0).ends_with("Modified"), "{screen}");
        Ok(())
    });
}

#[test]
fn the_cursor_moves_and_text_is_edited_at_its_position() {
    nano(&Sandbox::new(), |tui| {
        tui.send_line("one")?;
        tui.type_text("three")?;
        tui.wait_for(cursor(2, 5))?;
        tui.press(Key::Up)?;
        tui.wait_for(cursor(1, 3))?;
        tui.press(Key::Home)?;
        tui.wait_for(cursor(1, 0))?;
        tui.press(Key::Right)?;
        tui.wait_for(cursor(1, 1))?;
        tui.press(Key::Delete)?;
        tui.press(Key::Backspace)?;
        let screen = tui.wait_for(Condition::all([
            Condition::text("\ne\nthree\n"),
            cursor(1, 0),
        ]))?;
        assert_eq!((line(&screen, 1), line(&screen, 2)), ("e", "three"));
        // The line disappears, and the lines below move up.
        tui.press("Ctrl+K")?;
        let moved_up = Condition::new("the second line as the first", |screen| {
            line(screen, 1) == "three" && line(screen, 2).is_empty()
        });
        tui.wait_for(Condition::all([moved_up, cursor(1, 0)]))?;
        Ok(())
    });
}

#[test]
fn exiting_asks_whether_to_save() {
    let sandbox = Sandbox::new();
    nano(&sandbox, |tui| {
        tui.type_text("some words")?;
        tui.wait_for("Modified")?;
        tui.press("Ctrl+X")?;
        let asked = Condition::all(["Save modified buffer?", " Y Yes", " N No", "^C Cancel"]);
        let screen = tui.wait_for(asked)?;
        assert_eq!(line(&screen, 1), "some words");
        tui.press('n')?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        assert!(!tui.current_view()?.modes.alternate_screen);
        Ok(())
    });
    assert!(!sandbox.path().join("notes.txt").exists());
}

#[test]
fn saved_text_is_in_the_file() {
    let sandbox = Sandbox::new();
    nano(&sandbox, |tui| {
        tui.type_text("some words")?;
        tui.press("Ctrl+X")?;
        tui.wait_for_text("Save modified buffer?")?;
        tui.press('y')?;
        tui.wait_for_text("File Name to Write: notes.txt")?;
        tui.press(Key::Enter)?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        Ok(())
    });
    let saved = std::fs::read_to_string(sandbox.path().join("notes.txt")).unwrap();
    assert_eq!(saved, "some words\n");
}
