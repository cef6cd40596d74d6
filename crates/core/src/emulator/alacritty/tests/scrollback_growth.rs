//! Tests of the memory for scrollback rows.

use super::{Alacritty, fed_with};
use crate::emulator::{Emulator, EmulatorOptions, TransientScreens};
use crate::screen::geometry::Position;

/// Returns the number of rows that the grid has in memory. Only its debug output exposes it.
fn rows_in_memory(emulator: &Alacritty) -> usize {
    let printed = format!("{:?}", emulator.terminal.term.grid());
    printed.matches("Row {").count()
}

#[track_caller]
fn check(bytes: &str, rows: usize) {
    for transient_screens in [TransientScreens::Keep, TransientScreens::Drop] {
        let options = EmulatorOptions {
            transient_screens,
            ..EmulatorOptions::default()
        };
        let emulator = fed_with(options, bytes);
        assert_eq!(rows_in_memory(&emulator), rows, "{transient_screens:?}");
    }
}

#[test]
fn a_screen_that_did_not_scroll_has_no_extra_rows() {
    check("1\r\n2\r\n3\r\n4\r\n5\x1b[H\x1b[J", 5);
}

#[test]
fn scrolling_a_few_rows_does_not_allocate_a_thousand() {
    check("1\r\n2\r\n3\r\n4\r\n5\r\n6", 5 + 16);
    check("\x1b[5;20Ha\tb", 5 + 16);
    check("\x1b[2S", 5 + 16);
    check("\x1b[9999S", 5 + 16);
    check(&"long lines ".repeat(20), 5 + 16);
    check("\x1b[2M", 5 + 16);
    check("1\r\n2\x1b[2J", 5 + 16);
    check("\x1b[2J", 5 + 16);
}

#[test]
fn memory_grows_with_the_scrollback() {
    let lines = |count: usize| "x\r\n".repeat(count + 4);
    check(&lines(16), 5 + 16);
    check(&lines(17), 5 + 32);
    check(&lines(65), 5 + 128);
    check(&lines(513), 5 + 1000);
    check(&lines(1000), 5 + 1000);
}

#[test]
fn memory_respects_the_scrollback_limit() {
    let options = EmulatorOptions {
        scrollback: 10,
        ..EmulatorOptions::default()
    };
    let emulator = fed_with(options, &"x\r\n".repeat(100));
    assert_eq!(rows_in_memory(&emulator), 5 + 10);
}

#[test]
fn growing_keeps_rows_and_cursors() {
    let mut emulator = fed_with(EmulatorOptions::default(), "\x1b[4;7H\x1b7");
    for line in 0..1200 {
        emulator.feed(format!("\x1b[5Hline {line}\r\n").as_bytes());
    }
    emulator.feed(b"\x1b8");
    assert_eq!(
        emulator.screen().cursor.position,
        Position { row: 3, col: 6 }
    );
    let scrolled = emulator.scrollback(usize::MAX);
    let texts = scrolled.iter().map(|row| row.text());
    let blank = std::iter::repeat_n(String::new(), 4);
    let lines = blank.chain((0..1196).map(|line| format!("line {line}")));
    assert!(texts.eq(lines));
}
