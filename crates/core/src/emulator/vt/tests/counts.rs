//! Tests that counts depend only on the bytes, not on how reads split them.

use super::fed;
use crate::emulator::{Counts, Emulator, EmulatorOptions, TransientScreens};
use crate::screen::geometry::Size;

/// Feeds the bytes whole and one by one, and returns the counts without `bytes`.
#[track_caller]
fn counted(bytes: &str) -> Counts {
    let whole = fed(bytes).notes().counts;
    let mut cut = fed("");
    for byte in bytes.as_bytes() {
        cut.feed(std::slice::from_ref(byte));
    }
    assert_eq!(cut.notes().counts, whole, "{bytes:?} cut at every byte");
    assert_eq!(whole.bytes, bytes.len() as u64);
    Counts { bytes: 0, ..whole }
}

#[track_caller]
fn check(bytes: &str, expected: Counts) {
    assert_eq!(counted(bytes), expected, "{bytes:?}");
}

#[track_caller]
fn check_repaints(bytes: &str, repaints: u64) {
    assert_eq!(counted(bytes).repaints, repaints, "{bytes:?}");
}

#[test]
fn bells_are_counted_outside_of_strings() {
    let bells = |bells| Counts {
        bells,
        ..Counts::NONE
    };
    check("\x07a\x07", bells(2));
    check("\x1b]2;title\x07", bells(0));
    check("\x1b[3\x071m", bells(1));
}

#[test]
fn erasing_every_cell_is_a_clear() {
    for clear in [
        "\x1b[2J",           // the whole screen
        "\x1b[H\x1b[J",      // below the first cell
        "\x1b[5;20H\x1b[1J", // above the last cell
        "\x1bc",             // a reset
        "\x1b[?1049h",       // the alternate screen
        "\x1b[?1047h",
        "\x1b[?40;3h", // 132 columns
    ] {
        let bytes = format!("text{clear}");
        let expected = Counts {
            clears: 1,
            repaints: 1,
            ..Counts::NONE
        };
        check(&bytes, expected);
    }
}

#[test]
fn erasing_some_cells_is_not_a_clear() {
    for other in [
        "\x1b[3J",         // the scrollback
        "\x1b[1;2H\x1b[J", // all but one cell
        "\x1b[5;19H\x1b[1J",
        "\x1b[2;1H\x1b[J", // all but one row
        "\x1b[2K",
        "\x1b[?1049l", // already the main screen
        "\x1b[9S",     // everything scrolled out
    ] {
        assert_eq!(counted(&format!("text{other}")).clears, 0, "{other:?}");
    }
    check("\x1b[?1047h\x1b[?1047h\x1b[?1047l", counted("\x1b[?1047h"));
}

/// Returns the bytes that draw the five rows, each with `text`.
fn drawn(text: &str) -> String {
    (1..=5).map(|row| format!("\x1b[{row};3H{text}")).collect()
}

#[test]
fn drawing_every_row_is_a_repaint() {
    check_repaints(&drawn("x"), 1);
    check_repaints(&drawn("日本"), 1);
    check_repaints(&drawn("\x1b[K"), 1);
    check_repaints(&drawn("\x1b[2X"), 1);
    check_repaints(&drawn("\x1b[1mbold\x1b[0m plain"), 1);
    check_repaints(&drawn("x").repeat(7), 7);
    check_repaints("\x1b#8", 1);
    check_repaints(&"x".repeat(100), 1);
    // In any order, and with some rows erased by ED.
    check_repaints("\x1b[5Hx\x1b[1Hx\x1b[3Hx\x1b[4Hx\x1b[2Hx", 1);
    check_repaints("\x1b[1Hx\x1b[2Hx\x1b[3H\x1b[J", 1);
}

#[test]
fn drawing_all_rows_but_one_is_not_a_repaint() {
    check_repaints("1\r\n2\r\n3\r\n4", 0);
    check_repaints(&"\x1b[1Hx\x1b[2Hx\x1b[3Hx\x1b[4Hx".repeat(9), 0);
}

#[test]
fn rows_redrawn_separately_are_not_a_repaint() {
    // A clock in the last row is redrawn whenever another row changes.
    let ticking: String = (1..=4)
        .map(|row| format!("\x1b[5H12:00\x1b[{row}Hnews"))
        .collect();
    check_repaints(&ticking.repeat(5), 0);
}

