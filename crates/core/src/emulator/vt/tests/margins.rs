//! Tests of left and right margins, and of what obeys them.

use super::fed;
use crate::emulator::Emulator;

/// Compares the picture: `|` is before the cursor's cell, on a screen of 20 columns and 5 rows.
#[track_caller]
fn check(bytes: &str, picture: &str) {
    assert_eq!(fed(bytes).screen().picture(), picture, "{bytes:?}");
}

/// Five rows, with margins at columns 3 to 6 and rows 2 to 4.
const BOX: &str =
    "abcdefgh\r\nijklmnop\r\nqrstuvwx\r\nABCDEFGH\r\nIJKLMNOP\x1b[?69h\x1b[3;6s\x1b[2;4r";

#[track_caller]
fn check_box(bytes: &str, picture: &str) {
    check(&format!("{BOX}{bytes}"), picture);
}

#[test]
fn left_and_right_margins_need_their_mode() {
    // Without the mode, CSI s saves the cursor.
    check("ab\x1b[3;6s\x1b[5;5H\x1b[uX", "abX|\n");
    check("ab\x1b[?69h\x1b[3;6sX", "X|b\n");
    check(
        "\x1b[?69h\x1b[3;6s\x1b[?69l\x1b[5Gabcdefg",
        "    abcdefg|\n",
    );
}

#[test]
fn invalid_columns_are_ignored() {
    for cols in ["6;3", "4;4", "30;40"] {
        let mut emulator = fed(&format!("\x1b[?69h\x1b[3;6s\x1b[{cols}s\x1bP$qs\x1b\\"));
        assert_eq!(emulator.take_replies(), b"\x1bP1$r3;6s\x1b\\", "{cols}");
    }
}

#[test]
fn text_wraps_at_the_right_margin() {
    check("\x1b[?69h\x1b[3;6s\x1b[1;3Habcdef", "  abcd\n  ef|\n");
    // Right of the margin, text wraps at the edge.
    check(
        "\x1b[?69h\x1b[3;6s\x1b[1;18Habcd",
        "                 abc\n  d|\n",
    );
    assert!(!fed("\x1b[?69h\x1b[3;6s\x1b[1;3Habcdef").screen().rows[0].wrapped());
}

#[test]
fn lines_scroll_between_the_margins() {
    check_box(
        "\x1b[4;3H\n",
        "abcdefgh\nijstuvop\nqrCDEFwx\nAB|    GH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[2;3H\x1bM",
        "abcdefgh\nij|    op\nqrklmnwx\nABstuvGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[S",
        "|abcdefgh\nijstuvop\nqrCDEFwx\nAB    GH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[T",
        "|abcdefgh\nij    op\nqrklmnwx\nABstuvGH\nIJKLMNOP\n",
    );
    // Outside of the columns, a line feed at the bottom margin does nothing.
    check_box(
        "\x1b[4;1H\n",
        "abcdefgh\nijklmnop\nqrstuvwx\n|ABCDEFGH\nIJKLMNOP\n",
    );
}

#[test]
fn lines_are_inserted_and_deleted_between_the_margins() {
    check_box(
        "\x1b[3;4H\x1b[L",
        "abcdefgh\nijklmnop\nqr|    wx\nABstuvGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;4H\x1b[M",
        "abcdefgh\nijklmnop\nqr|CDEFwx\nAB    GH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;1H\x1b[L\x1b[M",
        "abcdefgh\nijklmnop\n|qrstuvwx\nABCDEFGH\nIJKLMNOP\n",
    );
}

#[test]
fn characters_are_inserted_and_deleted_up_to_the_right_margin() {
    check("abcdefgh\x1b[?69h\x1b[3;6s\x1b[1;4H\x1b[2@", "abc|  dgh\n");
    check("abcdefgh\x1b[?69h\x1b[3;6s\x1b[1;4H\x1b[P", "abc|ef gh\n");
    check(
        "abcdefgh\x1b[?69h\x1b[3;6s\x1b[1;7H\x1b[P\x1b[@",
        "abcdef|gh\n",
    );
    check("abcdefgh\x1b[?69h\x1b[3;6s\x1b[1;4H\x1b[4hX", "abcX|degh\n");
}

#[test]
fn columns_are_inserted_deleted_and_shifted() {
    check_box(
        "\x1b[3;4H\x1b['}",
        "abcdefgh\nijk lmop\nqrs| tuwx\nABC DEGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;4H\x1b['~",
        "abcdefgh\nijkmn op\nqrs|uv wx\nABCEF GH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;4H\x1b[ @",
        "abcdefgh\nijlmn op\nqrt|uv wx\nABDEF GH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;4H\x1b[ A",
        "abcdefgh\nij klmop\nqr |stuwx\nAB CDEGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[H\x1b['}",
        "|abcdefgh\nijklmnop\nqrstuvwx\nABCDEFGH\nIJKLMNOP\n",
    );
}

#[test]
fn forward_and_back_index_shift_at_the_margins() {
    check_box(
        "\x1b[3;6H\x1b9",
        "abcdefgh\nijlmn op\nqrtuv| wx\nABDEF GH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;3H\x1b6",
        "abcdefgh\nij klmop\nqr| stuwx\nAB CDEGH\nIJKLMNOP\n",
    );
    check("ab\x1b9X\x1b6\x1b6Y", "abY|X\n");
}

#[test]
fn the_cursor_stops_at_the_margins() {
    check_box(
        "\x1b[3;4H\x1b[9CX",
        "abcdefgh\nijklmnop\nqrstuX|wx\nABCDEFGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;4H\x1b[9DX",
        "abcdefgh\nijklmnop\nqrX|tuvwx\nABCDEFGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;5H\rX",
        "abcdefgh\nijklmnop\nqrX|tuvwx\nABCDEFGH\nIJKLMNOP\n",
    );
    // Left of the margin, to the edge.
    check_box(
        "\x1b[3;2H\rX",
        "abcdefgh\nijklmnop\nX|rstuvwx\nABCDEFGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[?6h\x1b[2;2HX",
        "abcdefgh\nijklmnop\nqrsX|uvwx\nABCDEFGH\nIJKLMNOP\n",
    );
    check_box(
        "\x1b[3;3H\tX",
        "abcdefgh\nijklmnop\nqrstuX|wx\nABCDEFGH\nIJKLMNOP\n",
    );
}

#[test]
fn reverse_wrap_continues_in_the_row_above() {
    check("\x1b[?45hab\r\n\x08X", "ab                 X|\n");
    check("\x1b[?45hab\x08\x08\x08X", "X|b\n");
    check("ab\r\n\x08X", "ab\nX|\n");
    // With a wrap pending, the first column back is the last one itself.
    check(
        "\x1b[?45habcdefghijklmnopqrst\x08X",
        "abcdefghijklmnopqrsX|\n",
    );
    check("\x1b[?1045h\x08X", "\n\n\n\n                   X|\n");
    check("\x1b[?45;69h\x1b[3;6s\x1b[2;3H\x08X", "     X|\n");
}
