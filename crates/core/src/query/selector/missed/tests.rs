//! What is said of a selector that finds nothing.

use crate::query::selector::Styled;
use crate::{Backend, Color, NearMiss, Position, Rect, Selector, Size, emulator};

/// The misses of a selector after a program wrote `bytes` to a terminal of 20 columns and 5 rows.
#[track_caller]
fn check(bytes: &str, selector: impl Into<Selector>, misses: &[&str]) {
    let size = Size { cols: 20, rows: 5 };
    let mut emulator = Backend::Alacritty.emulator(size, emulator::Options::default());
    emulator.feed(bytes.as_bytes());
    let state = emulator.state(100);
    let selector = selector.into();
    assert!(!selector.is_visible(&state.screen), "{selector} is there");
    let found = selector.near_misses(&state.screen, &state.scrollback);
    let found: Vec<String> = found.iter().map(NearMiss::to_string).collect();
    assert_eq!(found, misses, "{selector} on\n{}", state.screen);
}

#[test]
fn a_text_in_another_case() {
    check(
        "\r\n is READY?",
        "ready",
        &["\"READY\" stands at row 2, column 5"],
    );
    check("ÄRGER", "ärger", &["\"ÄRGER\" stands at row 1, column 1"]);
    // One letter becomes two when it is made small, and the places behind it are still right.
    check("İ世 OK", "ok", &["\"OK\" stands at row 1, column 5"]);
    check("nothing like it", "ready", &[]);
}

#[test]
fn a_text_with_other_blanks() {
    check(
        "Save    file",
        "Save file",
        &["\"Save    file\" stands at row 1, column 1, with other blanks"],
    );
    check(
        "one two",
        "one\ntwo",
        &["\"one two\" stands at row 1, column 1, with other blanks"],
    );
    // What differs least is told: here the case alone.
    check(
        "save   all\r\nSAVE ALL",
        "Save all",
        &["\"SAVE ALL\" stands at row 2, column 1"],
    );
}

#[test]
fn a_text_that_the_program_broke_into_rows() {
    check(
        "please wait for\r\n  the end",
        "wait for the end",
        &["\"wait for\\n  the end\" stands at row 1, column 8, broken over 2 rows"],
    );
    // A row without text is no break within a text.
    check("wait for\r\n\r\nthe end", "wait for the end", &[]);
}

#[test]
fn a_text_with_a_slip() {
    check(
        "[Downlaoding] 45%",
        "Downloading",
        &["similar text, \"Downlaoding\" stands at row 1, column 2"],
    );
    check(
        "Compiled 45 crates",
        "Compiled 46 crates",
        &["similar text, \"Compiled 45 crates\" stands at row 1, column 1"],
    );
    // The nearest of several, and nothing for a word that is like any other.
    check(
        "Saves Sauce Saved",
        "Saved!",
        &["similar text, \"Saved\" stands at row 1, column 13"],
    );
    check("cat", "car", &[]);
}

#[test]
fn a_text_that_scrolled_out() {
    let lines: String = (1..=9).map(|n| format!("line {n}\r\n")).collect();
    // Ten rows on a screen of five: the lowest of those above is line 5.
    let above = |text: &str| Selector::exact(text);
    check(
        &lines,
        above("line 5"),
        &[
            "similar text, \"line 6\" stands at row 1, column 1",
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
        &["\"Save\" stands at row 2, column 5, not bold"],
    );
    check(
        "\x1b[1mSa\x1b[34mve",
        save(bold.fg(Color::Indexed(1)).underlined()),
        &["\"Save\" stands at row 1, column 1, not underlined, default foreground"],
    );
    check(
        "\x1b[1;2;44mSave",
        save(bold.without(crate::Attributes::FAINT).bg(Color::Default)),
        &["\"Save\" stands at row 1, column 1, faint, background 4"],
    );
    let line = Selector::styled(Styled::new().inverse()).holding("Save");
    check(
        "Save",
        line,
        &["\"Save\" stands at row 1, column 1, not inverse"],
    );
    check(
        "save",
        save(bold),
        &[
            "text \"Save\" was not found",
            "\"save\" stands at row 1, column 1",
        ],
    );
}

#[test]
fn a_text_outside_its_rectangle() {
    let top = |text: &str| Selector::exact(text).within(Rect::across(0..2));
    check(
        "one\r\n\r\nReady",
        top("Ready"),
        &["\"Ready\" stands at row 3, column 1, outside the rectangle"],
    );
    check(
        "READY\r\n\r\nReady",
        top("Ready"),
        &[
            "\"Ready\" stands at row 3, column 1, outside the rectangle",
            "\"READY\" stands at row 1, column 1",
        ],
    );
    check(
        "\r\n\r\nREADY",
        top("Ready"),
        &["\"READY\" stands at row 3, column 1"],
    );
    let below = Selector::exact("x").within(Rect::across(5..9));
    check(
        "x",
        below,
        &["rows 6–9 is outside the 20x5 cells that are searched"],
    );
}

#[test]
fn too_few_of_it() {
    let third = |text: &str| Selector::exact(text).nth(3);
    check(
        "ab ab",
        third("ab"),
        &["only 2 were found, no match number 3 (counted from 0)"],
    );
    check("AB", third("ab"), &["\"AB\" stands at row 1, column 1"]);
}

#[test]
fn a_text_in_another_row_than_the_cursor() {
    let here = Selector::exact("ok").on_cursor_row();
    check(
        "ok\r\nok\r\n\r\n>",
        here,
        &["\"ok\" stands at row 2, column 1, the cursor is in row 4"],
    );
}

#[test]
fn a_side_of_a_relation() {
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
fn a_piece_of_a_pattern() {
    let took = || Selector::pattern("took.*seconds");
    check(
        "TOOK 3 seconds",
        took(),
        &["\"TOOK\" stands at row 1, column 1"],
    );
    check(
        "took 3 minutes",
        took(),
        &["text \"seconds\" was not found"],
    );
    check(
        "seconds: it took 3",
        took(),
        &["\"seconds\" at row 1, column 1 is not behind \"took\""],
    );
    check(
        "ready",
        Selector::pattern("Ready|Done"),
        &["\"ready\" stands at row 1, column 1"],
    );
}

#[test]
fn a_regex_in_another_case() {
    let regex = Selector::regex("rea.y").unwrap();
    check("Ready", regex, &["\"Ready\" stands at row 1, column 1"]);
}

#[test]
fn a_link_to_somewhere_else() {
    let bytes =
        "\x1b]8;;https://a.org\x07one\x1b]8;;\x07 \x1b]8;;https://b.org/x\x07two\x1b]8;;\x07";
    check(
        bytes,
        Selector::link("https://b.org"),
        &["\"two\" at row 1, column 5 leads to \"https://b.org/x\""],
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
