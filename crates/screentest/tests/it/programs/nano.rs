//! nano: an editor with a title, help lines and a question before it leaves.

use screentest::core::{Condition, Key, Position};
use screentest::{Outcome, Session};

use super::{Home, SOON, inverse, line};

/// nano with a new file, fully drawn.
fn nano(home: &Home) -> Session {
    let app = home.app("nano").args(["--ignorercfiles", "notes.txt"]);
    let session = home.start(&app, "nano");
    let drawn = Condition::all([
        Condition::text("^X Exit"),
        Condition::text("[ New File ]"),
        Condition::CursorAt(Position { row: 1, col: 0 }),
    ]);
    session.wait_for(drawn, SOON).unwrap();
    session
}

#[test]
fn the_title_and_the_keys_are_inverse() {
    let home = Home::new();
    let session = nano(&home);
    let screen = session.screen();
    assert!(line(&screen, 0).contains("GNU nano"), "{screen}");
    assert!(line(&screen, 0).contains("notes.txt"), "{screen}");
    assert_eq!(inverse(&screen, 0), "#".repeat(80));
    for row in [22, 23] {
        // Six columns of help, each a key of two characters and what it does.
        assert_eq!(inverse(&screen, row), keys(line(&screen, row)), "{screen}");
        assert_eq!(line(&screen, row).matches('^').count(), 6, "{screen}");
    }
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
    let home = Home::new();
    let session = nano(&home);
    session.type_text("some words").unwrap();
    let typed = Condition::all([
        Condition::text("some words"),
        Condition::text("Modified"),
        Condition::CursorAt(Position { row: 1, col: 10 }),
    ]);
    let screen = session.wait_for(typed, SOON).unwrap();
    assert_eq!(line(&screen, 1), "some words");
    assert!(line(&screen, 0).ends_with("Modified"), "{screen}");
}

#[test]
fn leaving_asks_whether_to_save() {
    let home = Home::new();
    let session = nano(&home);
    session.type_text("some words").unwrap();
    session.wait_for("Modified", SOON).unwrap();
    session.press(Key::Char('x').ctrl()).unwrap();
    let asked = Condition::all(["Save modified buffer?", " Y Yes", " N No", "^C Cancel"]);
    let screen = session.wait_for(asked, SOON).unwrap();
    assert_eq!(line(&screen, 1), "some words");
    session.press(Key::Char('n')).unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    assert!(!session.screen().modes.alternate_screen);
    assert!(!home.0.path().join("notes.txt").exists());
}

#[test]
fn what_was_saved_is_in_the_file() {
    let home = Home::new();
    let session = nano(&home);
    session.type_text("some words").unwrap();
    session.press(Key::Char('x').ctrl()).unwrap();
    session.wait_for("Save modified buffer?", SOON).unwrap();
    session.press(Key::Char('y')).unwrap();
    session
        .wait_for("File Name to Write: notes.txt", SOON)
        .unwrap();
    session.press(Key::Enter).unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    let saved = std::fs::read_to_string(home.0.path().join("notes.txt")).unwrap();
    assert_eq!(saved, "some words\n");
}