#[test]
fn scrolling_is_not_a_repaint() {
    check_repaints("1\r\n2\r\n3\r\n4\r\n5", 1);
    let lines: String = (1..=100).map(|n| format!("{n}\r\n")).collect();
    check_repaints(&lines, 1);
}

#[test]
fn a_clear_and_the_drawing_after_it_are_one_repaint() {
    let clear = "\x1b[H\x1b[2J";
    check_repaints(&format!("{clear}{}", drawn("x")), 1);
    check_repaints(&format!("{clear}two\r\nrows"), 1);
    check_repaints(&[clear, &drawn("x")].concat().repeat(7), 7);
    check_repaints(&[clear, "little"].concat().repeat(7), 7);
    // Drawing every row again is another repaint.
    check_repaints(&format!("{clear}{}{}", drawn("x"), drawn("y")), 2);
    check_repaints(&format!("{clear}two\r\nrows{}", drawn("y")), 2);
    // Only two rows were drawn before the clear.
    check_repaints(&format!("1\r\n2{clear}{}", drawn("x")), 1);
}

#[test]
fn clearing_a_clear_screen_is_not_another_repaint() {
    let entered = counted("\x1b[?1049h\x1b[22;0;0t\x1b[H\x1b[2J");
    assert_eq!((entered.clears, entered.repaints), (2, 1));
}

#[test]
fn leaving_the_alternate_screen_is_not_a_repaint() {
    let entered = format!("\x1b[?1049h{}", drawn("x"));
    check_repaints(&entered, 1);
    check_repaints(&format!("{entered}\x1b[?1049l"), 1);
    check_repaints(
        &format!("{entered}\x1b[1Hx\x1b[2Hx\x1b[?1049l\x1b[3Hx\x1b[4Hx\x1b[5Hx"),
        1,
    );
}

#[test]
fn a_resize_restarts_repaint_detection() {
    let mut emulator = fed("1\r\n2\r\n3");
    emulator.resize(Size { cols: 20, rows: 3 });
    assert_eq!(emulator.notes().counts.repaints, 0);
    emulator.feed(b"\x1b[1Hx\x1b[2Hx\x1b[3Hx");
    assert_eq!(emulator.notes().counts.repaints, 1);
}

#[test]
fn updates_are_counted_when_the_program_ends_them() {
    let updates = |bytes| {
        let counts = counted(bytes);
        (counts.updates, fed(bytes).notes().unfinished_update)
    };
    assert_eq!(updates("\x1b[?2026hx\x1b[?2026l"), (1, false));
    assert_eq!(updates("\x1b[?2026hx\x1b[?2026hy\x1b[?2026l"), (1, false));
    assert_eq!(updates("\x1b[?2026hx"), (0, true));
    assert_eq!(updates("x\x1b[?2026l"), (0, false));
    assert_eq!(updates("\x1b[?2026hx\x1bc"), (0, false));
}

#[test]
fn an_update_shown_early_is_counted_at_its_end() {
    let mut emulator = fed("\x1b[?2026hx");
    emulator.end_synchronized();
    assert!(emulator.notes().unfinished_update);
    emulator.feed(b"\x1b[?2026l");
    assert_eq!(emulator.notes().counts.updates, 1);
    assert!(!emulator.notes().unfinished_update);
}

#[test]
fn a_transient_screen_has_the_counts_of_its_time() {
    let options = EmulatorOptions {
        transient_screens: TransientScreens::Keep,
        ..EmulatorOptions::default()
    };
    let screens = super::fed_with(options, "\x07toast\x1b[2J\x07").take_transient_screens();
    let [toast] = screens.as_slice() else {
        panic!("{} screens", screens.len());
    };
    assert_eq!((toast.counts.bells, toast.counts.clears), (1, 0));
}

#[test]
fn since_returns_the_difference_of_two_counts() {
    let mut emulator = fed("\x07\x1b[2J\x1b[?68h\x1b]52;c;YQ==\x07");
    let earlier = emulator.notes().counts;
    emulator.feed(b"\x07\x07\x1b[?68h");
    let expected = Counts {
        bytes: 8,
        bells: 2,
        unknown: 1,
        ..Counts::NONE
    };
    assert_eq!(emulator.notes().counts.since(earlier), expected);
    assert_eq!(earlier.since(emulator.notes().counts), Counts::NONE);
}
