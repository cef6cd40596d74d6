//! Bytes as text that a person can read and type.
//!
//! `\e` is Escape; `\a \b \t \n \v \f \r` are the other common controls; `\xNN` is any byte,
//! `\u{N}` a code point, and `\\` a backslash. Everything else stands for itself.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

/// Control characters with a letter.
const LETTERS: [(char, u8); 8] = [
    ('a', 0x07),
    ('b', 0x08),
    ('t', 0x09),
    ('n', 0x0a),
    ('v', 0x0b),
    ('f', 0x0c),
    ('r', 0x0d),
    ('e', 0x1b),
];

/// Parses the notation. The error names the part that is wrong.
pub fn decode(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            push(&mut bytes, c);
            continue;
        }
        let letter = rest.next().ok_or("`\\` at the end")?;
        if let Some((_, byte)) = LETTERS.iter().find(|(known, _)| *known == letter) {
            bytes.push(*byte);
            continue;
        }
        match letter {
            '\\' => bytes.push(b'\\'),
            'x' => {
                let digits: String = rest.by_ref().take(2).collect();
                let byte = u8::from_str_radix(&digits, 16);
                bytes.push(byte.map_err(|_| format!("`\\x{digits}` is not a byte"))?);
            }
            'u' => {
                let digits: String = rest.by_ref().take_while(|c| *c != '}').collect();
                let number = digits.strip_prefix('{');
                let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let c = number.and_then(char::from_u32);
                push(
                    &mut bytes,
                    c.ok_or_else(|| format!("`\\u{digits}}}` is not a character"))?,
                );
            }
            other => return Err(format!("`\\{other}` is not known")),
        }
    }
    Ok(bytes)
}

/// Writes bytes in the notation. A space at either end is written as `\x20`, so that it survives
/// trimming.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_escaped(&mut text, c);
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    if let Some(rest) = text.strip_prefix(' ') {
        text = format!("\\x20{rest}");
    }
    if let Some(rest) = text.strip_suffix(' ') {
        text = format!("{rest}\\x20");
    }
    text
}

/// Appends a character, escaped if it is a control character, a backslash, or takes no column.
pub fn push_escaped(text: &mut String, c: char) {
    let letter = LETTERS.iter().find(|(_, byte)| char::from(*byte) == c);
    match (letter, c) {
        (Some((letter, _)), _) => text.extend(['\\', *letter]),
        (None, '\\') => text.push_str("\\\\"),
        (None, '\0'..='\x1f' | '\x7f') => {
            let _ = write!(text, "\\x{:02x}", u32::from(c));
        }
        _ if c.width().unwrap_or(0) == 0 || is_private(c) => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
        }
        _ => text.push(c),
    }
}

/// Whether editors show nothing useful for a character.
fn is_private(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{e000}'..='\u{f8ff}' | '\u{a0}' | '\u{2028}' | '\u{2029}'
    )
}

fn push(bytes: &mut Vec<u8>, c: char) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_notation() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)).unwrap(), all);
    }

    #[test]
    fn text_is_readable_and_controls_are_escaped() {
        let bytes = " \x1b[2J\r\né界e\u{301}\\ ".as_bytes();
        assert_eq!(encode(bytes), "\\x20\\e[2J\\r\\né界e\\u{301}\\\\\\x20");
        assert_eq!(decode(&encode(bytes)).unwrap(), bytes);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(decode("a\\q").unwrap_err(), "`\\q` is not known");
        assert_eq!(decode("\\xg1").unwrap_err(), "`\\xg1` is not a byte");
        assert_eq!(
            decode("\\u{d800}").unwrap_err(),
            "`\\u{d800}` is not a character"
        );
        assert_eq!(decode("\\").unwrap_err(), "`\\` at the end");
    }
}
