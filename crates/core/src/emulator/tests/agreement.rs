//! Comparison of two independent terminals on the same bytes.
//!
//! If they agree, a bug would have to be in both. If they disagree, these tests list the result of
//! each and state which is right, so that an upgrade that changes either fails a test.

use screentest_fixtures::random::Random;

use super::full;
use crate::emulator::{Backend, Emulator, EmulatorOptions};
use crate::screen::geometry::{Position, Size};
use crate::screen::style::{Attributes, Color};

const SIZE: Size = Size { cols: 10, rows: 5 };

fn pair() -> [Box<dyn Emulator>; 2] {
    Backend::ALL.map(|backend| backend.emulator(SIZE, EmulatorOptions::default()))
}

fn pictures(pair: &mut [Box<dyn Emulator>; 2], bytes: &str) -> [String; 2] {
    pair.each_mut().map(|emulator| {
        emulator.feed(bytes.as_bytes());
        emulator.screen().picture()
    })
}

#[track_caller]
fn check(bytes: &str, picture: &str) {
    for shown in pictures(&mut pair(), bytes) {
        assert_eq!(shown, picture, "{bytes:?}");
    }
}

/// Checks the picture of the default backend and that of the second.
#[track_caller]
fn check_apart(bytes: &str, ours: &str, theirs: &str) {
    let shown = pictures(&mut pair(), bytes);
    assert_eq!(shown, [ours, theirs], "{bytes:?}");
}

#[test]
fn backends_agree_on_plain_text() {
    check("hello\r\nworld", "hello\nworld|\n");
    check("0123456789abc", "0123456789\nabc|\n");
    check("0123456789", "0123456789|\n");
    check("1\r\n2\r\n3\r\n4\r\n5\r\n6", "2\n3\n4\n5\n6|\n");
    check("ab\x08X", "aX|\n");
    // REP repeats only the character just before, and a backward tab without a stop goes to the
    // edge.
    check("a\r\x1b[2b", "|a\n");
    check("\x1b[3gab\x1b[ZX", "X|b\n");
    check("a\tb", "a       b|\n");
}

#[test]
fn backends_agree_on_wide_characters() {
    check("日本語", "日本語|\n");
    check("0123456789\r日", "日|23456789\n");
    check("012345678日", "012345678\n日|\n");
    check("日本\x1b[2GX", " X|本\n");
}

#[test]
fn backends_agree_on_movement_and_erasure() {
    check("\x1b[3;4HX", "\n\n   X|\n");
    check("abc\x1b[2D\x1b[K", "a|\n");
    check("a\r\nb\r\nc\x1b[2;1H\x1b[1J", "\n|\nc\n");
    check("a\r\nb\r\nc\x1b[2;1H\x1b[J", "a\n|\n");
    check("abcdef\x1b[3G\x1b[2P", "ab|ef\n");
    check("abcdef\x1b[3G\x1b[99P", "ab|\n");
    check("abcdef\x1b[3G\x1b[2@", "ab|  cdef\n");
    check("abcdef\x1b[3G\x1b[2X", "ab|  ef\n");
}

#[test]
fn backends_agree_on_regions_and_screens() {
    check(
        "1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r\x1b[4;1H\n",
        "1\n3\n4\n|\n5\n",
    );
    check("1\r\n2\r\n3\x1b[2;3r\x1b[2;1H\x1bM", "1\n|\n2\n");
    check("main\x1b[?1049hother\x1b[?1049lX", "mainX|\n");
    check("\x1b[2;4r\x1b[?6h\x1b[2;2HX", "\n\n X|\n");
    check("\x1b(0lqk\x1b(B", "┌─┐|\n");
}

#[test]
fn backends_agree_that_images_are_not_text() {
    check("a\x1bP0;1q\"1;1;8;6#0~~@@vv\x1b\\b", "ab|\n");
    check("a\x1b_Gf=100,a=T;iVBORw0KGgo=\x1b\\b", "ab|\n");
    check("a\x1b]1337;File=inline=1:iVBORw0KGgo=\x07b", "ab|\n");
}

#[test]
fn backends_agree_on_malformed_bytes() {
    check(
        "a\x1b[31;;;mb\x1b[?999hc\x1b]999;x\x07d\x1bPq\x1b\\e\x1b_x\x1b\\f",
        "abcdef|\n",
    );
    let shown = pair().map(|mut emulator| {
        emulator.feed(b"a\xff\xfeb\xe4\xb8c\xf0\x9f");
        emulator.feed(b"\x98\x80d");
        emulator.screen().text()
    });
    assert_eq!(shown, ["a��b�c😀d\n", "a��b�c😀d\n"]);
}

