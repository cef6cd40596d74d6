//! dialog: boxes of joined lines, with one button chosen.

use std::ops::Range;

use screentest::core::{Color, Condition, Key, Position, Screen};
use screentest::{App, ExitStatus, Failure, Terminal};

use super::{inverse, program};
use crate::desk::Desk;

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
fn question(desk: &Desk, term: &str) -> App {
    let app = program(desk, "dialog", "dialog").env("TERM", term);
    app.args(["--yesno", "Shall we?", "7", "30"])
}

/// Asks it and waits until it is fully drawn.
#[track_caller]
fn ask(desk: &Desk, app: App, body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    desk.run(|tui| {
        tui.launch(app)?;
        // The cursor is where it belongs before the question is drawn.
        tui.wait_for(Condition::all([chosen(YES), Condition::text("Shall we?")]))?;
        body(tui)
    });
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
    let desk = Desk::new();
    ask(&desk, question(&desk, COLOURS), |tui| {
        assert_eq!(in_box(&tui.current_view()?), BOX);
        Ok(())
    });
}

#[test]
fn corners_are_joined_where_a_terminal_draws_them_from_its_second_set() {
    let desk = Desk::new();
    // Without UTF-8 the lines are letters, shown as lines after a switch of character sets.
    let app = question(&desk, NO_COLOURS).env("LANG", "C");
    ask(&desk, app, |tui| {
        assert_eq!(in_box(&tui.current_view()?), BOX);
        Ok(())
    });
}

#[test]
fn the_chosen_button_is_white_on_blue_and_tab_moves_that() {
    let desk = Desk::new();
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
    ask(&desk, question(&desk, COLOURS), |tui| {
        check(&tui.current_view()?, YES, NO);
        tui.press(Key::Tab)?;
        check(&tui.wait_for(chosen(NO))?, NO, YES);
        tui.press(Key::Tab)?;
        check(&tui.wait_for(chosen(YES))?, YES, NO);
        Ok(())
    });
}

fn backgrounds(screen: &Screen, button: &str) -> Vec<Color> {
    let Position { row, col } = screen.find(button).unwrap();
    let cells = (col..col + button.len()).map(|col| screen.cell(Position { row, col }));
    cells.map(|cell| cell.style.bg).collect()
}

#[test]
fn without_colours_the_box_is_inverse_around_its_buttons() {
    let desk = Desk::new();
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
    ask(&desk, question(&desk, NO_COLOURS), |tui| {
        check(&tui.current_view()?);
        tui.press(Key::Tab)?;
        check(&tui.wait_for(chosen(NO))?);
        Ok(())
    });
}

#[test]
fn the_answer_is_the_exit_code() {
    for (keys, code) in [(&[][..], 0), (&[Key::Tab][..], 1)] {
        let desk = Desk::new();
        ask(&desk, question(&desk, COLOURS), |tui| {
            for key in keys {
                tui.press(*key)?;
            }
            tui.press(Key::Enter)?;
            assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(code));
            Ok(())
        });
    }
}

#[test]
fn arrows_move_through_a_menu_and_only_two_rows_change() {
    let desk = Desk::new();
    let app = program(&desk, "dialog", "dialog").args([
        "--menu", "Which?", "12", "30", "3", "a", "Apples", "b", "Bananas", "c", "Cherries",
    ]);
    // The chosen row of a menu is the blue one.
    let chosen = |row: &'static str| {
        Condition::new(format!("{row} chosen"), move |screen| {
            let is_blue = |text| {
                let found = screen.find(text);
                found.is_some_and(|place| screen.cell(place).style.bg == Color::Indexed(4))
            };
            ["Apples", "Bananas", "Cherries"]
                .into_iter()
                .all(|text| is_blue(text) == (text == row))
        })
    };
    desk.run(|tui| {
        tui.launch(app)?;
        tui.wait_for(Condition::all([
            chosen("Apples"),
            Condition::text("Cancel"),
        ]))?;
        let mark = tui.mark()?;
        tui.press(Key::Down)?;
        tui.wait_for(chosen("Bananas"))?;
        tui.press(Key::End)?;
        tui.wait_for(chosen("Cherries"))?;
        tui.press(Key::Up)?;
        tui.wait_for(chosen("Bananas"))?;
        // What does not change is not drawn anew, so it is never gone.
        tui.never(!Condition::text("Which?"), mark)?;
        tui.press(Key::Esc)?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(255));
        Ok(())
    });
}
