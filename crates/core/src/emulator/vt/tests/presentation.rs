//! Tests of DECRSPS, XTSMTITLE, XTPUSHSGR with attributes, XTCHECKSUM, and remembered modes.

use super::fed;
use crate::emulator::Emulator;
use crate::screen::style::{Attributes, Color};

#[track_caller]
fn check(bytes: &str, picture: &str) {
    assert_eq!(fed(bytes).screen().picture(), picture, "{bytes:?}");
}

#[track_caller]
fn check_replies(bytes: &str, replies: &str) {
    let replied = fed(bytes).take_replies();
    assert_eq!(
        replied.escape_ascii().to_string(),
        replies.as_bytes().escape_ascii().to_string(),
        "{bytes:?}"
    );
}

#[test]
fn a_reported_cursor_is_restored() {
    let restored = "\x1bP1$t3;5;1;A;@;@;0;2;@;BBBB\x1b\\x";
    check(restored, "\n\n    x|\n");
    let screen = fed(restored).screen();
    let style = screen.rows[2].cell(4).style;
    assert_eq!(style.attributes, Attributes::BOLD);
    // At the right margin a wrap can be pending.
    check("\x1bP1$t1;20;1;@;@;H;0;2;@;BBBB\x1b\\x", "\nx|\n");
    check("\x1bP1$t1;5;1;@;@;H;0;2;@;BBBB\x1b\\x", "    x|\n");
    check("\x1bP1$t1;1;1;@;@;@;1;2;@;B0BB\x1b\\qq", "──|\n");
    // Wrong fields are skipped.
    check("\x1bP1$t;;;;;;9;9;;%\x1b\\a\x1bP1$t99999;x\x1b\\b", "ab|\n");
}

#[test]
fn reported_tab_stops_are_restored() {
    check("\x1bP2$t3/7/999/x\x1b\\\tx\ty", "  x   y|\n");
    check_replies("\x1bP2$t3/7\x1b\\\x1b[2$w", "\x1bP2$u3/7\x1b\\");
}

#[test]
fn titles_are_hexadecimal_on_request() {
    let title = |bytes: &str| fed(bytes).screen().title.to_string();
    assert_eq!(title("\x1b[>0t\x1b]2;61c3a9\x07"), "aé");
    assert_eq!(title("\x1b]2;old\x07\x1b[>0t\x1b]2;6\x07"), "old");
    assert_eq!(title("\x1b[>0t\x1b[>0T\x1b]2;6162\x07"), "6162");
    check_replies("\x1b]2;ab\x07\x1b[>1t\x1b[21t", "\x1b]l6162\x1b\\");
    // A title without a semicolon is empty, and spaces are part of a title.
    assert_eq!(title("\x1b]2;one\x07\x1b]2\x07"), "");
    assert_eq!(title("\x1b]2; a \x07"), " a ");
}

#[test]
fn only_pushed_attributes_are_restored() {
    let style = |bytes: &str| {
        let screen = fed(&format!("{bytes}x")).screen();
        let style = screen.rows[0].cell(0).style;
        (style.attributes, style.fg)
    };
    let red = Color::Indexed(1);
    assert_eq!(
        style("\x1b[1;31m\x1b[30#{\x1b[m\x1b[#}"),
        (Attributes::empty(), red)
    );
    assert_eq!(
        style("\x1b[1;31m\x1b[1#p\x1b[m\x1b[#q"),
        (Attributes::BOLD, Color::Default)
    );
    assert_eq!(
        style("\x1b[1;31m\x1b[#{\x1b[m\x1b[#}"),
        (Attributes::BOLD, red)
    );
    // The end of an attribute is restored too; unknown attributes are not.
    assert_eq!(
        style("\x1b[31m\x1b[1#{\x1b[1m\x1b[#}"),
        (Attributes::empty(), red)
    );
    assert_eq!(
        style("\x1b[1m\x1b[99#{\x1b[m\x1b[#}"),
        (Attributes::empty(), Color::Default)
    );
}

#[test]
fn pushes_onto_a_full_stack_are_counted() {
    let pushes = "\x1b[#{".repeat(10);
    let screen = fed(&format!(
        "\x1b[1m\x1b[#{{\x1b[3m{pushes}\x1b[m\x1b[#}}a\x1b[#}}b"
    ))
    .screen();
    let attributes = |col: usize| screen.rows[0].cell(col).style.attributes;
    assert_eq!(attributes(0), Attributes::empty());
    assert_eq!(attributes(1), Attributes::BOLD | Attributes::ITALIC);
}

#[test]
fn checksums_leave_out_blanks_at_the_end() {
    // The negated sum of `a`, a blank and `b`.
    check_replies("a b\x1b[7;1;1;1;1;9*y", "\x1bP7!~FF1D\x1b\\");
    check_replies("\x1b[7;1;1;1;2;9*y", "\x1bP7!~FFE0\x1b\\");
    check_replies("\x1b[1#yab\x1b[7;1;1;1;1;9*y", "\x1bP7!~00C3\x1b\\");
    check_replies("\x1b[3#y\x1b[1mab\x1b[7;1;1;1;1;9*y", "\x1bP7!~00C3\x1b\\");
    check_replies("\x1b[7*y", "\x1bP7!~0000\x1b\\");
}

#[test]
fn modes_without_an_effect_are_remembered() {
    check_replies(
        "\x1b[?1010l\x1b[?1010$p\x1b[?1010s\x1b[?1010h\x1b[?1010$p\x1b[?1010r\x1b[?1010$p",
        "\x1b[?1010;2$y\x1b[?1010;1$y\x1b[?1010;2$y",
    );
    check_replies("\x1b[?1010l\x1bc\x1b[?1010$p", "\x1b[?1010;1$y");
    check_replies("\x1b[?8l\x1b[?8$p", "\x1b[?8;4$y");
}

#[test]
fn sequences_with_a_colon_are_ignored_except_colours() {
    check("abc\x1b[1:1D\x1b[2:1Kx", "abcx|\n");
}

#[test]
fn relative_positions_stop_at_the_margins_only_in_origin_mode() {
    check("\x1b[2;4r\x1b[?6h\x1b[9ex", "\n\n\nx|\n");
    check("\x1b[2;4r\x1b[9ex", "\n\n\n\nx|\n");
    check("\x1b[?69h\x1b[4;8s\x1b[?6h\x1b[9ax", "       x|\n");
}

#[test]
fn characters_of_a_rectangle_are_erased_without_their_colours() {
    let screen = fed("\x1b[44mab\x1b[m\x1b[1;1;1;1${").screen();
    assert_eq!(screen.picture(), " b|\n");
    assert_eq!(screen.rows[0].cell(0).style.bg, Color::Indexed(4));
    check("\x1b[9608;1;1;1;3$x", "|███\n");
}
