//! Tests of relations between matches, and of combined selectors.

use super::screens::{check, screen};
use crate::query::selector::Styled;
use crate::{Rect, Screen, Selector};

fn word() -> Selector {
    Selector::regex(r"\w+").unwrap()
}

fn bold() -> Selector {
    Selector::styled(Styled::new().bold())
}

fn text(text: &str) -> Selector {
    Selector::exact(text)
}

#[test]
fn and_keeps_matches_inside_the_other() {
    let menu = screen(20, 3, "Save\r\n\x1b[1m Save as\x1b[m\r\nSa\x1b[1mve\x1b[m");
    check(&menu, text("Save").and(bold()), &["1:1-5 \"Save\""]);
    check(
        &menu,
        text("ve").and(bold()),
        &["1:3-5 \"ve\"", "2:2-4 \"ve\""],
    );
    check(&menu, bold().and(text("Save")), &["2:2-4 \"ve\""]);
    // A match without cells contains nothing and is inside nothing.
    check(&menu, text("").and(bold()), &[]);
    let soft = screen(4, 3, "ab\x1b[1mcdef\x1b[mg");
    check(&soft, text("de").and(bold()), &["0:3-4 1:0-1 \"de\""]);
    check(&soft, text("fg").and(bold()), &[]);
}

#[test]
fn and_not_keeps_matches_that_share_no_cell() {
    let menu = screen(20, 3, "Save\r\n\x1b[1m Save as\x1b[m\r\nSa\x1b[1mve\x1b[m");
    check(&menu, text("Save").and_not(bold()), &["0:0-4 \"Save\""]);
    check(
        &menu,
        text("Sa").and_not(bold()),
        &["0:0-2 \"Sa\"", "2:0-2 \"Sa\""],
    );
    check(&menu, text("Sa").and_not("x").nth(2), &["2:0-2 \"Sa\""]);
}

#[test]
fn holding_keeps_matches_that_contain_the_other() {
    let menu = screen(20, 3, "\x1b[1m> Save as\x1b[m x\r\n\x1b[1mOpen\x1b[m Save");
    check(&menu, bold().holding("Save"), &["0:0-9 \"> Save as\""]);
    check(&menu, bold().holding("n S"), &[]);
    check(
        &menu,
        bold().holding(Selector::regex("^O").unwrap()),
        &["1:0-4 \"Open\""],
    );
}

#[test]
fn or_finds_either_in_reading_order() {
    let menu = screen(20, 2, "Save Open\r\nSave all");
    check(
        &menu,
        text("Open").or("Save"),
        &["0:0-4 \"Save\"", "0:5-9 \"Open\"", "1:0-4 \"Save\""],
    );
    // If matches share a cell, the earlier one is found. If they begin at the same cell, the match
    // of the first selector is found.
    check(
        &menu,
        text("Save all").or("Save").or("ll"),
        &["0:0-4 \"Save\"", "1:0-8 \"Save all\""],
    );
    check(&menu, text("ve O").or("Save").nth(0), &["0:0-4 \"Save\""]);
    check(&menu, Selector::Any(vec![]), &[]);
}

/// Labels and values:
/// ```text
/// Name: Ada   Age: 36
///       Bob        41
/// Name: Eve
/// ```
fn table() -> Screen {
    screen(
        20,
        4,
        "Name: Ada   Age: 36\r\n      Bob        41\r\nName: Eve",
    )
}

#[test]
fn right_of_is_after_the_end_in_the_same_row() {
    let table = table();
    check(&table, word().right_of("Age:"), &["0:17-19 \"36\""]);
    check(
        &table,
        word().right_of("Name:"),
        &[
            "0:6-9 \"Ada\"",
            "0:12-15 \"Age\"",
            "0:17-19 \"36\"",
            "2:6-9 \"Eve\"",
        ],
    );
    // The value of the second label.
    let second = word().right_of(text("Name:").nth(1));
    check(&table, second, &["2:6-9 \"Eve\""]);
    check(&table, word().right_of("none"), &[]);
    check(&table, text("Name").right_of("Name"), &[]);
    // After the end of a label that was wrapped, and touching it.
    let soft = screen(6, 3, "x label:y");
    check(&soft, text("y").right_of("label:"), &["1:2-3 \"y\""]);
    check(&soft, text("x").right_of("label:"), &[]);
}

