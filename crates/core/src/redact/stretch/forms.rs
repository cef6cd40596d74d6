//! The forms of a value whose stretches are searched for, reduced to significant characters.

use super::LENGTH;
use super::glyphs::{Significance, folded, significance};
use crate::redact::scrub::encodings;

/// A form of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) significance: Significance,
    pub(super) characters: Vec<char>,
    /// The number of characters of a stretch.
    pub(super) length: usize,
}

/// The least number of significant characters of a value.
const LEAST: usize = 4;

/// The longest value, in bytes, that is searched for in all forms. Longer values are searched for
/// only as they are, reversed, in base64, and as hexadecimal digits. Each byte takes about a
/// kilobyte of memory.
const MAX_BYTES: usize = 512;

/// A code of two or more digits for each byte.
type ByteCode = fn(u8) -> String;

/// The codes of single bytes, without their punctuation: `68 75`, `%68`, `\x68`, `0x68`, `\u0068`,
/// `\u{68}`, `U+0068`, `\150`, `&#104;`.
const BYTE_CODES: [ByteCode; 13] = [
    |byte| format!("{byte:02x}"),
    |byte| format!("{byte:02X}"),
    |byte| format!("x{byte:02x}"),
    |byte| format!("x{byte:02X}"),
    |byte| format!("0x{byte:02x}"),
    |byte| format!("0x{byte:02X}"),
    |byte| format!("u00{byte:02x}"),
    |byte| format!("u00{byte:02X}"),
    |byte| format!("u{byte:02x}"),
    |byte| format!("u{byte:02X}"),
    |byte| format!("U00{byte:02X}"),
    |byte| format!("{byte:03o}"),
    |byte| byte.to_string(),
];

/// How many of the byte codes are used for a long value.
const BRIEF_CODES: usize = 2;

/// Returns all forms of a value.
pub(super) fn of(value: &str) -> Vec<Form> {
    let mut forms = Vec::new();
    let reversed: String = value.chars().rev().collect();
    for text in [value, &reversed] {
        forms.extend(form(text, Significance::Most, LEAST, LENGTH));
        forms.extend(form(text, Significance::Alphanumeric, LENGTH, LENGTH));
    }
    let is_long = value.len() > MAX_BYTES;
    for encoded in encodings::of(value.as_bytes()) {
        let is_base64 = encoded.cover.first() == Some(&b'A');
        if let Ok(text) = str::from_utf8(&encoded.bytes)
            && (is_base64 || !is_long)
        {
            // A stretch of 8 characters has at least 9 whole digits of base64.
            forms.extend(form(text, Significance::Most, LENGTH, LENGTH));
            forms.extend(form(text, Significance::Alphanumeric, LENGTH, LENGTH));
        }
    }
    let codes = if is_long {
        BRIEF_CODES
    } else {
        BYTE_CODES.len()
    };
    for code in &BYTE_CODES[..codes] {
        let text: String = value.bytes().map(code).collect();
        let length = (2 * LENGTH).min(text.len());
        // Two digits for each byte of the shortest value.
        forms.extend(form(&text, Significance::Alphanumeric, LEAST * 2, length));
    }
    forms.dedup();
    forms
}

/// Returns the significant characters of a form; `None` if there are too few.
fn form(text: &str, counted: Significance, least: usize, length: usize) -> Option<Form> {
    let characters: Vec<char> = text
        .chars()
        .map(folded)
        .filter(|c| significance(*c) >= Some(counted))
        .collect();
    (characters.len() >= least).then(|| Form {
        significance: counted,
        length: length.min(characters.len()),
        characters,
    })
}
