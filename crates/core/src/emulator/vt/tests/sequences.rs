//! Tests of sequences that have no file of their own.

use super::{fed, fed_with};
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::geometry::Size;

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

const FULL: &str = "abcdefghijklmnopqrst";

#[test]
fn most_sequences_end_a_pending_wrap() {
    let prefix = "abcdefghijklmnopqrs";
    for sequence in ["\x1b[J", "\x1b[K", "\x1b[X", "\x1b[@", "\x1b[P"] {
        check(&format!("{FULL}{sequence}X"), &format!("{prefix}X|\n"));
    }
    for sequence in ["\n", "\x0b", "\x0c", "\x1bD"] {
        let below = " ".repeat(19);
        check(
            &format!("{FULL}{sequence}X"),
            &format!("{FULL}\n{below}X|\n"),
        );
    }
    check(
        &format!("\n{FULL}\x1bMX"),
        &format!("                   X|\n{FULL}\n"),
    );
    check(&format!("{FULL}\x1b[LX"), &format!("X|\n{FULL}\n"));
    check(&format!("{FULL}\x1b[MX"), "X|\n");
}

#[test]
fn inserting_and_deleting_lines_returns_to_the_first_column() {
    check("a\r\nbcd\x1b[LX", "a\nX|\nbcd\n");
    check("a\r\nbcd\x1b[MX", "a\nX|\n");
}

#[test]
fn columns_change_only_if_it_is_allowed() {
    check("text\x1b[?3h", "text|\n");
    check("text\x1b[?3l", "text|\n");
    check("text\x1b[?40h\x1b[?3h", "|\n");
}

#[test]
fn leaving_the_alternate_screen_twice_restores_the_cursor_twice() {
    check("ab\x1b[?1049h\x1b[?1049l\x1b[4;4H\x1b[?1049lX", "abX|\n");
}

#[test]
fn mode_47_shows_the_same_alternate_screen_again() {
    check("\x1b[?47hone\x1b[?47l\x1b[?47h\x1b[Htwo", "two|\n");
    check("\x1b[?47hone\x1b[?47l\x1b[?47hx", "onex|\n");
    check("\x1b[?1047hone\x1b[?1047l\x1b[?1047hx", "   x|\n");
}

#[test]
fn clearing_the_screen_keeps_text_only_at_a_prompt() {
    let scrolled = |bytes: &str| fed(bytes).screen().scrollback_rows;
    assert_eq!(scrolled("one\r\ntwo\x1b[2J"), 0);
    assert_eq!(
        scrolled("\x1b]133;A\x07$ \x1b]133;B\x07one\r\ntwo\x1b[2J"),
        2
    );
    assert_eq!(
        scrolled("\x1b]133;A\x07$ \x1b]133;C\x07one\r\ntwo\x1b[2J"),
        0
    );
}

#[test]
fn aborted_commands_have_no_effect() {
    let title = |bytes: &str| fed(bytes).screen().title.to_string();
    for abort in ["\x18", "\x1a", "\x1b[m", "\x1bx"] {
        assert_eq!(title(&format!("\x1b]2;title{abort}")), "", "{abort:?}");
    }
    assert_eq!(title("\x1b]2;title\x07"), "title");
    assert_eq!(title("\x1b]2;title\x1b\\"), "title");
    check("\x1b]2;a\x18b\x1b]2;a\x1b[1Cc", "b c|\n");
}

#[test]
fn commands_may_have_many_parts() {
    let long: String = (0..40).map(|n| format!(";{n}")).collect();
    let screen = fed(&format!("\x1b]2;t{long}\x07")).screen();
    assert_eq!(*screen.title, *format!("t{long}"));
}

#[test]
fn colours_outside_of_the_range_are_ignored_as_a_whole() {
    check_replies("\x1b[38;2;300;1;4;9m\x1bP$qm\x1b\\", "\x1bP1$r0;9m\x1b\\");
    check_replies("\x1b[38;5;256;9m\x1bP$qm\x1b\\", "\x1bP1$r0;9m\x1b\\");
}

#[test]
fn a_list_of_attributes_may_be_long() {
    let long = "0;".repeat(60);
    check_replies(
        &format!("\x1b[{long}1;38;2;1;2;3;4:3;48:5:9m\x1bP$qm\x1b\\"),
        "\x1bP1$r0;1;4:3;38:2::1:2:3;48:5:9m\x1b\\"
            .replace("48:5:9", "101")
            .as_str(),
    );
    let modes = "9999;".repeat(40);
    check_replies(&format!("\x1b[?{modes}2004h\x1b[?2004$p"), "\x1b[?2004;1$y");
}

#[test]
fn a_repeated_character_must_be_the_one_just_before() {
    check("a\x1b[2b", "aaa|\n");
    check("a\x1b[2b\x1b[2b", "aaa|\n");
    check("a\r\x1b[2b", "|a\n");
    check("a\x1b[31m\x1b[2b", "a|\n");
    check("a\x1b]2;t\x07\x1b[2b", "a|\n");
    check("e\u{301}\x1b[b", "e\u{301}e|\n");
}

#[test]
fn sequences_that_leave_a_wrap_pending() {
    for sequence in [
        "\t",
        "\x1b[I",
        "\x1b[Z",
        "\x1b[m",
        "\x1b7\x1b8",
        "\x1b[!p",
        "\x1b9",
    ] {
        let mut emulator = fed(&format!("{FULL}{sequence}X"));
        assert!(emulator.screen().text().ends_with("\nX\n"), "{sequence:?}");
    }
    check(&format!("{FULL}\x1b[?1049hX"), "                   X|\n");
}

