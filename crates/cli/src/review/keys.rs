//! Keys of the review and their actions.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyAction {
    Accept,
    Reject,
    Skip,
    Undo,
    NextDifference,
    PreviousDifference,
    NextView,
    OtherScreen,
    Scroll(Scroll),
    Help,
    /// Apply the decisions and leave.
    Quit,
    /// Available only after the last decision, so that it is not pressed by mistake.
    Confirm,
    /// Leave without applying decisions.
    Abandon,
}

/// Direction and distance of scrolling.
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

/// Keys and descriptions of the help page.
pub(crate) const HELP: [(&str, &str); 11] = [
    ("a", "accept: the new screen becomes the baseline"),
    ("r", "reject: keep the baseline, remove the comparison"),
    ("s", "skip: keep it pending"),
    ("u", "undo the last decision"),
    ("d, D", "next difference, previous difference"),
    ("v", "change the view: both screens, old, new, description"),
    ("Tab", "switch between old and new in place"),
    (
        "arrows, hjkl",
        "scroll; also PageUp, PageDown, Home and End",
    ),
    ("q", "quit and apply the decisions so far"),
    ("Ctrl+C", "abort without changes"),
    ("?", "help"),
];

/// Keys in the footer, most important first.
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

/// Keys at the end of the footer, which are always shown.
pub(crate) const FOOT_END: [(&str, &str); 2] = [("?", "help"), ("q", "quit")];

/// Keys in the footer after the last decision.
pub(crate) const FOOT_DECIDED: [(&str, &str); 3] = [
    ("Enter", "apply and leave"),
    ("u", "undo"),
    ("Ctrl+C", "abort without changes"),
];

/// Returns the action of a key.
pub(crate) fn key_action(key: KeyEvent) -> Option<KeyAction> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(KeyAction::Abandon),
            KeyCode::Char('b') => Some(KeyAction::Scroll(Scroll::PageUp)),
            KeyCode::Char('f') => Some(KeyAction::Scroll(Scroll::PageDown)),
            _ => None,
        };
    }
    let action = match key.code {
        KeyCode::Char('a') => KeyAction::Accept,
        KeyCode::Char('r') => KeyAction::Reject,
        KeyCode::Char('s') => KeyAction::Skip,
        KeyCode::Char('u') => KeyAction::Undo,
        KeyCode::Char('d') => KeyAction::NextDifference,
        KeyCode::Char('D') => KeyAction::PreviousDifference,
        KeyCode::Char('v') => KeyAction::NextView,
        KeyCode::Tab | KeyCode::BackTab => KeyAction::OtherScreen,
        KeyCode::Up | KeyCode::Char('k') => KeyAction::Scroll(Scroll::Up),
        KeyCode::Down | KeyCode::Char('j') => KeyAction::Scroll(Scroll::Down),
        KeyCode::Left | KeyCode::Char('h') => KeyAction::Scroll(Scroll::Left),
        KeyCode::Right | KeyCode::Char('l') => KeyAction::Scroll(Scroll::Right),
        KeyCode::PageUp => KeyAction::Scroll(Scroll::PageUp),
        KeyCode::PageDown | KeyCode::Char(' ') => KeyAction::Scroll(Scroll::PageDown),
        KeyCode::Home | KeyCode::Char('g') => KeyAction::Scroll(Scroll::Top),
        KeyCode::End | KeyCode::Char('G') => KeyAction::Scroll(Scroll::Bottom),
        KeyCode::Char('?') => KeyAction::Help,
        KeyCode::Char('q') => KeyAction::Quit,
        KeyCode::Enter => KeyAction::Confirm,
        _ => return None,
    };
    Some(action)
}
