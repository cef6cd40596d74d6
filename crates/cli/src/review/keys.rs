//! The keys, and what each asks for.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a person may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Accept,
    Reject,
    Skip,
    Undo,
    NextDifference,
    DifferenceBefore,
    NextView,
    OtherScreen,
    Scroll(Scroll),
    Help,
    /// Do what was decided, and leave.
    Quit,
    /// Only behind the last decision, where it cannot be pressed by mistake.
    Confirm,
    /// Leave everything as it was.
    Abandon,
}

/// Which way to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scroll {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
}

/// What the help page says of the keys.
pub(crate) const HELP: [(&str, &str); 11] = [
    ("a", "accept: what was seen becomes the baseline"),
    (
        "r",
        "reject: the baseline stays, the comparison is forgotten",
    ),
    ("s", "skip: leave it for another time"),
    ("u", "undo: take the last decision back"),
    ("d, D", "go to the next difference, to the one before"),
    (
        "v",
        "change the view: both screens, old, new, the difference in words",
    ),
    ("Tab", "old and new in turn, in the same place"),
    (
        "arrows, hjkl",
        "scroll; PageUp, PageDown, Home and End go further",
    ),
    ("q", "quit: do what was decided so far, and leave"),
    ("Ctrl+C", "leave everything as it was"),
    ("?", "help"),
];

/// What the foot of the page says of them, the most needed first.
pub(crate) const FOOT: [(&str, &str); 8] = [
    ("a", "accept"),
    ("r", "reject"),
    ("s", "skip"),
    ("u", "undo"),
    ("d", "difference"),
    ("v", "view"),
    ("Tab", "old/new"),
    ("↑↓←→", "scroll"),
];

/// What it says at its end, whatever else there is room for.
pub(crate) const FOOT_END: [(&str, &str); 2] = [("?", "help"), ("q", "quit")];

/// The same once everything is decided.
pub(crate) const FOOT_DECIDED: [(&str, &str); 3] = [
    ("Enter", "do it and leave"),
    ("u", "undo"),
    ("Ctrl+C", "leave everything as it was"),
];

/// What a key asks for.
pub(crate) fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Abandon),
            KeyCode::Char('b') => Some(Action::Scroll(Scroll::PageUp)),
            KeyCode::Char('f') => Some(Action::Scroll(Scroll::PageDown)),
            _ => None,
        };
    }
    let action = match key.code {
        KeyCode::Char('a') => Action::Accept,
        KeyCode::Char('r') => Action::Reject,
        KeyCode::Char('s') => Action::Skip,
        KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('d') => Action::NextDifference,
        KeyCode::Char('D') => Action::DifferenceBefore,
        KeyCode::Char('v') => Action::NextView,
        KeyCode::Tab | KeyCode::BackTab => Action::OtherScreen,
        KeyCode::Up | KeyCode::Char('k') => Action::Scroll(Scroll::Up),
        KeyCode::Down | KeyCode::Char('j') => Action::Scroll(Scroll::Down),
        KeyCode::Left | KeyCode::Char('h') => Action::Scroll(Scroll::Left),
        KeyCode::Right | KeyCode::Char('l') => Action::Scroll(Scroll::Right),
        KeyCode::PageUp => Action::Scroll(Scroll::PageUp),
        KeyCode::PageDown | KeyCode::Char(' ') => Action::Scroll(Scroll::PageDown),
        KeyCode::Home | KeyCode::Char('g') => Action::Scroll(Scroll::Top),
        KeyCode::End | KeyCode::Char('G') => Action::Scroll(Scroll::Bottom),
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Enter => Action::Confirm,
        _ => return None,
    };
    Some(action)
}
