//! Writes actions as lines of a tape.
//!
//! The lines mean the same when they are parsed again. An action that the tape language cannot
//! express is an error with the reason.
//!
//! See also: `quote.rs` (texts), `parser/steps.rs` and `parser/keys.rs` (parsing).

use super::{ActionStep, Command, Dialect, TapeStep, format_time, parse, quote, typing_actions};
use screentest_core::action::{
    Action, MouseAction, MouseActionKind, MousePlace, WaitTarget, WheelTurn,
};
use screentest_core::input::mouse::{Button, Wheel};
use screentest_core::query::condition::{WaitPattern, WaitScope};
use screentest_core::{Appeared, Chord, Key, Modifiers};

/// Why a tape cannot express an action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotInTape {
    /// The tape language has no command for the action of this name.
    #[error("a tape has no command for the action `{0}`")]
    NoCommand(&'static str),
    /// The key has no name in a tape.
    #[error("a tape has no name for the key `{0}`")]
    Key(Chord),
    /// The action uses the mouse at a given place instead of at its current position, or moves it
    /// to a place that is not a cell.
    #[error("a tape moves the mouse to a cell with `MouseMove` and uses it there")]
    MousePlace,
    /// The button of a mouse movement is given.
    #[error("a tape cannot choose the button of a mouse movement")]
    MoveButton,
    /// A pasted text has a line end, or all kinds of quotes.
    #[error("a tape cannot quote the pasted text")]
    PastedText,
    /// The tape language has a command for the action of this name, but not for its values.
    #[error("a tape cannot express the values of the action `{0}`")]
    Values(&'static str),
    /// A line of a tape can perform several actions only if all of them are keys.
    #[error("a tape cannot perform several actions in one step")]
    Several,
}

impl ActionStep {
    /// Returns the lines of a tape that perform the step, usually one. Parsed again, they have the
    /// same meaning, but the actions may differ in form:
    ///
    /// - A typed text is several lines if it has control characters, such as line ends.
    /// - A key that types a character is typed, as a text.
    /// - A pasted text is copied to the tape's clipboard first.
    ///
    /// ```
    /// use screentest_core::{Action, Key};
    /// use screentest_tape::language::{ActionStep, Dialect};
    ///
    /// let down = ActionStep {
    ///     times: 3,
    ///     ..ActionStep::from(Action::Press(Key::Down.into()))
    /// };
    /// assert_eq!(down.lines(Dialect::Vhs)?, ["Down 3"]);
    /// let send = ActionStep::from(Action::Send(b"\x1b[3~".to_vec()));
    /// assert!(send.lines(Dialect::Vhs).is_err());
    /// # Ok::<(), screentest_tape::language::NotInTape>(())
    /// ```
    pub fn lines(&self, dialect: Dialect) -> Result<Vec<String>, NotInTape> {
        if let Some(chords) = self.chords() {
            return self.key_lines(&chords, dialect);
        }
        let [action] = self.actions.as_slice() else {
            return Err(NotInTape::Several);
        };
        let line = |name: &str, arguments: &str| {
            let line = self.command(name, arguments);
            let once = ActionStep {
                times: 1,
                ..self.clone()
            };
            if once.is_meant_by(&line, dialect) {
                Ok(vec![line])
            } else {
                Err(NotInTape::Values(action.name()))
            }
        };
        let lines = match action {
            Action::Type(text) => Ok(self.typed(text, dialect)),
            Action::SendLine(text) => Ok(self.submitted(text, dialect)),
            Action::Paste(text) if self.time.is_none() => match quote(text, dialect) {
                Some(quoted) => Ok(vec![format!("Copy {quoted}"), "Paste".to_owned()]),
                None => Err(NotInTape::PastedText),
            },
            Action::Paste(_) => Err(NotInTape::Values(action.name())),
            Action::Mouse(mouse) => {
                let (name, arguments) = mouse_command(mouse)?;
                line(&name, &arguments)
            }
            Action::Wheel(turn) => {
                let (name, arguments) = wheel_command(turn)?;
                line(&name, &arguments)
            }
            Action::Resize(size) => line("Resize", &format!("{} {}", size.cols, size.rows)),
            Action::Wait(target, appeared) => {
                let (name, arguments) = wait_command(target, *appeared, dialect)
                    .ok_or(NotInTape::Values(action.name()))?;
                line(&name, &arguments)
            }
            Action::WaitStable(quiet) => line("Stable", &format_time(*quiet)),
            Action::Send(_) | Action::Click(_) | Action::Signal(_) | Action::Press(_) => {
                Err(NotInTape::NoCommand(action.name()))
            }
        };
        let lines = lines?;
        Ok((0..self.times).flat_map(|_| lines.clone()).collect())
    }

    /// Returns the keys, if the step presses only keys.
    fn chords(&self) -> Option<Vec<Chord>> {
        let chords = self.actions.iter().map(|action| match action {
            Action::Press(chord) => Some(*chord),
            _ => None,
        });
        chords.collect()
    }

    /// Returns the line that presses keys with the same modifiers: `Enter`, `Ctrl+X+S@1s 2`.
    fn key_lines(&self, chords: &[Chord], dialect: Dialect) -> Result<Vec<String>, NotInTape> {
        let [first, rest @ ..] = chords else {
            return Ok(Vec::new());
        };
        let mut name = key_name(*first);
        for chord in rest {
            name.push('+');
            name.push_str(&key_name(chord.key().into()));
        }
        let times = match self.times {
            1 => String::new(),
            times => times.to_string(),
        };
        let line = self.command(&name, &times);
        if self.is_meant_by(&line, dialect) {
            return Ok(vec![line]);
        }
        match (first.key(), rest) {
            (Key::Char(c), []) if first.modifiers().is_empty() => {
                let text = c.to_string().repeat(self.times.into());
                Ok(self.typed(&text, dialect))
            }
            _ => Err(NotInTape::Key(*first)),
        }
    }

    /// Returns the lines that type a text.
    fn typed(&self, text: &str, dialect: Dialect) -> Vec<String> {
        if text.is_empty() {
            return vec![self.command("Type", "''")];
        }
        // CR LF is one Enter.
        let actions = typing_actions(&text.replace("\r\n", "\n"), dialect);
        let lines = actions.into_iter().filter_map(|action| match action {
            Action::Type(part) => Some(self.command("Type", &quote(&part, dialect)?)),
            Action::Press(chord) => Some(self.command(&key_name(chord), "")),
            _ => None,
        });
        lines.collect()
    }

    /// Returns the lines that type a text and press Enter.
    fn submitted(&self, text: &str, dialect: Dialect) -> Vec<String> {
        match quote(text, dialect).filter(|_| !text.contains(char::is_control)) {
            Some(quoted) => vec![self.command("Submit", &quoted)],
            None => {
                let mut lines = self.typed(text, dialect);
                lines.push(self.command("Enter", ""));
                lines
            }
        }
    }

    /// Returns a command with the step's time, and its arguments.
    fn command(&self, name: &str, arguments: &str) -> String {
        let mut line = name.to_owned();
        if let Some(time) = self.time {
            line.push('@');
            line.push_str(&format_time(time));
        }
        if !arguments.is_empty() {
            line.push(' ');
            line.push_str(arguments);
        }
        line
    }

    /// Returns whether a line means exactly this step.
    fn is_meant_by(&self, line: &str, dialect: Dialect) -> bool {
        let (tape, report) = parse(line, "", Some(dialect));
        let step = match tape.meaning().as_slice() {
            [Command::Step(TapeStep::Action(step))] => Some((*step).clone()),
            _ => None,
        };
        !report.has_errors() && step.as_ref() == Some(self)
    }
}

/// Returns the name of a key with its modifiers.
pub(super) fn key_name(chord: Chord) -> String {
    let name = chord.to_string();
    // VHS has only the name `Escape`.
    match name.strip_suffix("Esc") {
        Some(modifiers) => format!("{modifiers}Escape"),
        None => name,
    }
}

fn mouse_command(mouse: &MouseAction) -> Result<(String, String), NotInTape> {
    let (name, arguments) = match (mouse.kind, mouse.at) {
        (MouseActionKind::Move, MousePlace::Cell(cell)) => {
            ("MouseMove", format!("{} {}", cell.col, cell.row))
        }
        (MouseActionKind::Press(button), MousePlace::Pointer) => {
            ("MouseDown", button_name(button).to_owned())
        }
        (MouseActionKind::Release(button), MousePlace::Pointer) => {
            ("MouseUp", button_name(button).to_owned())
        }
        (MouseActionKind::MoveWith(_), _) => return Err(NotInTape::MoveButton),
        _ => return Err(NotInTape::MousePlace),
    };
    Ok((format!("{}{name}", prefix(mouse.modifiers)), arguments))
}

fn wheel_command(turn: &WheelTurn) -> Result<(String, String), NotInTape> {
    if turn.at != MousePlace::Pointer {
        return Err(NotInTape::MousePlace);
    }
    let direction = match turn.wheel {
        Wheel::Up => "Up",
        Wheel::Down => "Down",
        Wheel::Left => "Left",
        Wheel::Right => "Right",
    };
    let name = format!("{}MouseScroll", prefix(turn.modifiers));
    Ok((name, format!("{direction} {}", turn.notches)))
}

/// Returns the command of a wait, or `None` if its text cannot be quoted.
fn wait_command(
    target: &WaitTarget,
    appeared: Appeared,
    dialect: Dialect,
) -> Option<(String, String)> {
    let (name, arguments) = match target {
        WaitTarget::Match(selector) => ("Expect", selector.syntax().to_string()),
        WaitTarget::Line(scope, pattern) => {
            let name = match scope {
                WaitScope::Line => "Wait+Line",
                WaitScope::Screen => "Wait+Screen",
            };
            let pattern = match pattern {
                WaitPattern::Text(text) => quote(text, dialect)?,
                WaitPattern::Regex(regex) => format!("/{}/", regex.as_str()),
            };
            (name, pattern)
        }
    };
    let anytime = match appeared {
        Appeared::AfterEnter => "",
        Appeared::Anytime => "+Anytime",
    };
    Some((format!("{name}{anytime}"), arguments))
}

/// Returns the name of a mouse button.
fn button_name(button: Button) -> &'static str {
    match button {
        Button::Left => "Left",
        Button::Middle => "Middle",
        Button::Right => "Right",
    }
}

/// Returns the held modifiers as a prefix of a mouse command.
fn prefix(modifiers: Modifiers) -> String {
    let names = [
        ("Ctrl+", Modifiers::CTRL),
        ("Alt+", Modifiers::ALT),
        ("Shift+", Modifiers::SHIFT),
        ("Super+", Modifiers::SUPER),
    ];
    let held = names.iter().filter(|(_, held)| modifiers.contains(*held));
    held.map(|(name, _)| *name).collect()
}
