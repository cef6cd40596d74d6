//! Limits: screens that exceed what a message can represent, and the largest messages.

use super::*;
use crate::screen::row::MAX_MARKS;

#[test]
fn a_row_of_two_thousand_different_styles_is_sent_unchanged() {
    let mut builder = RowBuilder::new();
    for n in 0..2000_u32 {
        let style = builder.style(&Style {
            fg: Color::Rgb(Rgb::hex(n)),
            bg: Color::Rgb(Rgb::hex(n << 8)),
            underline: Underline::Curly,
            underline_color: Color::Rgb(Rgb::hex(n << 12)),
            attributes: Attributes::all(),
        });
        builder.push('\u{10ffff}', style, LinkId::NONE);
    }
    let row = Arc::new(builder.finish());
    let seen = WireScreen::new(screen(2000, vec![Arc::clone(&row)]), 0);
    assert_eq!(seen.screen().rows[0], row);
    let bytes = keyframe(7, 1, &seen);
    assert!(bytes.len() <= MAX_ROW_BYTES, "{} bytes", bytes.len());
    shown(&seen);
}

#[test]
fn a_row_that_could_exceed_its_limit_becomes_unstyled_text() {
    let long = Hyperlink {
        id: None,
        uri: Arc::from("x".repeat(MAX_ROW_BYTES)),
    };
    // The most marks that a cell can have, of four bytes each.
    let marks = format!("e{}", "\u{e0100}".repeat(MAX_MARKS));
    let mut builder = RowBuilder::new();
    let link = builder.link(&long);
    let bold = builder.style(&Style {
        attributes: Attributes::BOLD,
        ..Style::default()
    });
    builder.push('a', bold, link);
    builder.push_wide('界', bold, LinkId::NONE);
    let linked = builder.finish();
    for _ in 0..2000 {
        builder.push_cluster(&marks, Width::Narrow, StyleId::PLAIN, LinkId::NONE);
    }
    let marked = builder.finish();
    let rows = vec![Arc::new(linked), Arc::new(marked)];
    let seen = WireScreen::new(screen(2000, rows), 0);
    let text = "e".repeat(2000);
    assert_eq!(seen.screen().text(), format!("a界\n{text}\n"));
    assert_eq!(seen.screen().rows[1], plain(&text));
    assert!(keyframe(7, 1, &seen).len() < 2040);
    shown(&seen);
}

#[test]
fn long_titles_are_truncated_between_characters() {
    let mut long = screen(9, vec![plain("a")]);
    long.title = Arc::from(format!("x{}", "é".repeat(MAX_TEXT)));
    long.working_directory = Arc::from("/".repeat(MAX_TEXT));
    let seen = WireScreen::new(long, u64::MAX);
    assert_eq!(seen.screen().title.len(), MAX_TEXT - 1);
    assert_eq!(seen.screen().working_directory.len(), MAX_TEXT);
    assert_eq!(seen.bells(), MAX_NUMBER);
    shown(&seen);
}

#[test]
fn cells_and_cursor_outside_the_screen_are_dropped_or_clamped() {
    let mut builder = RowBuilder::new();
    builder.push('a', StyleId::PLAIN, LinkId::NONE);
    builder.push('b', StyleId::PLAIN, LinkId::NONE);
    builder.push_wide('界', StyleId::PLAIN, LinkId::NONE);
    let mut odd = screen(3, vec![Arc::new(builder.finish()), plain("c")]);
    odd.size.rows = 3;
    odd.cursor.position = Position { row: 9, col: 9 };
    let seen = WireScreen::new(odd, 0);
    assert_eq!(seen.screen().text(), "ab\nc\n");
    assert_eq!(seen.screen().rows.len(), 3);
    assert_eq!(seen.screen().cursor.position, Position { row: 2, col: 2 });
    shown(&seen);
}

#[test]
fn the_largest_screen_stays_within_the_bound() {
    let size = Size {
        cols: *Size::COLS.end(),
        rows: *Size::ROWS.end(),
    };
    // Alternate narrow and wide characters, so that each is a separate piece, with two styles.
    let mut builder = RowBuilder::new();
    let bold = builder.style(&Style {
        attributes: Attributes::BOLD,
        ..Style::default()
    });
    while builder.col() + 3 <= usize::from(size.cols) {
        builder.push('\u{10ffff}', bold, LinkId::NONE);
        builder.push_wide('😀', StyleId::PLAIN, LinkId::NONE);
    }
    let row = Arc::new(builder.finish());
    let seen = WireScreen::new(screen(size.cols, vec![row; size.rows.into()]), 0);
    let bytes = keyframe(7, 1, &seen);
    assert!(bytes.len() <= MAX_MESSAGE, "{} bytes", bytes.len());
    shown(&seen);
    // A row of 1,000 columns that only moves is sent as a move.
    let blank = WireScreen::new(Screen::blank(size), 0);
    let mut one = Screen::blank(size);
    one.rows[1999] = plain(&"x".repeat(1000));
    let mut moved = Screen::blank(size);
    moved.rows[0] = Arc::clone(&one.rows[1999]);
    let bytes = check_delta(&WireScreen::new(one, 0), &WireScreen::new(moved, 0));
    assert!(bytes.len() < 24, "{} bytes", bytes.len());
    assert!(check_delta(&seen, &blank).len() < 5000);
}
