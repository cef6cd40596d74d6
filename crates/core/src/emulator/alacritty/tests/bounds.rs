//! Tests that no sequence causes unbounded work or memory.

use super::fed;
use crate::emulator::alacritty::Alacritty;
use crate::emulator::alacritty::parsing::parser::Parser;
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::geometry::{Position, Size};
use crate::screen::row::Text;

#[track_caller]
fn check(bytes: &[u8], text: &str) {
    let mut emulator = Alacritty::new(Size { cols: 20, rows: 5 }, EmulatorOptions::default());
    emulator.feed(bytes);
    assert_eq!(emulator.screen().text(), text);
}

#[test]
fn a_repeat_count_is_limited_to_one_screen() {
    // A hundred times the largest count would print 6.5 million characters.
    let row = "x".repeat(20);
    let mut emulator = fed(&format!("x{}", "\x1b[65535b".repeat(100)));
    let screen = emulator.screen();
    assert!(
        screen
            .text()
            .starts_with(&format!("{row}\n{row}\n{row}\n{row}\n"))
    );
    assert!(screen.scrollback_rows <= 100 * 7);
    // The remainder still decides the column: 1 + 65,535 = 3,276 rows and 16.
    let mut once = fed("x\x1b[65535b");
    assert_eq!(once.screen().cursor.position, Position { row: 4, col: 16 });
    check(b"ab\x1b[3b", "abbbb\n");
    check(b"\x1b[3b", "");
}

#[test]
fn combining_marks_per_character_are_bounded() {
    let mut emulator = fed(&format!("e{}x", "\u{301}".repeat(100_000)));
    let screen = emulator.screen();
    let Text::Cluster(cluster) = screen.cell(Position::default()).text else {
        panic!("no marks");
    };
    assert_eq!(cluster.chars().count(), 17);
    assert!(screen.rows[0].text().ends_with('x'));
}

#[test]
fn the_keyboard_stack_is_bounded() {
    let mut emulator = fed(&"\x1b[>1u".repeat(5000));
    emulator.feed(b"\x1b[>3u\x1b[?u");
    assert_eq!(emulator.take_replies(), b"\x1b[?3u");
    emulator.feed("\x1b[<u".repeat(5000).as_bytes());
    emulator.feed(b"\x1b[?u");
    assert_eq!(emulator.take_replies(), b"\x1b[?0u");
}

#[test]
fn the_largest_parameters_are_handled() {
    for last in "@ABCDEFGHIJKLMPSTXZ`abdefgr".chars() {
        for number in ["0", "65535", "4294967295", "99999999999999999999"] {
            let mut emulator = fed(&format!("ab\r\ncd\x1b[{number};{number}{last}x"));
            assert!(emulator.screen().contains("x"), "CSI {number} {last}");
        }
    }
}

#[test]
fn a_string_without_end_is_dropped_and_the_terminal_continues() {
    for start in ["\x1b]2;", "\x1bP$q", "\x1bPq", "\x1b_G", "\x1bX", "\x1b^"] {
        let mut emulator = fed(start);
        for _ in 0..128 {
            emulator.feed(&[b'a'; 64 << 10]);
            assert!(emulator.parser.held <= Parser::LONGEST, "{start:?}");
        }
        emulator.feed(b"\x1b\\shown");
        let screen = emulator.screen();
        assert_eq!(screen.text(), "shown\n", "{start:?}");
        assert_eq!(&*screen.title, "", "{start:?}");
    }
}

#[test]
fn dropping_a_long_string_does_not_depend_on_reads() {
    let bytes = [b"\x1b]2;", [b'a'; 2 << 20].as_slice(), b"\x07shown"].concat();
    let mut whole = fed("");
    whole.feed(&bytes);
    let mut cut = fed("");
    bytes.chunks(1000).for_each(|chunk| cut.feed(chunk));
    assert_eq!(&*whole.screen().title, "");
    assert_eq!(whole.state(0), cut.state(0));
    assert_eq!(whole.notes(), cut.notes());
    assert_eq!(whole.screen().text(), "shown\n");
}

#[test]
fn text_after_a_dropped_sequence_is_shown() {
    // A private mark after a number makes the parser ignore the sequence without a callback.
    let mut emulator = fed("\x1b[1?h");
    for _ in 0..40 {
        emulator.feed("é".repeat(32 << 10).as_bytes());
    }
    emulator.feed(b"\r\nend");
    assert_eq!(emulator.notes().counts.unknown, 0);
    assert!(emulator.screen().text().ends_with("\nend\n"));
}

#[test]
fn replies_that_are_not_taken_are_bounded() {
    let mut emulator = fed(&format!("\x1b]52;c;{}\x07", "YWFh".repeat(200_000)));
    for _ in 0..20 {
        emulator.feed(b"\x1b]52;c;?\x07");
    }
    assert!(emulator.take_replies().len() < 8 << 20);
    // After they are taken, further queries are answered.
    emulator.feed(b"\x1b[5n");
    assert_eq!(emulator.take_replies(), b"\x1b[0n");
}

#[test]
fn the_scrollback_is_bounded() {
    let options = EmulatorOptions {
        scrollback: 7,
        ..EmulatorOptions::default()
    };
    let mut emulator = Alacritty::new(Size { cols: 20, rows: 5 }, options);
    for n in 0..100 {
        emulator.feed(format!("{n}\r\n").as_bytes());
    }
    let rows = emulator.scrollback(100);
    let text: Vec<&str> = rows.iter().map(|row| row.text()).collect();
    assert_eq!(text, ["89", "90", "91", "92", "93", "94", "95"]);
    assert_eq!(emulator.scrollback(2).len(), 2);
}
