//! vim: an editor on the alternate screen that asks the terminal many questions.

use screentest::core::{Condition, Key, Position};
use screentest::{Outcome, Session};

use super::{Home, SOON, line, size};

/// No settings of anybody's and no files left. Not as vi was (`-N`): vi takes an answer of the terminal that arrives
/// while text is inserted for the Escape key and commands.
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

/// An empty vim, fully drawn.
fn vim(home: &Home) -> Session {
    let app = home.app("vim").args(PLAIN);
    let session = home.start(&app, "vim");
    session.wait_for("VIM - Vi IMproved", SOON).unwrap();
    session
}

fn cursor(row: usize, col: usize) -> Condition {
    Condition::CursorAt(Position { row, col })
}

#[test]
fn empty_rows_are_marked_with_tildes() {
    let home = Home::new();
    let session = vim(&home);
    let screen = session.screen();
    assert!(screen.modes.alternate_screen);
    assert_eq!(line(&screen, 0), "");
    for row in 1..23 {
        assert!(line(&screen, row).starts_with('~'), "row {row}:\n{screen}");
    }
}

#[test]
fn a_typed_word_stands_there_with_the_cursor_behind_it() {
    let home = Home::new();
    let session = vim(&home);
    session.type_text("ihello").unwrap();
    let typed = Condition::all([Condition::text("hello"), cursor(0, 5)]);
    let screen = session.wait_for(typed, SOON).unwrap();
    assert_eq!(line(&screen, 0), "hello");
    assert_eq!(line(&screen, 1), "~");
    session.press(Key::Esc).unwrap();
    // Leaving insert mode puts the cursor back onto the last letter.
    session.wait_for(cursor(0, 4), SOON).unwrap();
}

#[test]
fn a_long_line_is_laid_out_again_after_a_resize() {
    let home = Home::new();
    let session = vim(&home);
    let text = "0123456789".repeat(5);
    session.type_text("i").unwrap();
    session.type_text(&text).unwrap();
    session.wait_for(cursor(0, 50), SOON).unwrap();

    session.resize(size(20, 10)).unwrap();
    // 50 characters are two rows of 20 and one of 10; below the text, tildes up to the last row, which is vim's own.
    let screen = session
        .wait_for(
            Condition::all([cursor(2, 10), Condition::text("~\n~\n~\n~\n~\n~\n")]),
            SOON,
        )
        .unwrap();
    assert_eq!(screen.size, size(20, 10));
    assert_eq!(line(&screen, 0), "01234567890123456789");
    assert_eq!(line(&screen, 2), "0123456789");
    assert_eq!(line(&screen, 3), "~");
    assert_eq!(line(&screen, 8), "~");

    session.resize(size(60, 10)).unwrap();
    let screen = session.wait_for(cursor(0, 50), SOON).unwrap();
    assert_eq!(line(&screen, 0), text);
}

#[test]
fn quitting_ends_it_and_leaves_the_alternate_screen() {
    let home = Home::new();
    let script = ["-c", "echo before; vim \"$@\"; echo after", "sh"];
    let session = home.start(&home.app("sh").args(script).args(PLAIN), "vim");
    session.wait_for("VIM - Vi IMproved", SOON).unwrap();
    assert!(!session.screen().contains("before"));
    session.type_text("ihello").unwrap();
    session.wait_for("hello", SOON).unwrap();
    session.press(Key::Esc).unwrap();
    session.type_text(":q!").unwrap();
    session.press(Key::Enter).unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    let screen = session.screen();
    assert!(!screen.modes.alternate_screen);
    assert_eq!(screen.picture(), "before\nafter\n|\n");
}

#[test]
fn leaving_gives_the_terminal_back_as_it_was() {
    let home = Home::new();
    let session = vim(&home);
    assert!(!session.leftovers().is_empty());
    session.type_text(":q\r").unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    assert_eq!(session.leftovers(), []);
}
