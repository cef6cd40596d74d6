//! Actions: the closed list of things that can be done to a program.
//!
//! Every interface parses what it does to a program into [`Action`]s.
//! `screentest::Terminal::perform` performs those of JSON-RPC and MCP; HTTP requests and the shell
//! commands become JSON-RPC requests. Tapes and `snap` perform theirs on the session, in their own
//! timing. Tapes also have steps that no other interface has, such as `Hide` and `Show`.
//!
//! ```text
//! JSON-RPC, HTTP, shell command ─┐                ┌─► Terminal::perform ─┐
//! call of an MCP tool ───────────┤                │                      │
//! line of a tape ────────────────┼───► Action ────┼─► runner of tapes ───┼─► Session
//! option of `snap` ──────────────┤                ├─► `snap` ────────────┘
//! input in a recording ──────────┘                └─► line of a tape
//! ```
//!
//! See also: `action/parse.rs` (notations that several interfaces share), `action/pointer.rs`
//! (state of the mouse between two actions), `screentest_tape::language::ActionStep` (an action as
//! the line of a tape).

use std::fmt;
use std::time::Duration;

use crate::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use crate::query::condition::{WaitPattern, WaitScope};
use crate::{Appeared, Chord, Condition, Modifiers, Position, Selector, Size};

mod parse;
mod pointer;

pub use parse::{ParseActionError, parse_button, parse_keys, parse_wheel};
pub use pointer::Pointer;

/// One thing done to a program.
#[derive(Clone, PartialEq, Eq)]
pub enum Action {
    /// Types a text, key by key. A line end presses Enter.
    Type(String),
    /// Types a text and presses Enter.
    SendLine(String),
    /// Sends bytes unchanged: secrets, and keys that have no name. Reports mention only their
    /// number.
    Send(Vec<u8>),
    /// Presses a key.
    Press(Chord),
    /// Pastes a text, as a bracketed paste if the program enabled it.
    Paste(String),
    /// Presses and releases a mouse button on the same screen.
    Click(Click),
    /// Moves the mouse, or presses or releases one of its buttons.
    Mouse(MouseAction),
    /// Turns the mouse wheel.
    Wheel(WheelTurn),
    /// Changes the terminal's size.
    Resize(Size),
    /// Sends a signal to the program's process group, by name or number.
    Signal(String),
    /// Waits until something is on the screen.
    Wait(WaitTarget, Appeared),
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

/// An action of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MouseAction {
    /// What the mouse does.
    pub kind: MouseActionKind,
    /// The place of the action.
    pub at: MousePlace,
    /// The modifiers held on the keyboard.
    pub modifiers: Modifiers,
}

/// What the mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseActionKind {
    /// Moves to the place, with the button that earlier actions left pressed.
    Move,
    /// Moves to the place, with this button or none, whatever earlier actions pressed.
    MoveWith(Option<Button>),
    /// Presses a button.
    Press(Button),
    /// Releases a button.
    Release(Button),
}

/// The place of a mouse action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MousePlace {
    /// A cell.
    Cell(Position),
    /// The cell where earlier actions left the mouse; the first cell of the screen if there are
    /// none.
    Pointer,
    /// The middle of the screen.
    Middle,
}

/// A turn of the mouse wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WheelTurn {
    /// The place of the mouse.
    pub at: MousePlace,
    /// The direction.
    pub wheel: Wheel,
    /// The number of notches.
    pub notches: u32,
    /// The modifiers held on the keyboard.
    pub modifiers: Modifiers,
}

/// The match or the line of text that ends a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitTarget {
    /// A match of a selector.
    Match(Selector),
    /// A line of text, in this part of the screen, that matches a pattern.
    Line(WaitScope, WaitPattern),
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
            Action::SendLine(_) => "send_line",
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
            Action::Type(text) | Action::SendLine(text) | Action::Paste(text) => tuple.field(text),
            Action::Send(bytes) => tuple.field(&format_args!("{} bytes", bytes.len())),
            Action::Press(chord) => tuple.field(&format_args!("{chord}")),
            Action::Click(click) => tuple.field(click),
            Action::Mouse(mouse) => tuple.field(mouse),
            Action::Wheel(turn) => tuple.field(turn),
            Action::Resize(size) => tuple.field(size),
            Action::Signal(name) => tuple.field(name),
            Action::Wait(target, appeared) => tuple.field(target).field(appeared),
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
    /// Returns one event per notch, on a cell.
    pub fn events(&self, position: Position) -> Vec<MouseEvent> {
        let event = MouseEvent {
            kind: MouseKind::Wheel(self.wheel),
            position,
            modifiers: self.modifiers,
        };
        vec![event; self.notches as usize]
    }
}

impl WaitTarget {
    /// Returns the condition that ends the wait.
    pub fn condition(&self) -> Condition {
        match self {
            WaitTarget::Match(selector) => Condition::visible(selector),
            WaitTarget::Line(scope, pattern) => scope.condition(pattern.clone()),
        }
    }
}

impl From<Selector> for WaitTarget {
    fn from(selector: Selector) -> WaitTarget {
        WaitTarget::Match(selector)
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
}
