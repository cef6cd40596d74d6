//! Tests of the meaning of each command.

use std::time::Duration;

use super::{action, read, steps, timed};
use crate::language::{
    ActionStep, Assertion, Command, DefaultWait, Dialect, Expectation, HistoryCheck, LaunchCommand,
    Output, OutputKind, ScrollDirection, ScrollStep, TapeStep, Variable,
};
use screentest_core::action::{MouseAction, MouseActionKind, MousePlace, WaitTarget, WheelTurn};
use screentest_core::formats::state_json::StyleJson;
use screentest_core::input::mouse::{Button, Wheel};
use screentest_core::query::condition::{WaitPattern, WaitScope};
use screentest_core::query::selector::{MaskTarget, Regex};
use screentest_core::{
    Action, Appeared, Chord, Key, Modifiers, Position, Rect, Rgb, Selector, Size, Underline,
};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Checks a command in both dialects.
#[track_caller]
fn check(text: &str, command: Command) {
    let both = [Dialect::Vhs, Dialect::Betamax].map(|dialect| read(text, dialect));
    assert_eq!(both, [vec![command.clone()], vec![command]], "{text}");
}

#[track_caller]
fn step(text: &str, step: TapeStep) {
    check(text, Command::Step(step));
}

fn typed_text(text: &str, speed: Option<u64>) -> TapeStep {
    timed(Action::Type(text.to_owned()), speed)
}

fn press(chord: impl Into<Chord>, times: u16, speed: Option<u64>) -> TapeStep {
    TapeStep::Action(ActionStep {
        actions: vec![Action::Press(chord.into())],
        times,
        time: speed.map(MS),
    })
}

#[test]
fn outputs_are_known_by_their_extensions() {
    let output = |path: &str, kind| {
        let path = path.to_owned();
        Command::Output(Output { path, kind })
    };
    for (path, kind) in [
        ("a.gif", OutputKind::Gif),
        ("a.GIF", OutputKind::Gif),
        ("dir/a.mp4", OutputKind::Mp4),
        ("a.webm", OutputKind::Webm),
        ("a.webp", OutputKind::Webp),
        ("a.apng", OutputKind::Apng),
        ("a.svg", OutputKind::Svg),
        ("a.json", OutputKind::Json),
        ("a.txt", OutputKind::Text),
        ("a.ascii", OutputKind::Text),
        ("a.test", OutputKind::Text),
        ("a.cassette", OutputKind::Cassette),
        ("a.cast", OutputKind::Cast),
        ("frames/", OutputKind::Frames),
        ("v1.0/frames/", OutputKind::Frames),
        ("/tmp/x.gif", OutputKind::Gif),
        ("a.gif/", OutputKind::Frames),
    ] {
        check(&format!("Output {path}"), output(path, kind));
        check(&format!("Output '{path}'"), output(path, kind));
    }
}

#[test]
fn requirements_variables_and_sources() {
    check("Require git", Command::Require("git".into()));
    check("Require g++", Command::Require("g++".into()));
    check("Require \"a b\"", Command::Require("a b".into()));
    check("Source a/b.tape", Command::Source("a/b.tape".into()));
    let env = |name: &str, value: &str| {
        Command::Env(Variable {
            name: name.into(),
            value: value.into(),
        })
    };
    check("Env HELLO \"WORLD 1\"", env("HELLO", "WORLD 1"));
    check("Env HELLO 1", env("HELLO", "1"));
    check("Env URL http://a/b?c=d", env("URL", "http://a/b?c=d"));
    check("Env EMPTY ''", env("EMPTY", ""));
}

#[test]
fn a_program_is_launched_with_its_arguments() {
    let launch = |words: &[&str]| {
        let mut words = words.iter().map(|word| (*word).to_owned());
        Command::Launch(LaunchCommand {
            program: words.next().unwrap(),
            args: words.collect(),
        })
    };
    check("Launch vim", launch(&["vim"]));
    check(
        "Launch vim -u NONE 'my file.txt' a\\ b \"say \\\"x\\\"\" # quietly",
        launch(&["vim", "-u", "NONE", "my file.txt", "a b", "say \"x\""]),
    );
    check("Launch sh -c 'Enter 5'", launch(&["sh", "-c", "Enter 5"]));
}

