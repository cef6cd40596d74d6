//! Log of the last inputs, for reports of failed waits.
//!
//! It records the calls made through the session, not the encoded bytes, and not the terminal's own
//! replies. The log is short, and so are its entries: a repeated input only increases a count.
//!
//! See also: `input/queue.rs` (the bytes on their way).

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use screentest_core::input::focus::Focus;
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use screentest_core::query::truncate;
use screentest_core::{Chord, Key, Modifiers, Position, Size};

use crate::format_duration::Elapsed;
use crate::lock::lock;
use crate::pty::signal::Signal;
use crate::session::Unready;

/// A logged input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Input {
    /// Time since the session's start. For a repeated input, the time of the last repetition.
    pub time: Duration,
    /// How often the input was made in a row; 1 if it was not repeated.
    pub times: usize,
    /// The input.
    pub kind: InputKind,
    /// Set if the program was not ready for the input.
    pub auto_wait_timeout: Option<AutoWaitTimeout>,
}

/// Auto-wait reached its bound: an input was sent although the program was not ready for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AutoWaitTimeout {
    /// How long auto-wait waited.
    pub waited: Duration,
    /// The program's state at the end of the wait.
    pub why: Unready,
}

/// Completes "sent after …".
impl fmt::Display for AutoWaitTimeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (waited, why) = (Elapsed(self.waited), self.why.as_str());
        write!(f, "waiting {waited}: the program {why}")
    }
}

/// Kinds of input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputKind {
    /// A key was pressed.
    Key(Chord),
    /// This text was typed; only its beginning is stored.
    Text(String),
    /// Text was typed or pasted that the terminal does not echo, such as a password. Its length is
    /// not stored either.
    Hidden,
    /// This many characters were pasted.
    Paste(usize),
    /// A mouse button was pressed and released in the same cell.
    Click {
        /// The button.
        button: Button,
        /// The cell.
        position: Position,
        /// The modifiers.
        modifiers: Modifiers,
    },
    /// Another mouse event.
    Mouse(MouseEvent),
    /// The focus was gained or lost.
    Focus(Focus),
    /// This many bytes were sent unchanged.
    Bytes(usize),
    /// The terminal was resized.
    Resize(Size),
    /// A signal was sent.
    Signal(Signal),
}

impl InputKind {
    pub(crate) fn text(text: &str) -> InputKind {
        InputKind::Text(truncate::start(text))
    }

    /// Returns what is logged of an input that the terminal does not echo.
    pub(crate) fn without_text(self) -> InputKind {
        match self {
            InputKind::Text(_) | InputKind::Paste(_) | InputKind::Bytes(_) => InputKind::Hidden,
            InputKind::Key(chord) if matches!(chord.key(), Key::Char(_)) => InputKind::Hidden,
            kind => kind,
        }
    }
}

impl Input {
    /// Appends a character that was typed after this text; false if `kind` is something else.
    fn append(&mut self, kind: &InputKind) -> bool {
        if (&self.kind, kind) == (&InputKind::Hidden, &InputKind::Hidden) {
            // Not counted: the number of keys is the length of a password.
            return true;
        }
        let (InputKind::Text(text), InputKind::Text(more)) = (&mut self.kind, kind) else {
            return false;
        };
        let mut letters = more.chars();
        let letter = letters.next().filter(|letter| !letter.is_control());
        let (Some(letter), None, 1) = (letter, letters.next(), self.times) else {
            return false;
        };
        // A truncated text stays as it is.
        if truncate::start(text) == *text {
            text.push(letter);
            *text = truncate::start(text);
        }
        true
    }
}

/// The log.
#[derive(Debug, Default)]
pub(crate) struct InputLog {
    entries: Mutex<VecDeque<Input>>,
}

impl InputLog {
    /// Maximum number of entries: enough for a form that was filled in.
    const MAX_ENTRIES: usize = 16;

    /// Logs an input.
    pub(crate) fn add(&self, time: Duration, kind: InputKind, timeout: Option<AutoWaitTimeout>) {
        let mut log = self.lock();
        let mut timeout = timeout;
        let kind = match (log.back(), kind) {
            (Some(down), InputKind::Mouse(up)) if down.times == 1 => match click(&down.kind, up) {
                Some(click) => {
                    timeout = timeout.or(down.auto_wait_timeout);
                    log.pop_back();
                    click
                }
                None => InputKind::Mouse(up),
            },
            (_, kind) => kind,
        };
        if let Some(last) = log.back_mut()
            && timeout.is_none()
            && last.append(&kind)
        {
            last.time = time;
            return;
        }
        match log.back_mut() {
            Some(last) if last.kind == kind => {
                last.times += usize::from(kind != InputKind::Hidden);
                last.time = time;
                last.auto_wait_timeout = timeout.or(last.auto_wait_timeout);
            }
            _ => log.push_back(Input {
                time,
                times: 1,
                kind,
                auto_wait_timeout: timeout,
            }),
        }
        if log.len() > InputLog::MAX_ENTRIES {
            log.pop_front();
        }
    }

