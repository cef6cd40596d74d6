//! Tests that a synchronized update (?2026) is one change: no partial state is visible.

use super::{fed, fed_with};
use crate::emulator::{Emulator, EmulatorOptions, TransientScreens};
use crate::screen::geometry::Size;

/// Checks the picture after each piece; the pieces are separate reads.
#[track_caller]
fn check(pieces: &[(&str, &str)]) {
    let mut emulator = fed("");
    for (bytes, picture) in pieces {
        emulator.feed(bytes.as_bytes());
        assert_eq!(emulator.screen().picture(), *picture, "after {bytes:?}");
    }
}

fn keeping(bytes: &str) -> Vec<String> {
    let options = EmulatorOptions {
        transient_screens: TransientScreens::Keep,
        ..EmulatorOptions::default()
    };
    let screens = fed_with(options, bytes).take_transient_screens();
    screens
        .iter()
        .map(|transient| transient.screen.text())
        .collect()
}

#[test]
fn the_old_screen_is_shown_until_the_update_ends() {
    check(&[
        ("old", "old|\n"),
        ("\x1b[?2026h", "old|\n"),
        ("\x1b[2J\x1b[Hn", "old|\n"),
        ("ew", "old|\n"),
        ("\x1b[?2026l", "new|\n"),
    ]);
}

#[test]
fn a_second_begin_has_no_effect() {
    check(&[
        ("old\x1b[?2026h\rone", "old|\n"),
        ("\x1b[?2026h\rtwo", "old|\n"),
        ("\x1b[?2026l", "two|\n"),
    ]);
}

#[test]
fn an_end_without_a_begin_is_ignored() {
    check(&[("a\x1b[?2026lb", "ab|\n")]);
}

#[test]
fn the_mode_is_set_during_the_update() {
    let mut emulator = fed("\x1b[?2026h");
    assert!(emulator.screen().modes.synchronized);
    emulator.feed(b"\x1b[?2026l");
    assert!(!emulator.screen().modes.synchronized);
}

#[test]
fn an_update_that_takes_too_long_can_be_ended_from_outside() {
    let mut emulator = fed("old\x1b[?2026h\rnew");
    emulator.end_synchronized();
    let screen = emulator.screen();
    assert_eq!(screen.text(), "new\n");
    assert!(!screen.modes.synchronized);
    // Later changes are shown at once, and the end of the update changes nothing more.
    emulator.feed(b"er\x1b[?2026l");
    assert_eq!(emulator.screen().text(), "newer\n");
}

#[test]
fn a_reset_ends_the_update() {
    check(&[
        ("old\x1b[?2026h\rnew", "old|\n"),
        ("\x1bcx", "x|\n"),
        ("y", "xy|\n"),
    ]);
}

#[test]
fn a_resize_shows_the_partial_update() {
    let mut emulator = fed("old\x1b[?2026h\rnew");
    emulator.resize(Size { cols: 10, rows: 3 });
    let screen = emulator.screen();
    assert_eq!(screen.size, Size { cols: 10, rows: 3 });
    assert_eq!(screen.rows.len(), 3);
    assert_eq!(screen.text(), "new\n");
}

#[test]
fn a_resize_to_the_same_size_does_not_end_the_update() {
    let mut emulator = fed("old\x1b[?2026h\rne");
    emulator.resize(Size { cols: 20, rows: 5 });
    assert_eq!(emulator.screen().text(), "old\n");
}

#[test]
fn rows_scrolled_out_by_an_update_appear_at_its_end() {
    let mut emulator = fed("1\r\n2\r\n3\r\n4\r\n5\x1b[?2026h\r\n6\r\n7");
    let state = emulator.state(100);
    assert_eq!(
        (state.scrollback.len(), state.screen.scrollback_rows),
        (0, 0)
    );
    emulator.feed(b"\x1b[?2026l");
    let state = emulator.state(100);
    assert_eq!(
        (state.scrollback.len(), state.screen.scrollback_rows),
        (2, 2)
    );
    assert_eq!(state.screen.text(), "3\n4\n5\n6\n7\n");
}

#[test]
fn queries_are_answered_during_an_update() {
    let mut emulator = fed("\x1b[?2026h\x1b[2;3H\x1b[6n\x1b[?2026$p");
    assert_eq!(emulator.take_replies(), b"\x1b[2;3R\x1b[?2026;1$y");
}

#[test]
fn a_completed_update_is_stored_if_the_next_follows_at_once() {
    let update = |text: &str| format!("\x1b[?2026h\x1b[2J\x1b[H{text}\x1b[?2026l");
    assert_eq!(
        keeping(&format!("{}{}", update("one"), update("two"))),
        ["", "one\n", "two\n"]
    );
}

#[test]
fn text_erased_within_an_update_is_not_stored() {
    assert_eq!(
        keeping("\x1b[?2026hdraft\x1b[2J\x1b[Hfair\x1b[?2026l"),
        ["", "fair\n"]
    );
}

#[test]
fn a_reset_within_an_update_stores_the_update() {
    assert_eq!(keeping("\x1b[?2026hdrawn\x1bcx"), ["", "drawn\n"]);
}

#[test]
fn stored_updates_are_bounded() {
    let many: String = (0..5000)
        .map(|n| format!("\x1b[?2026h\r{n}\x1b[?2026l\r-"))
        .collect();
    let kept = keeping(&many);
    assert_eq!(kept.len(), 1024);
    // Half of them are the screens between the updates.
    assert_eq!(kept[0], "-487\n");
    assert_eq!(kept.last().map(String::as_str), Some("4999\n"));
}
