//! Tests of every difference between VHS and Betamax, in the order of the table in the docs.

use std::time::Duration;

use super::{action, read, steps, wrong};
use crate::language::{
    ActionStep, ButtonSide, Command, Dialect, LoopOffset, Output, OutputKind, Shell, TapeSetting,
    TapeStep, WindowBar, WindowButtons, parse,
};
use screentest_core::action::WaitTarget;
use screentest_core::query::condition::{WaitPattern, WaitScope};
use screentest_core::query::selector::Regex;
use screentest_core::{Action, Appeared, Chord, Key};

const VHS: Dialect = Dialect::Vhs;
const BETAMAX: Dialect = Dialect::Betamax;

fn typed_text(text: &str) -> TapeStep {
    action(Action::Type(text.to_owned()))
}

fn press(keys: impl IntoIterator<Item = Chord>) -> TapeStep {
    TapeStep::Action(ActionStep {
        actions: keys.into_iter().map(Action::Press).collect(),
        times: 1,
        time: None,
    })
}

/// Returns the step of a wait for a pattern in the cursor's line.
fn wait(pattern: WaitPattern) -> TapeStep {
    let target = WaitTarget::Line(WaitScope::Line, pattern);
    action(Action::Wait(target, Appeared::AfterEnter))
}

#[test]
fn strings_have_escapes_for_betamax_alone() {
    assert_eq!(steps(r"Type 'a\nb'", VHS), [typed_text(r"a\nb")]);
    assert_eq!(steps(r#"Type "a\"b""#, BETAMAX), [typed_text("a\"b")]);
    assert_eq!(steps(r#"Type "a\n\\b""#, BETAMAX), [typed_text(r"a\n\b")]);
    assert_eq!(steps(r#"Type "a\\b""#, VHS), [typed_text(r"a\\b")]);
    // VHS would type `a\ b ` here, which is never intended.
    assert_eq!(
        wrong(r#"Type "a\"b""#, VHS),
        [r#"1:11 ": the text has no closing `"`"#]
    );
    let (_, report) = parse(r#"Type "run \"$X\" now""#, "a.tape", Some(VHS));
    let hint = report.diagnostics[0].hint.clone().unwrap_or_default();
    assert!(hint.contains("`# dialect: betamax`"), "{report}");
    assert_eq!(steps("Type `a b`", VHS), [typed_text("a b")]);
    // In a shell a backtick is not a quote, so the text is split.
    assert_eq!(wrong("Type `a b`", BETAMAX), ["1:9 b: unknown command `b`"]);
    assert_eq!(steps(r"Type a\ b", BETAMAX), [typed_text("a b")]);
    assert_eq!(steps(r#"Type a"b c"'d'"#, BETAMAX), [typed_text("ab cd")]);
}

#[test]
fn several_texts_are_joined_for_vhs_alone() {
    assert_eq!(steps("Type a b \"c d\"", VHS), [typed_text("a b c d")]);
    assert_eq!(steps("Copy a 'b'", VHS), [TapeStep::Copy("a b".into())]);
    assert_eq!(
        wrong("Type a bb", BETAMAX),
        ["1:8 bb: unknown command `bb`"]
    );
}

#[test]
fn arguments_may_be_on_the_next_line_for_vhs_alone() {
    let sleep = TapeStep::Sleep(Duration::from_secs(1));
    assert_eq!(
        steps("Type\n  'a'\n  'b'\nSleep 1", VHS),
        [typed_text("a b"), sleep]
    );
    assert_eq!(steps("Sleep\n2s", VHS), steps("Sleep 2s", VHS));
    assert_eq!(
        wrong("Sleep\nEnter", VHS),
        ["1:1 Sleep: `Sleep` needs a time"]
    );
    assert_eq!(steps("Enter\n2", VHS), steps("Enter 2", VHS));
    assert_eq!(
        wrong("Type\n'a'", BETAMAX),
        [
            "1:1 Type: `Type` needs a text",
            "2:1 'a': `'a'` is not a command"
        ]
    );
    // A bare word begins a command, so that a mistyped name is not typed as text.
    assert_eq!(
        wrong("Type hello\nEntre", VHS),
        ["2:1 Entre: unknown command `Entre`"]
    );
}

#[test]
fn spaces_around_plus_and_at() {
    let slow = steps("Ctrl+c@1s 2", VHS);
    assert_eq!(steps("Ctrl + c @ 1 s 2", VHS), slow);
    assert_eq!(steps("Ctrl+c@1s 2", BETAMAX), slow);
}

#[test]
fn outputs() {
    let kind = |text: &str, dialect| {
        let (tape, report) = parse(text, "a.tape", Some(dialect));
        assert!(!report.has_errors(), "{report}");
        match tape.commands.first().map(|command| &command.value) {
            Some(Command::Output(Output { kind, .. })) => *kind,
            other => panic!("no output: {other:?}"),
        }
    };
    assert_eq!(kind("Output /tmp/x.gif", VHS), OutputKind::Gif);
    assert_eq!(kind("Output x.png", VHS), OutputKind::Frames);
    assert_eq!(
        wrong("Output x.png", VHS),
        ["~1:8 x.png: `x.png` becomes a folder of frames, as with VHS"]
    );
    assert_eq!(kind("Output x.png", BETAMAX), OutputKind::Png);
    assert_eq!(kind("Output frames", BETAMAX), OutputKind::Frames);
    assert_eq!(
        wrong("Output frames", VHS),
        ["1:8 frames: `frames` has no extension"]
    );
    for dialect in [VHS, BETAMAX] {
        assert_eq!(kind("Output x.json", dialect), OutputKind::Json);
        assert_eq!(kind("Output x.ascii", dialect), OutputKind::Text);
    }
}

#[test]
fn a_loop_offset_is_a_percentage_or_seconds() {
    let offset = |text: &str, dialect| read(text, dialect);
    let set = |offset| [Command::Set(TapeSetting::LoopOffset(offset))];
    let seconds = LoopOffset::Time(Duration::from_secs(20));
    assert_eq!(
        offset("Set LoopOffset 20", VHS),
        set(LoopOffset::Fraction(0.2))
    );
    assert_eq!(
        offset("Set LoopOffset 20 %", VHS),
        set(LoopOffset::Fraction(0.2))
    );
    assert_eq!(
        offset("Set LoopOffset 0.5", VHS),
        set(LoopOffset::Fraction(0.005))
    );
    assert_eq!(offset("Set LoopOffset 20", BETAMAX), set(seconds));
    assert_eq!(
        offset("Set LoopOffset 0.5", BETAMAX),
        set(LoopOffset::Fraction(0.5))
    );
    assert_eq!(
        offset("Set LoopOffset 20%", BETAMAX),
        set(LoopOffset::Fraction(0.2))
    );
}

#[test]
fn bars_and_shells_of_any_name_for_betamax_alone() {
    let bar = WindowBar::Bar {
        buttons: WindowButtons::Colorful,
        side: ButtonSide::Right,
    };
    let set = |setting| [Command::Set(setting)];
    assert_eq!(
        read("Set WindowBar MyRight", BETAMAX),
        set(TapeSetting::WindowBar(bar))
    );
    assert_eq!(wrong("Set WindowBar MyRight", VHS).len(), 1);
    let dash = Shell::Command(vec!["dash".into()]);
    assert_eq!(
        read("Set Shell dash", BETAMAX),
        set(TapeSetting::Shell(dash))
    );
    assert_eq!(wrong("Set Shell dash", VHS).len(), 1);
}

#[test]
fn patterns_of_waits() {
    let text = |text: &str| wait(WaitPattern::Text(text.to_owned()));
    let regex = |source| wait(WaitPattern::Regex(Regex::new(source).unwrap()));
    assert_eq!(steps("Wait ready", BETAMAX), [text("ready")]);
    assert_eq!(
        wrong("Wait ready", VHS),
        ["1:6 ready: unknown command `ready`"]
    );
    assert_eq!(steps("Wait '/a b/'", BETAMAX), [regex("a b")]);
    let (tape, report) = parse("Wait '/a b/'", "a.tape", Some(VHS));
    assert_eq!(
        report.to_string().lines().next(),
        Some("warning: this waits for the text including its slashes")
    );
    assert_eq!(tape.meaning(), [&Command::Step(text("/a b/"))]);
    assert_eq!(steps("Wait /usr/bin", BETAMAX), [text("/usr/bin")]);
    assert_eq!(steps("Wait /usr/bin/", BETAMAX), [regex("usr/bin")]);
    // A word that is a command begins the next command and is not the pattern.
    assert_eq!(steps("Wait Enter", BETAMAX).len(), 2);
    assert_eq!(steps("Wait+Screen Ctrl+C", BETAMAX).len(), 2);
}

#[test]
fn characters_are_commands_for_betamax_alone() {
    assert_eq!(steps("x", BETAMAX), [press(['x'.into()])]);
    assert_eq!(steps("/\n#\n@\n5 2", BETAMAX).len(), 3);
    assert_eq!(steps("Escape : w", BETAMAX).len(), 3);
    assert_eq!(wrong("x", VHS), ["1:1 x: unknown command `x`"]);
}

#[test]
fn letters_with_a_modifier_are_spelled_for_vhs_alone() {
    let abc = ['a', 'b', 'c'].map(|c| Key::Char(c).alt());
    assert_eq!(steps("Alt+abc", VHS), [press(abc)]);
    assert_eq!(wrong("Alt+abc", BETAMAX), ["1:5 abc: unknown key `abc`"]);
    assert_eq!(wrong("Ctrl+abc", VHS), ["1:6 abc: unknown key `abc`"]);
    assert_eq!(
        wrong("Alt+Entre", VHS),
        ["~1:5 Entre: `Entre` is pressed letter by letter"]
    );
    assert_eq!(
        wrong("Alt+Retrun", VHS),
        ["~1:5 Retrun: `Retrun` is pressed letter by letter"]
    );
    assert_eq!(steps("Ctrl+'c'", VHS), [press([Key::Char('c').ctrl()])]);
    assert_eq!(steps("Ctrl+'", BETAMAX), [press([Key::Char('\'').ctrl()])]);
}

#[test]
fn sourced_tapes_must_end_with_tape_for_vhs_alone() {
    assert_eq!(
        read("Source common", BETAMAX),
        [Command::Source("common".into())]
    );
    assert_eq!(
        wrong("Source common", VHS),
        ["1:8 common: `common` does not end with `.tape`"]
    );
}

fn late(text: &str, dialect: Dialect) -> Vec<String> {
    let (tape, report) = parse(text, "a.tape", Some(dialect));
    assert!(report.is_empty(), "{report}");
    let (_, report) = tape.resolve(|_, _| Err::<_, &str>("none"));
    let lines = report.diagnostics.iter();
    lines
        .map(|found| format!("{:?}: {}", found.severity, found.message))
        .collect()
}

#[test]
fn late_settings() {
    assert_eq!(
        late("Enter\nSet TypingSpeed 1ms\nEnv A b\nRequire sh", VHS),
        [""; 0]
    );
    assert_eq!(
        late("Enter\nSet Width 900\nSet Shell zsh", VHS),
        [
            "Warning: this is set after the tape has begun and has no effect",
            "Warning: the shell is set after the tape has begun, but applies from its start",
        ]
    );
    // As in VHS, a variable ends the settings.
    assert_eq!(late("Env A b\nSet Width 900", VHS).len(), 1);
    assert_eq!(late("Env A b\nSet Width 900", BETAMAX), [""; 0]);
    assert_eq!(
        late(
            "Enter\nSet TypingSpeed 1ms\nEnv A b\nRequire sh\nOutput a.gif",
            BETAMAX
        ),
        ["Set", "Env", "Require"]
            .map(|name| format!("Error: `{name}` must come before the first step"))
    );
}
