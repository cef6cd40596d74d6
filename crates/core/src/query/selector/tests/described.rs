//! Tests of the description of each selector in errors.

use crate::query::selector::{Link, Styled};
use crate::{Attributes, Color, Position, Rect, Rgb, Selector, Underline};

#[track_caller]
fn check(selector: &Selector, described: &str) {
    assert_eq!(selector.to_string(), described);
}

#[test]
fn each_selector_is_described() {
    let text = || Selector::exact("Save");
    let rect = Rect {
        row: 1,
        col: 0,
        rows: 3,
        cols: 40,
    };
    for (selector, described) in [
        (text(), r#"text "Save""#),
        (Selector::exact("a\n\"b\""), r#"text "a\n\"b\"""#),
        (Selector::pattern("Ready|Done"), r#"pattern "Ready|Done""#),
        (Selector::regex(r"\d+").unwrap(), r"regex `\d+`"),
        (
            Selector::at(Position { row: 2, col: 9 }),
            "a character at row 3, column 10",
        ),
        (
            Selector::Link(Link::To("https://a.org".into())),
            r#"link "https://a.org""#,
        ),
        (
            Selector::link_containing("a.org"),
            r#"link containing "a.org""#,
        ),
        (
            text().within(Rect::across(1..4)),
            r#"text "Save" within rows 2–4"#,
        ),
        (
            text().within(rect),
            r#"text "Save" within rows 2–4, columns 1–40"#,
        ),
        (text().nth(1), r#"nth 1 of text "Save""#),
        (text().on_cursor_row(), r#"text "Save" on the cursor's row"#),
        (
            text().or("b").or("c"),
            r#"text "Save" or text "b" or text "c""#,
        ),
        (Selector::Any(vec![text()]), r#"text "Save""#),
        (Selector::Any(vec![]), "any of no selectors"),
        (text().and("b"), r#"text "Save" inside text "b""#),
        (text().and_not("b"), r#"text "Save" apart from text "b""#),
        (text().holding("b"), r#"text "Save" holding text "b""#),
        (text().right_of("b"), r#"text "Save" right of text "b""#),
        (text().below("b"), r#"text "Save" below text "b""#),
        (text().near(1, "b"), r#"text "Save" touching text "b""#),
        (
            text().near(3, "b"),
            r#"text "Save" at most 3 cells from text "b""#,
        ),
    ] {
        check(&selector, described);
    }
}

#[test]
fn ambiguous_descriptions_get_brackets() {
    let (a, b, c) = (|| Selector::exact("a"), || Selector::exact("b"), "c");
    for (selector, described) in [
        (
            a().right_of(b().or(c)),
            r#"text "a" right of (text "b" or text "c")"#,
        ),
        (
            a().or(b()).right_of(c),
            r#"(text "a" or text "b") right of text "c""#,
        ),
        (
            a().or(b().below(c)),
            r#"text "a" or (text "b" below text "c")"#,
        ),
        (
            a().right_of(b()).below(c),
            r#"text "a" right of text "b" below text "c""#,
        ),
        (
            a().right_of(b().below(c)),
            r#"text "a" right of (text "b" below text "c")"#,
        ),
        (
            a().nth(0).within(Rect::across(0..1)),
            r#"(nth 0 of text "a") within row 1"#,
        ),
        (
            a().within(Rect::across(0..1)).nth(0),
            r#"nth 0 of (text "a" within row 1)"#,
        ),
    ] {
        check(&selector, described);
    }
}

#[test]
fn a_style_is_described_by_its_requirements() {
    let any = Styled::new();
    for (style, described) in [
        (any, "text in any style"),
        (any.bold().inverse(), "text styled bold, inverse"),
        (
            any.with(Attributes::RAPID_BLINK).without(Attributes::FAINT),
            "text styled rapid blink, not faint",
        ),
        (any.underlined(), "text styled underlined"),
        (any.underline(Underline::None), "text styled not underlined"),
        (
            any.underline(Underline::Curly),
            "text styled curly underline",
        ),
        (
            any.fg(Color::Indexed(1)).bg(Color::Rgb(Rgb::hex(0x202020))),
            "text styled foreground 1, background #202020",
        ),
        (
            any.fg(Color::Default).underline_color(Color::Indexed(9)),
            "text styled default foreground, underline colour 9",
        ),
    ] {
        check(&Selector::styled(style), described);
    }
}
