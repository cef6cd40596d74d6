//! Finds secrets that were typed with mistakes and corrected, or out of order.
//!
//! The typed bytes include the mistakes and the keys that delete them or move the cursor, so they
//! do not contain the secret; the edited line does. This file follows the editing keys that
//! terminals, shells and input fields have: they delete a character, a word or a part of the line,
//! and move the cursor by a character, a word, or to an end of the line.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::scrub::{RedactedSecret, Rules, replacements};

/// The number of bytes of a line that are remembered: more than a typed secret has.
const MAX_LINE: usize = 4 << 10;

/// The longest escape sequence of a key.
const MAX_SEQUENCE: usize = 32;

const ESC: u8 = 0x1b;
const DEL: u8 = 0x7f;

/// The line being typed.
#[derive(Debug)]
pub struct EditedLine {
    secrets: Arc<Rules>,
    /// The text of the line, and the offset at which each byte was typed.
    text: Vec<u8>,
    offsets: Vec<u64>,
    /// The index in the text at which the next byte is inserted.
    cursor: usize,
    /// The escape sequence that is being typed.
    sequence: Vec<u8>,
    /// The offsets of characters that were deleted.
    deleted: Vec<u64>,
    /// Whether characters were deleted or the cursor was moved, so that the text may differ from
    /// the typed bytes.
    is_edited: bool,
    /// Whether the text was searched since it last changed, and since it last grew.
    is_searched: bool,
    is_growth_searched: bool,
    /// The offsets at which the secrets found in the line begin.
    found: BTreeSet<u64>,
}

/// Newly found secrets: the bytes to overwrite, and entries for the report.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FoundSecrets {
    /// The offsets of the bytes to overwrite, each with its replacement.
    pub patches: Vec<(u64, u8)>,
    /// The secrets that were not found before, each with the range from its first to its last byte.
    pub redactions: Vec<RedactedSecret>,
}

/// A place to which a key moves the cursor, or up to which it deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Left,
    Right,
    WordLeft,
    WordRight,
    /// To the last space before the cursor, as Ctrl+W does.
    SpaceLeft,
    Start,
    End,
}

impl EditedLine {
    /// Creates an empty line.
    pub fn new(secrets: Arc<Rules>) -> EditedLine {
        EditedLine {
            secrets,
            text: Vec::new(),
            offsets: Vec::new(),
            cursor: 0,
            sequence: Vec::new(),
            deleted: Vec::new(),
            is_edited: false,
            is_searched: true,
            is_growth_searched: true,
            found: BTreeSet::new(),
        }
    }

    /// Adds typed bytes; `from` is the offset of the first one.
    pub fn push(&mut self, bytes: &[u8], from: u64) -> FoundSecrets {
        let mut found = FoundSecrets::default();
        for (at, byte) in (from..).zip(bytes) {
            if !self.sequence.is_empty() {
                self.sequence_byte(*byte, &mut found);
                continue;
            }
            match *byte {
                ESC => self.sequence.push(ESC),
                0x08 | DEL => self.delete(Target::Left, &mut found),
                // Ctrl+U, Ctrl+W, Ctrl+K, Ctrl+D
                0x15 => self.delete(Target::Start, &mut found),
                0x17 => self.delete(Target::SpaceLeft, &mut found),
                0x0b => self.delete(Target::End, &mut found),
                0x04 => self.delete(Target::Right, &mut found),
                // Ctrl+A, Ctrl+E, Ctrl+B, Ctrl+F
                0x01 => self.go(Target::Start),
                0x05 => self.go(Target::End),
                0x02 => self.go(Target::Left),
                0x06 => self.go(Target::Right),
                // The line was entered or abandoned.
                b'\r' | b'\n' | 0x03 | 0x07 => {
                    self.find_secrets(&mut found);
                    self.clear();
                }
                0..0x20 => {}
                byte => self.insert(byte, at),
            }
        }
        self.find_secrets(&mut found);
        if self.text.len().max(self.deleted.len()) > 2 * MAX_LINE {
            let excess = self.text.len().saturating_sub(MAX_LINE);
            self.text.drain(..excess);
            self.offsets.drain(..excess);
            self.cursor = self.cursor.saturating_sub(excess);
            let excess = self.deleted.len().saturating_sub(MAX_LINE);
            self.deleted.drain(..excess);
        }
        found
    }

