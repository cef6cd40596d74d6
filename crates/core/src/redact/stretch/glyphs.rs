//! The characters of a text, with their places.

use std::ops::Range;

use crate::redact::scrub::sequence_tracker::{ByteClass, SequenceTracker};
use crate::screen::text_width::columns;

/// Which characters of a text and of a value are compared. The others are skipped in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Significance {
    /// All except white space, quotes, backslashes, borders, arrows, and characters without width.
    Most,
    /// Letters and digits: punctuation may separate them.
    Alphanumeric,
}

/// A character of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    /// The character. A full-width character is replaced by the ordinary one.
    pub(super) c: char,
    /// `None` for a character that is never significant.
    significance: Option<Significance>,
    /// Offset and number of its bytes.
    at: usize,
    length: usize,
    /// The column, counted from the start of the row.
    pub(super) col: usize,
}

impl Glyph {
    /// Whether the character has at least this significance.
    pub(super) fn is(&self, significance: Significance) -> bool {
        self.significance >= Some(significance)
    }

    /// Whether the character draws a border between columns.
    pub(super) fn is_border(&self) -> bool {
        self.c == '|' || ('\u{2500}'..='\u{259f}').contains(&self.c)
    }
}

/// The characters of a text, by rows. Titles and other strings are rows of their own, after the
/// others.
#[derive(Debug, Default)]
pub(super) struct Glyphs {
    pub(super) all: Vec<Glyph>,
    pub(super) rows: Vec<Range<usize>>,
}

/// Text between two characters of a stretch, such as ` + `, is covered too if it has at most this
/// number of characters.
const MAX_BETWEEN: usize = 4;

impl Glyphs {
    pub(super) fn of(text: &[u8]) -> Glyphs {
        let mut tracker = SequenceTracker::default();
        let mut shown = Glyphs::default();
        let mut strings = Glyphs::default();
        for (at, byte) in text.iter().enumerate() {
            match tracker.step(*byte) {
                ByteClass::Text => shown.push_character(text, at),
                ByteClass::StringText => strings.push_character(text, at),
                ByteClass::StringEnd => strings.end_row(),
                ByteClass::Control if *byte == b'\t' => shown.push(' ', at, 1),
                ByteClass::Control | ByteClass::Movement => shown.end_row(),
                ByteClass::Escape => {}
            }
        }
        shown.end_row();
        strings.end_row();
        let offset = shown.all.len();
        let strings_rows = strings.rows.into_iter();
        shown
            .rows
            .extend(strings_rows.map(|row| row.start + offset..row.end + offset));
        shown.all.extend(strings.all);
        shown
    }

    /// Adds the character whose first byte is at an offset.
    fn push_character(&mut self, text: &[u8], at: usize) {
        let byte = text[at];
        if byte.is_ascii() {
            self.push(char::from(byte), at, 1);
        } else if byte & 0xc0 != 0x80 {
            let longest = &text[at..text.len().min(at + 4)];
            let first = longest.utf8_chunks().next();
            if let Some(c) = first.and_then(|chunk| chunk.valid().chars().next()) {
                self.push(c, at, c.len_utf8());
            }
        }
    }

    fn push(&mut self, c: char, at: usize, length: usize) {
        let row_start = self.rows.last().map_or(0, |row| row.end);
        let col = match self.all.get(row_start..).and_then(<[Glyph]>::last) {
            Some(last) => last.col + columns(last.c).unwrap_or(1).max(1),
            None => 0,
        };
        let c = folded(c);
        self.all.push(Glyph {
            c,
            significance: significance(c),
            at,
            length,
            col,
        });
    }

    fn end_row(&mut self) {
        let start = self.rows.last().map_or(0, |row| row.end);
        if start < self.all.len() {
            self.rows.push(start..self.all.len());
        }
    }

    /// Returns the bytes of these characters. Includes the text between two of them if both are in
    /// the same row and it has at most [`MAX_BETWEEN`] characters.
    pub(super) fn pieces(&self, run: &[usize]) -> Vec<Range<usize>> {
        let mut indexes = run.to_vec();
        for pair in run.windows(2) {
            let between = pair[0] + 1..pair[1];
            let row = self.rows.partition_point(|row| row.end <= pair[0]);
            let same_row = self.rows.get(row).is_some_and(|row| row.contains(&pair[1]));
            if same_row && between.len() <= MAX_BETWEEN {
                indexes.extend(between);
            }
        }
        indexes.sort_unstable();
        indexes.dedup();
        let mut pieces: Vec<Range<usize>> = Vec::new();
        for index in indexes {
            let Glyph { at, length, .. } = self.all[index];
            match pieces.last_mut() {
                Some(last) if last.end == at => last.end = at + length,
                _ => pieces.push(at..at + length),
            }
        }
        pieces
    }
}

/// Returns the ordinary form of a character in full width (U+FF01 to U+FF5E).
pub(super) fn folded(c: char) -> char {
    match u32::from(c) {
        wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// Returns the significance of a character; `None` if it is always skipped.
pub(super) fn significance(c: char) -> Option<Significance> {
    if c.is_ascii_alphanumeric() {
        return Some(Significance::Alphanumeric);
    }
    let skipped = match c {
        '\'' | '"' | '`' | '\\' | '|' => true,
        c if c.is_ascii() => c.is_ascii_whitespace() || c.is_ascii_control(),
        // Arrows, line drawing, blocks and geometric shapes: borders, scroll bars, marks of
        // wrapped lines.
        '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{25ff}' | '…' | '·' | '¶' | '¦' => true,
        c => c.is_whitespace() || columns(c).unwrap_or(0) == 0 || c == '\u{ad}',
    };
    if skipped {
        None
    } else if c.is_alphanumeric() {
        Some(Significance::Alphanumeric)
    } else {
        Some(Significance::Most)
    }
}
