//! Tests that no sequence causes unbounded work or memory.

use screentest_fixtures::flood::EXPENSIVE;

use super::fed;
use crate::emulator::vt::Vt;
use crate::emulator::vt::parsing::parser::Parser;
use crate::emulator::vt::sequences::images::StringInProgress;
use crate::emulator::{Emulator, EmulatorOptions, TransientScreens, Work};
use crate::screen::geometry::{Position, Size};
use crate::screen::row::Text;

#[track_caller]
fn check(bytes: &[u8], text: &str) {
    let mut emulator = Vt::new(Size { cols: 20, rows: 5 }, EmulatorOptions::default());
    emulator.feed(bytes);
    assert_eq!(emulator.screen().text(), text);
}

#[test]
fn a_repeat_count_is_limited_to_one_screen() {
    // A hundred times the largest count would print 6.5 million characters.
    let row = "x".repeat(20);
    let mut emulator = fed(&"x\x1b[65535b".repeat(100));
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

/// A repetition equals the same characters fed one by one.
#[test]
fn a_repetition_equals_typed_characters() {
    let setups = [
        "",
        "\x1b[3;7H",
        "\x1b[31;44;4m",
        "\x1b[4h",
        "\x1b[?7l",
        "\x1b(0",
        "\x1b[2;4r\x1b[4;1H",
        "\x1b[?1049h\x1b[5;1H",
        "漢字漢字漢字\r\x1b[C",
        "\x1b]8;;http://a\x1b\\",
        "\x1b[53m",
    ];
    for setup in setups {
        for c in ["x", "~", "é", "│", "漢"] {
            for count in [1, 3, 19, 20, 21, 99, 130] {
                let last = c.chars().last().unwrap();
                let mut typed = fed(&format!("ab{setup}{c}"));
                (0..count).for_each(|_| typed.feed(last.to_string().as_bytes()));
                let mut repeated = fed(&format!("ab{setup}{c}\x1b[{count}b"));
                let [mut expected, mut found] =
                    [&mut typed, &mut repeated].map(|emulator| emulator.state(100));
                expected.screen.scrollback_rows = 0;
                found.screen.scrollback_rows = 0;
                // A repetition is limited to little more than a screen.
                let most = expected.scrollback.len().min(found.scrollback.len());
                for state in [&mut expected, &mut found] {
                    state.scrollback = state.scrollback.split_off(state.scrollback.len() - most);
                }
                assert_eq!(expected, found, "{setup:?} {c:?} {count}");
            }
        }
    }
}

/// Feeds bytes in slices and returns their work and the number of slices.
fn sliced(emulator: &mut Vt, mut bytes: &[u8], budget: Work) -> (Work, usize) {
    let (mut work, mut slices) = (0, 0);
    while !bytes.is_empty() {
        let fed = emulator.feed_slice(bytes, budget);
        assert!(fed.bytes > 0);
        bytes = &bytes[fed.bytes..];
        work += fed.work;
        slices += 1;
    }
    (work, slices)
}

#[test]
fn work_counts_the_cells_that_a_sequence_changes() {
    let size = Size {
        cols: 100,
        rows: 40,
    };
    let (row, screen) = (100, 4000);
    for (sequence, least) in [
        ("\x1b#8", screen),
        ("\x1b[2J", screen),
        ("\x1b[J", screen),
        ("x\x1b[65535b", screen),
        ("\x1b[65535L", screen),
        ("\x1b[65535M", screen),
        ("\x1b[65535S", screen),
        ("\x1b[65535T", screen),
        ("\x1b[?1049h\x1b[?1049l", 2 * screen),
        ("\x1b[?40;3h", screen),
        ("\x1bc", screen),
        ("\x1b[?2026h\x1b[?2026l", screen),
        ("\x1bM", row),
        ("\x1b[40;1H\n", row),
        ("\x1b[2;39r\x1b[39;1H\n", row),
        ("\x1b[2K", row),
        ("\x1b[65535@", row),
        ("\x1b[65535P", row),
        ("\x1b[65535X", row),
        ("\x1b[65535I", row),
        ("\x1b[65535Z", row),
        ("\x1b[3g\r\t", row),
    ] {
        for transient_screens in [TransientScreens::Keep, TransientScreens::Drop] {
            let options = EmulatorOptions {
                transient_screens,
                ..EmulatorOptions::default()
            };
            let mut emulator = Vt::new(size, options);
            let (work, _) = sliced(&mut emulator, sequence.as_bytes(), Work::MAX);
            assert!(work >= least, "{sequence:?}: {work}");
            // Not so much more that ordinary output would be fed in many slices.
            assert!(work < 10 * least, "{sequence:?}: {work}");
        }
    }
}

#[test]
fn slices_end_after_their_work_and_show_the_same_as_one_feed() {
    let size = Size { cols: 80, rows: 24 };
    let expensive = EXPENSIVE.repeat(200);
    let text = "ordinary text, é, 漢字\r\n".repeat(400);
    for (bytes, cells) in [(&expensive, 200 * 3 * 80 * 24), (&text, 0)] {
        let mut whole = Vt::new(size, EmulatorOptions::default());
        whole.feed(bytes.as_bytes());
        for budget in [1, 1000, 100_000] {
            let mut cut = Vt::new(size, EmulatorOptions::default());
            let (work, slices) = sliced(&mut cut, bytes.as_bytes(), budget);
            assert!(work >= cells, "{work}");
            // Each slice does little more than its budget: one screen, or one piece of text.
            let most = budget + 100_000;
            assert!(slices as Work >= work / most, "{slices} slices of {budget}");
            assert_eq!(whole.state(10_000), cut.state(10_000));
            assert_eq!(whole.notes(), cut.notes());
        }
    }
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
        for _ in 0..800 {
            emulator.feed(&[b'a'; 64 << 10]);
            let limit = match start {
                "\x1bPq" | "\x1b_G" => StringInProgress::LONGEST_IMAGE,
                _ => Parser::LONGEST,
            };
            assert!(emulator.parser.held <= limit, "{start:?}");
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
    let mut emulator = Vt::new(Size { cols: 20, rows: 5 }, options);
    for n in 0..100 {
        emulator.feed(format!("{n}\r\n").as_bytes());
    }
    let rows = emulator.scrollback(100);
    let text: Vec<&str> = rows.iter().map(|row| row.text()).collect();
    assert_eq!(text, ["89", "90", "91", "92", "93", "94", "95"]);
    assert_eq!(emulator.scrollback(2).len(), 2);
}

#[test]
fn the_largest_size_takes_memory_only_for_text() {
    let (small, large) = (Size::new(2, 1), Size::new(2000, 2000));
    let mut emulator = Vt::new(small, EmulatorOptions::default());
    emulator.feed(b"ab\r\ncd\r\nef");
    for alternate in ["", "\x1b[?1049h", "x\x1b[?1049l"] {
        emulator.feed(alternate.as_bytes());
        for _ in 0..1000 {
            emulator.resize(large);
            emulator.resize(small);
        }
        emulator.resize(large);
        let stored = emulator.terminal.grid.stored_cells();
        assert!(stored < 1000, "{stored} cells after {alternate:?}");
    }
    assert!(emulator.screen().text().starts_with("ab\ncd\nef\n"));
}
