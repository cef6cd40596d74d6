//! Tests of wide characters, combining marks, wrapped lines and the edges of the screen.

use std::sync::Arc;

use super::screens::{check, screen};
use crate::screen::row::{LinkId, StyleId};
use crate::{Position, Rect, RowBuilder, Selector};

#[test]
fn a_wide_character_is_found_with_both_cells() {
    let wide = screen(10, 1, "a世界b");
    check(&wide, "世", &["0:1-3 \"世\""]);
    check(&wide, "界b", &["0:3-6 \"界b\""]);
    check(&wide, "b", &["0:5-6 \"b\""]);
    let at = |col| Selector::at(Position { row: 0, col });
    check(&wide, at(3), &["0:3-5 \"界\""]);
    check(&wide, at(4), &["0:3-5 \"界\""]);
}

#[test]
fn a_wide_character_half_outside_a_rectangle_is_outside() {
    let wide = screen(10, 1, "a世界b");
    let cut = |col, cols| Rect {
        row: 0,
        col,
        rows: 1,
        cols,
    };
    let text = |text: &str, rect| Selector::exact(text).within(rect);
    check(&wide, text("世", cut(0, 3)), &["0:1-3 \"世\""]);
    check(&wide, text("世", cut(0, 2)), &[]);
    check(&wide, text("世", cut(2, 8)), &[]);
    check(&wide, text("界", cut(2, 8)), &["0:3-5 \"界\""]);
    check(&wide, text("界", cut(4, 1)), &[]);
    let at = |col, rect| Selector::at(Position { row: 0, col }).within(rect);
    check(&wide, at(0, cut(2, 8)), &[]);
    check(&wide, at(1, cut(2, 8)), &["0:3-5 \"界\""]);
    check(&wide, at(1, cut(0, 2)), &[]);
}

#[test]
fn a_combining_mark_is_found_with_its_base_character() {
    let marked = screen(10, 1, "cafe\u{301} bar");
    check(&marked, "cafe\u{301}", &["0:0-4 \"cafe\\u{301}\""]);
    check(&marked, "\u{301} b", &["0:3-6 \"e\\u{301} b\""]);
    check(&marked, "cafe", &["0:0-4 \"cafe\\u{301}\""]);
    check(&marked, "bar", &["0:5-8 \"bar\""]);
    // Two marks in one cell are one match.
    let twice = screen(10, 1, "e\u{301}\u{301}x");
    check(&twice, "\u{301}", &["0:0-1 \"e\\u{301}\\u{301}\""]);
}

#[test]
fn wrapped_text_is_found_as_one() {
    let soft = screen(8, 4, "one two three");
    check(&soft, "two three", &["0:4-8 1:0-5 \"two three\""]);
    // The end of a row also matches a line end, as for `Screen::find`.
    check(&soft, "two\nthree", &["0:4-8 1:0-5 \"two three\""]);
    check(&soft, " three", &["0:7-8 1:0-5 \" three\""]);
    check(&soft, "three", &["1:0-5 \"three\""]);
    let exactly = screen(8, 4, "12345678abc");
    check(&exactly, "8a", &["0:7-8 1:0-1 \"8a\""]);
    check(&exactly, "678", &["0:5-8 \"678\""]);
    check(&exactly, "8\na", &["0:7-8 1:0-1 \"8a\""]);
}

#[test]
fn text_wrapped_over_three_rows_is_found() {
    let soft = screen(4, 5, "x\r\nabcdefghijk\r\ny");
    check(&soft, "defghi", &["1:3-4 2:0-4 3:0-1 \"defghi\""]);
    check(
        &soft,
        "x\nabcdefghijk\ny",
        &["0:0-1 1:0-4 2:0-4 3:0-3 4:0-1 \"x\\nabcdefghijk\\ny\""],
    );
}

#[test]
fn rows_that_are_not_wrapped_are_not_joined() {
    let hard = screen(4, 3, "abcd\r\nefgh");
    check(&hard, "de", &[]);
    check(&hard, "d\ne", &["0:3-4 1:0-1 \"d\\ne\""]);
}

#[test]
fn a_wide_character_wrapped_early_adds_no_space_to_the_text() {
    let soft = screen(4, 3, "abc世d");
    assert_eq!(soft.text(), "abc\n世d\n");
    check(&soft, "c世", &["0:2-3 1:0-2 \"c世\""]);
    check(&soft, "c 世", &[]);
    let filled = screen(4, 3, "ab界世d");
    check(&filled, "界世", &["0:2-4 1:0-2 \"界世\""]);
}

#[test]
fn a_wide_space_before_the_next_row_is_one_space() {
    let mut soft = screen(3, 2, "");
    let mut builder = RowBuilder::new();
    builder.push('a', StyleId::PLAIN, LinkId::NONE);
    builder.push_wide(' ', StyleId::PLAIN, LinkId::NONE);
    builder.wrapped(true);
    soft.rows[0] = Arc::new(builder.finish());
    builder.push('b', StyleId::PLAIN, LinkId::NONE);
    soft.rows[1] = Arc::new(builder.finish());
    check(&soft, "a b", &["0:0-3 1:0-1 \"a b\""]);
    check(&soft, " b", &["0:1-3 1:0-1 \" b\""]);
    check(&soft, "  b", &[]);
}

#[test]
fn a_rectangle_joins_rows_only_over_the_whole_width() {
    let soft = screen(4, 4, "abcdefghijk");
    let text = |rect| Selector::exact("defghi").within(rect);
    check(&soft, text(Rect::across(0..2)), &[]);
    check(
        &soft,
        text(Rect::across(0..3)),
        &["0:3-4 1:0-4 2:0-1 \"defghi\""],
    );
    let narrow = Rect {
        cols: 3,
        ..Rect::across(0..3)
    };
    check(&soft, Selector::exact("ce").within(narrow), &[]);
    let both = Selector::exact("c\ne").within(narrow);
    check(&soft, both, &["0:2-3 1:0-1 \"c\\ne\""]);
}

#[test]
fn text_is_found_at_every_border() {
    let full = screen(4, 2, "abcd\r\nefg\x1b[2;4Hh");
    check(&full, "a", &["0:0-1 \"a\""]);
    check(&full, "d", &["0:3-4 \"d\""]);
    check(&full, "e", &["1:0-1 \"e\""]);
    check(&full, "h", &["1:3-4 \"h\""]);
    check(&full, "h\n", &[]);
    // There is no cell after a full row; the match's position is its last cell.
    check(&full, "\nefgh", &["0:3-3 1:0-4 \"\\nefgh\""]);
}
