//! Tests that unsupported sequences are counted, and listed in readable form.

use super::fed;
use crate::emulator::Emulator;

#[track_caller]
fn check(bytes: &str, names: &[(&str, u64)]) {
    let emulator = fed(bytes);
    let unknown: Vec<(&str, u64)> = emulator.notes().unknown().collect();
    assert_eq!(unknown, names);
    let count: u64 = names.iter().map(|(_, count)| count).sum();
    assert_eq!(emulator.notes().counts.unknown, count);
}

#[test]
fn unknown_sequences_are_listed_in_the_notation_of_manuals() {
    check("\x1b[?68h", &[("CSI ? 68 h", 1)]);
    check("\x1b[?68;1;70h", &[("CSI ? 68;1;70 h", 1)]);
    check("\x1b[1;2;3;4$k", &[("CSI 1;2;3;4 $ k", 1)]);
    check("\x1b[4:9:2;73m", &[("CSI 4:9:2;73 m", 1)]);
    check("\x1b%@", &[("ESC %@", 1)]);
    check("\x1bk", &[("ESC k", 1)]);
    check("\x1b]999;hello\x07", &[("OSC 999;hello", 1)]);
    check("\x1bP1;2|abc\x1b\\", &[("DCS 1;2 |", 1)]);
    check("\x1bPtmux;x\x1b\\", &[("DCS 0 t", 1)]);
    check("\x1b_tmux\x07;\x1b\\", &[("APC tmux\\u{7};", 1)]);
    check("\x1b^private\x18", &[("PM private", 1)]);
    check("\x1bXstring\x1b[31m", &[("SOS string", 1)]);
    check("\x1b_\x1b\\", &[("APC ", 1)]);
}

#[test]
fn a_string_is_recognised_after_any_state_and_split_anywhere() {
    let strings = [
        "\x1b_one\x1b\\",
        // After an escape that ended another sequence, and with controls in between.
        "\x1b]2;t\x1b_one\x1b\\",
        "\x1bP$qm\x1b_one\x1b\\",
        "\x1b[3\x1b\x07_one\x1b\\",
        "\x1b_one\x1b^two\x1b\\",
        // After a sequence that the parser drops, and after text that the parser reads by itself.
        "\x1b[1?hé\x1b_one\x1b\\",
        // Not strings, although they look similar.
        "\x1b[_one",
        "\x1b(_one",
        "\x1b\x18_one",
    ];
    for string in strings {
        let whole = fed(string);
        let mut cut = fed("");
        for byte in string.as_bytes() {
            cut.feed(std::slice::from_ref(byte));
        }
        let names = |emulator: &crate::emulator::vt::Vt| {
            let notes = emulator.notes();
            notes
                .unknown()
                .map(|(name, _)| name.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&whole), names(&cut), "{string:?}");
        let is_string = string.ends_with("\x1b\\");
        assert_eq!(
            names(&whole).contains(&"APC one".to_owned()),
            is_string,
            "{string:?}"
        );
    }
}

#[test]
fn supported_sequences_are_not_listed() {
    check(
        "a\x1b[1;31mb\x1b[K\x1b[?25l\x1b[?2026h\x1b[?2026l\x1b]2;t\x1b\\\x1b[c\x07",
        &[],
    );
    check(
        "\x1b7\x1b8\x1b=\x1b>\x1bM\x1bc\x1b#8\x1b[!p\x1b[6 q\x1b]112\x07\x1bP$qm\x1b\\",
        &[],
    );
}

#[test]
fn the_same_sequence_is_listed_once_and_counted() {
    check(
        "\x1b[?68h\x1b[?68h\x1b[?68l",
        &[("CSI ? 68 h", 2), ("CSI ? 68 l", 1)],
    );
}

#[test]
fn unknown_sequences_beyond_the_limit_are_only_counted() {
    let flood: String = (0..1000).map(|n| format!("\x1b]999;{n}\x07")).collect();
    let emulator = fed(&flood);
    assert_eq!(emulator.notes().counts.unknown, 1000);
    assert_eq!(emulator.notes().unknown().count(), 64);
    let long = fed(&format!("\x1b]999;{}\x07", "é".repeat(100_000)));
    let (name, _) = long.notes().unknown().next().expect("one is listed");
    assert!(name.chars().count() <= 80);
}

#[test]
fn unanswered_queries_are_listed_once_each() {
    let unanswered = |bytes: &str| fed(bytes).notes().unanswered().to_vec();
    assert_eq!(unanswered("\x1b[c\x1b[6n"), [""; 0]);
    assert_eq!(unanswered("\x1b[?99n"), ["CSI ? 99 n"]);
    assert_eq!(unanswered("\x1b[?16n"), ["CSI ? 16 n"]);
    assert_eq!(unanswered("\x1b]21;?\x07"), ["OSC 21;?"]);
    assert_eq!(
        unanswered("\x1b[?99n\x1b]21;?\x1b\\\x1b[?99n"),
        ["CSI ? 99 n", "OSC 21;?"]
    );
    let flood: String = (0..1000).map(|n| format!("\x1b]7{n};?\x07")).collect();
    assert_eq!(unanswered(&flood).len(), 64);
}