#[test]
fn character_sets_are_designated_and_invoked() {
    check("\x1b(A#\x1b(B#", "£#|\n");
    // National sets need their mode.
    check("\x1b(K[\\]\x1b(B[", "[\\][|\n");
    check("\x1b[?42h\x1b(K[\\]\x1b(B[", "ÄÖÜ[|\n");
    check("\x1b*0\x1bNqq", "─q|\n");
    check("\x1b+0\x1bOqq", "─q|\n");
    check("\x1b*0\x1bnq\x0fq", "─q|\n");
    check("\x1b+0\x1boq\x0fq", "─q|\n");
    check("\x1b)>\x0ea", "α|\n");
    check("\x1b(%5Dd", "Ää|\n");
    check("\x1b-A\x0ed", "ä|\n");
}

#[test]
fn private_modes_are_saved_and_restored() {
    check_replies(
        "\x1b[?2004h\x1b[?2004;25s\x1b[?2004;25l\x1b[?2004;25r\x1b[?2004$p\x1b[?25$p",
        "\x1b[?2004;1$y\x1b[?25;1$y",
    );
}

#[test]
fn titles_are_stacked_and_reported() {
    check_replies(
        "\x1b]2;one\x07\x1b]1;icon\x07\x1b[22t\x1b]0;two\x07\x1b[21t\x1b[20t\x1b[23t\x1b[21t\x1b[20t",
        "\x1b]ltwo\x1b\\\x1b]Ltwo\x1b\\\x1b]lone\x1b\\\x1b]Licon\x1b\\",
    );
    check_replies(
        "\x1b]0;a\x07\x1b[22t\x1b]0;b\x07\x1b[23;1t\x1b[21t\x1b[20t",
        "\x1b]lb\x1b\\\x1b]La\x1b\\",
    );
    // A reported title cannot contain a control character.
    check_replies("\x1b]2;a\u{85}b\x07\x1b[21t", "\x1b]lab\x1b\\");
}

#[test]
fn modes_are_reported_as_in_the_table_of_xterm() {
    for (mode, state) in [
        (2, 3),
        (3, 2),
        (4, 2),
        (5, 2),
        (8, 4),
        (9, 4),
        (13, 2),
        (14, 3),
        (35, 1),
        (40, 2),
        (42, 2),
        (45, 2),
        (67, 1),
        (69, 2),
        (95, 0),
        (1010, 1),
        (1014, 0),
        (1040, 1),
        (2005, 2),
        (1001, 4),
        (1015, 2),
        (1016, 2),
        (1045, 2),
        (1046, 3),
        (1048, 2),
        (2031, 2),
        (2048, 2),
        (9999, 0),
    ] {
        check_replies(
            &format!("\x1b[?{mode}$p"),
            &format!("\x1b[?{mode};{state}$y"),
        );
    }
    check_replies(
        "\x1b[12$p\x1b[2$p\x1b[18$p\x1b[99$p",
        "\x1b[12;1$y\x1b[2;2$y\x1b[18;4$y\x1b[99;0$y",
    );
}

#[test]
fn settings_and_states_are_reported() {
    for (name, value) in [
        ("s", "1;20s"),
        ("t", "5t"),
        ("$|", "20$|"),
        ("*|", "5*|"),
        ("*x", "1*x"),
        ("\"q", "0\"q"),
    ] {
        check_replies(
            &format!("\x1bP$q{name}\x1b\\"),
            &format!("\x1bP1$r{value}\x1b\\"),
        );
    }
    for (query, reply) in [
        ("15", "\x1b[?13n"),
        ("25", "\x1b[?20n"),
        ("26", "\x1b[?27;1;0;0n"),
        ("55", "\x1b[?50n"),
        ("56", "\x1b[?57;0n"),
        ("62", "\x1b[0000*{"),
        ("63;7", "\x1bP7!~0000\x1b\\"),
        ("75", "\x1b[?70n"),
        ("85", "\x1b[?83n"),
    ] {
        check_replies(&format!("\x1b[?{query}n"), reply);
    }
    check_replies("ab\x1b[1$w", "\x1bP1$u1;3;1;@;@;@;0;2;L;BBAA\x1b\\");
    check_replies("\x1b[2$w", "\x1bP2$u1/9/17\x1b\\");
}

#[test]
fn a_resize_is_reported_if_the_program_asked_for_it() {
    let mut emulator = fed("\x1b[?2048h");
    assert_eq!(emulator.take_replies(), b"\x1b[48;5;20;80;160t");
    emulator.resize(Size { cols: 30, rows: 6 });
    assert_eq!(emulator.take_replies(), b"\x1b[48;6;30;96;240t");
}

#[test]
fn capabilities_are_reported() {
    // Smulx, and an unknown name.
    check_replies(
        "\x1bP+q536d756c78;7878\x1b\\",
        "\x1bP1+r536d756c78=1B5B343A25703125646D\x1b\\\x1bP0+r7878\x1b\\",
    );
}

#[test]
fn commands_without_an_effect_are_noted() {
    let bytes = "\x1b]9;4;1;50\x07\x1b]22;pointer\x07\x1b]99;i=1;done\x07\x1b]777;notify;a;b\x07\x1b]633;E;ls\x07\x1b]1337;SetUserVar=a=Yg==\x07";
    let emulator = fed_with(EmulatorOptions::default(), bytes);
    let noted: Vec<(u16, &str)> = emulator
        .notes()
        .commands()
        .map(|command| (command.code, &*command.text))
        .collect();
    let expected = [
        (9, "4;1;50"),
        (22, "pointer"),
        (99, "i=1;done"),
        (777, "notify;a;b"),
        (633, "E;ls"),
        (1337, "SetUserVar=a=Yg=="),
    ];
    assert_eq!(noted, expected);
    assert_eq!(emulator.notes().counts.unknown, 0);
    check("\x1b]66;s=2;big\x07", "big|\n");
}
