//! dialog: boxes drawn with lines, and two buttons.

use std::ops::Range;

use screentest::core::{Color, Condition, Key, Position, Screen};
use screentest::{App, ExitStatus, Failure, Terminal};

use super::{inverse, program};
use crate::harness::sandbox::Sandbox;

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

/// Values of TERM: a terminal with colours and one without.
const COLOURS: &str = "xterm-256color";
const NO_COLOURS: &str = "vt220";

/// Returns a dialog with a yes/no question.
fn question(sandbox: &Sandbox, term: &str) -> App {
    let app = program(sandbox, "dialog", "dialog").env("TERM", term);
    app.args(["--yesno", "Shall we?", "7", "30"])
}

/// Starts the dialog and waits until it is completely drawn.
#[track_caller]
fn ask(sandbox: &Sandbox, app: App, body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    sandbox.run(|tui| {
        tui.launch(app)?;
        // dialog places the cursor before it draws the question.
        tui.wait_for(Condition::all([chosen(YES), Condition::text("Shall we?")]))?;
        body(tui)
    });
}

/// Holds if both buttons are shown and the cursor is on the first letter of this one.
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

/// Returns the contents of the box, including its edges.
fn in_box(screen: &Screen) -> String {
    let corner = screen.find("┌").unwrap_or_default();
    let rows = screen.rows[corner.row..].iter().take(7).map(|row| {
        let cells = (corner.col..corner.col + 30).map(|col| row.cell(col).char());
        cells.collect::<String>()
    });
    rows.collect::<Vec<String>>().join("\n")
}

#[test]
fn box_lines_are_joined() {
    let sandbox = Sandbox::new();
    ask(&sandbox, question(&sandbox, COLOURS), |tui| {
        assert_eq!(in_box(&tui.current_view()?), BOX);
        Ok(())
    });
}

#[test]
fn box_lines_from_the_line_drawing_charset_are_joined() {
    let sandbox = Sandbox::new();
    // Without UTF-8, dialog draws lines as letters of the DEC line drawing charset.
    let app = question(&sandbox, NO_COLOURS).env("LANG", "C");
    ask(&sandbox, app, |tui| {
        assert_eq!(in_box(&tui.current_view()?), BOX);
        Ok(())
    });
}

#[test]
fn tab_moves_the_highlight_between_buttons() {
    let sandbox = Sandbox::new();
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
    ask(&sandbox, question(&sandbox, COLOURS), |tui| {
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
fn without_colours_the_box_is_inverse_except_for_its_buttons() {
    let sandbox = Sandbox::new();
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
    ask(&sandbox, question(&sandbox, NO_COLOURS), |tui| {
        check(&tui.current_view()?);
        tui.press(Key::Tab)?;
        check(&tui.wait_for(chosen(NO))?);
        Ok(())
    });
}

#[test]
fn the_chosen_button_sets_the_exit_code() {
    for (keys, code) in [(&[][..], 0), (&[Key::Tab][..], 1)] {
        let sandbox = Sandbox::new();
        ask(&sandbox, question(&sandbox, COLOURS), |tui| {
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
fn arrows_in_a_menu_redraw_only_two_rows() {
    let sandbox = Sandbox::new();
    let app = program(&sandbox, "dialog", "dialog").args([
        "--menu", "Which?", "12", "30", "3", "a", "Apples", "b", "Bananas", "c", "Cherries",
    ]);
    // The selected row of a menu is blue.
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
    sandbox.run(|tui| {
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
        // Unchanged text is not redrawn, so it never disappears.
        tui.never(!Condition::text("Which?"), mark)?;
        tui.press(Key::Esc)?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(255));
        Ok(())
    });
}
