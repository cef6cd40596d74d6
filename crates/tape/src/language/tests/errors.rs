//! Tests of error messages and their places.

use super::wrong;
use crate::language::{Dialect, MAX_TAPE_LENGTH, Severity, parse};
use screentest_core::Paint;

const VHS: Dialect = Dialect::Vhs;

#[track_caller]
fn shown(text: &str, picture: &str) {
    let (_, report) = parse(text, "demo.tape", Some(VHS));
    assert_eq!(report.to_string(), picture.trim_matches('\n'));
}

#[test]
fn the_line_is_shown_with_a_marker_below_the_place() {
    shown(
        "Type 'a'\nSlep 1s\n",
        "
error: unknown command `Slep`
 --> demo.tape:2:1
  |
2 | Slep 1s
  | ^^^^ did you mean `Sleep`?
",
    );
    shown(
        &format!("{}Sleep -1s", "\n".repeat(99)),
        "
error: `-1s` is a negative time
   --> demo.tape:100:7
    |
100 | Sleep -1s
    |       ^^^
    = a time is written `500ms`, `1.5s`, `2m`, or as a number of seconds
",
    );
}

#[test]
fn the_marker_has_the_right_columns() {
    let hint = "a time is written `500ms`, `1.5s`, `2m`, or as a number of seconds";
    // A tab is shown as four columns, a wide character as two, a combining mark as none.
    let before = " ".repeat(4 + 5 + 7 + 1 + 6);
    let picture = format!(
        "error: `nan` is not a time\n --> demo.tape:1:20\n  |\n1 |     Type '界界e\u{301}' Sleep nan\n  | {before}^^^\n  = {hint}"
    );
    shown("\tType '界界e\u{301}' Sleep nan\r\n", &picture);
    let picture = format!(
        "error: `界界` is not a time\n --> demo.tape:1:7\n  |\n1 | Sleep 界界\n  |       ^^^^\n  = {hint}"
    );
    shown("Sleep 界界", &picture);
}

#[test]
fn control_characters_of_a_tape_do_not_reach_the_terminal() {
    let (_, report) = parse("\x1b[31mX\n\x07", "a\x1b.tape", Some(VHS));
    assert_eq!(report.count(Severity::Error), 2);
    let plain = report.to_string();
    assert!(!plain.contains(['\x1b', '\x07']), "{plain:?}");
    let colored = report.render(Paint::Ansi);
    assert!(colored.contains("\x1b[1;31merror\x1b[0m"));
    assert_eq!(without_colors(&colored).trim_end(), plain);
}

/// Removes the colours of a report.
fn without_colors(text: &str) -> String {
    let mut plain = text.to_owned();
    for codes in [
        "\x1b[1;31m",
        "\x1b[1;33m",
        "\x1b[1;34m",
        "\x1b[1m",
        "\x1b[0m",
    ] {
        plain = plain.replace(codes, "");
    }
    plain
}

#[test]
fn a_long_line_is_shown_around_the_place() {
    let text = format!("Type '{}' Ctrl+Entre {}", "a".repeat(500), "b".repeat(500));
    let (_, report) = parse(&text, "demo.tape", Some(VHS));
    let picture = report.to_string();
    let lines: Vec<&str> = picture.lines().collect();
    assert!(
        lines.iter().all(|line| line.chars().count() < 130),
        "{picture}"
    );
    let (line, mark) = (lines[3], lines[4]);
    let column = mark.find('^').unwrap();
    let under: String = line.chars().skip(column).take(5).collect();
    assert_eq!(under, "Entre", "{picture}");
}

#[test]
fn all_errors_are_reported_at_once() {
    let text = "Slep 1\nType\nEnter 99999\nEnter 2s\nWait+Foo /x/\nWait /(/\nScreenshot a.gif\nCtrl\nCtrl+\nHide@1s\nMouseDown Lft\nResize 1 1\nExpect Ready\nAssertCells 0 0 '[1]'\nAssertStyle 0 0 1 '{\"bld\":true}'\nLaunch\nEnv A=B c\nMask\nSnapshot ''\nEnter";
    let lines = wrong(text, VHS);
    let lines = lines
        .iter()
        .map(|lines| lines.lines().next().unwrap_or_default());
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "1:1 Slep: unknown command `Slep`",
            "2:1 Type: `Type` needs a text",
            "3:7 99999: `99999` is not a count from 1 to 65535",
            "4:7 2s: `2s` is not a count from 1 to 65535",
            "5:6 Foo: expected `Line`, `Screen` or `Anytime` after `Wait+`, not `Foo`",
            "6:6 /(/: invalid regular expression `(`: unclosed group",
            "7:12 a.gif: `a.gif` does not end with `.png`",
            "8:1 Ctrl: `Ctrl` alone presses nothing",
            "9:1 Ctrl+: expected a key after `+`",
            "10:5 @: `Hide` does not take a time after `@`",
            "11:11 Lft: `Lft` is not a button",
            "12:8 1 1: `1` columns: a screen has 2 to 2000",
            "13:8 Ready: `Ready` is not a selector",
            "14:17 '[1]': unexpected JSON: invalid type: integer `1`, expected a string at line 1 column 2",
            "15:19 '{\"bld\":true}': unknown style field `bld`",
            "16:1 Launch: `Launch` needs a program",
            "17:5 A=B: `A=B` is not a variable name",
            "18:1 Mask: `Mask` needs a selector",
            "19:10 '': `Snapshot` needs a name, but this is empty",
        ]
    );
}

