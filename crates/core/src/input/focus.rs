//! The bytes for gaining and losing the focus.

use crate::Modes;

/// Whether the terminal has the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Focus {
    /// It has come.
    Gained,
    /// It has gone.
    Lost,
}

/// What a change of focus sends; `None` when the program did not ask to be told (?1004).
pub fn bytes(focus: Focus, modes: &Modes) -> Option<&'static [u8]> {
    modes.focus_events.then_some(match focus {
        Focus::Gained => b"\x1b[I",
        Focus::Lost => b"\x1b[O",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_focus_is_reported_only_when_asked_for() {
        let asked = Modes {
            focus_events: true,
            ..Modes::default()
        };
        assert_eq!(bytes(Focus::Gained, &asked), Some(&b"\x1b[I"[..]));
        assert_eq!(bytes(Focus::Lost, &asked), Some(&b"\x1b[O"[..]));
        assert_eq!(bytes(Focus::Gained, &Modes::default()), None);
    }
}
