//! Tests of protected cells and of rectangles.

use super::fed;
use crate::emulator::Emulator;
use crate::screen::geometry::Position;
use crate::screen::style::{Attributes, Color, Underline};

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

const TEXT: &str = "abcdef\r\nghijkl\r\nmnopqr\r\nstuvwx";

#[test]
fn selective_erasing_keeps_protected_cells() {
    let text = "a\x1b[1\"qb\x1b[0\"qc";
    check(&format!("{text}\x1b[?2J"), " b |\n");
    check(&format!("{text}\x1b[?2K"), " b |\n");
    check(&format!("{text}\x1b[?1K"), " b |\n");
    check(&format!("{text}\r\x1b[?K"), "| b\n");
    check(&format!("{text}\r\x1b[?J"), "| b\n");
    check(&format!("{text}\x1b[${{"), " b |\n");
    // Ordinary erasing does not look at DECSCA.
    check(&format!("{text}\x1b[2J"), "   |\n");
    check(&format!("{text}\r\x1b[3X"), "|\n");
    check_replies(
        "\x1b[1\"q\x1bP$q\"q\x1b\\\x1b[2\"q\x1bP$q\"q\x1b\\",
        "\x1bP1$r1\"q\x1b\\\x1bP1$r0\"q\x1b\\",
    );
}

#[test]
fn guarded_cells_survive_ordinary_erasing() {
    let text = "a\x1bVb\x1bWc";
    check(&format!("{text}\x1b[2J"), " b |\n");
    check(&format!("{text}\x1b[2K"), " b |\n");
    check(&format!("{text}\r\x1b[3X"), "| b\n");
    // Rectangles are erased anyway, and DECSCA makes ordinary erasing ignore protection again.
    check(&format!("{text}\x1b[$z"), "   |\n");
    check(&format!("{text}\x1b[\"q\x1b[2J"), "   |\n");
    // The protection is the same.
    check(&format!("{text}\x1b[?2J"), " b |\n");
    check("a\x1b[1\"qb\x1bVc\x1bWd\x1b[2J", " bc |\n");
}

#[test]
fn rectangles_are_copied() {
    check(
        &format!("{TEXT}\x1b[1;1;2;3;1;3;4;1$v"),
        "abcdef\nghijkl\nmnoabc\nstughi|\n",
    );
    // Onto itself.
    check(
        &format!("{TEXT}\x1b[1;1;3;6;1;2;2;1$v"),
        "abcdef\ngabcdef\nmghijkl\nsmnopq|r\n",
    );
    // What does not fit is cut off.
    check(
        &format!("{TEXT}\x1b[1;1;4;6;1;5;19;1$v"),
        "abcdef\nghijkl\nmnopqr\nstuvwx|\n                  ab\n",
    );
    check("\x1b[1;1H日本\x1b[1;2;1;3;1;2;1;1$v", "日本|\n");
}

#[test]
fn rectangles_are_filled_and_erased() {
    check(
        &format!("{TEXT}\x1b[88;2;2;3;4$x"),
        "abcdef\ngXXXkl\nmXXXqr\nstuvwx|\n",
    );
    check(
        &format!("{TEXT}\x1b[2;2;3;4$z"),
        "abcdef\ng   kl\nm   qr\nstuvwx|\n",
    );
    check(
        &format!("{TEXT}\x1b[7;2;2;3;4$x"),
        &format!("{}|\n", TEXT.replace("\r\n", "\n")),
    );
    // In origin mode, rectangles count from the margins.
    check(
        &format!("{TEXT}\x1b[2;3r\x1b[?6h\x1b[88;1;1;9;2$x"),
        "abcdef\n|XXijkl\nXXopqr\nstuvwx\n",
    );
}

#[test]
fn attributes_of_rectangles_and_streams_are_changed() {
    let bold = |bytes: &str| -> Vec<String> {
        let screen = fed(&format!("{TEXT}{bytes}")).screen();
        let is_bold = |row, col| {
            let cell = screen.cell(Position { row, col });
            if cell.style.is(Attributes::BOLD) {
                'x'
            } else {
                '.'
            }
        };
        (0..4)
            .map(|row| (0..6).map(|col| is_bold(row, col)).collect())
            .collect()
    };
    assert_eq!(
        bold("\x1b[2*x\x1b[2;2;3;4;1$r"),
        ["......", ".xxx..", ".xxx..", "......"]
    );
    assert_eq!(
        bold("\x1b[1*x\x1b[2;2;3;4;1$r"),
        ["......", ".xxxxx", "xxxx..", "......"]
    );
    assert_eq!(
        bold("\x1b[2*x\x1b[2;2;3;4;1$t"),
        ["......", ".xxx..", ".xxx..", "......"]
    );
    assert_eq!(
        bold("\x1b[2*x\x1b[2;2;3;4;1$r\x1b[2;2;2;2;22$r\x1b[3;2;3;3;1$t"),
        ["......", "..xx..", "...x..", "......"]
    );
    check_replies("\x1b[2*x\x1bP$q*x\x1b\\", "\x1bP1$r2*x\x1b\\");
}