    /// The last inputs, oldest first.
    pub(crate) fn last(&self) -> Vec<Input> {
        self.lock().iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Input>> {
        lock(&self.entries)
    }
}

/// Returns the click that a press and a release make.
fn click(down: &InputKind, up: MouseEvent) -> Option<InputKind> {
    let (InputKind::Mouse(down), MouseKind::Release(button)) = (down, up.kind) else {
        return None;
    };
    let press = MouseEvent {
        kind: MouseKind::Press(button),
        ..up
    };
    (*down == press).then_some(InputKind::Click {
        button,
        position: up.position,
        modifiers: up.modifiers,
    })
}

/// `at 120ms, pressed Down, 3 times`.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}, {}", Elapsed(self.time), self.kind)?;
        if self.times > 1 {
            write!(f, ", {} times", self.times)?;
        }
        match self.auto_wait_timeout {
            None => Ok(()),
            Some(timeout) => write!(
                f,
                " (sent after waiting {}: the program {})",
                Elapsed(timeout.waited),
                timeout.why.as_str()
            ),
        }
    }
}

impl fmt::Display for InputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputKind::Key(chord) => write!(f, "pressed {chord}"),
            InputKind::Text(text) => write!(f, "typed {}", truncate::quoted(text)),
            InputKind::Hidden => f.write_str("typed text that the terminal does not echo"),
            InputKind::Paste(1) => f.write_str("pasted 1 character"),
            InputKind::Paste(count) => write!(f, "pasted {count} characters"),
            InputKind::Click {
                button,
                position,
                modifiers,
            } => {
                let at = position.to_wire();
                match button {
                    Button::Left => write!(f, "clicked {at}"),
                    button => write!(f, "clicked {at} with the {} button", named(*button)),
                }?;
                held(f, *modifiers)
            }
            InputKind::Mouse(event) => {
                let at = event.position.to_wire();
                match event.kind {
                    MouseKind::Press(button) => {
                        write!(f, "pressed the {} mouse button at {at}", named(button))
                    }
                    MouseKind::Release(button) => {
                        write!(f, "released the {} mouse button at {at}", named(button))
                    }
                    MouseKind::Move(None) => write!(f, "moved the mouse to {at}"),
                    MouseKind::Move(Some(_)) => write!(f, "dragged the mouse to {at}"),
                    MouseKind::Wheel(wheel) => {
                        write!(f, "turned the wheel {} at {at}", turned(wheel))
                    }
                }?;
                held(f, event.modifiers)
            }
            InputKind::Focus(Focus::Gained) => f.write_str("reported focus gained"),
            InputKind::Focus(Focus::Lost) => f.write_str("reported focus lost"),
            InputKind::Bytes(1) => f.write_str("sent 1 byte"),
            InputKind::Bytes(count) => write!(f, "sent {count} bytes"),
            InputKind::Resize(size) => write!(f, "resized to {size}"),
            InputKind::Signal(signal) => {
                let name = signal.to_string();
                let name = name.strip_prefix("signal ").unwrap_or(&name);
                write!(f, "sent signal {name}")
            }
        }
    }
}

/// Writes the modifiers: `, holding Ctrl+Shift`.
fn held(f: &mut fmt::Formatter<'_>, modifiers: Modifiers) -> fmt::Result {
    if modifiers.is_empty() {
        return Ok(());
    }
    // `Chord` formats the names in order; its key is removed again.
    let chord = Key::Tab.with(modifiers).to_string();
    let names = chord.strip_suffix("+Tab").unwrap_or(&chord);
    write!(f, ", holding {names}")
}