    /// Adds a byte to the escape sequence, and applies the key once the sequence is complete.
    fn sequence_byte(&mut self, byte: u8, found: &mut FoundSecrets) {
        if byte == ESC || self.sequence.len() > MAX_SEQUENCE {
            self.sequence.clear();
            self.sequence.push(ESC);
            return;
        }
        self.sequence.push(byte);
        let is_complete = match &self.sequence[1..] {
            [b'[' | b'O'] => false,
            [b'[' | b'O', ..] => (0x40..0x7f).contains(&byte),
            _ => true,
        };
        if !is_complete {
            return;
        }
        let sequence = std::mem::take(&mut self.sequence);
        let (last, parameters) = match &sequence[1..] {
            [b'[' | b'O', parameters @ .., last] => (*last, parameters),
            // Alt and a letter.
            [b'b'] => return self.go(Target::WordLeft),
            [b'f'] => return self.go(Target::WordRight),
            [b'd'] => return self.delete(Target::WordRight, found),
            [0x08 | DEL] => return self.delete(Target::WordLeft, found),
            _ => return,
        };
        // As in `1;5D`: with a modifier, arrows move by words.
        let by_word = parameters.contains(&b';');
        match (last, parameters) {
            (b'D', _) if by_word => self.go(Target::WordLeft),
            (b'C', _) if by_word => self.go(Target::WordRight),
            (b'D', _) => self.go(Target::Left),
            (b'C', _) => self.go(Target::Right),
            (b'H', _) | (b'~', b"1" | b"7") => self.go(Target::Start),
            (b'F', _) | (b'~', b"4" | b"8") => self.go(Target::End),
            (b'~', b"3") => self.delete(Target::Right, found),
            _ => {}
        }
    }

    fn insert(&mut self, byte: u8, at: u64) {
        self.text.insert(self.cursor, byte);
        self.offsets.insert(self.cursor, at);
        self.cursor += 1;
        self.is_searched = false;
        self.is_growth_searched = false;
    }

    fn go(&mut self, target: Target) {
        self.cursor = self.index(target);
        self.is_edited = true;
    }

    /// Deletes the text between the cursor and a target.
    fn delete(&mut self, target: Target, found: &mut FoundSecrets) {
        self.is_edited = true;
        let to = self.index(target);
        let range = self.cursor.min(to)..self.cursor.max(to);
        if range.is_empty() {
            return;
        }
        if !self.is_growth_searched {
            self.find_secrets(found);
        }
        self.text.drain(range.clone());
        self.cursor = range.start;
        self.deleted.extend(self.offsets.drain(range));
        // Without a mistake in its middle, the rest may be a secret.
        self.is_searched = false;
    }

