//! Tests of transient screens: screens that changed before they were read are stored if requested.

use super::fed_with;
use crate::emulator::vt::Vt;
use crate::emulator::{Emulator, EmulatorOptions, TransientScreens};
use crate::screen::geometry::Size;

fn keeping(bytes: &str) -> Vt {
    let options = EmulatorOptions {
        transient_screens: TransientScreens::Keep,
        ..EmulatorOptions::default()
    };
    fed_with(options, bytes)
}

/// Checks the texts of the stored screens.
#[track_caller]
fn check(bytes: &str, kept: &[&str]) {
    let screens = keeping(bytes).take_transient_screens();
    let texts: Vec<String> = screens
        .iter()
        .map(|transient| transient.screen.text())
        .collect();
    assert_eq!(texts, kept, "{bytes:?}");
}

#[test]
fn every_erasure_stores_the_screen_before_it() {
    for erase in [
        "\r\x1b[J",                  // below the cursor
        "\x1b[1J",                   // above it
        "\x1b[2J",                   // everything
        "\r\x1b[K",                  // to the right
        "\x1b[1K",                   // to the left
        "\x1b[2K",                   // the row
        "\r\x1b[4X",                 // cells
        "\r\x1b[4P",                 // deleted cells
        "\r\x1b[18@",                // pushed out by blanks
        "\x1b[4;5r\x1b[1;1H\x1b[5L", // IL outside the margins has no effect
        "\x1b[r\x1b[5L",             // IL inside the margins
        "\x1b[?1049h",
        "\x1b[?1047h",
        "\x1b[?47h",
        "\x1b[?40;3h",
        "\x1bc",
        "\x1b#8",
    ] {
        if erase.contains("4;5r") {
            check(&format!("gone{erase}"), &[]);
        } else {
            check(&format!("gone{erase}"), &["gone\n"]);
        }
    }
}

#[test]
fn overwriting_stores_the_screen_before_it() {
    check("gone\r    ", &["gone\n"]);
    check("gone\rnew", &["gone\n"]);
    check("gone\r界", &["gone\n"]);
    check("gone\x08\x08x", &["gone\n"]);
    check("gone\rx\x1b[3b", &["gone\n"]);
    check("gone\r\x1b(0qq", &["gone\n"]);
}

#[test]
fn deleting_lines_stores_the_screen_before_it() {
    check("a\r\ngone\x1b[M", &["a\ngone\n"]);
    check("a\r\ngone\x1b[2;4r\x1b[2;1H\x1b[M", &["a\ngone\n"]);
}

#[test]
fn scrolling_a_region_stores_the_screen_before_it() {
    check("top\r\ngone\x1b[2;4r\x1b[S", &["top\ngone\n"]);
    check("top\r\ngone\x1b[2;4r\x1b[4;1H\n", &["top\ngone\n"]);
    check("top\r\n\r\n\r\ngone\x1b[2;4r\x1b[T", &["top\n\n\ngone\n"]);
    check(
        "top\r\n\r\n\r\ngone\x1b[2;4r\x1b[2;1H\x1bM",
        &["top\n\n\ngone\n"],
    );
    check("\r\n\r\n\r\n\r\ngone\x1b[H\x1bM", &["\n\n\n\ngone\n"]);
}

#[test]
fn scrolling_the_alternate_screen_stores_the_screen_before_it() {
    let lines = "gone\r\n2\r\n3\r\n4\r\n5";
    check(&format!("\x1b[?1049h{lines}\r\n6"), &["gone\n2\n3\n4\n5\n"]);
    check("\x1b[?1049hgone\x1b[?1049l", &["gone\n"]);
    check("\x1b[?1047hgone\x1b[?1047h", &[]);
    // ?1049 clears the alternate screen also if it is shown.
    check("\x1b[?1049hgone\x1b[?1049h", &["gone\n"]);
}

#[test]
fn every_state_of_a_progress_bar_is_stored() {
    check("10%\r20%\r30%\rdone", &["10%\n", "20%\n", "30%\n"]);
    check(
        "\x1b[32m1\x1b[m0%\r\x1b[K\x1b[32m2\x1b[m0%\r\x1b[K\x1b[32m3\x1b[m0%",
        &["10%\n", "20%\n"],
    );
    check("|\x08/\x08-\x08\\", &["|\n", "/\n", "-\n"]);
}

#[test]
fn every_frame_of_a_redraw_is_stored() {
    check(
        "\x1b[Hone\r\n1\x1b[Htwo\r\n2\x1b[Hsix",
        &["one\n1\n", "two\n2\n"],
    );
    check("\x1b[H\x1b[2Jone\x1b[H\x1b[2Jtwo", &["one\n"]);
}

