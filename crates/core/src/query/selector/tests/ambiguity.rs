//! Tests of the ambiguity modes and of the error messages.

use super::screens::{screen, shown};
use crate::{Ambiguity, Position, Rect, Selector};

const TASKS: &str = "Task 1\r\n  Task 2\r\nTask 3";

/// The match, or the error's message.
fn resolved(selector: impl Into<Selector>, ambiguity: Ambiguity) -> String {
    let tasks = screen(20, 4, TASKS);
    match selector.into().resolve(&tasks, ambiguity) {
        Ok(found) => shown(&found),
        Err(error) => error.to_string(),
    }
}

#[test]
fn fail_lists_every_match() {
    assert_eq!(
        resolved("Task", Ambiguity::Fail),
        "text \"Task\" found 3 times: \"Task\" at row 1, column 1; \"Task\" at row 2, column 3; \
         \"Task\" at row 3, column 1"
    );
    assert_eq!(resolved("Task 2", Ambiguity::Fail), "1:2-8 \"Task 2\"");
    assert_eq!(Ambiguity::default(), Ambiguity::Fail);
}

#[test]
fn first_visible_match_is_the_first() {
    assert_eq!(resolved("Task", Ambiguity::First), "0:0-4 \"Task\"");
}

#[test]
fn last_visible_match_is_the_last() {
    assert_eq!(resolved("Task", Ambiguity::Last), "2:0-4 \"Task\"");
}

#[test]
fn at_and_nth_are_never_ambiguous() {
    let second = Selector::exact("Task").nth(1);
    assert_eq!(resolved(&second, Ambiguity::Fail), "1:2-6 \"Task\"");
    let at = Selector::at(Position { row: 0, col: 0 });
    assert_eq!(resolved(&at, Ambiguity::Fail), "0:0-1 \"T\"");
}

#[test]
fn the_error_names_the_selector_that_was_not_found() {
    for ambiguity in [Ambiguity::Fail, Ambiguity::First, Ambiguity::Last] {
        assert_eq!(resolved("Done", ambiguity), "text \"Done\" not found");
    }
    let within = Selector::exact("Task 3").within(Rect::across(0..2));
    assert_eq!(
        resolved(within.nth(2), Ambiguity::Fail),
        "nth 2 of (text \"Task 3\" within rows 1–2) not found"
    );
}

#[test]
fn the_error_names_a_position_outside_the_screen() {
    let rect = |row, col| Rect {
        row,
        col,
        rows: 2,
        cols: 10,
    };
    let text = Selector::exact("Task");
    let outside = |selector: Selector| resolved(selector, Ambiguity::First);
    assert_eq!(
        outside(text.clone().within(rect(4, 0))),
        "`rows 5–6, columns 1–10` is outside the searched area of 20x4 cells"
    );
    assert_eq!(
        outside(text.clone().within(rect(0, 20)).nth(1)),
        "`rows 1–2, columns 21–30` is outside the searched area of 20x4 cells"
    );
    assert_eq!(
        outside(Selector::at(Position { row: 9, col: 0 })),
        "`row 10, column 1` is outside the searched area of 20x4 cells"
    );
    // A position inside a rectangle counts from its first cell.
    let inner = Selector::at(Position { row: 0, col: 5 }).within(rect(3, 15));
    assert_eq!(
        outside(inner),
        "`row 1, column 6` is outside the searched area of 5x1 cells"
    );
    assert_eq!(
        outside(text.clone().within(Rect::across(1..1))),
        "`no rows` is outside the searched area of 20x4 cells"
    );
    // A rectangle that extends beyond the screen is partly on it.
    assert_eq!(outside(text.within(rect(0, 0))), "0:0-4 \"Task\"");
}
