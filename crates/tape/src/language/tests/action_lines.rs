//! Tests that the lines written for an action mean that action when they are parsed.

use std::time::Duration;

use super::{BETAMAX, VHS, steps};
use crate::language::{ActionStep, Dialect, NotInTape, TapeStep};
use screentest_core::action::{
    Action, ClickTarget, MouseAction, MouseActionKind, MousePlace, WaitTarget, WheelTurn,
};
use screentest_core::input::mouse::{Button, Wheel};
use screentest_core::query::condition::{WaitPattern, WaitScope};
use screentest_core::query::selector::Regex;
use screentest_core::{Appeared, Chord, Key, Keypad, Modifiers, Position, Selector, Size};
use screentest_fixtures::random::{Random, rounds};

/// Returns what the steps do to the program. Pasting is done from the tape's clipboard.
fn performed(steps: Vec<TapeStep>) -> Vec<Action> {
    let mut clipboard = String::new();
    let mut actions = Vec::new();
    for step in steps {
        match step {
            TapeStep::Action(step) => {
                for _ in 0..step.times {
                    actions.extend(step.actions.iter().cloned());
                }
            }
            TapeStep::Copy(text) => clipboard = text,
            TapeStep::Paste => actions.push(Action::Paste(clipboard.clone())),
            other => panic!("no action: {other:?}"),
        }
    }
    actions
}

/// Replaces typed text by the keys that type it: a text may be several lines, and a key may be
/// typed as a text. Other actions stay as they are.
fn as_keys(actions: Vec<Action>) -> Vec<Action> {
    let mut keys = Vec::new();
    for action in actions {
        let (text, last) = match action {
            Action::Type(text) => (text, None),
            Action::SendLine(text) => (text, Some(Action::Press(Key::Enter.into()))),
            other => (String::new(), Some(other)),
        };
        let text = text.replace("\r\n", "\n");
        keys.extend(text.chars().map(|c| Action::Press(Chord::from(c))));
        keys.extend(last);
    }
    keys
}

#[track_caller]
fn check_step(step: &ActionStep, dialect: Dialect) -> Vec<String> {
    let lines = step.lines(dialect).unwrap_or_else(|error| {
        panic!("{dialect}: {step:?}: {error}");
    });
    let parsed = performed(steps(&lines.join("\n"), dialect));
    let meant = performed(vec![TapeStep::Action(step.clone())]);
    assert_eq!(as_keys(parsed), as_keys(meant), "{dialect}: {lines:?}");
    lines
}

/// Checks an action in both dialects.
#[track_caller]
fn check(action: impl Into<ActionStep>) {
    let step = action.into();
    for (_, dialect) in Dialect::ALL {
        check_step(&step, dialect);
    }
}

#[track_caller]
fn check_lines(step: impl Into<ActionStep>, lines: &[&str]) {
    assert_eq!(check_step(&step.into(), Dialect::Vhs), lines);
}

#[track_caller]
fn check_not_in_tape(action: impl Into<ActionStep>, why: &NotInTape) {
    let step = action.into();
    for (_, dialect) in Dialect::ALL {
        assert_eq!(
            step.lines(dialect).as_ref(),
            Err(why),
            "{dialect}: {step:?}"
        );
    }
}

fn mouse(kind: MouseActionKind, at: MousePlace) -> Action {
    Action::Mouse(MouseAction {
        kind,
        at,
        modifiers: Modifiers::CTRL | Modifiers::SHIFT,
    })
}

fn wheel(wheel: Wheel, at: MousePlace) -> Action {
    Action::Wheel(WheelTurn {
        at,
        wheel,
        notches: 3,
        modifiers: Modifiers::empty(),
    })
}

const CELL: MousePlace = MousePlace::Cell(Position { row: 4, col: 10 });

#[test]
fn every_action_of_a_tape_is_parsed_from_its_lines() {
    for text in [
        "ls -l",
        "",
        "two\nlines\r\n",
        "tab\tand\x1b",
        "'\"`$\\#/ 界",
    ] {
        check(Action::Type(text.into()));
        check(Action::SendLine(text.into()));
    }
    for text in ["ls -l", "", "it's", "tab\t", "\"'"] {
        check(Action::Paste(text.into()));
    }
    for key in [Key::Enter, Key::Esc, Key::Space, Key::F(12), Key::PageUp] {
        check(Action::Press(key.into()));
        check(Action::Press(key.ctrl()));
        check(Action::Press(key.alt().shift()));
    }
    check(Action::Press('"'.into()));
    for c in ['a', 'A', '#', '\\', '+', '@', '界'] {
        check(Action::Press(c.into()));
        check(Action::Press(Key::Char(c).ctrl()));
        check(Action::Press(Key::Char(c).with(Modifiers::SUPER)));
    }
    for button in [Button::Left, Button::Middle, Button::Right] {
        for kind in [
            MouseActionKind::Press(button),
            MouseActionKind::Release(button),
        ] {
            check(mouse(kind, MousePlace::Pointer));
        }
    }
    check(mouse(MouseActionKind::Move, CELL));
    for direction in [Wheel::Up, Wheel::Down, Wheel::Left, Wheel::Right] {
        check(wheel(direction, MousePlace::Pointer));
    }
    check(Action::Resize(Size { cols: 80, rows: 24 }));
    check(Action::WaitStable(Duration::from_millis(1500)));
    let selector = Selector::regex(r"\d+").unwrap().right_of("Total \"x\":");
    for appeared in [Appeared::AfterEnter, Appeared::Anytime] {
        check(Action::Wait(selector.clone().into(), appeared));
        for scope in [WaitScope::Line, WaitScope::Screen] {
            for pattern in [
                WaitPattern::Text("it's # done".into()),
                WaitPattern::Regex(Regex::new(r"\$ $").unwrap()),
                WaitPattern::Regex(Regex::new(r"a\/b").unwrap()),
            ] {
                check(Action::Wait(WaitTarget::Line(scope, pattern), appeared));
            }
        }
    }
}

