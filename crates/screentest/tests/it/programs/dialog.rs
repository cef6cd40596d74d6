//! dialog: boxes of joined lines, with one button chosen.

use std::ops::Range;

use screentest::core::{Color, Condition, Key, Position, Screen};
use screentest::{App, Outcome, Session};

use super::{Home, SOON, inverse};

const BOX: &str = "\
┌────────────────────────────┐
│ Shall we?                  │
│                            │
│                            │
├────────────────────────────┤
│     < Yes >   < No  >      │
└────────────────────────────┘";

const YES: &str = "< Yes >";
const NO: &str = "< No  >";

/// A terminal with colours, and one without, which dialog knows by the name of its kind.
const COLOURS: &str = "xterm-256color";
const NO_COLOURS: &str = "vt220";

/// A question of yes and no.
fn question(home: &Home, term: &str) -> App {
    let app = home.app("dialog").env("TERM", term);
    app.args(["--yesno", "Shall we?", "7", "30"])
}

/// Starts it and waits until it is fully drawn.
fn dialog(home: &Home, app: &App) -> Session {
    let session = home.start(app, "dialog");
    // The cursor is where it belongs before the question is drawn.
    let drawn = Condition::all([chosen(YES), Condition::text("Shall we?")]);
    session.wait_for(drawn, SOON).unwrap();
    session
}

/// The cursor is on the first letter of a button, and both are there.
fn chosen(button: &'static str) -> Condition {
    Condition::new(format!("{button} chosen"), move |screen| {
        let cursor = screen.cursor.position;
        let letter = screen.find(button).map(|Position { row, col }| Position {
            row,
            col: col + "< ".len(),
        });
        letter == Some(cursor) && screen.contains(YES) && screen.contains(NO)
    })
}

/// What stands in the box, edges included.
fn in_box(screen: &Screen) -> String {
    let corner = screen.find("┌").unwrap_or_default();
    let rows = screen.rows[corner.row..].iter().take(7).map(|row| {
        let cells = (corner.col..corner.col + 30).map(|col| row.cell(col).char());
        cells.collect::<String>()
    });
    rows.collect::<Vec<String>>().join("\n")
}

#[test]
fn corners_are_joined() {
    let home = Home::new();
    let session = dialog(&home, &question(&home, COLOURS));
    assert_eq!(in_box(&session.screen()), BOX);
}

#[test]
fn corners_are_joined_where_a_terminal_draws_them_from_its_second_set() {
    let home = Home::new();
    // Without UTF-8 the lines are letters, shown as lines after a switch of character sets.
    let app = question(&home, NO_COLOURS).env("LANG", "C");
    let session = dialog(&home, &app);
    assert_eq!(in_box(&session.screen()), BOX);
}

#[test]
fn the_chosen_button_is_white_on_blue_and_tab_moves_that() {
    let home = Home::new();
    let session = dialog(&home, &question(&home, COLOURS));
    let check = |screen: &Screen, blue: &str, white: &str| {
        assert_eq!(
            backgrounds(screen, blue),
            [Color::Indexed(4); 7],
            "{screen}"
        );
        assert_eq!(
            backgrounds(screen, white),
            [Color::Indexed(7); 7],
            "{screen}"
        );
    };
    check(&session.screen(), YES, NO);
    session.press(Key::Tab).unwrap();
    check(&session.wait_for(chosen(NO), SOON).unwrap(), NO, YES);
    session.press(Key::Tab).unwrap();
    check(&session.wait_for(chosen(YES), SOON).unwrap(), YES, NO);
}

fn backgrounds(screen: &Screen, button: &str) -> Vec<Color> {
    let Position { row, col } = screen.find(button).unwrap();
    let cells = (col..col + button.len()).map(|col| screen.cell(Position { row, col }));
    cells.map(|cell| cell.style.bg).collect()
}

#[test]
fn without_colours_the_box_is_inverse_around_its_buttons() {
    let home = Home::new();
    let session = dialog(&home, &question(&home, NO_COLOURS));
    let check = |screen: &Screen| {
        let Position { row, col: yes } = screen.find(YES).unwrap();
        let no = screen.find(NO).unwrap().col;
        let left = screen.find("└").unwrap().col;
        let right = screen.find("┘").unwrap().col + 1;
        let around = |cols: Range<usize>| "#".repeat(cols.len());
        let marks = [
            ".".repeat(left),
            around(left..yes),
            ".".repeat(YES.len()),
            around(yes + YES.len()..no),
            ".".repeat(NO.len()),
            around(no + NO.len()..right),
        ];
        assert_eq!(inverse(screen, row), marks.concat(), "{screen}");
    };
    check(&session.screen());
    session.press(Key::Tab).unwrap();
    check(&session.wait_for(chosen(NO), SOON).unwrap());
}

#[test]
fn the_answer_is_the_exit_code() {
    for (keys, code) in [(&[][..], 0), (&[Key::Tab][..], 1)] {
        let home = Home::new();
        let session = dialog(&home, &question(&home, COLOURS));
        for key in keys {
            session.press(*key).unwrap();
        }
        session.press(Key::Enter).unwrap();
        assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(code));
    }
}
