//! Tests of the closest matches of a selector that finds nothing.

use crate::query::selector::Styled;
use crate::{Backend, Color, NearMiss, Position, Rect, Selector, Size, emulator};

/// Checks the closest matches of a selector after a program wrote `bytes` to a terminal of 20
/// columns and 5 rows.
#[track_caller]
fn check(bytes: &str, selector: impl Into<Selector>, misses: &[&str]) {
    let size = Size { cols: 20, rows: 5 };
    let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    let state = emulator.state(100);
    let selector = selector.into();
    assert!(!selector.is_visible(&state.screen), "{selector} is visible");
    let found = selector.near_misses(&state.screen, &state.scrollback);
    let found: Vec<String> = found.iter().map(NearMiss::to_string).collect();
    assert_eq!(found, misses, "{selector} on\n{}", state.screen);
}

#[test]
fn a_text_in_another_case() {
    check("\r\n is READY?", "ready", &["\"READY\" at row 2, column 5"]);
    check("ÄRGER", "ärger", &["\"ÄRGER\" at row 1, column 1"]);
    // One letter becomes two in lower case, and the positions after it are still right.
    check("İ世 OK", "ok", &["\"OK\" at row 1, column 5"]);
    check("nothing like it", "ready", &[]);
}

#[test]
fn a_text_with_different_spacing() {
    check(
        "Save    file",
        "Save file",
        &["\"Save    file\" at row 1, column 1, with different spacing"],
    );
    check(
        "one two",
        "one\ntwo",
        &["\"one two\" at row 1, column 1, with different spacing"],
    );
    // The smallest difference is reported: here only the case.
    check(
        "save   all\r\nSAVE ALL",
        "Save all",
        &["\"SAVE ALL\" at row 2, column 1"],
    );
}

#[test]
fn a_text_split_across_rows() {
    check(
        "please wait for\r\n  the end",
        "wait for the end",
        &["\"wait for\\n  the end\" at row 1, column 8, split across 2 rows"],
    );
    // A match does not span an empty row.
    check("wait for\r\n\r\nthe end", "wait for the end", &[]);
}

#[test]
fn a_text_with_a_typo() {
    check(
        "[Downlaoding] 45%",
        "Downloading",
        &["similar text, \"Downlaoding\" at row 1, column 2"],
    );
    check(
        "Compiled 45 crates",
        "Compiled 46 crates",
        &["similar text, \"Compiled 45 crates\" at row 1, column 1"],
    );
    // The closest of several texts is reported. Nothing is reported for a word that is so short
    // that it is similar to too many others.
    check(
        "Saves Sauce Saved",
        "Saved!",
        &["similar text, \"Saved\" at row 1, column 13"],
    );
    check("cat", "car", &[]);
}

#[test]
fn a_text_that_scrolled_out() {
    let lines: String = (1..=9).map(|n| format!("line {n}\r\n")).collect();
    // Ten rows on a screen of five: the lowest row above the screen is line 5.
    let above = |text: &str| Selector::exact(text);
    check(
        &lines,
        above("line 5"),
        &[
            "similar text, \"line 6\" at row 1, column 1",
            "it scrolled out, 1 row above the top",
        ],
    );
    check(
        &lines,
        above("4\nline 5"),
        &["it scrolled out, 2 rows above the top"],
    );
    check(
        &lines,
        above("5\nline 6"),
        &["it scrolled out, 1 row above the top"],
    );
    let regex = Selector::regex("line [1-4]").unwrap();
    check(&lines, regex, &["it scrolled out, 2 rows above the top"]);
}