#[test]
fn an_action_that_a_tape_cannot_express_has_a_reason() {
    let no_command = |action: Action| {
        let why = NotInTape::NoCommand(action.name());
        check_not_in_tape(action, &why);
    };
    no_command(Action::Send(b"\x1b[3~".to_vec()));
    no_command(Action::Signal("SIGINT".into()));
    no_command(Action::click("OK"));
    no_command(Action::click(ClickTarget::Cell(Position::default())));
    let key = Chord::from(Key::Keypad(Keypad::Add));
    check_not_in_tape(Action::Press(key), &NotInTape::Key(key));
    check_not_in_tape(Action::Paste("a\nb".into()), &NotInTape::PastedText);
    let press = MouseActionKind::Press(Button::Left);
    for action in [
        mouse(press, CELL),
        mouse(press, MousePlace::Middle),
        mouse(MouseActionKind::Move, MousePlace::Pointer),
        wheel(Wheel::Down, CELL),
    ] {
        check_not_in_tape(action, &NotInTape::MousePlace);
    }
    let drag = MouseActionKind::MoveWith(Some(Button::Left));
    check_not_in_tape(mouse(drag, CELL), &NotInTape::MoveButton);
    for action in [
        Action::Resize(Size { cols: 0, rows: 24 }),
        Action::Wheel(WheelTurn {
            at: MousePlace::Pointer,
            wheel: Wheel::Up,
            notches: 70_000,
            modifiers: Modifiers::empty(),
        }),
        Action::Wait(
            WaitTarget::Line(WaitScope::Line, WaitPattern::Text("a\nb".into())),
            Appeared::AfterEnter,
        ),
    ] {
        let why = NotInTape::Values(action.name());
        check_not_in_tape(action, &why);
    }
}

#[test]
fn counts_and_times_are_written() {
    let down = ActionStep {
        times: 3,
        ..ActionStep::from(Action::Press(Key::Down.into()))
    };
    check_lines(down.clone(), &["Down 3"]);
    let slow = ActionStep {
        time: Some(Duration::from_millis(500)),
        ..down
    };
    check_lines(slow, &["Down@500ms 3"]);
    check_lines(
        ActionStep {
            actions: ['x', 's']
                .map(|c| Action::Press(Key::Char(c).ctrl()))
                .into(),
            times: 2,
            time: None,
        },
        &["Ctrl+X+s 2"],
    );
    check_lines(
        ActionStep {
            time: Some(Duration::from_millis(50)),
            ..ActionStep::from(Action::Type("a\nb".into()))
        },
        &["Type@50ms \"a\"", "Enter@50ms", "Type@50ms \"b\""],
    );
    check_lines(Action::Paste("a".into()), &["Copy \"a\"", "Paste"]);
    check_lines(Action::SendLine("ls".into()), &["Submit \"ls\""]);
}

/// The two tapes have nearly every command.
#[test]
fn the_actions_of_a_tape_are_parsed_from_their_lines() {
    for (text, dialect) in [(VHS, Dialect::Vhs), (BETAMAX, Dialect::Betamax)] {
        let (tape, _) = super::parse(text, "a.tape", Some(dialect));
        let actions = tape
            .meaning()
            .into_iter()
            .filter_map(|command| match command {
                super::Command::Step(TapeStep::Action(step)) => Some(step),
                _ => None,
            });
        let lines = actions.map(|step| check_step(step, dialect));
        assert!(lines.count() > 20, "{dialect}");
    }
}

#[test]
fn any_text_and_key_is_parsed_from_its_lines_or_refused() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        let mut character = || {
            let number = match random.below(3) {
                0 => random.below(0x100),
                1 => random.below(0x3000),
                _ => random.below(0x11_0000),
            };
            char::from_u32(number as u32).unwrap_or('\n')
        };
        let text: String = (0..6).map(|_| character()).collect();
        let c = character();
        for (_, dialect) in Dialect::ALL {
            check_step(&Action::Type(text.clone()).into(), dialect);
            check_step(&Action::SendLine(text.clone()).into(), dialect);
            for modifiers in 0..16 {
                let modifiers = Modifiers::from_bits_truncate(modifiers);
                let step = ActionStep::from(Action::Press(Chord::new(Key::Char(c), modifiers)));
                if step.lines(dialect).is_ok() {
                    check_step(&step, dialect);
                }
            }
            let paste = ActionStep::from(Action::Paste(text.clone()));
            if paste.lines(dialect).is_ok() {
                check_step(&paste, dialect);
            }
        }
    }
}
