//! Tests of replies to queries: their content and order, independent of how reads split the
//! queries.

use super::{fed, fed_with, full};
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::theme::Theme;

/// Checks the replies with the bytes in one read, one by one, and in two reads split anywhere.
#[track_caller]
fn check_with(options: &EmulatorOptions, bytes: &str, replies: &str) {
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let mut whole = fed_with(options.clone(), bytes);
    assert_eq!(
        shown(&whole.take_replies()),
        shown(replies.as_bytes()),
        "to {bytes:?}"
    );
    assert_eq!(whole.take_replies(), b"", "a reply is taken once");

    let bytes = bytes.as_bytes();
    let mut single = fed_with(options.clone(), "");
    bytes.iter().for_each(|byte| single.feed(&[*byte]));
    assert_eq!(
        shown(&single.take_replies()),
        shown(replies.as_bytes()),
        "byte by byte"
    );
    for cut in 0..=bytes.len() {
        let mut emulator = fed_with(options.clone(), "");
        emulator.feed(&bytes[..cut]);
        let mut replied = emulator.take_replies();
        emulator.feed(&bytes[cut..]);
        replied.extend(emulator.take_replies());
        assert_eq!(shown(&replied), shown(replies.as_bytes()), "cut at {cut}");
    }
}

#[track_caller]
fn check(bytes: &str, replies: &str) {
    check_with(&EmulatorOptions::default(), bytes, replies);
}

#[test]
fn device_attributes() {
    check("\x1b[c", "\x1b[?64;1;4;6;9;15;21;22;28c");
    check("\x1b[0c", "\x1b[?64;1;4;6;9;15;21;22;28c");
    check("\x1bZ", "\x1b[?64;1;4;6;9;15;21;22;28c");
    check("\x1b[>c", "\x1b[>41;100;0c");
    check("\x1b[=c", "\x1bP!|00000000\x1b\\");
}

#[test]
fn status_and_cursor_reports() {
    check("\x1b[5n", "\x1b[0n");
    check("\x1b[6n", "\x1b[1;1R");
    check("ab\r\ncde\x1b[6n", "\x1b[2;4R");
    check("\x1b[3;7H\x1b[?6n", "\x1b[?3;7;1R");
    // With a wrap pending, the cursor is in the last column.
    check("abcdefghijklmnopqrst\x1b[6n", "\x1b[1;20R");
}

#[test]
fn mode_reports_are_set_reset_or_unknown() {
    check("\x1b[?25$p\x1b[?25l\x1b[?25$p", "\x1b[?25;1$y\x1b[?25;2$y");
    check(
        "\x1b[?2004$p\x1b[?2004h\x1b[?2004$p",
        "\x1b[?2004;2$y\x1b[?2004;1$y",
    );
    check(
        "\x1b[?2026$p\x1b[?2026h\x1b[?2026$p",
        "\x1b[?2026;2$y\x1b[?2026;1$y",
    );
    check("\x1b[?12$p\x1b[?12h\x1b[?12$p", "\x1b[?12;2$y\x1b[?12;1$y");
    check("\x1b[?2027$p", "\x1b[?2027;0$y");
    check("\x1b[?69$p", "\x1b[?69;2$y");
    check("\x1b[4$p\x1b[4h\x1b[4$p", "\x1b[4;2$y\x1b[4;1$y");
    check("\x1b[20h\x1b[20$p", "\x1b[20;1$y");
    check("\x1b[3$p", "\x1b[3;4$y");
}

#[test]
fn every_supported_mode_is_reported_as_set() {
    let modes = [
        1, 6, 7, 12, 25, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1042, 1047, 1049, 2004,
        2026,
    ];
    for mode in modes {
        let mut emulator = fed(&format!(
            "\x1b[?{mode}h\x1b[?{mode}$p\x1b[?{mode}l\x1b[?{mode}$p"
        ));
        let expected = format!("\x1b[?{mode};1$y\x1b[?{mode};2$y");
        assert_eq!(emulator.take_replies(), expected.as_bytes(), "?{mode}");
    }
}

#[test]
fn xtversion_reports_our_name_and_version() {
    let version = env!("CARGO_PKG_VERSION");
    check("\x1b[>q", &format!("\x1bP>|screentest {version}\x1b\\"));
    check("\x1b[>0q", &format!("\x1bP>|screentest {version}\x1b\\"));
}

#[test]
fn keyboard_flag_reports() {
    check("\x1b[?u", "\x1b[?0u");
    check("\x1b[>5u\x1b[?u\x1b[<u\x1b[?u", "\x1b[?5u\x1b[?0u");
    check("\x1b[?4m", "\x1b[>4;0m");
}

