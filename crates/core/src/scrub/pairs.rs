//! Which two bytes in a row may begin something that is looked for, or an escape sequence.

/// One bit for every pair.
#[derive(Clone)]
pub(super) struct Pairs(Box<[u64; 1024]>);

const ESC: u8 = 0x1b;

/// How many pairs are looked at before it is asked whether one was among them: a question costs as much as several looks.
const TOGETHER: usize = 8;

impl Default for Pairs {
    fn default() -> Pairs {
        let mut pairs = Pairs(Box::new([0; 1024]));
        (0..=u8::MAX).for_each(|second| pairs.set(ESC, second));
        pairs
    }
}

impl Pairs {
    /// Something begins with these two. Escapes and controls may stand between them.
    pub(super) fn add(&mut self, first: u8, second: u8) {
        for second in (0..0x20).chain([0x7f, second]) {
            self.set(first, second);
        }
    }

    /// Whether something may begin with these two.
    #[inline]
    pub(super) fn has(&self, first: u8, second: u8) -> bool {
        self.bit(first, second) == 1
    }

    /// How many bytes begin nothing together with the one behind them. The last byte is not among them.
    pub(super) fn none(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(some) = bytes.get(at..=at + TOGETHER) {
            let found = some
                .windows(2)
                .fold(0, |found, pair| found | self.bit(pair[0], pair[1]));
            if found == 1 {
                break;
            }
            at += TOGETHER;
        }
        let mut rest = bytes[at..].windows(2);
        let found = rest.position(|pair| self.has(pair[0], pair[1]));
        found.map_or(bytes.len().saturating_sub(1), |found| at + found)
    }

    fn set(&mut self, first: u8, second: u8) {
        let (word, bit) = place(first, second);
        self.0[word] |= 1 << bit;
    }

    #[inline]
    fn bit(&self, first: u8, second: u8) -> u64 {
        let (word, bit) = place(first, second);
        self.0[word] >> bit & 1
    }
}

/// Which word, and which bit of it.
fn place(first: u8, second: u8) -> (usize, u8) {
    (
        usize::from(first) << 2 | usize::from(second >> 6),
        second & 63,
    )
}