#[test]
fn the_line_after_an_unknown_command_is_parsed() {
    assert_eq!(
        wrong(
            "Slep 1s \"x\" Backspace@\nSet FontFamily Jet Mono Sleep -1",
            VHS
        ),
        [
            "1:1 Slep: unknown command `Slep`",
            "1:13 Backspace: `Backspace` needs a time after `@`",
            "2:20 Mono: unknown command `Mono`",
            "2:31 -1: `-1` is a negative time",
        ]
    );
}

#[test]
fn a_typo_suggests_the_known_name() {
    let nearest = |text: &str| {
        let (_, report) = parse(text, "a.tape", Some(VHS));
        report.diagnostics[0].nearest.clone().unwrap_or_default()
    };
    assert_eq!(nearest("Tpye 'x'"), "Type");
    assert_eq!(nearest("Screnshot a.png"), "Screenshot");
    assert_eq!(nearest("Set Wdith 5"), "Width");
    assert_eq!(nearest("Set Theme Drakula"), "Dracula");
    assert_eq!(nearest("Output a.giff"), ".gif");
    assert_eq!(nearest("Crtl+C"), "Ctrl");
    assert_eq!(nearest("Ctrl+Entr"), "Enter");
    // Names that other tools use for a key.
    assert_eq!(nearest("Ctrl+Return"), "Enter");
    assert_eq!(nearest("Return"), "Enter");
    assert_eq!(nearest("Set Shell bsh"), "bash");
}

#[test]
fn press_before_a_key_suggests_the_key_alone() {
    for (text, hint) in [
        (
            "Press Enter",
            "a key is a command of its own: write `Enter`",
        ),
        ("press F5 2", "a key is a command of its own: write `F5`"),
        ("Key", "a key is a command of its own: write `Enter`"),
    ] {
        let (_, report) = parse(text, "a.tape", Some(VHS));
        assert_eq!(report.diagnostics[0].hint.as_deref(), Some(hint), "{text}");
    }
}

#[test]
fn strict_turns_warnings_into_errors() {
    let (_, report) = parse("Enter 0", "a.tape", None);
    assert_eq!(
        (report.has_errors(), report.count(Severity::Warning)),
        (false, 1)
    );
    assert!(report.strict().has_errors());
}

#[test]
fn the_number_of_reported_errors_is_limited() {
    let (_, report) = parse(&"rubbish\n".repeat(1000), "a.tape", None);
    assert_eq!(report.diagnostics.len(), 101);
    let last = report.diagnostics.last().unwrap();
    assert_eq!(last.message, "too many errors, the rest was not read");
    let (_, report) = parse(&"Enter 0\n".repeat(1000), "a.tape", None);
    assert_eq!(report.count(Severity::Warning), 100);
    let (tape, report) = parse(&" ".repeat(MAX_TAPE_LENGTH + 1), "a.tape", None);
    assert!(tape.commands.is_empty() && report.has_errors());
}

#[test]
fn counts_are_at_least_one_and_settings_are_known() {
    let (_, report) = parse(
        "Enter -1\nUp 1.5\nSet Foo 3\nSet Widht 3",
        "a.tape",
        Some(VHS),
    );
    let lines = report.diagnostics.iter().map(|found| {
        let hint = found.hint.as_deref().or(found.nearest.as_deref());
        let hint: String = hint.unwrap_or_default().chars().take(40).collect();
        format!("{} {}: {hint}", found.span.text(), found.message)
    });
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "-1 `-1` is not a count from 1 to 65535: as in `Enter 3`",
            "1.5 `1.5` is not a count from 1 to 65535: write a time after `@`: `Up@1.5`",
            "Foo unknown setting `Foo`: known settings are Shell, FontFamily, Fo",
            "Widht unknown setting `Widht`: Width",
        ]
    );
}

#[test]
fn later_diagnostics_are_sorted_by_place() {
    let (tape, mut report) = parse("Slep 1\nSource x.tape\nSlep 2", "a.tape", Some(VHS));
    let (_, more) = tape.resolve(|_, _| Err::<(String, String), _>("gone"));
    report.diagnostics.extend(more.diagnostics);
    let lines = report.in_order().diagnostics;
    let lines: Vec<usize> = lines.iter().map(|found| found.span.line()).collect();
    assert_eq!(lines, [1, 2, 3]);
}
