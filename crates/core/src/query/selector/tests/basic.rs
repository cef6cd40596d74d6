//! Tests of text, cell, rectangle and `nth`, alone and combined.

use super::screens::{check, screen};
use crate::{Position, Rect, Selector};

const MENU: &str = "Task 1\r\n  Task 2\r\nDone: Task 3";

#[test]
fn exact_finds_text() {
    let menu = screen(20, 4, MENU);
    check(&menu, "Done", &["2:0-4 \"Done\""]);
    check(&menu, "done", &[]);
    let each = ["0:0-4 \"Task\"", "1:2-6 \"Task\"", "2:6-10 \"Task\""];
    check(&menu, "Task", &each);
}

#[test]
fn exact_does_not_find_the_same_cells_twice() {
    check(
        &screen(9, 1, "aaaaa"),
        "aa",
        &["0:0-2 \"aa\"", "0:2-4 \"aa\""],
    );
}

#[test]
fn exact_spans_rows_at_line_ends() {
    let menu = screen(20, 4, MENU);
    check(&menu, "1\n  Task", &["0:5-6 1:0-6 \"1\\n  Task\""]);
    // The text before a line end must end a row, and the text after it begin one, as for
    // `Screen::find`.
    check(&menu, "Task\n  Task", &[]);
    check(&menu, "1\nTask", &[]);
    check(&menu, "3\n", &["2:11-12 3:0-0 \"3\\n\""]);
    check(&menu, "3\n\n", &[]);
    let gap = screen(6, 3, "a\r\n\r\nb");
    check(&gap, "a\n\nb", &["0:0-1 1:0-0 2:0-1 \"a\\n\\nb\""]);
    check(&gap, "\nb", &["1:0-0 2:0-1 \"\\nb\""]);
    check(&gap, "\n", &["0:1-1 1:0-0 \"\\n\"", "1:0-0 2:0-0 \"\\n\""]);
}

#[test]
fn exact_matches_unwritten_cells_as_spaces_at_a_line_end() {
    let prompt = screen(8, 3, "user$");
    check(&prompt, "$ ", &["0:4-6 \"$ \""]);
    check(&prompt, "$   ", &["0:4-8 \"$   \""]);
    check(&prompt, "$    ", &[]);
    check(&prompt, "$ x", &[]);
    check(&prompt, "$  \n  \n", &["0:4-5 1:0-0 2:0-0 \"$\\n\\n\""]);
    // Once per row, wherever there are enough blank cells.
    check(
        &prompt,
        "  ",
        &["0:5-7 \"  \"", "1:0-2 \"  \"", "2:0-2 \"  \""],
    );
    // Blank cells inside the rectangle match, those outside do not.
    let narrow = |text: &str| Selector::exact(text).within(rect(0, 1, 0, 6));
    check(&prompt, narrow("$ "), &["0:4-6 \"$ \""]);
    check(&prompt, narrow("$  "), &[]);
}

#[test]
fn the_empty_text_is_found_without_cells() {
    check(&screen(4, 1, "ab"), "", &["0:0-0 \"\""]);
    check(&screen(4, 1, ""), "", &["0:0-0 \"\""]);
}

#[test]
fn at_finds_only_cells_that_are_not_blank() {
    let menu = screen(20, 4, MENU);
    let at = |row, col| Selector::at(Position { row, col });
    check(&menu, at(1, 2), &["1:2-3 \"T\""]);
    check(&menu, at(1, 1), &[]);
    check(&menu, at(3, 0), &[]);
    check(&menu, at(9, 0), &[]);
    check(&menu, at(usize::MAX, usize::MAX), &[]);
}

const fn rect(row: usize, rows: usize, col: usize, cols: usize) -> Rect {
    Rect {
        row,
        col,
        rows,
        cols,
    }
}

#[test]
fn within_searches_only_the_rectangle() {
    let menu = screen(20, 4, MENU);
    let task = |rect| Selector::exact("Task").within(rect);
    check(&menu, task(rect(1, 1, 0, 20)), &["1:2-6 \"Task\""]);
    check(&menu, task(rect(0, 4, 2, 4)), &["1:2-6 \"Task\""]);
    check(&menu, task(rect(0, 4, 3, 4)), &[]);
    check(&menu, task(Rect::across(2..9)), &["2:6-10 \"Task\""]);
}

#[test]
fn within_reads_the_rectangle_as_a_screen_of_its_own() {
    let framed = screen(20, 4, "+------+\r\n| Save |\r\n| Exit |\r\n+------+");
    let inner = rect(1, 2, 2, 5);
    // Blank cells before the frame are trailing spaces of a row: the text may contain them, but
    // need not.
    let both = ["1:2-6 2:2-6 \"Save\\nExit\""];
    check(&framed, Selector::exact("Save\nExit").within(inner), &both);
    let blank = Selector::exact("Exit ").within(inner);
    check(&framed, blank, &["2:2-7 \"Exit \""]);
    let at = |row, col| Selector::at(Position { row, col });
    check(&framed, at(1, 3).within(inner), &["2:5-6 \"t\""]);
    check(&framed, at(1, 5).within(inner), &[]);
    let corner = at(0, 0).within(rect(1, 1, 1, 1)).within(inner);
    check(&framed, corner, &["2:3-4 \"x\""]);
    let nothing = Selector::exact("").within(inner);
    check(&framed, nothing, &["1:2-2 \"\""]);
}

#[test]
fn nth_counts_from_zero() {
    let menu = screen(20, 4, MENU);
    let nth = |index| Selector::exact("Task").nth(index);
    check(&menu, nth(0), &["0:0-4 \"Task\""]);
    check(&menu, nth(2), &["2:6-10 \"Task\""]);
    check(&menu, nth(3), &[]);
    check(
        &menu,
        nth(1).within(Rect::across(1..3)),
        &["2:6-10 \"Task\""],
    );
    check(&menu, nth(1).nth(0), &["1:2-6 \"Task\""]);
    check(&menu, nth(1).nth(1), &[]);
}
