//! nano: an editor with a title, help lines and a question before it leaves.

use screentest::core::{Condition, Key, Position};
use screentest::{ExitStatus, Failure, Terminal};

use super::{inverse, line, program};
use crate::desk::Desk;

/// Runs nano with a new file, fully drawn.
#[track_caller]
fn nano(desk: &Desk, body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    let app = program(desk, "nano", "nano").args(["--ignorercfiles", "notes.txt"]);
    desk.run(|tui| {
        tui.launch(app)?;
        tui.wait_for(Condition::all([
            Condition::text("^X Exit"),
            Condition::text("[ New File ]"),
            cursor(1, 0),
        ]))?;
        body(tui)
    });
}

/// The text begins in the second row, below the title.
fn cursor(row: usize, col: usize) -> Condition {
    Condition::CursorAt(Position { row, col })
}

#[test]
fn the_title_and_the_keys_are_inverse() {
    nano(&Desk::new(), |tui| {
        let screen = tui.current_view()?;
        assert!(line(&screen, 0).contains("GNU nano"), "{screen}");
        assert!(line(&screen, 0).contains("notes.txt"), "{screen}");
        assert_eq!(inverse(&screen, 0), "#".repeat(80));
        for row in [22, 23] {
            // Six columns of help, each a key of two characters and what it does.
            assert_eq!(inverse(&screen, row), keys(line(&screen, row)), "{screen}");
            assert_eq!(line(&screen, row).matches('^').count(), 6, "{screen}");
        }
        Ok(())
    });
}

/// Which cells of a line of help are keys, each a `^` and a character.
fn keys(line: &str) -> String {
    let mut marks = ".".repeat(line.len());
    for (col, _) in line.match_indices('^') {
        marks.replace_range(col..col + 2, "##");
    }
    marks.trim_end_matches('.').to_owned()
}

#[test]
fn typed_text_is_shown_and_marks_the_file_as_modified() {
    nano(&Desk::new(), |tui| {
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
fn the_cursor_moves_and_text_is_changed_where_it_is() {
    nano(&Desk::new(), |tui| {
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
        // A line that is cut goes from the screen, and those below move up.
        tui.press("Ctrl+K")?;
        let moved_up = Condition::new("the second line as the first", |screen| {
            line(screen, 1) == "three" && line(screen, 2).is_empty()
        });
        tui.wait_for(Condition::all([moved_up, cursor(1, 0)]))?;
        Ok(())
    });
}

#[test]
fn leaving_asks_whether_to_save() {
    let desk = Desk::new();
    nano(&desk, |tui| {
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
    assert!(!desk.path().join("notes.txt").exists());
}

#[test]
fn what_was_saved_is_in_the_file() {
    let desk = Desk::new();
    nano(&desk, |tui| {
        tui.type_text("some words")?;
        tui.press("Ctrl+X")?;
        tui.wait_for_text("Save modified buffer?")?;
        tui.press('y')?;
        tui.wait_for_text("File Name to Write: notes.txt")?;
        tui.press(Key::Enter)?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        Ok(())
    });
    let saved = std::fs::read_to_string(desk.path().join("notes.txt")).unwrap();
    assert_eq!(saved, "some words\n");
}