#[test]
fn text_is_typed_and_submitted() {
    step("Type \"hello\"", typed_text("hello", None));
    step("Type@50ms 'hello'", typed_text("hello", Some(50)));
    step("Type ''", typed_text("", None));
    step(
        "Submit@1s 'ls'",
        timed(Action::SendLine("ls".to_owned()), Some(1000)),
    );
    step("Type 'Enter'", typed_text("Enter", None));
    step("Type '# no comment'", typed_text("# no comment", None));
    step(
        "Type 'wide 界 e\u{301}\t!'",
        typed_text("wide 界 e\u{301}\t!", None),
    );
    step("Type héllo", typed_text("héllo", None));
}

#[test]
fn keys_have_names_times_and_counts() {
    for (name, key) in [
        ("Enter", Key::Enter),
        ("Escape", Key::Esc),
        ("Esc", Key::Esc),
        ("Tab", Key::Tab),
        ("Space", Key::Space),
        ("Backspace", Key::Backspace),
        ("Delete", Key::Delete),
        ("Insert", Key::Insert),
        ("Up", Key::Up),
        ("Down", Key::Down),
        ("Left", Key::Left),
        ("Right", Key::Right),
        ("Home", Key::Home),
        ("End", Key::End),
        ("PageUp", Key::PageUp),
        ("PageDown", Key::PageDown),
        ("F1", Key::F(1)),
        ("F35", Key::F(35)),
    ] {
        step(name, press(key, 1, None));
        step(&format!("{name}@.5 12"), press(key, 12, Some(500)));
        step(&format!("Ctrl+{name} 2"), press(key.ctrl(), 2, None));
        step(&format!("Alt+{name}@1s"), press(key.alt(), 1, Some(1000)));
    }
}

#[test]
fn modifiers_come_in_any_order() {
    let c = Key::Char('c');
    step("Ctrl+C", press(c.ctrl(), 1, None));
    step("Ctrl+c@10ms 3", press(c.ctrl(), 3, Some(10)));
    step(
        "Shift+Alt+Ctrl+Up",
        press(Key::Up.ctrl().alt().shift(), 1, None),
    );
    step(
        "Ctrl+Alt+Shift+P",
        press(Key::Char('p').ctrl().alt().shift(), 1, None),
    );
    step(
        "Super+k",
        press(Key::Char('k').with(Modifiers::SUPER), 1, None),
    );
    step("Ctrl++", press(Key::Char('+').ctrl(), 1, None));
    step("Ctrl+@", press(Key::Char('@').ctrl(), 1, None));
    step("Ctrl+@@1s", press(Key::Char('@').ctrl(), 1, Some(1000)));
    step("Ctrl+#", press(Key::Char('#').ctrl(), 1, None));
    step("Alt+/", press(Key::Char('/').alt(), 1, None));
    step("Ctrl+1", press(Key::Char('1').ctrl(), 1, None));
    step("Alt+é", press(Key::Char('é').alt(), 1, None));
    step("Shift+a", press('A', 1, None));
    let both = TapeStep::Action(ActionStep {
        actions: ['x', 's']
            .map(|c| Action::Press(Key::Char(c).ctrl()))
            .into(),
        times: 1,
        time: None,
    });
    step("Ctrl+x+s", both);
}

#[test]
fn the_mouse_counts_cells_from_zero() {
    let mouse = |kind, at, modifiers| {
        action(Action::Mouse(MouseAction {
            kind,
            at,
            modifiers,
        }))
    };
    let wheel = |wheel, notches, modifiers| {
        action(Action::Wheel(WheelTurn {
            at: MousePlace::Pointer,
            wheel,
            notches,
            modifiers,
        }))
    };
    let none = Modifiers::empty();
    let at = MousePlace::Cell(Position { row: 4, col: 10 });
    step("MouseMove 10 4", mouse(MouseActionKind::Move, at, none));
    step(
        "MouseDown Left",
        mouse(
            MouseActionKind::Press(Button::Left),
            MousePlace::Pointer,
            none,
        ),
    );
    step(
        "MouseDown Middle",
        mouse(
            MouseActionKind::Press(Button::Middle),
            MousePlace::Pointer,
            none,
        ),
    );
    step(
        "Ctrl+Alt+MouseUp Right",
        mouse(
            MouseActionKind::Release(Button::Right),
            MousePlace::Pointer,
            Modifiers::CTRL | Modifiers::ALT,
        ),
    );
    step(
        "Shift+MouseScroll Down 3",
        wheel(Wheel::Down, 3, Modifiers::SHIFT),
    );
    for (name, direction) in [
        ("Up", Wheel::Up),
        ("Left", Wheel::Left),
        ("Right", Wheel::Right),
    ] {
        step(&format!("MouseScroll {name} 1"), wheel(direction, 1, none));
    }
}