#[test]
fn below_is_in_a_lower_row_with_a_common_column() {
    let table = table();
    check(
        &table,
        word().below("Ada"),
        &["1:6-9 \"Bob\"", "2:6-9 \"Eve\""],
    );
    check(&table, word().below("36"), &["1:17-19 \"41\""]);
    check(&table, word().below("Bob"), &["2:6-9 \"Eve\""]);
    check(&table, word().below("Eve"), &[]);
    // Adjacent columns are not common columns.
    let edge = screen(8, 2, "  ab\r\nyx  z");
    check(&edge, Selector::regex(r"\w").unwrap().below("ab"), &[]);
}

#[test]
fn left_of_is_before_the_start_in_the_same_row() {
    let table = table();
    check(&table, word().left_of("Ada"), &["0:0-4 \"Name\""]);
    check(&table, word().left_of("Name"), &[]);
    check(&table, word().left_of("none"), &[]);
}

#[test]
fn above_is_in_a_higher_row_with_a_common_column() {
    let table = table();
    check(&table, word().above("Bob"), &["0:6-9 \"Ada\""]);
    check(
        &table,
        word().above("Eve"),
        &["0:6-9 \"Ada\"", "1:6-9 \"Bob\""],
    );
    check(&table, word().above("Ada"), &[]);
    // Adjacent columns are not common columns.
    let edge = screen(8, 2, "yx  z\r\n  ab");
    check(&edge, Selector::regex(r"\w").unwrap().above("ab"), &[]);
}

#[test]
fn near_counts_cells_in_any_direction() {
    let grid = screen(9, 3, "a . b\r\n . x\r\nc   d");
    let letters = || Selector::regex("[a-d]").unwrap();
    check(&grid, letters().near(0, "x"), &[]);
    check(
        &grid,
        letters().near(1, "x"),
        &["0:4-5 \"b\"", "2:4-5 \"d\""],
    );
    check(
        &grid,
        letters().near(2, "x"),
        &["0:4-5 \"b\"", "2:4-5 \"d\""],
    );
    let three = ["0:0-1 \"a\"", "0:4-5 \"b\"", "2:0-1 \"c\"", "2:4-5 \"d\""];
    check(&grid, letters().near(3, "x"), &three);
    // Counted from the nearest cells, in the same row too; a match is not near itself.
    let row = screen(20, 1, "label  value");
    check(&row, text("value").near(2, "label"), &[]);
    check(&row, text("value").near(3, "label"), &["0:7-12 \"value\""]);
    check(&row, text("label").near(99, "label"), &[]);
}

#[test]
fn on_cursor_row_keeps_matches_in_the_cursors_row() {
    let prompt = screen(10, 4, "$ make\r\n$ make all and more\r\n\x1b[3;1H");
    assert_eq!(prompt.cursor.position.row, 2);
    check(&prompt, text("$").on_cursor_row(), &[]);
    check(&prompt, text("all").on_cursor_row(), &[]);
    // The line wrapped in the row above continues here.
    let both = ["1:7-10 2:0-4 \"all and\""];
    check(&prompt, text("all and").on_cursor_row(), &both);
    let hidden = screen(10, 4, "a\r\na\x1b[?25l");
    check(&hidden, text("a").on_cursor_row(), &["1:0-1 \"a\""]);
    let above = text("a").on_cursor_row().within(Rect::across(0..1));
    check(&hidden, above, &[]);
}

#[test]
fn a_rectangle_around_a_relation_restricts_both_sides() {
    let table = table();
    let right = Rect {
        row: 0,
        col: 6,
        rows: 4,
        cols: 14,
    };
    check(&table, word().right_of("Name:").within(right), &[]);
    let value = word().within(right).right_of("Name:");
    check(&table, value.nth(0), &["0:6-9 \"Ada\""]);
}

#[test]
fn positions_inside_a_relation_are_checked_too() {
    let outside = || text("a").within(Rect::across(9..10));
    let size = screen(4, 2, "").size;
    for selector in [
        text("b").or(outside()),
        text("b").near(1, outside()),
        outside().below("b"),
        outside().on_cursor_row(),
    ] {
        let error = selector.check(size).unwrap_err().to_string();
        assert_eq!(error, "`row 10` is outside the searched area of 4x2 cells");
    }
}
