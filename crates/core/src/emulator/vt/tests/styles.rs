//! Tests that every style set by a program is read back from its cells.

use super::fed;
use crate::emulator::Emulator;
use crate::emulator::vt::Vt;
use crate::screen::geometry::{Position, Size};
use crate::screen::style::{Attributes, Color, Rgb, Style, Underline};

/// Returns the style of the `X` on the screen or in the scrollback.
#[track_caller]
fn style_of_x(emulator: &mut Vt) -> Style {
    let state = emulator.state(usize::MAX);
    let rows = state.scrollback.iter().chain(&state.screen.rows);
    let style = rows
        .flat_map(|row| row.cells())
        .find(|cell| cell.char() == 'X');
    *style.expect("an X is shown").style
}

/// Checks the style of text printed after SGR parameters.
#[track_caller]
fn check(sgr: &str, expected: Style) {
    assert_eq!(
        style_of_x(&mut fed(&format!("\x1b[{sgr}mX"))),
        expected,
        "SGR {sgr}"
    );
    // The plain text before and after shows that the style comes from the sequence, and that 0
    // resets all of it.
    let around = fed(&format!("a\x1b[{sgr}mX\x1b[0mb")).screen();
    for col in [0, 2] {
        let plain = around.cell(Position { row: 0, col }).style;
        assert_eq!(*plain, Style::default(), "next to SGR {sgr}");
    }
}

fn attributes(attributes: Attributes) -> Style {
    Style {
        attributes,
        ..Style::default()
    }
}

fn underline(underline: Underline) -> Style {
    Style {
        underline,
        ..Style::default()
    }
}

fn underlined_in(underline_color: Color) -> Style {
    Style {
        underline_color,
        ..underline(Underline::Single)
    }
}

fn fg(fg: Color) -> Style {
    Style {
        fg,
        ..Style::default()
    }
}

fn bg(bg: Color) -> Style {
    Style {
        bg,
        ..Style::default()
    }
}

const ORANGE: Color = Color::Rgb(Rgb::new(255, 128, 1));

#[test]
fn each_attribute_can_be_set_alone() {
    check("1", attributes(Attributes::BOLD));
    check("2", attributes(Attributes::FAINT));
    check("3", attributes(Attributes::ITALIC));
    check("5", attributes(Attributes::BLINK));
    check("6", attributes(Attributes::RAPID_BLINK));
    check("7", attributes(Attributes::INVERSE));
    check("8", attributes(Attributes::INVISIBLE));
    check("9", attributes(Attributes::STRIKETHROUGH));
    check("53", attributes(Attributes::OVERLINE));
}

#[test]
fn bold_and_faint_can_be_on_at_once() {
    check("1;2", attributes(Attributes::BOLD | Attributes::FAINT));
    check("1;2;22", Style::default());
}

#[test]
fn every_attribute_can_be_on_at_once() {
    let all = Attributes::all() - Attributes::RAPID_BLINK;
    check("1;2;3;5;7;8;9;53", attributes(all));
    check("1;2;3;5;7;8;9;53;22;23;25;27;28;29;55", Style::default());
}

#[test]
fn the_second_speed_of_blinking_replaces_the_first() {
    check("5;6", attributes(Attributes::RAPID_BLINK));
    check("6;5", attributes(Attributes::BLINK));
    check("6;25", Style::default());
}

#[test]
fn blink_and_overline_are_reset_separately() {
    check("5;53;25", attributes(Attributes::OVERLINE));
    check("5;53;55", attributes(Attributes::BLINK));
}

#[test]
fn each_underline_style_can_be_set() {
    check("4", underline(Underline::Single));
    check("4:1", underline(Underline::Single));
    check("4:2", underline(Underline::Double));
    check("4:3", underline(Underline::Curly));
    check("4:4", underline(Underline::Dotted));
    check("4:5", underline(Underline::Dashed));
    check("4:3;4:4", underline(Underline::Dotted));
    check("4:3;4:0", Style::default());
    check("4:3;24", Style::default());
}

#[test]
fn sgr_21_is_a_double_underline_and_keeps_bold() {
    let bold = Style {
        underline: Underline::Double,
        ..attributes(Attributes::BOLD)
    };
    check("21", underline(Underline::Double));
    check("1;21", bold);
    check("1;21;24", attributes(Attributes::BOLD));
}

#[test]
fn underlines_have_their_own_colour() {
    check("4;58:2::255:128:1", underlined_in(ORANGE));
    check("4;58:2:255:128:1", underlined_in(ORANGE));
    check("4;58;2;255;128;1", underlined_in(ORANGE));
    check("4;58:5:9", underlined_in(Color::Indexed(9)));
    check("4;58;5;9", underlined_in(Color::Indexed(9)));
    check("4;58;5;9;59", underline(Underline::Single));
}

#[test]
fn rgb_colours_accept_semicolons_and_colons() {
    check("38;2;255;128;1", fg(ORANGE));
    check("38:2:255:128:1", fg(ORANGE));
    check("38:2::255:128:1", fg(ORANGE));
    check("48;2;255;128;1", bg(ORANGE));
    check("48:2:255:128:1", bg(ORANGE));
    check("48:2::255:128:1", bg(ORANGE));
}

