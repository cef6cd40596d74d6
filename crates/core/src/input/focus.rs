//! Bytes sent when a terminal gains or loses focus.

use crate::Modes;

/// A change of the terminal's focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Focus {
    /// The terminal gained focus.
    Gained,
    /// The terminal lost focus.
    Lost,
}

/// Returns the bytes that report a focus change; `None` if the program did not ask for them
/// (?1004).
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
    fn focus_changes_are_reported_only_if_requested() {
        let asked = Modes {
            focus_events: true,
            ..Modes::default()
        };
        assert_eq!(bytes(Focus::Gained, &asked), Some(&b"\x1b[I"[..]));
        assert_eq!(bytes(Focus::Lost, &asked), Some(&b"\x1b[O"[..]));
        assert_eq!(bytes(Focus::Gained, &Modes::default()), None);
    }
}
