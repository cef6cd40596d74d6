//! Bytes sent for typed text.
//!
//! Typing presses the key of each character, so that a program that asked for keys as sequences
//! receives sequences. A line end is Enter. Text that should arrive unchanged and at once is a
//! paste (`paste.rs`).
//!
//! A text may also contain the bytes that keys send, such as `\x1b[3~` (Delete).
//! [`split_escapes`] finds the Escape characters that begin no such sequence, as in `abc\x1b:wq`:
//! sent together with the next character, they would be that character with Alt.

use crate::input::key::Chord;
use crate::{Key, Modes};

/// Returns the bytes sent when `text` is typed.
pub fn bytes(text: &str, modes: &Modes) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // CR LF is one Enter.
        if c == '\r' {
            chars.next_if_eq(&'\n');
        }
        let chord = match c {
            // A control character such as backspace or escape stands for its key, as in `Chord`.
            '\r' | '\n' => Key::Enter.into(),
            c => Chord::from(c),
        };
        bytes.extend(super::encode_key::bytes(chord, modes));
    }
    bytes
}

/// A part of a text that may contain the bytes of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart<'a> {
    /// The Escape key.
    Escape,
    /// Text and complete key sequences; never empty.
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

/// Returns whether an Escape character is the Escape key, given the bytes after it. It is if the
/// text ends there, or if the next byte begins no sequence (CSI, SS3, OSC, DCS, APC, PM, SOS).
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
    fn an_escape_that_begins_a_sequence_is_not_a_key() {
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
    fn typed_text_is_unchanged_and_line_ends_are_enter() {
        let modes = Modes::default();
        assert_eq!(bytes("ls -l\n", &modes), b"ls -l\r");
        assert_eq!(bytes("a\r\nb\rc", &modes), b"a\rb\rc");
        assert_eq!(bytes("héé 界\t\x03", &modes), "héé 界\t\x03".as_bytes());
    }

    #[test]
    fn typed_text_is_sent_as_sequences_if_all_keys_are_requested() {
        let modes = Modes {
            kitty_keyboard: KittyKeyboard::ALL_KEYS,
            ..Modes::default()
        };
        assert_eq!(bytes("aB\n", &modes), b"\x1b[97u\x1b[98;2u\x1b[13u");
    }
}