#[test]
fn palette_colours_accept_every_notation() {
    for index in 0..8 {
        check(&format!("{}", 30 + index), fg(Color::Indexed(index)));
        check(&format!("{}", 40 + index), bg(Color::Indexed(index)));
        check(&format!("{}", 90 + index), fg(Color::Indexed(8 + index)));
        check(&format!("{}", 100 + index), bg(Color::Indexed(8 + index)));
    }
    for index in [0, 7, 15, 16, 255] {
        check(&format!("38;5;{index}"), fg(Color::Indexed(index)));
        check(&format!("38:5:{index}"), fg(Color::Indexed(index)));
        check(&format!("48;5;{index}"), bg(Color::Indexed(index)));
        check(&format!("48:5:{index}"), bg(Color::Indexed(index)));
    }
}

#[test]
fn default_colours_are_not_palette_entries() {
    check("31;42;39;49", Style::default());
    check("38;5;7", fg(Color::Indexed(7)));
    check("48;5;0", bg(Color::Indexed(0)));
}

#[test]
fn sgr_0_resets_every_style() {
    check("1;2;3;4:3;5;7;8;9;53;31;42;58;5;9;0", Style::default());
    check("1;2;3;4:3;6;7;8;9;53;31;42;58;5;9;", Style::default());
}

#[test]
fn sgr_0_keeps_link_and_zone() {
    let mut emulator = fed("\x1b]8;;http://a/\x1b\\\x1b]133;C\x07\x1b[5m\x1b[0mX");
    let screen = emulator.screen();
    let cell = screen.cell(Position::default());
    assert_eq!(*cell.style, Style::default());
    assert!(cell.link.is_some());
    assert_eq!(screen.rows[0].zones().len(), 1);
}

const BLINKING_OVERLINE: &str = "\x1b[6;53mX\x1b[0m";

fn blinking_overline() -> Style {
    attributes(Attributes::RAPID_BLINK | Attributes::OVERLINE)
}

#[test]
fn blink_and_overline_survive_scrolling_out() {
    let mut emulator = fed(&format!("{BLINKING_OVERLINE}{}", "\r\n".repeat(30)));
    assert!(!emulator.screen().contains("X"));
    assert_eq!(style_of_x(&mut emulator), blinking_overline());
}

#[test]
fn blink_and_overline_survive_the_alternate_screen() {
    let mut emulator = fed(&format!(
        "{BLINKING_OVERLINE}\x1b[?1049h\x1b[2Jab\x1b[?1049l"
    ));
    assert_eq!(style_of_x(&mut emulator), blinking_overline());
}

#[test]
fn blink_and_overline_survive_reflow() {
    let mut emulator = fed(&format!("123456789{BLINKING_OVERLINE}"));
    for cols in [6, 30, 3, 20] {
        emulator.resize(Size { cols, rows: 5 });
        assert_eq!(
            style_of_x(&mut emulator),
            blinking_overline(),
            "{cols} columns"
        );
    }
}

#[test]
fn a_saved_cursor_restores_blink_and_overline() {
    let mut emulator = fed("\x1b[6;53m\x1b7\x1b[0m\r\nplain\x1b8X");
    assert_eq!(style_of_x(&mut emulator), blinking_overline());
    let mut emulator = fed("\x1b7\x1b[6;53m\r\nother\x1b8X");
    assert_eq!(style_of_x(&mut emulator), Style::default());
}

#[test]
fn leaving_the_alternate_screen_restores_the_main_pen() {
    let mut emulator = fed("\x1b[?1049h\x1b[5;53m\x1b[?1049lX");
    assert_eq!(style_of_x(&mut emulator), Style::default());
    // Attributes set afterwards add to the main screen's pen, not to that of the alternate screen.
    let mut emulator = fed("\x1b[?1049h\x1b[5m\x1b[?1049l\x1b[53mX");
    assert_eq!(style_of_x(&mut emulator), attributes(Attributes::OVERLINE));
    let mut emulator = fed("\x1b[5m\x1b[?1049h\x1b[0m\x1b[?1049lX");
    assert_eq!(style_of_x(&mut emulator), attributes(Attributes::BLINK));
}

#[test]
fn style_markers_are_never_text() {
    let mut emulator = fed("\x1b[5;53me\u{301}界\x1b[0m");
    assert_eq!(emulator.screen().text(), "e\u{301}界\n");
    // If a program prints such a character itself, the character is text without a style.
    let mut emulator = fed("\u{10ff05}X");
    assert_eq!(emulator.screen().text(), "\u{10ff05}X\n");
    assert_eq!(style_of_x(&mut emulator), Style::default());
}

#[test]
fn erased_cells_keep_the_background_only() {
    let screen = fed("\x1b[5;7;44mab\x1b[2K").screen();
    assert_eq!(
        *screen.cell(Position::default()).style,
        bg(Color::Indexed(4))
    );
}
