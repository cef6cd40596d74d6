//! Writes the lines of a tape.
//!
//! Consecutive characters become one `Type` command, and repeated keys one line with a count.

use std::time::Duration;

use crate::language::{self, Command, Dialect, PressStep, TapeStep};
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use screentest_core::{Chord, Key, Modifiers, Position};

use super::actions::ActionKind;
use super::wait::WaitCondition;
use super::{TapeFromCassette, TapeWarning};

/// A wait that took longer than this gets a timeout of four times as long, because it may be slower
/// on another run. Other waits use the default timeout.
const SLOW: Duration = Duration::from_secs(5);
const TIMES_AS_LONG: u32 = 4;

/// The tape written so far.
#[derive(Debug, Default)]
pub(super) struct TapeWriter {
    lines: Vec<String>,
    warnings: Vec<TapeWarning>,
    pending: Option<PendingLine>,
    /// The position of the mouse.
    mouse: Position,
    held: Option<Button>,
}

/// A line that the next action may extend.
#[derive(Debug, PartialEq, Eq)]
enum PendingLine {
    Text(String),
    /// A line and the number of repetitions.
    Line(String, u16),
}

impl TapeWriter {
    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.flush();
        self.lines.push(line.to_owned());
    }

    /// Writes a comment and adds the same text as a warning.
    pub(super) fn warn(&mut self, message: &str) {
        // The message may quote foreign text, and a line break in it would begin a command.
        let message = message.replace(char::is_control, "\u{fffd}");
        self.line(&format!("# {message}"));
        self.warnings.push(TapeWarning {
            line: self.lines.len(),
            message,
        });
    }

    /// Writes a wait. `took` is the time that it took in the recording.
    pub(super) fn wait(&mut self, condition: &WaitCondition, took: Duration) {
        let (command, words) = condition.words();
        let line = if took > SLOW {
            let seconds = (took * TIMES_AS_LONG).as_secs();
            format!("{command}@{seconds}s {words}")
        } else {
            format!("{command} {words}")
        };
        self.line(&line);
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

    /// Writes an action.
    pub(super) fn action(&mut self, kind: &ActionKind) {
        if let Some(c) = kind.text() {
            match &mut self.pending {
                Some(PendingLine::Text(text)) => text.push(c),
                _ => {
                    self.flush();
                    self.pending = Some(PendingLine::Text(c.into()));
                }
            }
            return;
        }
        match kind {
            ActionKind::Press(chord) => self.press(*chord),
            ActionKind::Paste(text) => self.paste(text),
            ActionKind::Mouse(event) => self.mouse(event),
            ActionKind::Hover(position) => self.move_to(*position, Modifiers::empty()),
            ActionKind::Resize(size) => self.line(&format!("Resize {} {}", size.cols, size.rows)),
            ActionKind::Withheld => self.warn(
                "hidden input, such as a password, was typed here and not recorded: insert `Type \"…\"` and `Enter`",
            ),
            ActionKind::Redacted => {
                self.warn("a secret was typed here and redacted: insert `Type \"…\"`");
            }
            ActionKind::Signal(name) => {
                self.warn(&format!("the signal `{name}` was sent here, which a tape cannot do"));
            }
            ActionKind::Unknown(bytes) => self.unknown(bytes),
            ActionKind::RecordingEnded | ActionKind::ProgramEnded => self.flush(),
        }
    }

    fn unknown(&mut self, bytes: &[u8]) {
        let shown: String = bytes.escape_ascii().to_string().chars().take(60).collect();
        self.warn(&format!(
            "`{shown}` was sent here and is not a known key: insert the command that it stands for"
        ));
    }

    /// Writes a line that may be repeated by the next action.
    fn counted(&mut self, line: String) {
        match &mut self.pending {
            Some(PendingLine::Line(last, times)) if *last == line && *times < u16::MAX => {
                *times += 1;
            }
            _ => {
                self.flush();
                self.pending = Some(PendingLine::Line(line, 1));
            }
        }
    }

    fn flush(&mut self) {
        match self.pending.take() {
            None => {}
            Some(PendingLine::Text(text)) => self
                .lines
                .extend(language::type_commands(&text, Dialect::Vhs)),
            // This command always has the number of notches.
            Some(PendingLine::Line(line, times)) if line.contains("MouseScroll") => {
                self.lines.push(format!("{line} {times}"));
            }
            Some(PendingLine::Line(line, 1)) => self.lines.push(line),
            Some(PendingLine::Line(line, times)) => self.lines.push(format!("{line} {times}")),
        }
    }

    fn press(&mut self, chord: Chord) {
        if let Some(line) = key_line(chord) {
            return self.counted(line);
        }
        let modifiers = chord.modifiers();
        match chord.key() {
            // Terminals encode Alt as an Escape before the key.
            Key::Char(c) if modifiers == Modifiers::ALT => {
                self.counted("Escape".to_owned());
                self.action(&ActionKind::Press(c.into()));
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
                self.counted("Enter".to_owned());
            }
            // As for `Type`, a text with too many kinds of quotes is split into pieces.
            for typed in language::type_commands(line, Dialect::Vhs) {
                match typed.strip_prefix("Type ") {
                    Some(quoted) => {
                        self.line(&format!("Copy {quoted}"));
                        self.line("Paste");
                    }
                    None => self.counted(typed),
                }
            }
        }
    }

    fn move_to(&mut self, position: Position, modifiers: Modifiers) {
        if std::mem::replace(&mut self.mouse, position) != position {
            let Position { row, col } = position;
            self.line(&format!("{}MouseMove {col} {row}", prefix(modifiers)));
        }
    }

    fn mouse(&mut self, event: &MouseEvent) {
        let MouseEvent {
            kind,
            position,
            modifiers,
        } = *event;
        self.move_to(position, modifiers);
        let prefix = prefix(modifiers);
        match kind {
            MouseKind::Move(_) => {}
            MouseKind::Press(button) if self.held.is_none() => {
                self.held = Some(button);
                self.line(&format!("{prefix}MouseDown {}", button_name(button)));
            }
            MouseKind::Release(button) if self.held == Some(button) => {
                self.held = None;
                self.line(&format!("{prefix}MouseUp {}", button_name(button)));
            }
            MouseKind::Press(button) | MouseKind::Release(button) => self.warn(&format!(
                "a second mouse button ({}) was used here, which a tape cannot do",
                button_name(button).to_lowercase()
            )),
            MouseKind::Wheel(wheel) => {
                let direction = match wheel {
                    Wheel::Up => "Up",
                    Wheel::Down => "Down",
                    Wheel::Left => "Left",
                    Wheel::Right => "Right",
                };
                self.counted(format!("{prefix}MouseScroll {direction}"));
            }
        }
    }
}

fn button_name(button: Button) -> &'static str {
    match button {
        Button::Left => "Left",
        Button::Middle => "Middle",
        Button::Right => "Right",
    }
}

/// The held modifiers, as a prefix of a mouse command.
fn prefix(modifiers: Modifiers) -> String {
    let names = [
        ("Ctrl+", Modifiers::CTRL),
        ("Alt+", Modifiers::ALT),
        ("Shift+", Modifiers::SHIFT),
    ];
    let held = names.iter().filter(|(_, held)| modifiers.contains(*held));
    held.map(|(name, _)| *name).collect()
}

/// A key as a tape line, if that line means exactly this key.
fn key_line(chord: Chord) -> Option<String> {
    let line = chord.to_string();
    // VHS knows only this name.
    let line = match line.strip_suffix("Esc") {
        Some(held) => format!("{held}Escape"),
        None => line,
    };
    let meant = Command::Step(TapeStep::Press(PressStep {
        chords: vec![chord],
        times: 1,
        speed: None,
    }));
    let (tape, report) = language::parse(&line, "", Some(Dialect::Vhs));
    (report.is_empty() && tape.meaning() == [&meant]).then_some(line)
}
