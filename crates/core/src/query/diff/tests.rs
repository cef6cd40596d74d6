//! Tests of the differences between two screens.

use super::*;
use crate::screen::row::LinkId;
use crate::{Hyperlink, PaletteEntry, Position, Rgb, RowBuilder};

mod side_by_side;

/// Returns a screen of 12 columns. `*` makes the next character bold red, `_` makes it a link;
/// non-ASCII characters are wide.
fn screen(lines: &[&str]) -> Screen {
    let size = Size {
        cols: 12,
        rows: lines.len() as u16,
    };
    let mut screen = Screen::blank(size);
    let mut builder = RowBuilder::new();
    for (row, line) in screen.rows.iter_mut().zip(lines) {
        let mut style = Style::default();
        let mut link = LinkId::NONE;
        for c in line.chars() {
            match c {
                '*' => {
                    style.fg = Color::Indexed(1);
                    style.attributes = Attributes::BOLD;
                    continue;
                }
                '_' => {
                    link = builder.link(&Hyperlink {
                        id: None,
                        uri: "https://example.org".into(),
                    });
                    continue;
                }
                _ => {}
            }
            let id = builder.style(&style);
            if c.is_ascii() {
                builder.push(c, id, link);
            } else {
                builder.push_wide(c, id, link);
            }
            (style, link) = (Style::default(), LinkId::NONE);
        }
        *row = Arc::new(builder.finish());
    }
    screen
}

#[track_caller]
fn check(before: &[&str], after: &[&str], expected: &str) {
    let diff = Diff::between(&screen(before), &screen(after));
    assert_eq!(diff.to_string(), expected);
}

#[test]
fn equal_screens_have_no_difference() {
    let one = screen(&["a", "", "*b"]);
    assert!(Diff::between(&one, &one.clone()).is_empty());
    check(&["a", "", "*b"], &["a", "", "*b"], "no difference\n");
}

#[test]
fn both_texts_are_shown_and_differences_are_marked() {
    check(
        &["same", "hello world", "x"],
        &["same", "hello there", "x y"],
        "\
row 2
  - hello world
  + hello there
          ^^^^^
row 3
  - x
  + x y
      ^
",
    );
}

#[test]
fn a_wide_character_is_marked_whole() {
    check(&["a界b"], &["a世b"], "row 1\n  - a界b\n  + a世b\n     ^^\n");
    check(&["a界b"], &["axyb"], "row 1\n  - a界b\n  + axyb\n     ^^\n");
    let diff = Diff::between(&screen(&["a界b"]), &screen(&["a世b"]));
    let whole = DiffRun {
        cols: 1..3,
        aspects: Aspects::TEXT,
    };
    assert_eq!(diff.rows[0].runs, [whole]);
}

#[test]
fn style_differences_are_described_in_words() {
    check(
        &["abc"],
        &["a*bc"],
        "\
row 1
  - abc
  + abc
     ~
    column 2: foreground default → 1, +bold
",
    );
    check(
        &["_a_b"],
        &["ab"],
        "\
row 1
  - ab
  + ab
    ~~
    columns 1 to 2: link `https://example.org` → none
",
    );
    let style = Style {
        bg: Color::Rgb(Rgb::hex(0xff8000)),
        underline: Underline::Curly,
        attributes: Attributes::FAINT | Attributes::RAPID_BLINK,
        ..Style::default()
    };
    assert_eq!(
        describe_style(&style, &Style::default()),
        [
            "background #ff8000 → default",
            "underline curly → none",
            "-faint",
            "-rapid blink"
        ]
    );
}

#[test]
fn size_title_and_cursor_are_compared() {
    let before = screen(&["a"]);
    let mut after = screen(&["a", "b"]);
    after.title = "vim".into();
    after.cursor.position = Position { row: 1, col: 2 };
    after.cursor.visible = false;
    after.cursor.shape = CursorShape::Bar;
    assert_eq!(
        Diff::between(&before, &after).to_string(),
        "\
size: 12x1 is now 12x2
title: \"\" is now \"vim\"
cursor: row 1, column 1, block; now row 2, column 3, bar, hidden
row 2
  - 
  + b
    ^
"
    );
}

#[test]
fn rows_with_invisible_differences_are_left_out() {
    let before = screen(&["a"]);
    let mut after = before.clone();
    let mut builder = RowBuilder::new();
    builder.push('a', crate::screen::row::StyleId::PLAIN, LinkId::NONE);
    builder.wrapped(true);
    after.rows[0] = Arc::new(builder.finish());
    assert_ne!(before, after);
    assert!(Diff::between(&before, &after).is_empty());
}

#[test]
fn changed_colours_are_compared() {
    let mut before = screen(&["a"]);
    let mut after = before.clone();
    before
        .palette
        .set(PaletteEntry::Indexed(1), Rgb::hex(0xaa0000));
    before.palette.set(PaletteEntry::Cursor, Rgb::hex(0x00ff00));
    after
        .palette
        .set(PaletteEntry::Indexed(1), Rgb::hex(0xbb0000));
    after
        .palette
        .set(PaletteEntry::Background, Rgb::hex(0x102040));
    let diff = Diff::between(&before, &after);
    assert!(!diff.is_empty());
    let expected =
        "colours: 1 #aa0000 → #bb0000, background default → #102040, cursor #00ff00 → default\n";
    assert_eq!(diff.to_string(), expected);
    assert_eq!(diff.side_by_side(&before, &after).to_string(), expected);
    let many = (0..20).map(|index| (PaletteEntry::Indexed(index), Rgb::hex(0)));
    after.palette = many.collect();
    let text = Diff::between(&screen(&["a"]), &after).to_string();
    assert!(
        text.ends_with("7 default → #000000, and 12 more\n"),
        "{text}"
    );
}
