//! The bytes of typed text.
//!
//! Typing is pressing the key of each character, so that a program which asked for keys as sequences gets sequences. A
//! line end is Enter. Text that should arrive as it is, at once, is a paste (`paste.rs`).

use crate::key::Chord;
use crate::{Key, Modes};

/// What typing `text` sends.
pub fn bytes(text: &str, modes: &Modes) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // A line end of two characters is one Enter.
        if c == '\r' {
            chars.next_if_eq(&'\n');
        }
        let chord = match c {
            // A text with a backspace or an escape in it means the key, as Chord does for every control character.
            '\r' | '\n' => Key::Enter.into(),
            c => Chord::from(c),
        };
        bytes.extend(super::key::bytes(chord, modes));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KittyKeyboard;

    #[test]
    fn typed_text_is_itself_and_line_ends_are_enter() {
        let modes = Modes::default();
        assert_eq!(bytes("ls -l\n", &modes), b"ls -l\r");
        assert_eq!(bytes("a\r\nb\rc", &modes), b"a\rb\rc");
        assert_eq!(bytes("héé 界\t\x03", &modes), "héé 界\t\x03".as_bytes());
    }

    #[test]
    fn typed_text_is_keys_for_a_program_that_wants_keys() {
        let modes = Modes {
            kitty_keyboard: KittyKeyboard::ALL_KEYS,
            ..Modes::default()
        };
        assert_eq!(bytes("aB\n", &modes), b"\x1b[97u\x1b[98;2u\x1b[13u");
    }
}
