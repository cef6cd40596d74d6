//! Tests of cursor movement, and of editing that moves text.

use super::fed;
use crate::emulator::Emulator;

/// Compares the picture: `|` is before the cursor's cell, on a screen of 20 columns and 5 rows.
#[track_caller]
fn check(bytes: &str, picture: &str) {
    assert_eq!(fed(bytes).screen().picture(), picture);
}

#[track_caller]
fn check_replies(bytes: &str, replies: &str) {
    let replied = fed(bytes).take_replies();
    assert_eq!(
        replied.escape_ascii().to_string(),
        replies.as_bytes().escape_ascii().to_string()
    );
}

#[test]
fn up_and_down_stop_at_the_margins() {
    check("\x1b[2;4r\x1b[3;1H\x1b[9AX", "\nX|\n");
    check("\x1b[2;4r\x1b[3;1H\x1b[9BX", "\n\n\nX|\n");
    check("\x1b[2;4r\x1b[3;5H\x1b[9EX", "\n\n\nX|\n");
    check("\x1b[2;4r\x1b[3;5H\x1b[9FX", "\nX|\n");
}

#[test]
fn outside_the_margins_up_and_down_stop_at_the_edges() {
    check("\x1b[2;4r\x1b[1;1H\x1b[9AX", "X|\n");
    check("\x1b[2;4r\x1b[5;1H\x1b[9BX", "\n\n\n\nX|\n");
    // From outside a margin, the cursor can move into the region, up to the opposite margin.
    check("\x1b[2;4r\x1b[5;1H\x1b[9AX", "\nX|\n");
    check("\x1b[2;4r\x1b[1;1H\x1b[9BX", "\n\n\nX|\n");
}

#[test]
fn origin_mode_counts_rows_from_the_top_margin() {
    check("\x1b[2;4r\x1b[?6hX", "\nX|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[2;3HX", "\n\n  X|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[9;3HX", "\n\n\n  X|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[3;3H\x1b[AX", "\n\n  X|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[1;3H\x1b[BX", "\n\n  X|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[2;3H\x1b[7GX", "\n\n      X|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[2;3H\x1b[7`X", "\n\n      X|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[1;3H\x1b[2dX", "\n\n  X|\n");
}

#[test]
fn entering_and_leaving_origin_mode_moves_home() {
    check("\x1b[2;4r\x1b[?6h\x1b[2;3H\x1b[?6lX", "X|\n");
}

#[test]
fn cursor_reports_count_from_the_top_margin_in_origin_mode() {
    check_replies("\x1b[2;4r\x1b[4;7H\x1b[6n", "\x1b[4;7R");
    check_replies(
        "\x1b[2;4r\x1b[?6h\x1b[2;7H\x1b[6n\x1b[?6n",
        "\x1b[2;7R\x1b[?2;7;1R",
    );
}

#[test]
fn a_line_feed_moves_to_column_one_only_in_newline_mode() {
    check("ab\ncd", "ab\n  cd|\n");
    check("\x1b[20hab\ncd\x0bef\x0cgh", "ab\ncd\nef\ngh|\n");
    check("\x1b[20h\x1b[20lab\ncd", "ab\n  cd|\n");
}

#[test]
fn tabs_are_shown_as_spaces() {
    let mut emulator = fed("a\tb\t\x1b[1;3Hx");
    assert_eq!(emulator.screen().text(), "a x     b\n");
    assert!(
        emulator.screen().rows[0]
            .cells()
            .all(|cell| cell.char() != '\t')
    );
    // A tab over text does not change the text.
    check("abcdefghij\r\tX", "abcdefghX|j\n");
}

#[test]
fn tab_stops_can_be_set_cleared_and_used() {
    check("\x1b[3g\x1b[4G\x1bH\r\tX", "   X|\n");
    check("\x1b[2IX\x1b[2ZY", "        Y|       X\n");
    check("\x1b[3g\x1b[?5W\tX", "        X|\n");
}

#[test]
fn a_backward_tab_keeps_a_pending_wrap() {
    check("abcdefghijklmnopqrst\x1b[ZX", "abcdefghijklmnopqrst\nX|\n");
}

