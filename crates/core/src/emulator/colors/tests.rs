//! Tests of the colour commands. Expected replies are those of xterm 379, with our theme.

use super::*;

/// Performs commands, separated by spaces, and checks the replies to the last one.
#[track_caller]
fn check(commands: &str, replies: &str) {
    assert_eq!(run(commands).1.replies, replies, "{commands}");
}

fn run(commands: &str) -> (ColorState, ColorCommandResult) {
    let mut state = ColorState::default();
    let mut result = ColorCommandResult::default();
    for command in commands.split(' ') {
        result = match command {
            "DECSTR" => {
                state.soft_reset();
                ColorCommandResult::default()
            }
            _ => {
                let parts: Vec<&[u8]> = command.split(';').map(str::as_bytes).collect();
                assert!(ColorState::handles(parts[0]), "{command}");
                state.command(&parts, &Theme::SCREENTEST, "|")
            }
        };
    }
    (state, result)
}

#[test]
fn indexed_colours_are_set_queried_and_reset() {
    check("4;1;?", "\x1b]4;1;rgb:d7d7/4e4e/6f6f|");
    check("4;1;#123456 4;1;?", "\x1b]4;1;rgb:1212/3434/5656|");
    check(
        "4;1;red;200;blue 4;1;?;200;?",
        "\x1b]4;1;rgb:ffff/0000/0000|\x1b]4;200;rgb:0000/0000/ffff|",
    );
    check(
        "4;1;?;1;#987654;1;?",
        "\x1b]4;1;rgb:d7d7/4e4e/6f6f|\x1b]4;1;rgb:9898/7676/5454|",
    );
    check(
        "4;1;red;2;red;3;red 104;1;3 4;1;?;2;?;3;?",
        "\x1b]4;1;rgb:d7d7/4e4e/6f6f|\x1b]4;2;rgb:ffff/0000/0000|\x1b]4;3;rgb:d3d3/e5e5/6161|",
    );
    for reset in ["104", "104;"] {
        check(
            &format!("4;1;red;2;red {reset} 4;1;?"),
            "\x1b]4;1;rgb:d7d7/4e4e/6f6f|",
        );
    }
}

#[test]
fn special_colours_are_stored() {
    check("5;0;?", "\x1b]5;0;rgb:dddd/dddd/dddd|");
    check("5;0;red 5;0;?", "\x1b]5;0;rgb:ffff/0000/0000|");
    check("5;4;red 4;260;?", "\x1b]4;260;rgb:ffff/0000/0000|");
    check("4;257;red 5;1;?", "\x1b]5;1;rgb:ffff/0000/0000|");
    check("5;0;red 104 5;0;?", "\x1b]5;0;rgb:ffff/0000/0000|");
    check("5;0;red 105 5;0;?", "\x1b]5;0;rgb:dddd/dddd/dddd|");
    check(
        "5;0;red;1;red 105;1 5;0;?;1;?",
        "\x1b]5;0;rgb:ffff/0000/0000|\x1b]5;1;rgb:dddd/dddd/dddd|",
    );
    check("5;0;red 104;256 5;0;?", "\x1b]5;0;rgb:dddd/dddd/dddd|");
    for unknown in ["5;5;?", "4;261;?", "4;65536;?"] {
        let (_, result) = run(unknown);
        assert_eq!((&*result.replies, result.known), ("", false), "{unknown}");
    }
}

#[test]
fn dynamic_colours_are_set_queried_and_reset() {
    let theme = |number| match number {
        11 | 14 | 16 => "1717/1717/1717",
        17 => "4444/4747/5a5a",
        _ => "dddd/dddd/dddd",
    };
    for number in 10..=19 {
        let query = format!("{number};?");
        let reply = |color: &str| format!("\x1b]{number};rgb:{color}|");
        check(&query, &reply(theme(number)));
        check(
            &format!("{number};#aabbcc {query}"),
            &reply("aaaa/bbbb/cccc"),
        );
        for reset in ["", ";"] {
            check(
                &format!("{number};red 1{number}{reset} {query}"),
                &reply(theme(number)),
            );
        }
    }
}

#[test]
fn further_values_are_for_the_following_dynamic_colours() {
    let set: String = (0..11).map(|number| format!(";#{number:x}00000")).collect();
    let replies: String = (0..10)
        .map(|number| format!("\x1b]{};rgb:{number}0{number}0/0000/0000|", 10 + number))
        .collect();
    check(&format!("10{set} 10;?;?;?;?;?;?;?;?;?;?;?"), &replies);
}

#[test]
fn empty_and_invalid_values_are_skipped() {
    check(
        "10;red;;blue 10;?;?;?",
        "\x1b]10;rgb:ffff/0000/0000|\x1b]11;rgb:1717/1717/1717|\x1b]12;rgb:0000/0000/ffff|",
    );
    check(
        "10;bad;red 10;?;?",
        "\x1b]10;rgb:dddd/dddd/dddd|\x1b]11;rgb:ffff/0000/0000|",
    );
    check(
        "4;3;bad;4;red 4;3;?;4;?",
        "\x1b]4;3;rgb:d3d3/e5e5/6161|\x1b]4;4;rgb:ffff/0000/0000|",
    );
    for command in [
        "4;1", "4;1;", "4;;red", "4;x;red", "4;-1;red", "4;256;x", "10", "104;x", "110;x",
    ] {
        let (state, result) = run(command);
        assert!(state.palette.is_empty() && !result.known, "{command}");
    }
}

#[test]
fn a_soft_reset_restores_the_indexed_colours() {
    let (state, _) = run("4;1;red 5;1;red 10;red 13;red DECSTR");
    let mut written = String::new();
    state.write(&mut written);
    assert_eq!(
        written,
        "\x1b]10;#ff0000\x1b\\\x1b]5;1;#ff0000\x1b\\\x1b]13;#ff0000\x1b\\"
    );
}

#[test]
fn other_commands_are_not_handled() {
    for number in [
        "", "0", "2", "6", "8", "9", "20", "21", "50", "103", "106", "109", "120", "4x",
    ] {
        assert!(!ColorState::handles(number.as_bytes()), "{number}");
    }
}