#[test]
fn setting_reports() {
    check("\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\");
    check(
        "\x1b[1;4:3;5;53;31;48;5;200m\x1bP$qm\x1b\\",
        "\x1bP1$r0;1;4:3;5;53;31;48:5:200m\x1b\\",
    );
    check(
        "\x1b[38;2;1;2;3;58;5;9;97;100m\x1bP$qm\x1b\\",
        "\x1bP1$r0;97;100;58:5:9m\x1b\\",
    );
    check(
        "\x1b[38;2;1;2;3m\x1bP$qm\x1b\\",
        "\x1bP1$r0;38:2::1:2:3m\x1b\\",
    );
    check("\x1bP$q q\x1b\\", "\x1bP1$r2 q\x1b\\");
    check("\x1b[5 q\x1bP$q q\x1b\\", "\x1bP1$r5 q\x1b\\");
    check("\x1bP$qr\x1b\\", "\x1bP1$r1;5r\x1b\\");
    check("\x1b[2;4r\x1bP$qr\x1b\\", "\x1bP1$r2;4r\x1b\\");
    check("\x1bP$q\"p\x1b\\", "\x1bP1$r64;1\"p\x1b\\");
    check("\x1bP$qx\x1b\\", "\x1bP0$r\x1b\\");
    check("\x1bP$q\x1b\\", "\x1bP0$r\x1b\\");
}

#[test]
fn reported_pens_reproduce_the_same_report() {
    // Sending the reported parameters again must give the same report.
    let pens = [
        "0",
        "1;2;3;4;6;7;8;9;53",
        "21;38;5;255",
        "4:4;58:2::1:2:3;48:2::4:5:6",
        "30;107",
    ];
    for pen in pens {
        let mut emulator = fed(&format!("\x1b[{pen}m\x1bP$qm\x1b\\"));
        let first = emulator.take_replies();
        let sgr = first
            .strip_prefix(b"\x1bP1$r")
            .and_then(|rest| rest.strip_suffix(b"\x1b\\"));
        emulator.feed(b"\x1b[m\x1b[");
        emulator.feed(sgr.expect("a valid report"));
        emulator.feed(b"\x1bP$qm\x1b\\");
        assert_eq!(emulator.take_replies(), first, "{pen}");
    }
}

#[test]
fn capability_reports() {
    let hex = |text: &str| text.bytes().map(|b| format!("{b:02X}")).collect::<String>();
    let (tn, co, rgb, tc) = (hex("TN"), hex("Co"), hex("RGB"), hex("Tc"));
    let name = hex("xterm-256color");
    check(
        &format!("\x1bP+q{tn}\x1b\\"),
        &format!("\x1bP1+r{tn}={name}\x1b\\"),
    );
    check(
        &format!("\x1bP+q{co}\x1b\\"),
        &format!("\x1bP1+r{co}={}\x1b\\", hex("256")),
    );
    check(
        &format!("\x1bP+q{rgb}\x1b\\"),
        &format!("\x1bP1+r{rgb}={}\x1b\\", hex("8/8/8")),
    );
    check(
        &format!("\x1bP+q{tc}\x1b\\"),
        &format!("\x1bP1+r{tc}\x1b\\"),
    );
    check("\x1bP+q6162\x1b\\", "\x1bP0+r6162\x1b\\");
    check("\x1bP+qzz\x1b\\", "\x1bP0+r\x1b\\");
    check(
        &format!("\x1bP+q{tc};6162;{co}\x1b\\"),
        &format!(
            "\x1bP1+r{tc}\x1b\\\x1bP0+r6162\x1b\\\x1bP1+r{co}={}\x1b\\",
            hex("256")
        ),
    );
}

#[test]
fn colour_reports_after_set_and_reset() {
    check("\x1b]4;1;?\x07", "\x1b]4;1;rgb:d7d7/4e4e/6f6f\x07");
    check("\x1b]4;196;?\x1b\\", "\x1b]4;196;rgb:ffff/0000/0000\x1b\\");
    check(
        "\x1b]4;1;rgb:12/34/56\x07\x1b]4;1;?\x07",
        "\x1b]4;1;rgb:1212/3434/5656\x07",
    );
    check(
        "\x1b]4;1;#123\x07\x1b]4;1;?\x07",
        "\x1b]4;1;rgb:1010/2020/3030\x07",
    );
    check(
        "\x1b]4;1;#123456\x07\x1b]104;1\x07\x1b]4;1;?\x07",
        "\x1b]4;1;rgb:d7d7/4e4e/6f6f\x07",
    );
    check(
        "\x1b]4;1;#123456\x07\x1b]104\x07\x1b]4;1;?\x07",
        "\x1b]4;1;rgb:d7d7/4e4e/6f6f\x07",
    );
    check(
        "\x1b]4;1;?;0;?\x07",
        "\x1b]4;1;rgb:d7d7/4e4e/6f6f\x07\x1b]4;0;rgb:2828/2a2a/2e2e\x07",
    );
    for (set, reset, theme) in [
        (10, 110, "dddd/dddd/dddd"),
        (11, 111, "1717/1717/1717"),
        (12, 112, "dddd/dddd/dddd"),
    ] {
        check(
            &format!("\x1b]{set};?\x07"),
            &format!("\x1b]{set};rgb:{theme}\x07"),
        );
        check(
            &format!("\x1b]{set};?\x1b\\"),
            &format!("\x1b]{set};rgb:{theme}\x1b\\"),
        );
        check(
            &format!("\x1b]{set};rgb:1/23/456\x07\x1b]{set};?\x07"),
            &format!("\x1b]{set};rgb:1111/2323/4545\x07"),
        );
        check(
            &format!("\x1b]{set};#aabbcc\x07\x1b]{reset}\x07\x1b]{set};?\x07"),
            &format!("\x1b]{set};rgb:{theme}\x07"),
        );
    }
    check(
        "\x1b]10;?;?;?\x1b\\",
        "\x1b]10;rgb:dddd/dddd/dddd\x1b\\\x1b]11;rgb:1717/1717/1717\x1b\\\x1b]12;rgb:dddd/dddd/dddd\x1b\\",
    );
}

#[test]
fn colour_reports_use_the_theme() {
    let options = EmulatorOptions {
        theme: Theme::LIGHT,
        ..EmulatorOptions::default()
    };
    check_with(&options, "\x1b]11;?\x07", "\x1b]11;rgb:ffff/ffff/ffff\x07");
    check_with(&options, "\x1b[?996n", "\x1b[?997;2n");
    check("\x1b[?996n", "\x1b[?997;1n");
}

#[test]
fn size_reports() {
    check("\x1b[14t", "\x1b[4;80;160t");
    check("\x1b[16t", "\x1b[6;16;8t");
    check("\x1b[18t", "\x1b[8;5;20t");
    check("\x1b[19t", "\x1b[9;5;20t");
}

#[test]
fn terminal_parameter_reports() {
    check("\x1b[x", "\x1b[2;1;1;128;128;1;0x");
    check("\x1b[1x", "\x1b[3;1;1;128;128;1;0x");
}

#[test]
fn clipboard_reports() {
    check("\x1b]52;c;?\x07", "\x1b]52;c;\x07");
    check(
        "\x1b]52;c;aGk=\x07\x1b]52;c;?\x1b\\",
        "\x1b]52;c;aGk=\x1b\\",
    );
    // Only selection names are echoed; the rest of the query must not become input of the program.
    check("\x1b]52;pc rm x;?\x07", "\x1b]52;pc;\x07");
}

#[test]
fn queries_are_answered_in_order() {
    check(
        "\x1b[c\x1b]11;?\x1b\\\x1b[6n\x1bP$qr\x1b\\\x1b[?25$p\x1b]4;1;?\x07\x1b[>q\x1b[5n",
        concat!(
            "\x1b[?64;1;4;6;9;15;21;22;28c",
            "\x1b]11;rgb:1717/1717/1717\x1b\\",
            "\x1b[1;1R",
            "\x1bP1$r1;5r\x1b\\",
            "\x1b[?25;1$y",
            "\x1b]4;1;rgb:d7d7/4e4e/6f6f\x07",
            "\x1bP>|screentest ",
            env!("CARGO_PKG_VERSION"),
            "\x1b\\\x1b[0n",
        ),
    );
}

#[test]
fn text_around_a_query_is_shown() {
    let mut emulator = fed("a\x1b[6nb\x1b]11;?\x07c\x1bP$qm\x1b\\d");
    assert_eq!(emulator.screen().text(), "abcd\n");
    // An incomplete query is not answered yet, a cancelled one never.
    let mut emulator = fed("a\x1b[6");
    assert_eq!(emulator.take_replies(), b"");
    emulator.feed(b"\x18b");
    assert_eq!(emulator.take_replies(), b"");
    assert_eq!(emulator.screen().text(), "ab\n");
}

/// A reply to any query is a sequence, and contains nothing that a shell would run.
#[test]
fn no_reply_contains_a_line_end() {
    use screentest_fixtures::random::Random;
    use screentest_fixtures::stream;
    let mut random = Random::new(5);
    for _ in 0..if full() { 2000 } else { 200 } {
        let bytes = stream::grammar(&mut random, 2000);
        let bytes = stream::mutate(&mut random, &bytes);
        let mut emulator = fed("");
        emulator.feed(&bytes);
        let replies = emulator.take_replies();
        let bad = replies
            .iter()
            .find(|b| **b < b' ' && !matches!(b, 0x07 | 0x1b));
        assert_eq!(bad, None, "{}", replies.escape_ascii());
    }
}
