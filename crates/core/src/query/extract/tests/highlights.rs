//! Tests of highlighted text.

use super::screens::{screen, shown};
use crate::Rect;

/// Checks all highlighted text, and the one highlighted line.
#[track_caller]
fn check(lines: &[&str], all: &[&str], row: Option<&str>) {
    let screen = screen(20, lines);
    let found: Vec<String> = screen.highlighted().iter().map(shown).collect();
    assert_eq!(found, all, "{lines:#?}");
    let found = screen.highlighted_row();
    assert_eq!(found.as_ref().map(shown).as_deref(), row, "{lines:#?}");
}

#[test]
fn inverse_text_is_highlighted() {
    check(
        &["Open", "\x1b[7m Save as  \x1b[m", "Quit"],
        &["1:1 Save as"],
        Some("1:1 Save as"),
    );
    check(&["plain"], &[], None);
    check(&["\x1b[7m    \x1b[m"], &[], None);
}

#[test]
fn a_background_colour_of_one_line_is_highlighted() {
    check(
        &["Open", "\x1b[44mSave\x1b[m", "Quit"],
        &["1:0 Save"],
        Some("1:0 Save"),
    );
    check(
        &["\x1b[44mFile\x1b[m", "Edit"],
        &["0:0 File"],
        Some("0:0 File"),
    );
    // Another text colour does not divide a highlight, another background does.
    check(
        &["", "\x1b[44mone \x1b[31mtwo\x1b[m and \x1b[44mthree\x1b[m"],
        &["1:0 one two", "1:12 three"],
        Some("1:0 one two and three"),
    );
}

#[test]
fn a_block_of_colour_is_not_highlighted() {
    let dialog = [
        "\x1b[47m Question  ",
        " Yes       ",
        "\x1b[44m No        \x1b[47m",
        "           \x1b[m",
    ];
    check(&dialog, &["2:1 No"], Some("2:1 No"));
    // The screen around it has the colour of the highlight.
    let around = "\x1b[44m                    ";
    let lines = [
        around,
        "\x1b[47m Question           ",
        " Yes                ",
        "\x1b[44m No                 \x1b[47m",
        " Maybe              ",
        "                    ",
        around,
        "\x1b[m",
    ];
    check(&lines, &["3:1 No"], Some("3:1 No"));
}

#[test]
fn alternately_shaded_lines_are_not_highlighted() {
    let shaded = "\x1b[100mshaded\x1b[m";
    check(&[shaded, "plain", shaded, "plain", shaded], &[], None);
    check(
        &[
            shaded,
            "\x1b[46mthis\x1b[m",
            shaded,
            "plain",
            shaded,
            "plain",
            shaded,
        ],
        &["1:0 this"],
        Some("1:0 this"),
    );
}

#[test]
fn bars_are_highlighted_but_not_the_highlighted_row() {
    let title = "\x1b[7m Title              \x1b[m";
    check(
        &[title, "\x1b[7mfirst\x1b[m", "second"],
        &["0:1 Title", "1:0 first"],
        Some("1:0 first"),
    );
    check(&[title, "first"], &["0:1 Title"], None);
}

#[test]
fn there_is_no_highlighted_row_if_two_lines_are_highlighted() {
    check(
        &["\x1b[7ma\x1b[m", "b", "\x1b[7mc\x1b[m"],
        &["0:0 a", "2:0 c"],
        None,
    );
}

#[test]
fn a_highlighted_line_may_be_wrapped() {
    let long = "\x1b[44m0123456789 123456789 123\x1b[m";
    check(
        &["a", long, "b"],
        &["1:0 0123456789 123456789 123"],
        Some("1:0 0123456789 123456789 123"),
    );
}

#[test]
fn cells_outside_a_rectangle_do_not_count() {
    let screen = screen(20, &["\x1b[7mtop\x1b[m", "a", "\x1b[7mbc世d\x1b[m"]);
    let rect = Rect {
        row: 1,
        col: 1,
        rows: 2,
        cols: 2,
    };
    let found = screen.highlighted_in(rect);
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), ["2:1 c"]);
    assert!(screen.highlighted_in(Rect { rows: 0, ..rect }).is_empty());
}