#[test]
fn nothing_is_stored_if_no_unread_cell_is_lost() {
    check("text", &[]);
    check("a\r\nb\x1b[Hc\x1b[2;2Hd", &["a\nb\n"]);
    check("a\x1b[3;3H\x1b[K\x1b[5X\x1b[P", &[]);
    check("a\x1b[2;1H\x1b[J", &[]);
    check("\x1b[2J\x1b[Ha", &[]);
    check("\x1b[2;4r\x1b[S\x1b[Ta", &[]);
    check("a\x1b[K\x1b[4Gb\x1b[K", &[]);
}

#[test]
fn scrolling_the_main_screen_stores_nothing() {
    let lines: String = (0..50).map(|n| format!("line {n}\r\n")).collect();
    check(&lines, &[]);
    let wrapped = "0123456789".repeat(40);
    check(&wrapped, &[]);
    check("a\r\nb\x1b[2S", &[]);
}

#[test]
fn rows_without_room_in_the_scrollback_are_stored_before_they_leave() {
    let stored = |scrollback, bytes: &str| {
        let options = EmulatorOptions {
            transient_screens: TransientScreens::Keep,
            scrollback,
            ..EmulatorOptions::default()
        };
        let screens = fed_with(options, bytes).take_transient_screens();
        let texts = screens.iter().map(|stored| stored.screen.text());
        texts.collect::<Vec<String>>()
    };
    let lines = "gone\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9";
    assert_eq!(stored(0, lines), ["gone\n2\n3\n4\n5\n"]);
    assert_eq!(stored(4, lines), [""; 0]);
    assert_eq!(stored(1, "a\r\nb\x1b[2S"), ["a\nb\n"]);
    assert_eq!(stored(2, "a\r\nb\x1b[2S"), [""; 0]);
}

#[test]
fn a_screen_that_was_read_is_not_stored() {
    let mut emulator = keeping("seen");
    emulator.screen();
    emulator.feed(b"\x1b[2J\x1b[Hnew");
    assert_eq!(emulator.take_transient_screens(), []);
}

#[test]
fn stored_screens_are_taken_once() {
    let mut emulator = keeping("gone\x1b[2J");
    assert_eq!(emulator.take_transient_screens().len(), 1);
    assert_eq!(emulator.take_transient_screens(), []);
}

#[test]
fn nothing_is_stored_by_default() {
    let mut emulator = fed_with(
        EmulatorOptions::default(),
        "gone\x1b[2J\x1b[?2026hx\x1b[?2026l",
    );
    assert_eq!(emulator.take_transient_screens(), []);
}

#[test]
fn a_resize_stores_the_screen_before_it() {
    let mut emulator = keeping("gone");
    emulator.resize(Size { cols: 2, rows: 2 });
    let screens = emulator.take_transient_screens();
    assert_eq!(screens.len(), 1);
    assert_eq!(screens[0].screen.text(), "gone\n");
    assert_eq!(screens[0].screen.size, Size { cols: 20, rows: 5 });
}

#[test]
fn text_moved_by_insert_mode_stays_unread() {
    // Insert mode moves `gone` to the right, where it is erased.
    check("gone\r\x1b[4h>>>>\x1b[4l\x1b[5G\x1b[K", &[">>>>gone\n"]);
    // … and finally out of the row.
    let lost = format!(">>{}gone\n", " ".repeat(14));
    check("\x1b[15Ggone\r\x1b[4h>>>>\x1b[4l", &[&lost]);
}

#[test]
fn wrapped_text_is_unread() {
    let row = "0123456789abcdefghij";
    // A wide character that does not fit begins the next row.
    check(
        &format!("{}界\r\x1b[K", &"0123456789abcdefghi"),
        &["0123456789abcdefghi\n界\n"],
    );
    // A wrap below the margins also moves to the next row.
    check(
        &format!("\x1b[1;2r\x1b[4;1H{row}x\r\x1b[K"),
        &[&format!("\n\n\n{row}\nx\n")],
    );
    // A tab after the last column moves to the next row.
    check(
        &format!("\x1b[5;1H{row}\tnew\x1b[K\x1b[4;1H\x1b[K"),
        &[&format!("\n\n\n{row}\nnew\n")],
    );
}

#[test]
fn the_alignment_pattern_is_unread() {
    let row = format!("{}\n", "E".repeat(20));
    check("\x1b#8\x1b[2J", &[&row.repeat(5)]);
}

#[test]
fn combining_marks_are_stored_with_their_character() {
    check("e\u{301}\r\x1b[K", &["e\u{301}\n"]);
}

/// A screen of the largest size takes 32 MB, so that a thousand of them would not fit in memory.
#[test]
fn stored_screens_are_bounded_by_their_size() {
    let options = EmulatorOptions {
        transient_screens: TransientScreens::Keep,
        scrollback: 0,
        ..EmulatorOptions::default()
    };
    let size = Size {
        cols: 1000,
        rows: 1000,
    };
    let mut emulator = Vt::new(size, options);
    emulator.feed(b"\x1b[?1049h");
    for n in 0..40 {
        emulator.feed(format!("{n}\x1b[2J").as_bytes());
    }
    let screens = emulator.take_transient_screens();
    assert!((4..=16).contains(&screens.len()), "{}", screens.len());
}
