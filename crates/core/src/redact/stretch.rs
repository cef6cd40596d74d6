//! Finds stretches of declared values in text that a program wrapped, framed, quoted or encoded.
//!
//! A stretch is 8 consecutive characters of a value, or the whole value if it is shorter. Text is
//! reduced to its significant characters (`glyphs.rs`): borders, white space, quotes, backslashes
//! and characters without width are skipped, in the text and in the value. Rows are joined in
//! several ways (`reading_order.rs`): as they are, without line numbers or times, without a prefix
//! that they share, and by column. Every sequence of significant characters is compared with all
//! stretches of all forms of a value (`forms.rs`) by a rolling hash, so the time is linear in the
//! text and does not depend on the number of values.
//!
//! Skipping characters finds more than the value: `correct horse` is a stretch of `correct-horse`.
//! Callers use this for declared values only, where covering too much is better than too little.

use std::collections::BTreeMap;
use std::ops::Range;

mod forms;
mod glyphs;
mod reading_order;

use forms::Form;
use glyphs::{Glyphs, Significance};

/// The number of characters of a stretch.
const LENGTH: usize = 8;

/// How many bytes are searched at once. This limits the memory.
const BLOCK: usize = 256 << 10;

/// How many bytes at the end of a block are searched again with the next block, so that a value
/// that spans both is found. Most values take fewer.
const OVERLAP: usize = 16 << 10;

/// The multiplier of the rolling hash: 2^64 divided by the golden ratio, as in Fibonacci hashing.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// All stretches of all values.
#[derive(Clone, Default)]
pub(super) struct StretchIndex {
    /// By significance and number of characters.
    windows: BTreeMap<(Significance, usize), Windows>,
}

/// A part of a text that belongs to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The number that the value was added with.
    pub(super) owner: usize,
    /// The bytes, in ascending order; several if a row ends within the stretch.
    pub(super) pieces: Vec<Range<usize>>,
}

impl StretchIndex {
    /// Adds a value. `owner` is returned with every stretch of it.
    pub(super) fn add(&mut self, owner: usize, value: &[u8]) {
        let Ok(value) = str::from_utf8(value) else {
            return;
        };
        for form in forms::of(value) {
            let Form {
                significance,
                characters,
                length,
            } = form;
            let windows = self.windows.entry((significance, length)).or_default();
            windows.add(owner, &characters, length);
        }
    }

    /// Whether there are no values.
    pub(super) fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// Returns the stretches in a text of one or more lines, which may contain escape sequences.
    pub(super) fn find(&self, text: &[u8]) -> Vec<Stretch> {
        let mut found = Vec::new();
        let (mut start, mut searched) = (0, 0);
        while !self.is_empty() && searched < text.len() {
            let end = text.len().min(start + BLOCK);
            for mut stretch in self.find_in_block(&text[start..end]) {
                for piece in &mut stretch.pieces {
                    *piece = piece.start + start..piece.end + start;
                }
                // A stretch that ends earlier was found in the block before.
                if stretch
                    .pieces
                    .last()
                    .is_some_and(|last| last.end > searched)
                {
                    found.push(stretch);
                }
            }
            searched = end;
            // If possible, begin neither within an escape sequence nor within a line.
            let from = end.saturating_sub(OVERLAP).max(start + 1).min(end);
            let is_start = |byte: &u8| matches!(byte, b'\n' | 0x1b);
            start = from + text[from..end].iter().position(is_start).unwrap_or(0);
        }
        found
    }

    fn find_in_block(&self, text: &[u8]) -> Vec<Stretch> {
        let glyphs = Glyphs::of(text);
        let mut marked = vec![false; glyphs.all.len()];
        let mut found = Vec::new();
        for order in reading_order::all(&glyphs) {
            for significance in [Significance::Most, Significance::Alphanumeric] {
                self.find_in(&glyphs, &order, significance, &mut marked, &mut found);
            }
        }
        found
    }

