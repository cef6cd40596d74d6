//! The things that can be done to a program, as one closed list.
//!
//! JSON-RPC and MCP parse their requests into [`Action`]s; HTTP requests and the shell commands
//! become JSON-RPC requests. `screentest::Terminal::perform` performs every action.
//!
//! ```text
//! JSON-RPC, HTTP, shell command ─┐
//! call of an MCP tool ───────────┴─► Action ─► Terminal::perform ─► Session
//! ```
//!
//! Tapes and `snap` have separate lists of steps; they also have steps that no other interface has,
//! such as `Hide` and `Show` of tapes.
//!
//! See also: `action/parse.rs` (notations that several interfaces share).

use std::fmt;
use std::time::Duration;

use crate::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use crate::{Appeared, Chord, Modifiers, Position, Selector, Size};

mod parse;

pub use parse::{ParseActionError, button, keys, wheel};

/// One thing done to a program.
#[derive(Clone, PartialEq, Eq)]
pub enum Action {
    /// Types a text, key by key. A line end presses Enter.
    Type(String),
    /// Sends bytes unchanged: secrets, and keys that have no name. Reports mention only their
    /// number.
    Send(Vec<u8>),
    /// Presses a key.
    Press(Chord),
    /// Pastes a text, as a bracketed paste if the program enabled it.
    Paste(String),
    /// Presses and releases a mouse button on the same screen.
    Click(Click),
    /// Sends mouse events in direct succession.
    Mouse(Vec<MouseEvent>),
    /// Turns the mouse wheel.
    Wheel(WheelTurn),
    /// Changes the terminal's size.
    Resize(Size),
    /// Sends a signal to the program's process group, by name or number.
    Signal(String),
    /// Waits until a selector has a match.
    Wait(Selector, Appeared),
    /// Waits until the screen has not changed for this time.
    WaitStable(Duration),
}

/// A click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// Where to click.
    pub target: ClickTarget,
    /// The mouse button.
    pub button: Button,
    /// The modifiers held on the keyboard.
    pub modifiers: Modifiers,
}

/// The place of a click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClickTarget {
    /// A cell.
    Cell(Position),
    /// The middle of the match of a selector.
    Match(Selector),
    /// The first cell of the match of a selector.
    MatchStart(Selector),
}

/// A turn of the mouse wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WheelTurn {
    /// The cell under the mouse; `None` is the middle of the screen.
    pub at: Option<Position>,
    /// The direction.
    pub wheel: Wheel,
    /// The number of notches.
    pub notches: u32,
}

impl Action {
    /// Returns the click of a target with the left button.
    pub fn click(target: impl Into<ClickTarget>) -> Action {
        Action::Click(Click {
            target: target.into(),
            button: Button::Left,
            modifiers: Modifiers::empty(),
        })
    }

    /// Returns the name of the action.
    pub fn name(&self) -> &'static str {
        match self {
            Action::Type(_) => "type",
            Action::Send(_) => "send",
            Action::Press(_) => "press",
            Action::Paste(_) => "paste",
            Action::Click(_) => "click",
            Action::Mouse(_) => "mouse",
            Action::Wheel(_) => "wheel",
            Action::Resize(_) => "resize",
            Action::Signal(_) => "signal",
            Action::Wait(..) => "wait",
            Action::WaitStable(_) => "wait_for_stable",
        }
    }
}

/// Contains no sent bytes, which may be a secret.
impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple(self.name());
        match self {
            Action::Type(text) | Action::Paste(text) => tuple.field(text),
            Action::Send(bytes) => tuple.field(&format_args!("{} bytes", bytes.len())),
            Action::Press(chord) => tuple.field(&format_args!("{chord}")),
            Action::Click(click) => tuple.field(click),
            Action::Mouse(events) => tuple.field(events),
            Action::Wheel(turn) => tuple.field(turn),
            Action::Resize(size) => tuple.field(size),
            Action::Signal(name) => tuple.field(name),
            Action::Wait(selector, appeared) => tuple.field(selector).field(appeared),
            Action::WaitStable(time) => tuple.field(time),
        };
        tuple.finish()
    }
}

impl Click {
    /// Returns the two events of a click on a cell.
    pub fn events(&self, position: Position) -> [MouseEvent; 2] {
        let kinds = [
            MouseKind::Press(self.button),
            MouseKind::Release(self.button),
        ];
        kinds.map(|kind| MouseEvent {
            kind,
            position,
            modifiers: self.modifiers,
        })
    }
}

impl WheelTurn {
    /// Returns one event per notch, on a screen of this size.
    pub fn events(&self, size: Size) -> Vec<MouseEvent> {
        let middle = Position {
            row: usize::from(size.rows) / 2,
            col: usize::from(size.cols) / 2,
        };
        let event = MouseEvent {
            kind: MouseKind::Wheel(self.wheel),
            position: self.at.unwrap_or(middle),
            modifiers: Modifiers::empty(),
        };
        vec![event; self.notches as usize]
    }
}

impl From<Position> for ClickTarget {
    fn from(position: Position) -> ClickTarget {
        ClickTarget::Cell(position)
    }
}

impl From<Selector> for ClickTarget {
    fn from(selector: Selector) -> ClickTarget {
        ClickTarget::Match(selector)
    }
}

impl From<&Selector> for ClickTarget {
    fn from(selector: &Selector) -> ClickTarget {
        ClickTarget::Match(selector.clone())
    }
}

impl From<&str> for ClickTarget {
    fn from(text: &str) -> ClickTarget {
        ClickTarget::Match(text.into())
    }
}

impl From<String> for ClickTarget {
    fn from(text: String) -> ClickTarget {
        ClickTarget::Match(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_contains_no_sent_bytes() {
        let secret = Action::Send(b"sesame".to_vec());
        assert_eq!(format!("{secret:?}"), "send(6 bytes)");
        assert_eq!(format!("{:?}", Action::Type("a".into())), r#"type("a")"#);
    }

    #[test]
    fn wheel_turns_in_the_middle_unless_a_cell_is_given() {
        let turn = WheelTurn {
            at: None,
            wheel: Wheel::Up,
            notches: 2,
        };
        let size = Size { cols: 80, rows: 24 };
        let positions = |turn: WheelTurn| {
            let events = turn.events(size).into_iter();
            events.map(|event| event.position).collect::<Vec<_>>()
        };
        assert_eq!(positions(turn), [Position { row: 12, col: 40 }; 2]);
        let at = Some(Position { row: 1, col: 2 });
        assert_eq!(
            positions(WheelTurn { at, ..turn }),
            [Position { row: 1, col: 2 }; 2]
        );
    }
}
