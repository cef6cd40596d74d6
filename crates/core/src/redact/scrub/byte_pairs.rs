//! Finds pairs of bytes that may start a secret or an escape sequence.
//!
//! Each byte that a pattern starts with has its own bit while there are free bits. Testing a pair
//! takes one table lookup per byte.

/// For every byte, its own bit if a pattern starts with it (the upper half), and the bits of the
/// first bytes that it may follow (the lower half).
#[derive(Clone)]
pub(super) struct BytePairs {
    bits: Box<[u64; 256]>,
    /// The number of assigned bits.
    taken: u32,
}

const ESC: u8 = 0x1b;

/// Shift of the upper half.
const FIRST_SHIFT: u32 = 32;

/// Number of pairs that are combined before one test: a branch costs as much as several lookups.
const PAIRS_PER_TEST: usize = 8;

impl Default for BytePairs {
    fn default() -> BytePairs {
        // Bit 0 belongs to ESC: any byte after it may continue an escape sequence.
        let mut bits = Box::new([1; 256]);
        bits[usize::from(ESC)] |= 1 << FIRST_SHIFT;
        BytePairs { bits, taken: 1 }
    }
}

impl BytePairs {
    /// Adds a pattern that starts with these two bytes. Escape sequences and controls may separate
    /// them.
    pub(super) fn add(&mut self, first: u8, second: u8) {
        let entry = &mut self.bits[usize::from(first)];
        if *entry >> FIRST_SHIFT == 0 {
            // When no bit is free, bytes share the last one, and some pairs are reported that start
            // no pattern.
            let bit = self.taken.min(FIRST_SHIFT - 1);
            *entry |= 1 << (FIRST_SHIFT + bit);
            self.taken += 1;
        }
        let bit = *entry >> FIRST_SHIFT;
        for second in (0..0x20).chain([0x7f, second]) {
            self.bits[usize::from(second)] |= bit;
        }
    }

    /// Returns whether a pattern or an escape sequence may start with these two bytes.
    #[inline]
    pub(super) fn may_start(&self, first: u8, second: u8) -> bool {
        self.start_bits(first, second) != 0
    }

    /// Returns the number of bytes before the first pair that may start a pattern or an escape
    /// sequence. If there is no such pair, all bytes but the last are counted.
    #[inline]
    pub(super) fn count_without_start(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(window) = bytes.get(at..=at + PAIRS_PER_TEST) {
            let pairs = window
                .windows(2)
                .map(|pair| self.start_bits(pair[0], pair[1]));
            if pairs.fold(0, |found, bits| found | bits) != 0 {
                return at + self.first_start(window);
            }
            at += PAIRS_PER_TEST;
        }
        let mut rest = bytes[at..].windows(2);
        let found = rest.position(|pair| self.may_start(pair[0], pair[1]));
        found.map_or(bytes.len().saturating_sub(1), |found| at + found)
    }

    /// Returns the index of the first pair that may start a pattern. Has no branches: the CPU would
    /// mispredict them, since such pairs follow no regular pattern.
    #[inline]
    fn first_start(&self, bytes: &[u8]) -> usize {
        let pairs = bytes.windows(2).enumerate();
        let bits = pairs.map(|(at, pair)| u32::from(self.may_start(pair[0], pair[1])) << at);
        bits.fold(0, |all, bit| all | bit).trailing_zeros() as usize
    }

    #[inline]
    fn start_bits(&self, first: u8, second: u8) -> u64 {
        self.bits[usize::from(first)] >> FIRST_SHIFT & self.bits[usize::from(second)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_are_found_with_more_first_bytes_than_bits() {
        let mut pairs = BytePairs::default();
        let first_bytes = b'0'..=b'z';
        for first in first_bytes.clone() {
            pairs.add(first, first + 1);
        }
        for first in first_bytes {
            let text = [b' ', b' ', first, first + 1];
            assert_eq!(pairs.count_without_start(&text), 2, "{first}");
            assert_eq!(pairs.count_without_start(&[first, ESC]), 0, "{first}");
        }
        assert_eq!(pairs.count_without_start(b"                    "), 19);
    }
}