/// Returns a piece of output with an undisputed meaning. The cases left out are in the tests of
/// disagreements.
fn piece(random: &mut Random, wraps: bool) -> String {
    let count = match random.below(6) {
        0 => String::new(),
        5 => (5 + random.below(20)).to_string(),
        _ => (1 + random.below(5)).to_string(),
    };
    let place =
        |random: &mut Random| format!("\x1b[{};{}H", 1 + random.below(5), 1 + random.below(10));
    let text = |random: &mut Random| {
        let words = ["a", "bc", "defgh", "0123456789", "xyz ", "é"];
        random.pick(&words).to_owned()
    };
    if wraps {
        return match random.below(3) {
            0 => place(random),
            1 => "\r\n".to_owned(),
            _ => text(random),
        };
    }
    match random.below(30) {
        0..=7 => text(random),
        8 => "\r\n".to_owned(),
        9 => random.pick(&["\r", "\n", "\x08", "\t"]).to_owned(),
        10 => place(random),
        11 => {
            let way = random.pick(&["A", "B", "C", "D", "E", "F", "G", "d", "`", "a"]);
            format!("\x1b[{count}{way}")
        }
        12 => format!("\x1b[{}J", random.below(3)),
        13 => format!("\x1b[{}K", random.below(3)),
        14..=19 => {
            let edit = random.pick(&["X", "@", "P", "S", "T"]);
            format!("\x1b[{count}{edit}")
        }
        20..=21 => {
            let edit = random.pick(&["L", "M"]);
            format!("\x1b[r{}\r\x1b[{count}{edit}", place(random))
        }
        22 => {
            let top = 1 + random.below(4);
            format!("\x1b[{top};{}r", top + 1 + random.below(5 - top))
        }
        23..=24 => random
            .pick(&["\x1bM", "\x1bD", "\x1bE", "\x1b7", "\x1b8"])
            .to_owned(),
        25 => format!("x\x1b[{count}b"),
        26 => "\x1b[4hx\x1b[4l".to_owned(),
        27 => format!("\x1b[?6h{}x\x1b[?6l", place(random)),
        28 => "\x1b[?1049h\x1b[2Jx\x1b[?1049l".to_owned(),
        _ => random.pick(&["\x1b[I", "\x1b[Z", "\x1bH"]).to_owned(),
    }
}

#[test]
fn backends_agree_on_random_streams_that_both_support() {
    for seed in 0..if full() { 100_000 } else { 3_000 } {
        let mut random = Random::new(seed);
        let mut pair = pair();
        let mut stream = String::new();
        let mut wraps = false;
        for _ in 0..20 {
            let piece = piece(&mut random, wraps);
            stream.push_str(&piece);
            let [ours, theirs] = pictures(&mut pair, &piece);
            assert_eq!(ours, theirs, "{stream:?}");
            wraps = pair[0].screen().cursor.pending_wrap;
        }
    }
}

#[test]
fn backends_agree_on_the_basic_styles() {
    let bytes = "\x1b[1ma\x1b[0;2mb\x1b[0;3mc\x1b[0;4md\x1b[0;5me\x1b[0;7mf\x1b[0;9mg\x1b[0;31;44mh\x1b[38;5;200mi";
    let [ours, theirs] = pair().map(|mut emulator| {
        emulator.feed(bytes.as_bytes());
        emulator.screen().rows
    });
    assert_eq!(ours, theirs);
}

/// After the last column a wrap is pending; terminals differ in what cancels it.
#[test]
fn backends_differ_while_a_wrap_is_pending() {
    // Erasing to the end erases the last character in the default, as in xterm.
    check_apart("0123456789\x1b[J", "012345678|\n", "0123456789|\n");
    check_apart("0123456789\x1b[X", "012345678|\n", "0123456789|\n");
    check_apart("0123456789\x1b[P", "012345678|\n", "012345678|\n");
    // Without autowrap, no wrap is pending in the second.
    check_apart("\x1b[?7l0123456789", "0123456789|\n", "012345678|9\n");
}

/// The default follows xterm here, by itself or by our additions.
#[test]
fn backends_differ_where_the_second_does_not_follow_xterm() {
    // Margins below the screen end at its last row, and a region of one row is ignored.
    check_apart("a\x1b[4;9r\x1b[5;1H\n", "a\n\n\n\n|\n", "\n\n\n\n|\n");
    check_apart("ab\x1b[3;3rX", "abX|\n", "X|b\n");
    // Lines are inserted and deleted only within the margins.
    check_apart("a\x1b[2;3r\x1b[M", "|a\n", "|\n");
    check_apart("a\x1b[2;3r\x1b[L", "|a\n", "|\na\n");
    // A character that wraps in insert mode moves the text of the next row.
    check_apart(
        "\r\na\x1b[H\x1b[4h0123456789X",
        "0123456789\nX|a\n",
        "0123456789\nX|\n",
    );
    // A relative row (VPR) does not stop at the margin.
    check_apart("\x1b[1;3r\x1b[9eX", "\n\n\n\nX|\n", "\n\nX|\n");
    // In origin mode, moving up one row moves by one row.
    check_apart(
        "\x1b[3;5r\x1b[?6h\x1b[3;1H\x1bMX",
        "\n\n\nX|\n",
        "\n\n\n\nX|\n",
    );
}

#[test]
fn backends_differ_on_marks_and_clusters() {
    // The second puts a combining mark into its own cell, so that the text after it is one column
    // further right.
    check_apart("e\u{301}x\x1b[2GX", "e\u{301}X|\n", "eX|x\n");
    check_apart("❤\u{fe0f}x\x1b[2GX", " X|x\n", "❤X|x\n");
    // It knows no clusters: each character has its own cells.
    check_apart("🇩🇪x\x1b[2GX", " X|x\n", "🇩X|x\n");
    check_apart("👍🏽\x1b[3GX", "👍🏽X|\n", "👍X|\n");
}

#[test]
fn backends_differ_on_features_that_the_second_lacks() {
    // The second does not support underline colours and reads the numbers as attributes.
    let style = |emulator: &mut Box<dyn Emulator>| {
        emulator.feed(b"\x1b[4;58;5;9mX");
        let screen = emulator.screen();
        *screen.cell(Position::default()).style
    };
    let [ours, theirs] = pair().each_mut().map(style);
    assert_eq!(ours.underline_color, Color::Indexed(9));
    assert_eq!(ours.attributes, Attributes::empty());
    assert_eq!(theirs.underline_color, Color::Default);
    assert_eq!(
        theirs.attributes,
        Attributes::BLINK | Attributes::STRIKETHROUGH
    );
}