    /// Returns the index in the text to which a key moves the cursor.
    fn index(&self, target: Target) -> usize {
        let (before, after) = self.text.split_at(self.cursor);
        let is_first = |byte: &u8| byte & 0xc0 != 0x80;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
        match target {
            Target::Left => before.iter().rposition(is_first).unwrap_or(0),
            Target::Right => {
                let next = after.iter().skip(1).position(is_first);
                self.cursor + next.map_or(after.len(), |next| next + 1)
            }
            Target::WordLeft => {
                let last = before.iter().rposition(is_word).map_or(0, |last| last + 1);
                let word = before[..last].iter().rposition(|byte| !is_word(byte));
                word.map_or(0, |before| before + 1)
            }
            Target::WordRight => {
                let first = after.iter().position(is_word).unwrap_or(after.len());
                let word = after[first..].iter().position(|byte| !is_word(byte));
                self.cursor + word.map_or(after.len(), |word| first + word)
            }
            Target::SpaceLeft => {
                let word = before.trim_ascii_end();
                let blank = word.iter().rposition(|byte| *byte == b' ');
                blank.map_or(0, |blank| blank + 1)
            }
            Target::Start => 0,
            Target::End => self.text.len(),
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.offsets.clear();
        self.cursor = 0;
        self.deleted.clear();
        self.is_edited = false;
        self.is_searched = true;
        self.is_growth_searched = true;
        self.found.clear();
    }

    /// Looks for secrets that were typed with corrections or out of order. Others are found in the
    /// typed bytes themselves.
    fn find_secrets(&mut self, found: &mut FoundSecrets) {
        self.is_growth_searched = true;
        if !self.is_edited || std::mem::replace(&mut self.is_searched, true) {
            return;
        }
        for secret in self.secrets.find(&self.text) {
            let pieces = secret.pieces.iter();
            let pieces = pieces.map(|piece| piece.start as usize..piece.end as usize);
            let pieces: Vec<Range<usize>> = pieces.collect();
            let indexes = pieces.iter().cloned().flatten();
            let typed: Vec<u64> = indexes.map(|index| self.offsets[index]).collect();
            let is_uninterrupted = typed.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            let (Some(first), Some(last)) = (typed.iter().min(), typed.iter().max()) else {
                continue;
            };
            if is_uninterrupted {
                continue;
            }
            let (first, last) = (*first, *last);
            let mistakes = self.deleted.iter();
            let mistakes = mistakes.filter(|at| (first..=last).contains(at));
            found.patches.extend(mistakes.map(|at| (*at, b'*')));
            let covers = pieces
                .into_iter()
                .flat_map(|piece| replacements(&self.text[piece]));
            found.patches.extend(typed.into_iter().zip(covers));
            if self.found.insert(first) {
                let pieces = std::iter::once(first..last + 1).collect();
                let rule = secret.rule;
                found.redactions.push(RedactedSecret { rule, pieces });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the redacted typing, and the number of secrets reported.
    fn redacted(pieces: &[&str]) -> (String, usize) {
        let secrets = Rules::known_tokens().and_value("WORD", "correct-hörse".as_bytes());
        let mut line = EditedLine::new(Arc::new(secrets.unwrap()));
        let mut typed = Vec::new();
        let mut reported = 0;
        for piece in pieces {
            let found = line.push(piece.as_bytes(), typed.len() as u64);
            typed.extend_from_slice(piece.as_bytes());
            reported += found.redactions.len();
            for (at, cover) in found.patches {
                typed[at as usize] = cover;
            }
        }
        (String::from_utf8(typed).unwrap(), reported)
    }

    #[test]
    fn a_corrected_mistake_does_not_hide_a_secret() {
        let typed = "su correct-hx\x7försw\x08e ok";
        let (text, reported) = redacted(&[typed]);
        assert_eq!(
            (text.as_str(), reported),
            ("su **********\x7f×***\x08* ok", 1)
        );
        let keys: Vec<String> = typed.chars().map(String::from).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        assert_eq!(redacted(&keys), redacted(&[typed]));
    }

    #[test]
    fn deleted_words_and_lines_are_followed() {
        assert_eq!(
            redacted(&["correct-horst\x17correct-hörse"]).1,
            0,
            "it was typed without corrections"
        );
        assert_eq!(redacted(&["corr oh\x17\x7fect-hörse"]).1, 1);
        assert_eq!(
            redacted(&["correct\x15-hörse"]).1,
            0,
            "nothing is left of the line"
        );
        assert_eq!(
            redacted(&["corrx\x7fect\r-hörse"]).1,
            0,
            "two lines are separate"
        );
        assert_eq!(redacted(&["\x7f\x7f\x17\x15"]).1, 0);
    }

    #[test]
    fn a_secret_typed_out_of_order_is_covered() {
        let left = "\x1b[D";
        // The end first, then the start.
        let (text, reported) = redacted(&["-hörse\x1b[H", "correct"]);
        assert_eq!((text.as_str(), reported), ("**×***\x1b[H*******", 1));
        assert_eq!(redacted(&[&format!("corct{left}{left}re\x05-hörse")]).1, 1);
        assert_eq!(
            redacted(&["corre-rse\x1bb\x1b[1;5D\x01\x1bf-\x1bOFhö"]).1,
            0
        );
        assert_eq!(
            redacted(&["-hörse\x1bbXX", "\x7f\x7f", left, "correct"]).1,
            1
        );
        // Erased again.
        assert_eq!(redacted(&["-hörse\x01", "correct", "\x0b\x15x\r"]).1, 1);
        assert_eq!(
            redacted(&[
                "\x1b[",
                "3~\x1b\x1b[Dx\x1b",
                "[C\x7f\x1b[99999999999999999999999999999999999999D"
            ])
            .1,
            0
        );
    }

    #[test]
    fn a_growing_token_is_reported_once() {
        let (typed, reported) = redacted(&["sk-0123456789x\x7f", "0123456789", "ab", "cd"]);
        assert_eq!(
            (typed.as_str(), reported),
            ("sk-***********\x7f**************", 1)
        );
    }
}