#[test]
fn text_wraps_only_with_the_next_character() {
    check("abcdefghijklmnopqrst", "abcdefghijklmnopqrst|\n");
    check("abcdefghijklmnopqrst\x08X", "abcdefghijklmnopqrX|t\n");
    check("abcdefghijklmnopqrstu", "abcdefghijklmnopqrst\nu|\n");
    check("\x1b[?7labcdefghijklmnopqrstuv", "abcdefghijklmnopqrsv|\n");
}

#[test]
fn deleting_too_many_characters_keeps_text_before_the_cursor() {
    check("abcdefghijklmnopqrst\x1b[3G\x1b[19PX", "abX|\n");
    check("abcdefghijklmnopqrst\x1b[3G\x1b[18PX", "abX|\n");
    check("abcdefghijklmnopqrst\x1b[3G\x1b[17PX", "abX|\n");
    check("abcdef\x1b[3G\x1b[2PX", "abX|f\n");
    check("abcdef\x1b[3G\x1b[999PX", "abX|\n");
}

#[test]
fn inserting_too_many_characters_keeps_text_before_the_cursor() {
    check("abcdef\x1b[3G\x1b[999@X", "abX|\n");
    check("abcdef\x1b[3G\x1b[2@X", "abX| cdef\n");
}

#[test]
fn erasing_upwards_erases_every_row_above() {
    let lines = "1\r\n2\r\n3\r\n4\r\n5";
    check(&format!("{lines}\x1b[1;1H\x1b[1JX"), "X|\n2\n3\n4\n5\n");
    check(&format!("{lines}\x1b[2;1H\x1b[1JX"), "\nX|\n3\n4\n5\n");
    check(&format!("{lines}\x1b[3;1H\x1b[1JX"), "\n\nX|\n4\n5\n");
}

#[test]
fn line_drawing_characters_are_mapped() {
    check("\x1b(0lqk\x1b(Bq", "┌─┐q|\n");
    check("\x1b)0\x0eq\x0fq", "─q|\n");
}

#[test]
fn rows_scroll_only_within_the_margins() {
    let lines = "1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r";
    check(&format!("{lines}\x1b[4;1H\n"), "1\n3\n4\n|\n5\n");
    check(&format!("{lines}\x1b[2;1H\x1bM"), "1\n|\n2\n3\n5\n");
    check(&format!("{lines}\x1b[S"), "|1\n3\n4\n\n5\n");
    check(&format!("{lines}\x1b[T"), "|1\n\n2\n3\n5\n");
    check(&format!("{lines}\x1b[3;1H\x1b[L"), "1\n2\n|\n3\n5\n");
    check(&format!("{lines}\x1b[3;1H\x1b[M"), "1\n2\n|4\n\n5\n");
    check(&format!("{lines}\x1b[3;1H\x1b[9M"), "1\n2\n|\n\n5\n");
    // Outside the margins, lines are neither inserted nor deleted.
    check(&format!("{lines}\x1b[1;1H\x1b[L\x1b[M"), "|1\n2\n3\n4\n5\n");
}

#[test]
fn invalid_margins_are_ignored() {
    for margins in ["4;2", "3;3", "9;12", "5;9"] {
        check_replies(
            &format!("\x1b[2;4r\x1b[{margins}r\x1bP$qr\x1b\\"),
            "\x1bP1$r2;4r\x1b\\",
        );
    }
    check_replies("\x1b[2;99r\x1bP$qr\x1b\\", "\x1bP1$r2;5r\x1b\\");
    check_replies("\x1b[2;4r\x1b[r\x1bP$qr\x1b\\", "\x1bP1$r1;5r\x1b\\");
}

#[test]
fn half_a_wide_character_is_blank() {
    check("界\x1b[1GX", "X|\n");
    check("界\x1b[2GX", " X|\n");
    check("a界\x1b[3G\x1b[XX", "a X|\n");
}

#[test]
fn a_wide_character_that_does_not_fit_wraps() {
    check("abcdefghijklmnopqrs界", "abcdefghijklmnopqrs\n界|\n");
    check("\x1b[?7labcdefghijklmnopqrs界", "abcdefghijklmnopqrs|\n");
}
