//! Writes the lines of a tape.
//!
//! Consecutive characters become one `Type` command, and repeated keys one line with a count.

use std::time::Duration;

use crate::language::{self, ActionStep, Dialect};
use screentest_core::action::{
    Action, MouseAction, MouseActionKind, MousePlace, Pointer, WaitTarget, WheelTurn,
};
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest_core::{Appeared, Chord, Key, Modifiers, Selector};

use super::actions::EventKind;
use super::wait::WaitCondition;
use super::{TapeFromCassette, TapeWarning};

/// A wait that took longer than this gets a timeout of four times its duration, because it may be
/// slower on another run. Other waits use the default timeout.
const SLOW: Duration = Duration::from_secs(5);
const TIMES_AS_LONG: u32 = 4;

/// How long the screen must not change to count as stable.
const STABLE_FOR: Duration = Duration::from_millis(200);

/// The tape written so far.
#[derive(Debug, Default)]
pub(super) struct TapeWriter {
    lines: Vec<String>,
    warnings: Vec<TapeWarning>,
    /// A step that the next action may extend.
    pending: Option<ActionStep>,
    /// State of the mouse after the lines so far.
    pointer: Pointer,
}

impl TapeWriter {
    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.flush();
        self.lines.push(line.to_owned());
    }

    /// Writes a comment and adds the same text as a warning.
    pub(super) fn warn(&mut self, message: &str) {
        self.flush();
        self.push_warning(message);
    }

    fn push_warning(&mut self, message: &str) {
        // The message may quote foreign text, and a line break in it would begin a command.
        let message = message.replace(char::is_control, "\u{fffd}");
        self.lines.push(format!("# {message}"));
        self.warnings.push(TapeWarning {
            line: self.lines.len(),
            message,
        });
    }

    /// Writes a wait. `took` is the time that it took in the recording.
    pub(super) fn wait(&mut self, condition: &WaitCondition, appeared: Appeared, took: Duration) {
        let seconds = (took * TIMES_AS_LONG).as_secs();
        let timeout = (took > SLOW).then(|| Duration::from_secs(seconds));
        let action = match condition {
            WaitCondition::Appears(scope, pattern) => {
                let target = WaitTarget::Line(*scope, pattern.clone());
                Action::Wait(target, appeared)
            }
            WaitCondition::Stable => Action::WaitStable(STABLE_FOR),
            WaitCondition::Disappears(text) => {
                let time = timeout.map(|time| format!("@{}", language::format_time(time)));
                let selector = Selector::from(text.as_str());
                let command = format!("ExpectNot{}", time.unwrap_or_default());
                return self.line(&format!("{command} {}", selector.syntax()));
            }
        };
        self.step(ActionStep {
            time: timeout,
            ..ActionStep::from(action)
        });
    }

    /// Returns the tape.
    pub(super) fn finish(mut self) -> TapeFromCassette {
        self.flush();
        let mut text = self.lines.join("\n");
        text.push('\n');
        TapeFromCassette {
            text,
            warnings: self.warnings,
        }
    }

    /// Writes an event.
    pub(super) fn event(&mut self, kind: &EventKind) {
        if let Some(c) = kind.text() {
            return self.step(Action::Type(c.into()).into());
        }
        match kind {
            EventKind::Action(action) => self.action(action),
            EventKind::Mouse(event) => self.mouse(event),
            EventKind::Withheld => self.warn(
                "hidden input, such as a password, was typed here and not recorded: insert `Type \"…\"` and `Enter`",
            ),
            EventKind::Redacted => {
                self.warn("a secret was typed here and redacted: insert `Type \"…\"`");
            }
            EventKind::RecordingEnded | EventKind::ProgramEnded => self.flush(),
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Press(chord) => self.press(*chord),
            Action::Paste(text) => self.paste(text),
            Action::Signal(name) => {
                self.warn(&format!(
                    "the signal `{name}` was sent here, which a tape cannot do"
                ));
            }
            Action::Send(bytes) => self.unknown(bytes),
            action => self.step(action.clone().into()),
        }
    }

    fn unknown(&mut self, bytes: &[u8]) {
        let shown: String = bytes.escape_ascii().to_string().chars().take(60).collect();
        self.warn(&format!(
            "`{shown}` was sent here and is not a known key: insert the command that it stands for"
        ));
    }

    /// Writes a step, or extends the one before.
    fn step(&mut self, step: ActionStep) {
        if self
            .pending
            .as_mut()
            .is_some_and(|last| extend(last, &step))
        {
            return;
        }
        self.flush();
        self.pending = Some(step);
    }

    fn flush(&mut self) {
        let Some(step) = self.pending.take() else {
            return;
        };
        match step.lines(Dialect::Vhs) {
            Ok(lines) => self.lines.extend(lines),
            Err(error) => self.push_warning(&error.to_string()),
        }
    }

    fn press(&mut self, chord: Chord) {
        let step = ActionStep::from(Action::Press(chord));
        if step.lines(Dialect::Vhs).is_ok() {
            return self.step(step);
        }
        match chord.key() {
            // Terminals encode Alt as an Escape before the key.
            Key::Char(c) if chord.modifiers() == Modifiers::ALT => {
                self.step(Action::Press(Key::Esc.into()).into());
                self.event(&EventKind::Action(Action::Press(c.into())));
            }
            _ => self.warn(&format!(
                "`{chord}` was pressed here, which a tape cannot express"
            )),
        }
    }

    /// Writes a paste. A text with several lines is pasted line by line, because the tape language
    /// cannot express it in one command.
    fn paste(&mut self, text: &str) {
        let lines: Vec<&str> = text.split(['\n', '\r']).collect();
        if lines.len() > 1 {
            self.warn(&format!(
                "{} lines were pasted here at once, which a tape cannot do: they are pasted one by one",
                lines.len()
            ));
        }
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                self.step(Action::Press(Key::Enter.into()).into());
            }
            // As for `Type`, a text with too many kinds of quotes is split into pieces.
            for action in language::typing_actions(line, Dialect::Vhs) {
                self.step(match action {
                    Action::Type(part) => Action::Paste(part).into(),
                    key => key.into(),
                });
            }
        }
    }

    /// Writes an event of the mouse. A tape moves the mouse to a cell and then uses it there.
    fn mouse(&mut self, event: &MouseEvent) {
        let MouseEvent {
            kind,
            position,
            modifiers,
        } = *event;
        if self.pointer.position() != position {
            self.mouse_action(MouseActionKind::Move, MousePlace::Cell(position), modifiers);
            self.pointer.follow(&MouseEvent {
                kind: MouseKind::Move(None),
                ..*event
            });
        }
        let action = match (kind, self.pointer.pressed()) {
            (MouseKind::Move(_), _) => return,
            (MouseKind::Press(button), None) => MouseActionKind::Press(button),
            (MouseKind::Release(button), pressed) if pressed == Some(button) => {
                MouseActionKind::Release(button)
            }
            (MouseKind::Press(button) | MouseKind::Release(button), _) => {
                return self.warn(&format!(
                    "a second mouse button ({}) was used here, which a tape cannot do",
                    button_name(button)
                ));
            }
            (MouseKind::Wheel(wheel), _) => {
                let turn = WheelTurn {
                    at: MousePlace::Pointer,
                    wheel,
                    notches: 1,
                    modifiers,
                };
                return self.step(Action::Wheel(turn).into());
            }
        };
        self.mouse_action(action, MousePlace::Pointer, modifiers);
        self.pointer.follow(event);
    }

    fn mouse_action(&mut self, kind: MouseActionKind, at: MousePlace, modifiers: Modifiers) {
        let mouse = MouseAction {
            kind,
            at,
            modifiers,
        };
        self.step(Action::Mouse(mouse).into());
    }
}

/// Adds a step to the one before, if one line can perform both: typed text, repeated keys, turns of
/// the wheel.
fn extend(last: &mut ActionStep, next: &ActionStep) -> bool {
    if last.time.is_some() || next.time.is_some() {
        return false;
    }
    let times = last.times.checked_add(next.times);
    match (last.actions.as_mut_slice(), next.actions.as_slice()) {
        ([Action::Type(text)], [Action::Type(more)]) => {
            text.push_str(more);
            true
        }
        ([Action::Press(chord)], [Action::Press(again)]) if *chord == *again => {
            last.times = times.unwrap_or(last.times);
            times.is_some()
        }
        ([Action::Wheel(turn)], [Action::Wheel(again)]) => {
            let notches = turn.notches + again.notches;
            let is_same = WheelTurn {
                notches: again.notches,
                ..*turn
            } == *again;
            let fits = is_same && notches <= u16::MAX.into();
            if fits {
                turn.notches = notches;
            }
            fits
        }
        _ => false,
    }
}

fn button_name(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}
