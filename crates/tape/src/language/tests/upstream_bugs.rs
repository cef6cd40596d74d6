//! Cases that VHS's or Betamax's own parser gets wrong.

use super::{action, read, steps, wrong};
use crate::language::{Command, Dialect};
use screentest_core::action::WaitTarget;
use screentest_core::query::condition::{WaitPattern, WaitScope};
use screentest_core::query::selector::Regex;
use screentest_core::{Action, Appeared};

const VHS: Dialect = Dialect::Vhs;
const BETAMAX: Dialect = Dialect::Betamax;

/// Betamax panics.
#[test]
fn an_impossible_time_is_an_error() {
    for dialect in [VHS, BETAMAX] {
        assert_eq!(
            wrong(
                "Sleep -1\nSleep inf\nSleep nan\nSet WaitTimeout -1\nSleep 1e400\nSleep -5s",
                dialect
            ),
            [
                "1:7 -1: `-1` is a negative time",
                "2:7 inf: `inf` is not a time",
                "3:7 nan: `nan` is not a time",
                "4:17 -1: `-1` is a negative time",
                "5:7 1e400: `1e400` has the unknown unit `e400`",
                "6:7 -5s: `-5s` is a negative time",
            ]
        );
    }
}

/// Betamax waits for the prompt and presses the key.
#[test]
fn a_quoted_pattern_is_never_a_command() {
    for text in ["5", "Enter", "Sleep", "a", "Ctrl+C"] {
        let target = WaitTarget::Line(WaitScope::Screen, WaitPattern::Text(text.to_owned()));
        let wait = action(Action::Wait(target, Appeared::AfterEnter));
        let line = format!("Wait+Screen \"{text}\"");
        let both = [steps(&line, VHS), steps(&line, BETAMAX)];
        assert_eq!(both, [vec![wait.clone()], vec![wait]]);
    }
}

/// Betamax presses the key.
#[test]
fn a_stray_character_is_not_pressed() {
    assert_eq!(
        wrong("Copy \"a\" \"b\"", BETAMAX),
        ["1:10 \"b\": `\"b\"` is not a command"]
    );
    assert_eq!(
        wrong("Type hello w", BETAMAX),
        ["1:12 w: unknown command `w`"]
    );
    assert_eq!(
        wrong("Type hello 5", BETAMAX),
        ["1:12 5: `5` is not a command"]
    );
    let (_, report) = crate::language::parse("Type hello w", "a.tape", Some(BETAMAX));
    assert_eq!(
        report.diagnostics[0].hint.as_deref(),
        Some("`Type` does not take this: put quotes around all of it")
    );
}

/// Betamax presses Enter.
#[test]
fn an_unknown_modifier_is_an_error() {
    for dialect in [VHS, BETAMAX] {
        assert_eq!(
            wrong("Foo+Enter", dialect),
            ["1:1 Foo: unknown modifier `Foo`"]
        );
        assert_eq!(
            wrong("Ctrl+Foo+Enter", dialect),
            ["1:6 Foo: unknown key `Foo`"]
        );
    }
}

/// Betamax waits for `d+$`, and takes `bar/` for a command.
#[test]
fn an_expression_keeps_its_backslashes_and_spaces() {
    for dialect in [VHS, BETAMAX] {
        for (text, source) in [(r"/\d+$/", r"\d+$"), ("/foo bar/", "foo bar")] {
            let steps = steps(&format!("Wait {text}"), dialect);
            let regex = WaitPattern::Regex(Regex::new(source).unwrap());
            let target = WaitTarget::Line(WaitScope::Line, regex);
            assert_eq!(steps, [action(Action::Wait(target, Appeared::AfterEnter))]);
        }
    }
}

/// VHS ends the text at the end of the line, without an error.
#[test]
fn an_unclosed_text_is_an_error() {
    assert_eq!(
        wrong("Type \"abc\nEnter\nType 'x", VHS),
        [
            "1:6 \"abc: the text has no closing `\"`",
            "3:6 'x: the text has no closing `'`"
        ]
    );
    assert_eq!(
        wrong("Wait /abc", VHS),
        ["1:6 /abc: the expression has no closing `/`"]
    );
    assert_eq!(
        wrong("Type a\"bc", BETAMAX),
        ["1:7 \"bc: the text has no closing `\"`"]
    );
}

/// VHS takes a NUL for the end of the tape, and each byte of a non-ASCII letter for a separate
/// token.
#[test]
fn a_nul_does_not_end_a_tape() {
    assert_eq!(
        wrong("Enter\n\0\nEntre", VHS),
        [
            "2:1 \0: `\0` is not a command",
            "3:1 Entre: unknown command `Entre`"
        ]
    );
    assert_eq!(
        wrong("Größe 5", VHS),
        ["1:1 Größe: unknown command `Größe`"]
    );
}

/// VHS writes a GIF.
#[test]
fn an_unknown_output_extension_is_an_error() {
    assert_eq!(
        wrong("Output a.xyz", VHS),
        ["1:8 a.xyz: unknown output extension `.xyz`"]
    );
    assert_eq!(
        wrong("Output a.xyz", BETAMAX),
        ["1:8 a.xyz: unknown output extension `.xyz`"]
    );
}

/// VHS supports neither key: `End` is a keyword without a command, and `Home` is not a keyword.
#[test]
fn home_and_end_are_keys() {
    assert_eq!(steps("Home End F5 2", VHS).len(), 3);
    assert_eq!(
        wrong("Type 'x' Home", VHS),
        ["~1:10 Home: `Home` is typed as text here"]
    );
}

/// Betamax's check of a tape examines none of these.
#[test]
fn a_tape_is_checked_as_a_whole_without_running_it() {
    let text = "Set Wdith 1\nSet Theme Nrod\nOutput a.xyz\nSet Padding no\nEntre\nScreenshot a.gif\nState a.xml";
    assert_eq!(wrong(text, BETAMAX).len(), 7);
    assert_eq!(read("Set Theme nord", BETAMAX).len(), 1);
    let required = Command::Require("/no/such/program".into());
    assert_eq!(read("Require /no/such/program", VHS), [required]);
}
