//! Which two bytes in a row may begin something that is looked for, or an escape sequence.
//!
//! Each byte that something begins with has a bit of its own, as far as there are bits: a pair is told by one look at each of its bytes.

/// For every byte, what begins with it (the upper half) and what goes on with it (the lower half).
#[derive(Clone)]
pub(super) struct Pairs {
    of: Box<[u64; 256]>,
    /// How many bits are taken.
    taken: u32,
}

const ESC: u8 = 0x1b;

/// The upper half of what is known of a byte.
const BEGINS: u32 = 32;

/// How many pairs are looked at before it is asked whether one was among them: a question costs as much as several looks.
const TOGETHER: usize = 8;

impl Default for Pairs {
    fn default() -> Pairs {
        let mut of = Box::new([1; 256]);
        of[usize::from(ESC)] |= 1 << BEGINS;
        Pairs { of, taken: 1 }
    }
}

impl Pairs {
    /// Something begins with these two. Escapes and controls may stand between them.
    pub(super) fn add(&mut self, first: u8, second: u8) {
        let begins = &mut self.of[usize::from(first)];
        if *begins >> BEGINS == 0 {
            // Whoever gets no bit of its own shares the last one, and is looked at more often than it must be.
            let bit = self.taken.min(BEGINS - 1);
            *begins |= 1 << (BEGINS + bit);
            self.taken += 1;
        }
        let bit = *begins >> BEGINS;
        for second in (0..0x20).chain([0x7f, second]) {
            self.of[usize::from(second)] |= bit;
        }
    }

    /// Whether something may begin with these two.
    #[inline]
    pub(super) fn has(&self, first: u8, second: u8) -> bool {
        self.begun(first, second) != 0
    }

    /// How many bytes begin nothing together with the one behind them. The last byte is not among them.
    #[inline]
    pub(super) fn none(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(some) = bytes.get(at..=at + TOGETHER) {
            let pairs = some.windows(2).map(|pair| self.begun(pair[0], pair[1]));
            if pairs.fold(0, |found, begun| found | begun) != 0 {
                return at + self.first(some);
            }
            at += TOGETHER;
        }
        let mut rest = bytes[at..].windows(2);
        let found = rest.position(|pair| self.has(pair[0], pair[1]));
        found.map_or(bytes.len().saturating_sub(1), |found| at + found)
    }

    /// Which pair is the first that may begin something. Words end where they like: asked one after the other, each answer surprises.
    #[inline]
    fn first(&self, bytes: &[u8]) -> usize {
        let pairs = bytes.windows(2).enumerate();
        let bits = pairs.map(|(at, pair)| u32::from(self.has(pair[0], pair[1])) << at);
        bits.fold(0, |all, bit| all | bit).trailing_zeros() as usize
    }

    #[inline]
    fn begun(&self, first: u8, second: u8) -> u64 {
        self.of[usize::from(first)] >> BEGINS & self.of[usize::from(second)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_beginnings_than_bits_are_all_known() {
        let mut pairs = Pairs::default();
        let beginnings = b'0'..=b'z';
        for first in beginnings.clone() {
            pairs.add(first, first + 1);
        }
        for first in beginnings {
            let text = [b' ', b' ', first, first + 1];
            assert_eq!(pairs.none(&text), 2, "{first}");
            assert_eq!(pairs.none(&[first, ESC]), 0, "{first}");
        }
        assert_eq!(pairs.none(b"                    "), 19);
    }
}