    fn find_in(
        &self,
        glyphs: &Glyphs,
        order: &[usize],
        significance: Significance,
        marked: &mut [bool],
        found: &mut Vec<Stretch>,
    ) {
        let of_significance = |length| (significance, length);
        let windows = self
            .windows
            .range(of_significance(0)..=of_significance(usize::MAX));
        let windows: Vec<(usize, &Windows)> = windows.map(|((_, n), all)| (*n, all)).collect();
        if windows.is_empty() {
            return;
        }
        let significant = |index: &usize| glyphs.all[*index].is(significance);
        let indexes: Vec<usize> = order.iter().copied().filter(significant).collect();
        let codes = indexes.iter().map(|index| code(glyphs.all[*index].c));
        let codes: Vec<u64> = codes.collect();
        for (length, windows) in windows {
            let hits = windows.search(&codes, length);
            for Hit { owner, positions } in hits {
                let run = &indexes[positions];
                if run.iter().any(|index| !marked[*index]) {
                    run.iter().for_each(|index| marked[*index] = true);
                    found.push(Stretch {
                        owner,
                        pieces: glyphs.pieces(run),
                    });
                }
            }
        }
    }
}

/// The stretches of one length.
#[derive(Clone, Default)]
struct Windows {
    owners: BTreeMap<u64, usize>,
    /// A bit for each hash, to rule out nearly all text without a search.
    filter: Vec<u64>,
}

/// Positions that match consecutive stretches of one value.
struct Hit {
    owner: usize,
    positions: Range<usize>,
}

impl Windows {
    fn add(&mut self, owner: usize, characters: &[char], length: usize) {
        for window in characters.windows(length) {
            let hash = window.iter().fold(0, |hash, c| roll(hash, code(*c)));
            self.owners.entry(hash).or_insert(owner);
            self.add_to_filter(hash);
        }
    }

    fn add_to_filter(&mut self, hash: u64) {
        // At most one bit in 16 is set.
        if self.owners.len() * 16 <= self.filter.len() * 64 {
            self.set_bit(hash);
            return;
        }
        let bits = (self.owners.len() * 32).next_power_of_two().max(1024);
        self.filter = vec![0; bits / 64];
        let hashes: Vec<u64> = self.owners.keys().copied().collect();
        hashes.into_iter().for_each(|hash| self.set_bit(hash));
    }

    fn set_bit(&mut self, hash: u64) {
        let bit = bit(hash, self.filter.len() * 64);
        self.filter[bit / 64] |= 1 << (bit % 64);
    }

    fn search(&self, codes: &[u64], length: usize) -> Vec<Hit> {
        let bits = self.filter.len() * 64;
        let oldest = (0..length).fold(1u64, |power, _| power.wrapping_mul(BASE));
        let mut hits: Vec<Hit> = Vec::new();
        let mut hash = 0;
        for (at, code) in codes.iter().enumerate() {
            hash = roll(hash, *code);
            if let Some(before) = at.checked_sub(length) {
                hash = hash.wrapping_sub(codes[before].wrapping_mul(oldest));
            }
            if at + 1 < length {
                continue;
            }
            let bit = bit(hash, bits);
            if self.filter[bit / 64] & 1 << (bit % 64) == 0 {
                continue;
            }
            let Some(owner) = self.owners.get(&hash).copied() else {
                continue;
            };
            let positions = at + 1 - length..at + 1;
            match hits.last_mut() {
                Some(last) if last.owner == owner && last.positions.end > positions.start => {
                    last.positions.end = positions.end;
                }
                _ => hits.push(Hit { owner, positions }),
            }
        }
        hits
    }
}

/// Returns the number of a character in a hash. It is not 0, because leading zeros would not change
/// the hash.
fn code(c: char) -> u64 {
    u64::from(u32::from(c) + 1)
}

/// Adds a character to a hash.
fn roll(hash: u64, code: u64) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(code)
}

/// Returns the bit of a filter for a hash. `bits` is a power of two.
fn bit(hash: u64, bits: usize) -> usize {
    // The upper bits of the product depend on all bits of the hash.
    (hash.wrapping_mul(BASE) >> 32) as usize & (bits - 1)
}

#[cfg(test)]
mod tests;
