//! Finds pairs of bytes that may start a secret or an escape sequence.
//!
//! Each byte that a pattern starts with has a bit of its own, as long as there are free bits, so
//! that testing a pair takes one table lookup per byte.

/// For every byte, the patterns that start with it (the upper half) and those that continue with it
/// (the lower half).
#[derive(Clone)]
pub(super) struct BytePairs {
    bits: Box<[u64; 256]>,
    /// The number of assigned bits.
    taken: u32,
}

const ESC: u8 = 0x1b;

/// Shift of the upper half.
const BEGINS: u32 = 32;

/// Number of pairs that are combined before one test: a branch costs as much as several lookups.
const TOGETHER: usize = 8;

impl Default for BytePairs {
    fn default() -> BytePairs {
        let mut bits = Box::new([1; 256]);
        bits[usize::from(ESC)] |= 1 << BEGINS;
        BytePairs { bits, taken: 1 }
    }
}

impl BytePairs {
    /// Adds a pattern that starts with these two bytes. Escape sequences and controls may separate
    /// them.
    pub(super) fn add(&mut self, first: u8, second: u8) {
        let begins = &mut self.bits[usize::from(first)];
        if *begins >> BEGINS == 0 {
            // A byte without a bit of its own shares the last one, which causes needless closer
            // inspections.
            let bit = self.taken.min(BEGINS - 1);
            *begins |= 1 << (BEGINS + bit);
            self.taken += 1;
        }
        let bit = *begins >> BEGINS;
        for second in (0..0x20).chain([0x7f, second]) {
            self.bits[usize::from(second)] |= bit;
        }
    }

    /// Whether a pattern may start with these two bytes.
    #[inline]
    pub(super) fn may_start(&self, first: u8, second: u8) -> bool {
        self.start_bits(first, second) != 0
    }

    /// Returns the number of bytes that start nothing together with their successor. The last byte
    /// is not counted.
    #[inline]
    pub(super) fn count_without_start(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(some) = bytes.get(at..=at + TOGETHER) {
            let pairs = some
                .windows(2)
                .map(|pair| self.start_bits(pair[0], pair[1]));
            if pairs.fold(0, |found, bits| found | bits) != 0 {
                return at + self.first(some);
            }
            at += TOGETHER;
        }
        let mut rest = bytes[at..].windows(2);
        let found = rest.position(|pair| self.may_start(pair[0], pair[1]));
        found.map_or(bytes.len().saturating_sub(1), |found| at + found)
    }

    /// Returns the first pair that may start a pattern. Without branches, since word ends are hard
    /// to predict.
    #[inline]
    fn first(&self, bytes: &[u8]) -> usize {
        let pairs = bytes.windows(2).enumerate();
        let bits = pairs.map(|(at, pair)| u32::from(self.may_start(pair[0], pair[1])) << at);
        bits.fold(0, |all, bit| all | bit).trailing_zeros() as usize
    }

    #[inline]
    fn start_bits(&self, first: u8, second: u8) -> u64 {
        self.bits[usize::from(first)] >> BEGINS & self.bits[usize::from(second)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_first_bytes_than_bits_are_all_found() {
        let mut pairs = BytePairs::default();
        let beginnings = b'0'..=b'z';
        for first in beginnings.clone() {
            pairs.add(first, first + 1);
        }
        for first in beginnings {
            let text = [b' ', b' ', first, first + 1];
            assert_eq!(pairs.count_without_start(&text), 2, "{first}");
            assert_eq!(pairs.count_without_start(&[first, ESC]), 0, "{first}");
        }
        assert_eq!(pairs.count_without_start(b"                    "), 19);
    }
}