#[test]
fn sleeps_and_stable() {
    for (text, ms) in [
        ("500ms", 500),
        ("1", 1000),
        ("1.5s", 1500),
        ("2m", 120_000),
        (".25", 250),
        ("0", 0),
        ("2 s", 2000),
        ("2 seconds", 2000),
        ("1 minute", 60_000),
        ("3 mins", 180_000),
        ("5 milliseconds", 5),
        ("1sec", 1000),
    ] {
        step(&format!("Sleep {text}"), TapeStep::Sleep(MS(ms)));
    }
}

#[test]
fn waits_read_a_line_or_the_screen() {
    let wait = |scope, pattern, timeout: Option<u64>| {
        let target = WaitTarget::Line(scope, pattern);
        timed(Action::Wait(target, Appeared::AfterEnter), timeout)
    };
    let default_wait = |scope, timeout: Option<u64>| {
        TapeStep::DefaultWait(DefaultWait {
            scope,
            timeout: timeout.map(MS),
            appeared: Appeared::AfterEnter,
        })
    };
    let regex = |source| WaitPattern::Regex(Regex::new(source).unwrap());
    let text = |text: &str| WaitPattern::Text(text.to_owned());
    step("Wait", default_wait(WaitScope::Line, None));
    step("Wait+Line", default_wait(WaitScope::Line, None));
    step("Wait+Screen", default_wait(WaitScope::Screen, None));
    step("Wait@5s", default_wait(WaitScope::Line, Some(5000)));
    step("Wait /re/", wait(WaitScope::Line, regex("re"), None));
    step(
        "Wait+Screen@2m /a b/",
        wait(WaitScope::Screen, regex("a b"), Some(120_000)),
    );
    step(r"Wait /a\/b/", wait(WaitScope::Line, regex(r"a\/b"), None));
    step(
        "Wait+Screen \"5\"",
        wait(WaitScope::Screen, text("5"), None),
    );
    step("Wait 'Enter'", wait(WaitScope::Line, text("Enter"), None));
    for (line, scope) in [
        ("Wait+Anytime", WaitScope::Line),
        ("Wait+Screen+Anytime", WaitScope::Screen),
        ("Wait+Anytime+Screen", WaitScope::Screen),
    ] {
        let target = WaitTarget::Line(scope, regex("x"));
        let wait = timed(Action::Wait(target, Appeared::Anytime), Some(1000));
        step(&format!("{line}@1s /x/"), wait);
    }
    let pattern = regex(r"\d+$");
    assert!(pattern.is_in("item 12") && !pattern.is_in("item"));
    assert!(text("5").is_in("a 5 b"));
}

#[test]
fn scrolling_resizing_and_the_rest() {
    let scroll = |direction, rows, speed: Option<u64>| {
        TapeStep::Scroll(ScrollStep {
            direction,
            rows,
            speed: speed.map(MS),
        })
    };
    step("ScrollUp 10", scroll(ScrollDirection::Up, 10, None));
    step(
        "ScrollDown@10ms",
        scroll(ScrollDirection::Down, 1, Some(10)),
    );
    step(
        "Resize 100 30",
        action(Action::Resize(Size {
            cols: 100,
            rows: 30,
        })),
    );
    step("Hide", TapeStep::Hide);
    step("Show", TapeStep::Show);
    step("Copy 'a b'", TapeStep::Copy("a b".into()));
    step("Paste", TapeStep::Paste);
    step("Caption 'a b'", TapeStep::Caption("a b".into()));
    step("Subtitle ''", TapeStep::Caption(String::new()));
    step("Screenshot a.png", TapeStep::Screenshot("a.png".into()));
    step("State \"dir/a.json\"", TapeStep::State("dir/a.json".into()));
    step("Snapshot menu", TapeStep::Snapshot("menu".into()));
    step("Mark", TapeStep::Mark(None));
    step("Mark saved", TapeStep::Mark(Some("saved".into())));
    let stable = |quiet, timeout| timed(Action::WaitStable(MS(quiet)), timeout);
    step("Stable 200ms", stable(200, None));
    step("Stable@5s 200ms", stable(200, Some(5000)));
}

