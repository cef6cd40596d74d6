//! Character sets: the four designated sets, and which of them is used (SCS, LS, SS).
//!
//! As in xterm with UTF-8, only ASCII characters are mapped; sets that are locked to the right half
//! (LS1R, LS2R, LS3R) are remembered and have no effect.

use tables::{LINE_DRAWING, TECHNICAL, national};

mod tables;

/// A character set that can be designated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Charset {
    /// The bytes that designate it after the intermediate: `B`, `0`, `%5`.
    name: [u8; 2],
    /// Whether it has 96 characters. The names of such sets are a space of their own.
    is_96: bool,
}

impl Charset {
    pub(crate) const ASCII: Charset = Charset {
        name: [b'B', 0],
        is_96: false,
    };
    const LATIN_1: Charset = Charset {
        name: [b'A', 0],
        is_96: true,
    };

    /// Returns the set that these bytes designate, if it is supported.
    pub(crate) fn named(name: &[u8], is_96: bool) -> Option<Charset> {
        let known: &[&[u8]] = if is_96 {
            &[b"A"]
        } else {
            &[
                b"B", b"0", b"A", b"<", b"%5", b">", b"1", b"2", b"4", b"C", b"5", b"R", b"f",
                b"Q", b"9", b"K", b"Y", b"`", b"E", b"6", b"%6", b"Z", b"H", b"7", b"=",
            ]
        };
        if !known.contains(&name) {
            return None;
        }
        let mut own = [0; 2];
        own[..name.len()].copy_from_slice(name);
        Some(Charset { name: own, is_96 })
    }

    /// Returns the bytes that designate it.
    pub(crate) fn name(&self) -> &[u8] {
        &self.name[..if self.name[1] == 0 { 1 } else { 2 }]
    }

    pub(crate) fn is_96(&self) -> bool {
        self.is_96
    }

    /// Returns the character of a printable ASCII byte in this set. National sets other than that
    /// of the United Kingdom need their mode (DECNRCM), as in xterm.
    fn map(&self, byte: u8, national_sets: bool) -> char {
        let index = usize::from(byte.saturating_sub(0x5f));
        if *self == Charset::LATIN_1 {
            return char::from(byte | 0x80);
        }
        let upper_half = |byte| char::from(byte | 0x80);
        match (self.name(), byte) {
            (b"B" | b"1", _) => char::from(byte),
            (b"0" | b"2", 0x5f..=0x7e) => LINE_DRAWING[index],
            // DEC Supplemental differs from Latin-1 in a few places.
            (b"<" | b"%5", 0x21..=0x7e) => match byte {
                0x28 => '\u{a4}',
                0x57 => '\u{152}',
                0x5d => '\u{178}',
                0x77 => '\u{153}',
                0x7d => '\u{ff}',
                _ => upper_half(byte),
            },
            (b">", 0x21..=0x7e) => TECHNICAL[usize::from(byte - 0x21)],
            (b"A", _) => national(b"A", byte),
            (name, _) if national_sets => national(name, byte),
            _ => char::from(byte),
        }
    }
}

/// The designated sets and which of them are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Charsets {
    pub(crate) sets: [Charset; 4],
    /// The set of the left half.
    pub(crate) left: u8,
    /// The set of the right half.
    pub(crate) right: u8,
    /// The set of the next character only.
    pub(crate) single: Option<u8>,
}

impl Default for Charsets {
    fn default() -> Charsets {
        Charsets {
            sets: [
                Charset::ASCII,
                Charset::ASCII,
                Charset::LATIN_1,
                Charset::LATIN_1,
            ],
            left: 0,
            right: 2,
            single: None,
        }
    }
}

impl Charsets {
    /// Returns whether characters are printed as they are.
    #[inline]
    pub(crate) fn is_ascii(&self) -> bool {
        self.single.is_none() && self.sets[usize::from(self.left & 3)] == Charset::ASCII
    }

    pub(crate) fn lock_left(&mut self, set: u8) {
        self.left = set;
    }

    /// Returns the next character in the current set.
    pub(crate) fn map(&mut self, c: char, national_sets: bool) -> char {
        let set = self.single.take().unwrap_or(self.left);
        match u8::try_from(c) {
            Ok(byte @ 0x20..=0x7e) => self.sets[usize::from(set & 3)].map(byte, national_sets),
            _ => c,
        }
    }
}
