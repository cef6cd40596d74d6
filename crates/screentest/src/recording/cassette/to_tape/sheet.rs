//! The lines of a tape, as they are written.
//!
//! Characters that follow each other are one text, and the same key several times is one line with a count.

use std::time::Duration;

use screentest_core::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use screentest_core::tape::{self, Command, Dialect, Press, Step};
use screentest_core::{Chord, Key, Modifiers, Position};

use super::deeds::What;
use super::wait::Awaited;
use super::{TapeWarning, Taped};

/// What took longer than this may take several times as long another time; what did not has the usual time.
const SLOW: Duration = Duration::from_secs(5);
const TIMES_AS_LONG: u32 = 4;

/// A tape so far.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    lines: Vec<String>,
    warnings: Vec<TapeWarning>,
    pending: Option<Pending>,
    /// Where the mouse is for the tape.
    mouse: Position,
    held: Option<Button>,
}

/// What may go on with the next thing that is done.
#[derive(Debug, PartialEq, Eq)]
enum Pending {
    Text(String),
    /// So often.
    Line(String, u16),
}

impl Sheet {
    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.flush();
        self.lines.push(line.to_owned());
    }

    /// Writes a comment that is also a warning.
    pub(super) fn warn(&mut self, message: &str) {
        // It may name what came from elsewhere, and a line end would begin a command.
        let message = message.replace(char::is_control, "\u{fffd}");
        self.line(&format!("# {message}"));
        self.warnings.push(TapeWarning {
            line: self.lines.len(),
            message,
        });
    }

    /// Waits, for what took so long.
    pub(super) fn wait(&mut self, awaited: &Awaited, took: Duration) {
        let (command, words) = awaited.words();
        let line = match took > SLOW {
            true => {
                let seconds = (took * TIMES_AS_LONG).as_secs();
                format!("{command}@{seconds}s {words}")
            }
            false => format!("{command} {words}"),
        };
        self.line(&line);
    }

    /// All of it.
    pub(super) fn finish(mut self) -> Taped {
        self.flush();
        let mut text = self.lines.join("\n");
        text.push('\n');
        Taped {
            text,
            warnings: self.warnings,
        }
    }

    /// Writes what was done.
    pub(super) fn deed(&mut self, what: &What) {
        if let Some(c) = what.text() {
            match &mut self.pending {
                Some(Pending::Text(text)) => text.push(c),
                _ => {
                    self.flush();
                    self.pending = Some(Pending::Text(c.into()));
                }
            }
            return;
        }
        match what {
            What::Press(chord) => self.press(*chord),
            What::Paste(text) => self.paste(text),
            What::Mouse(event) => self.mouse(event),
            What::Hover(position) => self.move_to(*position, Modifiers::empty()),
            What::Resize(size) => self.line(&format!("Resize {} {}", size.cols, size.rows)),
            What::Withheld => self.warn(
                "something was typed here that was not shown, such as a password, and was not kept: put in `Type \"…\"` and `Enter`",
            ),
            What::Covered => {
                self.warn("a secret was typed here, and is not in the recording: put in `Type \"…\"`");
            }
            What::Signal(name) => {
                self.warn(&format!("`{name}` was sent here, which a tape cannot do"));
            }
            What::Unknown(bytes) => self.unknown(bytes),
            What::End | What::Ended => self.flush(),
        }
    }

    fn unknown(&mut self, bytes: &[u8]) {
        let shown: String = bytes.escape_ascii().to_string().chars().take(60).collect();
        self.warn(&format!(
            "`{shown}` was sent here, and nobody knows what it is: put in what it stands for"
        ));
    }

    /// Writes a line that may be written once more at once.
    fn counted(&mut self, line: String) {
        match &mut self.pending {
            Some(Pending::Line(last, times)) if *last == line && *times < u16::MAX => *times += 1,
            _ => {
                self.flush();
                self.pending = Some(Pending::Line(line, 1));
            }
        }
    }

    fn flush(&mut self) {
        match self.pending.take() {
            None => {}
            Some(Pending::Text(text)) => self.lines.extend(tape::typed(&text, Dialect::Vhs)),
            // The number of notches stands there anyway.
            Some(Pending::Line(line, times)) if line.contains("MouseScroll") => {
                self.lines.push(format!("{line} {times}"));
            }
            Some(Pending::Line(line, 1)) => self.lines.push(line),
            Some(Pending::Line(line, times)) => self.lines.push(format!("{line} {times}")),
        }
    }

    fn press(&mut self, chord: Chord) {
        if let Some(line) = key_line(chord) {
            return self.counted(line);
        }
        let modifiers = chord.modifiers();
        match chord.key() {
            // To hold Alt is to press Escape first.
            Key::Char(c) if modifiers == Modifiers::ALT => {
                self.counted("Escape".to_owned());
                self.deed(&What::Press(c.into()));
            }
            _ => self.warn(&format!(
                "`{chord}` was pressed here, for which a tape has no name"
            )),
        }
    }

    /// Pastes line by line what a tape cannot say in one.
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
            // The same that types it: in pieces, where there are too many kinds of quotes.
            for typed in tape::typed(line, Dialect::Vhs) {
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
                "a second mouse button was used here, which a tape cannot do: the {} one",
                button_name(button).to_lowercase()
            )),
            MouseKind::Wheel(wheel) => {
                let towards = match wheel {
                    Wheel::Up => "Up",
                    Wheel::Down => "Down",
                    Wheel::Left => "Left",
                    Wheel::Right => "Right",
                };
                self.counted(format!("{prefix}MouseScroll {towards}"));
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

/// What is held, before a command of the mouse.
fn prefix(modifiers: Modifiers) -> String {
    let names = [
        ("Ctrl+", Modifiers::CTRL),
        ("Alt+", Modifiers::ALT),
        ("Shift+", Modifiers::SHIFT),
    ];
    let held = names.iter().filter(|(_, held)| modifiers.contains(*held));
    held.map(|(name, _)| *name).collect()
}

/// A key as a line of a tape, if that means this key and nothing else.
fn key_line(chord: Chord) -> Option<String> {
    let line = chord.to_string();
    // The one name that VHS knows too.
    let line = match line.strip_suffix("Esc") {
        Some(held) => format!("{held}Escape"),
        None => line,
    };
    let meant = Command::Step(Step::Press(Press {
        chords: vec![chord],
        times: 1,
        speed: None,
    }));
    let (tape, report) = tape::parse(&line, "", Some(Dialect::Vhs));
    (report.is_empty() && tape.meaning() == [&meant]).then_some(line)
}
