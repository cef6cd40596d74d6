//! Tests of search by style and by link.

use super::screens::{check, screen};
use crate::query::selector::Styled;
use crate::{Attributes, Color, Rect, Rgb, Selector, Underline};

#[track_caller]
fn styled(bytes: &str, style: Styled, found: &[&str]) {
    check(&screen(12, 3, bytes), Selector::styled(style), found);
}

#[test]
fn each_part_of_a_style_can_be_required() {
    let any = Styled::new();
    for (sgr, style) in [
        ("31", any.fg(Color::Indexed(1))),
        ("38;2;1;2;3", any.fg(Color::Rgb(Rgb::new(1, 2, 3)))),
        ("44", any.bg(Color::Indexed(4))),
        ("1", any.bold()),
        ("7", any.inverse()),
        ("2", any.with(Attributes::FAINT)),
        ("3", any.with(Attributes::ITALIC)),
        ("5", any.with(Attributes::BLINK)),
        ("8", any.with(Attributes::INVISIBLE)),
        ("9", any.with(Attributes::STRIKETHROUGH)),
        ("53", any.with(Attributes::OVERLINE)),
        ("4", any.underlined()),
        ("4:3", any.underlined()),
        ("4:3", any.underline(Underline::Curly)),
        ("4;58:5:9", any.underline_color(Color::Indexed(9))),
        (
            "1;31;44",
            any.bold().fg(Color::Indexed(1)).bg(Color::Indexed(4)),
        ),
        ("1;7", any.with(Attributes::BOLD | Attributes::INVERSE)),
    ] {
        let bytes = format!("ab \x1b[{sgr}mcd\x1b[m ef");
        styled(&bytes, style, &["0:3-5 \"cd\""]);
        styled("ab cd ef", style, &[]);
    }
    let rest = ["0:0-2 \"ab\"", "0:6-8 \"ef\""];
    for (sgr, style) in [
        ("31", any.fg(Color::Default)),
        ("44", any.bg(Color::Default)),
        ("1", any.without(Attributes::BOLD)),
        ("4", any.underline(Underline::None)),
        ("1;31", any.without(Attributes::BOLD).fg(Color::Default)),
    ] {
        styled(&format!("ab \x1b[{sgr}mcd\x1b[m ef"), style, &rest);
    }
    // All requirements must hold at once.
    styled("\x1b[1ma\x1b[22;7mb", any.bold().inverse(), &[]);
    styled("\x1b[4ma", any.underline(Underline::Double), &[]);
}

#[test]
fn a_run_goes_from_its_first_character_to_its_last() {
    let inverse = Styled::new().inverse();
    // A line highlighted from edge to edge: only its words are found.
    styled("\x1b[7m  Save as   \x1b[m", inverse, &["0:2-9 \"Save as\""]);
    styled("\x1b[7m      \x1b[m", inverse, &[]);
    // Other properties of a run's cells may differ.
    styled(
        "\x1b[7ma\x1b[31mb\x1b[1mc\x1b[mx",
        inverse,
        &["0:0-3 \"abc\""],
    );
    styled(
        "\x1b[7ma\x1b[m \x1b[7mb",
        inverse,
        &["0:0-1 \"a\"", "0:2-3 \"b\""],
    );
    styled("\x1b[7m世界", inverse, &["0:0-4 \"世界\""]);
    // Without requirements, the text of each row is found.
    let each = ["0:1-5 \"a  b\"", "2:0-1 \"c\""];
    styled(" a  b\r\n\r\nc", Styled::new(), &each);
}

#[test]
fn a_run_continues_in_a_wrapped_row() {
    let bold = Styled::new().bold();
    let soft = "0123456\x1b[1mfrom here to there\x1b[m.";
    let found = ["0:7-12 1:0-12 2:0-1 \"from here to there\""];
    styled(soft, bold, &found);
    let hard = "\x1b[1m0123456789ab\r\ncd";
    styled(hard, bold, &["0:0-12 \"0123456789ab\"", "1:0-2 \"cd\""]);
    // A space in the last column, and a column left free for a wide character.
    let blank = "\x1b[1m0123456789a b";
    styled(blank, bold, &["0:0-12 1:0-1 \"0123456789a b\""]);
    let wide = "\x1b[1m0123456789a世";
    styled(wide, bold, &["0:0-11 1:0-2 \"0123456789a世\""]);
    // A run stops at the row's end if the next row begins with another style.
    let stops = "\x1b[1m0123456789ab\x1b[mcd";
    styled(stops, bold, &["0:0-12 \"0123456789ab\""]);
}

#[test]
fn a_run_ends_at_the_edge_of_the_rectangle() {
    let bold = screen(12, 1, "\x1b[1ma世界b");
    let cut = |col, cols| {
        let rect = Rect {
            row: 0,
            col,
            rows: 1,
            cols,
        };
        Selector::styled(Styled::new().bold()).within(rect)
    };
    check(&bold, cut(0, 3), &["0:0-3 \"a世\""]);
    check(&bold, cut(0, 4), &["0:0-3 \"a世\""]);
    check(&bold, cut(2, 9), &["0:3-6 \"界b\""]);
    check(&bold, cut(2, 1), &[]);
    check(&bold, cut(3, 1), &[]);
}

const LINKS: &str = "see \x1b]8;;https://a.org/x\x1b\\one\x1b]8;;\x1b\\ and \
                     \x1b]8;;https://b.org/\x1b\\two\x1b]8;;https://a.org/y\x1b\\three\x1b]8;;\x1b\\";

#[test]
fn a_link_is_found_by_its_address() {
    let links = screen(40, 2, LINKS);
    check(
        &links,
        Selector::link("https://b.org/"),
        &["0:12-15 \"two\""],
    );
    check(&links, Selector::link("https://b.org"), &[]);
    check(
        &links,
        Selector::link_containing("a.org"),
        &["0:4-7 \"one\"", "0:15-20 \"three\""],
    );
    // Adjacent links stay two matches, even if both match.
    check(
        &links,
        Selector::link_containing("org/"),
        &["0:4-7 \"one\"", "0:12-15 \"two\"", "0:15-20 \"three\""],
    );
    check(&links, Selector::link_containing("c.org"), &[]);
}

#[test]
fn a_link_continues_in_a_wrapped_row() {
    let links = screen(6, 4, LINKS);
    check(
        &links,
        Selector::link("https://a.org/x"),
        &["0:4-6 1:0-1 \"one\""],
    );
}
