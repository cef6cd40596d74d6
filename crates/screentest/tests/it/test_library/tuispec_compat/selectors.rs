//! Selectors.

use screentest::WaitOptions;
use screentest::core::{Position, Rect, Selector};

use super::{SHORT_TIMEOUT, showing, timed_out};

const MENU: &str = "[ Save ]  [ Quit ]\n  Task 1\n  Task 2\n";

/// Checks what a selector finds in [`MENU`], and where; `None` if it finds nothing.
#[track_caller]
fn check(selector: impl Into<Selector>, found: Option<(&str, usize, usize)>) {
    let selector = selector.into();
    showing(MENU, |tui| {
        let tui = match found {
            Some(_) => tui.clone(),
            None => tui.with(WaitOptions::timeout(SHORT_TIMEOUT)),
        };
        let waited = tui.wait_for_selector(&selector);
        match found {
            Some((text, row, col)) => {
                let waited = waited?;
                assert_eq!(waited.text(), text);
                assert_eq!(waited.position(), Position { row, col });
                tui.expect_visible(&selector)?;
            }
            None => {
                assert!(timed_out(waited));
                tui.expect_not_visible(&selector)?;
            }
        }
        Ok(())
    });
}

fn rect(row: usize, col: usize, rows: usize, cols: usize) -> Rect {
    Rect {
        row,
        col,
        rows,
        cols,
    }
}

#[test]
fn exact_matches_letter_for_letter() {
    check("Save", Some(("Save", 0, 2)));
    check("[ Quit ]", Some(("[ Quit ]", 0, 10)));
    check("save", None);
}

#[test]
fn regex_supports_only_alternation_and_wildcards() {
    check(Selector::pattern("Open|Quit"), Some(("Quit", 0, 12)));
    check(Selector::pattern("Sa.*it"), Some(("Save ]  [ Quit", 0, 2)));
    // Parentheses are dropped, so the alternatives are `Open` and `Save ]`. All other characters
    // are literal.
    check(Selector::pattern("(Open|Save) ]"), Some(("Save ]", 0, 2)));
    check(Selector::pattern("Sa.e"), None);
}

#[test]
fn at_matches_the_character_of_a_cell() {
    check(Selector::at(Position { row: 1, col: 2 }), Some(("T", 1, 2)));
    check(Selector::at(Position { row: 1, col: 0 }), None);
}

#[test]
fn within_searches_a_rectangle() {
    let task = || Selector::exact("Task");
    check(task().within(rect(2, 0, 1, 20)), Some(("Task", 2, 2)));
    check(task().within(rect(0, 0, 1, 20)), None);
    // Positions inside are relative to its first cell.
    let at = Selector::at(Position { row: 0, col: 0 });
    check(at.within(rect(1, 2, 1, 9)), Some(("T", 1, 2)));
}

#[test]
fn nth_counts_from_0() {
    check(Selector::exact("Task").nth(0), Some(("Task", 1, 2)));
    check(Selector::exact("Task").nth(1), Some(("Task", 2, 2)));
    check(Selector::exact("Task").nth(2), None);
}

#[test]
fn a_position_outside_the_screen_is_an_error_at_once() {
    showing(MENU, |tui| {
        let beyond = Selector::at(Position { row: 99, col: 0 });
        let error = tui.wait_for_selector(beyond).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`row 100, column 1` is outside the searched area of 80x24 cells"
        );
        Ok(())
    });
}