#[test]
fn checksums_are_those_of_xterm() {
    // The negated sum of the characters and attributes.
    check_replies("a\x1b[7;1;1;1;1;1*y", "\x1bP7!~FF9F\x1b\\");
    check_replies("\x1b[1ma\x1b[7;1;1;1;1;1*y", "\x1bP7!~FF1F\x1b\\");
    check_replies("ab\x1b[7;1;1;1;1;2*y", "\x1bP7!~FF3D\x1b\\");
}

#[test]
fn pens_are_pushed_popped_and_reported() {
    let screen = fed("\x1b[31;1;4m\x1b[#{\x1b[0;32ma\x1b[#}b").screen();
    let style = |col| *screen.cell(Position { row: 0, col }).style;
    assert_eq!(style(0).fg, Color::Indexed(2));
    assert_eq!(style(1).fg, Color::Indexed(1));
    assert_eq!(style(1).underline, Underline::Single);
    check_replies("\x1b[31;1mab\x1b[4mcd\x1b[1;1;1;4#|", "\x1b[0;1;31m");
}

#[test]
fn copies_keep_protection_margins_sets_and_stacks() {
    use crate::emulator::EmulatorOptions;
    use crate::emulator::vt::Vt;
    use crate::screen::geometry::Size;
    for (before, after) in [
        ("a\x1b[1\"qb\x1b[0\"qc\x1bVd\x1bWe", "\x1b[?2Jx\x1b[2J"),
        ("\x1b[1\"q", "a\x1b[?2J"),
        (
            "\x1b[?69h\x1b[3;6s\x1b[2;4r\x1b[?6h\x1b[2;2H",
            "abcdefgh\x1b[?69lxyz",
        ),
        ("\x1b[?69h\x1b[3;6s\x1b[1;3Habcd", "x"),
        ("\x1b(A\x1b*>\x1bN", "aa\x1bNa#"),
        ("\x1b)K\x0e", "[\x0f["),
        ("\x1b[31m\x1b[#{\x1b[32m\x1b[#{\x1b[m", "\x1b[#}a\x1b[#}b"),
        ("\x1b[1;31m\x1b[30#{\x1b[6#{\x1b[m", "\x1b[#}a\x1b[#}b"),
        (
            &format!("\x1b[1m{}\x1b[m", "\x1b[#{".repeat(12)),
            "\x1b[#}\x1b[#}a\x1b[#}b",
        ),
        (
            "\x1b]0;x\x07\x1b[>0;1t",
            "\x1b[21t\x1b]2;6162\x07\x1b[20t\x1b[21t",
        ),
        (
            "\x1b[?1010l\x1b[?2005h",
            "\x1b[?1010$p\x1b[?2005$p\x1b[?1037$p",
        ),
        ("\x1b[3#yab", "\x1b[1;1;1;1;1;2*y"),
        ("\x1b[?45h\x1b[?45s\x1b[?45l", "\x1b[?45rab\r\n\x08X"),
        ("\x1b[2*x\x1b[?40;95h", "abc\r\ndef\x1b[1;2;2;2;1$r\x1b[?3h"),
        ("main\x1b[?47hother\x1b[?47l", "\x1b[?47hx"),
        ("\x1b[?2031;2048h", ""),
        (
            "\x1b]1;icon\x07\x1b]2;window\x07\x1b[22t\x1b]0;x\x07",
            "\x1b[23;1t\x1b[20t\x1b[21t",
        ),
    ] {
        let size = Size { cols: 20, rows: 5 };
        let mut one = fed(before);
        one.take_replies();
        let mut other = Vt::new(size, EmulatorOptions::default());
        other.feed(&one.dump(100));
        assert_eq!(other.take_replies(), b"", "{before:?}");
        assert_eq!(one.state(100), other.state(100), "{before:?}");
        for emulator in [&mut one, &mut other] {
            emulator.feed(after.as_bytes());
            emulator.feed(b"\x1b[?45$p\x1b[?2031$p\x1b[?40$p");
        }
        assert_eq!(
            one.state(100),
            other.state(100),
            "{before:?} then {after:?}"
        );
        assert_eq!(
            one.take_replies(),
            other.take_replies(),
            "{before:?} then {after:?}"
        );
    }
}