#[test]
fn a_text_in_another_style() {
    let save = |style| Selector::exact("Save").and(Selector::styled(style));
    let bold = Styled::new().bold();
    check(
        "\r\n    Save",
        save(bold),
        &["\"Save\" at row 2, column 5, not bold"],
    );
    check(
        "\x1b[1mSa\x1b[34mve",
        save(bold.fg(Color::Indexed(1)).underlined()),
        &["\"Save\" at row 1, column 1, not underlined, default foreground"],
    );
    check(
        "\x1b[1;2;44mSave",
        save(bold.without(crate::Attributes::FAINT).bg(Color::Default)),
        &["\"Save\" at row 1, column 1, faint, background 4"],
    );
    let line = Selector::styled(Styled::new().inverse()).holding("Save");
    check("Save", line, &["\"Save\" at row 1, column 1, not inverse"]);
    check(
        "save",
        save(bold),
        &["text \"Save\" was not found", "\"save\" at row 1, column 1"],
    );
}

#[test]
fn a_text_outside_its_rectangle() {
    let top = |text: &str| Selector::exact(text).within(Rect::across(0..2));
    check(
        "one\r\n\r\nReady",
        top("Ready"),
        &["\"Ready\" at row 3, column 1, outside the rectangle"],
    );
    check(
        "READY\r\n\r\nReady",
        top("Ready"),
        &[
            "\"Ready\" at row 3, column 1, outside the rectangle",
            "\"READY\" at row 1, column 1",
        ],
    );
    check(
        "\r\n\r\nREADY",
        top("Ready"),
        &["\"READY\" at row 3, column 1"],
    );
    let below = Selector::exact("x").within(Rect::across(5..9));
    check(
        "x",
        below,
        &["rows 6–9 is outside the searched area of 20x5 cells"],
    );
}

#[test]
fn too_few_matches() {
    let third = |text: &str| Selector::exact(text).nth(3);
    check(
        "ab ab",
        third("ab"),
        &["only 2 were found, no match number 3 (counted from 0)"],
    );
    check("AB", third("ab"), &["\"AB\" at row 1, column 1"]);
}

#[test]
fn a_text_in_another_row_than_the_cursor() {
    let here = Selector::exact("ok").on_cursor_row();
    check(
        "ok\r\nok\r\n\r\n>",
        here,
        &["\"ok\" at row 2, column 1, the cursor is in row 4"],
    );
}

#[test]
fn a_missing_side_of_a_relation() {
    let value = || Selector::exact("42").right_of("Total");
    check("42", value(), &["text \"Total\" was not found"]);
    check("Total 43", value(), &["text \"42\" was not found"]);
    check(
        "42 Total",
        value(),
        &["\"42\" at row 1, column 1 is not right of \"Total\" at row 1, column 4"],
    );
}

#[test]
fn a_missing_piece_of_a_pattern() {
    let took = || Selector::pattern("took.*seconds");
    check("TOOK 3 seconds", took(), &["\"TOOK\" at row 1, column 1"]);
    check(
        "took 3 minutes",
        took(),
        &["text \"seconds\" was not found"],
    );
    check(
        "seconds: it took 3",
        took(),
        &["\"seconds\" at row 1, column 1 is not after \"took\""],
    );
    check(
        "ready",
        Selector::pattern("Ready|Done"),
        &["\"ready\" at row 1, column 1"],
    );
}

#[test]
fn a_regex_in_another_case() {
    let regex = Selector::regex("rea.y").unwrap();
    check("Ready", regex, &["\"Ready\" at row 1, column 1"]);
}

#[test]
fn a_link_to_another_address() {
    let bytes =
        "\x1b]8;;https://a.org\x07one\x1b]8;;\x07 \x1b]8;;https://b.org/x\x07two\x1b]8;;\x07";
    check(
        bytes,
        Selector::link("https://b.org"),
        &["\"two\" at row 1, column 5 links to \"https://b.org/x\""],
    );
    check("two", Selector::link("https://b.org"), &[]);
}

#[test]
fn a_blank_cell() {
    let at = Selector::at(Position { row: 1, col: 2 });
    check("x", at.clone(), &["row 2, column 3 is blank"]);
    let rect = Rect {
        row: 2,
        col: 3,
        rows: 2,
        cols: 9,
    };
    check("x", at.within(rect), &["row 4, column 6 is blank"]);
}