fn named(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

fn turned(wheel: Wheel) -> &'static str {
    match wheel {
        Wheel::Up => "up",
        Wheel::Down => "down",
        Wheel::Left => "left",
        Wheel::Right => "right",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs inputs one millisecond apart.
    #[track_caller]
    fn check(kinds: impl IntoIterator<Item = InputKind>, words: &[&str]) {
        let log = InputLog::default();
        for (millis, kind) in (1..).zip(kinds) {
            log.add(Duration::from_millis(millis), kind, None);
        }
        let shown: Vec<String> = log.last().iter().map(Input::to_string).collect();
        assert_eq!(shown, words);
    }

    fn mouse(kind: MouseKind, col: usize) -> InputKind {
        InputKind::Mouse(MouseEvent {
            kind,
            position: Position { row: 2, col },
            modifiers: Modifiers::empty(),
        })
    }

    #[test]
    fn every_kind_of_input_is_described() {
        let size = Size {
            cols: 100,
            rows: 30,
        };
        let odd = Signal::from_number(40).unwrap();
        check(
            [
                InputKind::Key(Key::Char('c').ctrl()),
                InputKind::text("say \"hi\"\n"),
                InputKind::Paste(120),
                InputKind::Paste(1),
                InputKind::Focus(Focus::Gained),
                InputKind::Focus(Focus::Lost),
                InputKind::Bytes(5),
                InputKind::Resize(size),
                InputKind::Signal(Signal::INT),
                InputKind::Signal(odd),
                InputKind::text(&"x".repeat(1000)),
            ],
            &[
                "at 1ms, pressed Ctrl+C",
                "at 2ms, typed \"say \\\"hi\\\"\\n\"",
                "at 3ms, pasted 120 characters",
                "at 4ms, pasted 1 character",
                "at 5ms, reported focus gained",
                "at 6ms, reported focus lost",
                "at 7ms, sent 5 bytes",
                "at 8ms, resized to 100x30",
                "at 9ms, sent signal SIGINT",
                "at 10ms, sent signal 40",
                &format!("at 11ms, typed \"{}…\"", "x".repeat(60)),
            ],
        );
    }

    #[test]
    fn characters_typed_in_succession_are_one_text() {
        let letters = |text: &'static str| text.chars().map(|c| InputKind::text(&c.to_string()));
        check(letters("echo Hallo"), &["at 10ms, typed \"echo Hallo\""]);
        check(
            letters("aa")
                .chain([InputKind::Key(Key::Enter.into())])
                .chain(letters("b\r")),
            &[
                "at 2ms, typed \"aa\"",
                "at 3ms, pressed Enter",
                "at 4ms, typed \"b\"",
                "at 5ms, typed \"\\r\"",
            ],
        );
        let many = "x".repeat(100);
        check(
            many.chars().map(|c| InputKind::text(&c.to_string())),
            &[&format!("at 100ms, typed \"{}…\"", "x".repeat(60))],
        );
        // Repeated whole texts are counted.
        let word = || InputKind::text("ls");
        check([word(), word()], &["at 2ms, typed \"ls\", 2 times"]);
    }

    #[test]
    fn hidden_text_is_logged_without_its_length() {
        let hidden = |c: char| InputKind::Key(c.into()).without_text();
        check(
            [
                hidden('a'),
                hidden('b'),
                InputKind::text("cd").without_text(),
                InputKind::Paste(8).without_text(),
                InputKind::Bytes(9).without_text(),
                InputKind::Key(Key::Enter.into()).without_text(),
            ],
            &[
                "at 5ms, typed text that the terminal does not echo",
                "at 6ms, pressed Enter",
            ],
        );
    }

    #[test]
    fn a_press_and_a_release_in_one_cell_are_a_click() {
        let left = Button::Left;
        let held = |kind| {
            InputKind::Mouse(MouseEvent {
                kind,
                position: Position { row: 0, col: 0 },
                modifiers: Modifiers::CTRL | Modifiers::SHIFT,
            })
        };
        check(
            [
                mouse(MouseKind::Press(left), 4),
                mouse(MouseKind::Release(left), 4),
                mouse(MouseKind::Press(left), 4),
                mouse(MouseKind::Release(left), 4),
                mouse(MouseKind::Press(left), 4),
                mouse(MouseKind::Move(Some(left)), 5),
                mouse(MouseKind::Release(left), 5),
                mouse(MouseKind::Wheel(Wheel::Down), 5),
                mouse(MouseKind::Wheel(Wheel::Down), 5),
                held(MouseKind::Press(Button::Right)),
                held(MouseKind::Release(Button::Right)),
            ],
            &[
                "at 4ms, clicked row 3, column 5, 2 times",
                "at 5ms, pressed the left mouse button at row 3, column 5",
                "at 6ms, dragged the mouse to row 3, column 6",
                "at 7ms, released the left mouse button at row 3, column 6",
                "at 9ms, turned the wheel down at row 3, column 6, 2 times",
                "at 11ms, clicked row 1, column 1 with the right button, holding Ctrl+Shift",
            ],
        );
    }

    #[test]
    fn the_oldest_inputs_are_dropped_and_repetitions_are_counted() {
        let log = InputLog::default();
        for number in 0..20 {
            log.add(Duration::ZERO, InputKind::Bytes(number), None);
        }
        let moment = Duration::from_secs(1);
        (0..100).for_each(|_| log.add(moment, InputKind::Key(Key::Down.into()), None));
        let last = log.last();
        assert_eq!(last.len(), InputLog::MAX_ENTRIES);
        assert_eq!(last[0].kind, InputKind::Bytes(5));
        assert_eq!(last[15].to_string(), "at 1s, pressed Down, 100 times");
    }
}
