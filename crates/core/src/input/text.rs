//! The bytes of typed text.
//!
//! Typing is pressing the key of each character, so that a program which asked for keys as sequences gets sequences. A
//! line end is Enter. Text that should arrive as it is, at once, is a paste (`paste.rs`).
//!
//! A text may also hold the bytes of keys that have no name, such as `\x1b[3~`. [`split_escapes`] finds the Escape
//! characters that begin no such sequence, as in `abc\x1b:wq`: sent together with the next character they would be Alt
//! with it.

use crate::input::key::Chord;
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
        bytes.extend(super::encode_key::bytes(chord, modes));
    }
    bytes
}

/// A part of a text that may hold the bytes of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart<'a> {
    /// The Escape key.
    Escape,
    /// Text, and whole sequences of bytes; never empty.
    Text(&'a str),
}

/// Splits a text at each Escape character that is the Escape key.
pub fn split_escapes(text: &str) -> Vec<TextPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut in_string = false;
    for (at, control) in text.match_indices([ESC, BEL]) {
        let after = &text.as_bytes()[at + 1..];
        // A string such as OSC ends with BEL or with ST, which is `ESC \`.
        if control == "\x07" || (in_string && after.starts_with(b"\\")) {
            in_string = false;
            continue;
        }
        if !is_escape_key(after) {
            in_string |= !matches!(after, [b'[' | b'O', ..]);
            continue;
        }
        let (before, escape) = rest.split_at(at - (text.len() - rest.len()));
        if !before.is_empty() {
            parts.push(TextPart::Text(before));
        }
        parts.push(TextPart::Escape);
        rest = escape.strip_prefix(ESC).unwrap_or(escape);
    }
    if !rest.is_empty() {
        parts.push(TextPart::Text(rest));
    }
    parts
}

/// Whether an Escape character is the Escape key, by the bytes after it: at the end of the text, or before a byte that
/// begins no sequence (CSI, SS3, OSC, DCS, APC, PM, SOS).
pub fn is_escape_key(after: &[u8]) -> bool {
    !after.first().is_some_and(|next| b"[O]P_^X".contains(next))
}

const ESC: char = '\x1b';
const BEL: char = '\x07';

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KittyKeyboard;

    #[test]
    fn only_an_escape_that_begins_no_sequence_is_a_key() {
        let split = |text| {
            let parts = split_escapes(text).into_iter();
            let shown = parts.map(|part| match part {
                TextPart::Escape => "Escape".to_owned(),
                TextPart::Text(text) => format!("{text:?}"),
            });
            shown.collect::<Vec<String>>().join(" ")
        };
        for (text, parts) in [
            ("", ""),
            ("abc", r#""abc""#),
            ("\x1b", "Escape"),
            ("abc\x1b:wq", r#""abc" Escape ":wq""#),
            ("\x1b\x1bé\x1b", r#"Escape Escape "é" Escape"#),
            ("a\x1b[3~\x1bOP", r#""a\u{1b}[3~\u{1b}OP""#),
            ("\x1b\x1b[A", r#"Escape "\u{1b}[A""#),
            ("\x1b]0;t\x07\x1b\\x", r#""\u{1b}]0;t\u{7}" Escape "\\x""#),
            ("\x1bPq\x1b\\x\x1b\\", r#""\u{1b}Pq\u{1b}\\x" Escape "\\""#),
        ] {
            assert_eq!(split(text), parts, "{text:?}");
        }
    }

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