#[test]
fn expectations_take_selectors_to_the_end_of_the_line() {
    let expect = |selector: Selector, appeared, timeout: Option<u64>| {
        timed(Action::Wait(selector.into(), appeared), timeout)
    };
    step(
        "Expect \"Ready\"",
        expect("Ready".into(), Appeared::AfterEnter, None),
    );
    step(
        "Expect@2s /\\d+/ right of \"Total:\" in rows 2-4 # the sum",
        expect(
            Selector::regex(r"\d+")
                .unwrap()
                .right_of("Total:")
                .within(Rect::across(1..4)),
            Appeared::AfterEnter,
            Some(2000),
        ),
    );
    step(
        "Expect+Anytime@1s \"Ready\"",
        expect("Ready".into(), Appeared::Anytime, Some(1000)),
    );
    let red = screentest_core::query::selector::Styled::new()
        .bg(screentest_core::Color::Rgb(Rgb::hex(0xff_00_00)));
    step(
        "ExpectNot styled bg #ff0000 # nor red",
        TapeStep::ExpectNot(Expectation {
            selector: red.into(),
            timeout: None,
            appeared: Appeared::AfterEnter,
        }),
    );
    let seen = |since: Option<&str>| HistoryCheck {
        selector: "Saving".into(),
        since: since.map(str::to_owned),
    };
    step("Saw 'Saving'", TapeStep::Saw(seen(None)));
    step(
        "Never since start 'Saving'",
        TapeStep::Never(seen(Some("start"))),
    );
    step(
        "Mask 'Saving'",
        TapeStep::Mask(MaskTarget::Matches("Saving".into())),
    );
    step(
        "Mask in rows 1-2",
        TapeStep::Mask(MaskTarget::Rect(Rect::across(0..2))),
    );
}

#[test]
fn assertions_are_those_of_betamax() {
    let at = Position { row: 1, col: 3 };
    step(
        "AssertText 'a b'",
        TapeStep::Assert(Assertion::Text("a b".into())),
    );
    let absent = |ms| {
        TapeStep::Assert(Assertion::Absent {
            text: "Error".into(),
            lasting: MS(ms),
        })
    };
    step("AssertAbsent 'Error'", absent(0));
    step("AssertAbsent@500ms 'Error'", absent(500));
    let cells = ["A", "界", " ", "é"].map(str::to_owned).to_vec();
    step(
        r#"AssertCells 3 1 '["A","界"," ","é"]'"#,
        TapeStep::Assert(Assertion::Cells { at, cells }),
    );
    let style = StyleJson {
        fg: Some(Rgb::new(255, 0, 0)),
        bold: true,
        underline: Underline::Double,
        ..StyleJson::default()
    };
    step(
        r##"AssertStyle 3 1 5 '{"fg":"#ff0000","bold":true,"italic":false,"underline":"double"}'"##,
        TapeStep::Assert(Assertion::Style {
            at,
            width: 5,
            style,
        }),
    );
    step(
        "AssertState old.json",
        TapeStep::Assert(Assertion::State("old.json".into())),
    );
}

#[test]
fn line_ends_tabs_and_comments_make_no_difference() {
    let plain = steps("Type 'a'\nEnter 2\n", Dialect::Vhs);
    for text in [
        "Type 'a'\r\nEnter 2\r\n",
        "\tType\t'a'\t\n\n\n  Enter\t2",
        "# one\nType 'a' # two\n#\nEnter 2#three",
        "Type 'a' Enter 2",
        "\u{feff}Type 'a'\nEnter 2",
    ] {
        assert_eq!(steps(text, Dialect::Vhs), plain, "{text:?}");
    }
    assert!(read("", Dialect::Vhs).is_empty());
    assert!(read(" \r\n# only\n", Dialect::Betamax).is_empty());
}

#[test]
fn every_command_has_its_place() {
    let text = "# first\n\tType '界界' Enter\nSleep 1 s # slow\n";
    let (tape, _) = crate::language::parse(text, "a.tape", None);
    let places: Vec<_> = tape
        .commands
        .iter()
        .map(|command| (command.span.to_string(), command.span.text()))
        .collect();
    assert_eq!(
        places,
        [
            ("a.tape:2:2".to_owned(), "Type '界界'"),
            ("a.tape:2:12".to_owned(), "Enter"),
            ("a.tape:3:1".to_owned(), "Sleep 1 s"),
        ]
    );
}
