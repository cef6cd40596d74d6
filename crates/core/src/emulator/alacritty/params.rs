//! The numbers of a control sequence, and a quick way to read one.
//!
//! Colours make control sequences as frequent as text, and nearly all are complete in the buffer and plain: `ESC [`, at
//! most one private mark, numbers, a final byte. Those are read here in one go; every other one, such as a sequence cut by
//! the end of a read or with intermediates, goes through the parser, which does the same byte by byte.

use alacritty_terminal::vte;

/// How many numbers a sequence may have; the parser's own bound.
const MOST: usize = 32;

/// The numbers of a control sequence: separated by `;`, with parts joined by `:`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Params {
    numbers: [u16; MOST],
    len: usize,
    /// Bit `i` is set where number `i` is a part of the one before.
    joined: u32,
}

impl Params {
    const EMPTY: Params = Params {
        numbers: [0; MOST],
        len: 0,
        joined: 0,
    };

    /// The numbers, each with its parts.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let first = start;
            if first == self.len {
                return None;
            }
            start += 1;
            while start < self.len && self.joined & (1 << start) != 0 {
                start += 1;
            }
            Some(&self.numbers[first..start])
        })
    }

    /// The first number; 0 where there is none.
    pub(super) fn first(&self) -> u16 {
        self.numbers[0]
    }

    fn push(&mut self, number: u16, joined: bool) {
        self.numbers[self.len] = number;
        self.joined |= u32::from(joined) << self.len;
        self.len += 1;
    }
}

impl From<&vte::Params> for Params {
    fn from(params: &vte::Params) -> Params {
        let mut own = Params::EMPTY;
        for param in params {
            for (index, number) in param.iter().enumerate() {
                own.push(*number, index > 0);
            }
        }
        own
    }
}

/// A control sequence that is complete and plain.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) params: Params,
    /// One of `<=>?`, or nothing.
    pub(super) mark: Option<u8>,
    pub(super) action: char,
    /// How many bytes it takes.
    pub(super) len: usize,
}

impl Plain {
    /// Reads one at the start of some bytes.
    #[inline]
    pub(super) fn read(bytes: &[u8]) -> Option<Plain> {
        let body = bytes.strip_prefix(b"\x1b[")?;
        let mark = body
            .first()
            .copied()
            .filter(|byte| matches!(byte, b'<'..=b'?'));
        let mut params = Params::EMPTY;
        let mut number = 0_u16;
        let mut joined = false;
        let start = usize::from(mark.is_some());
        for (index, byte) in body.iter().enumerate().skip(start) {
            match byte {
                b'0'..=b'9' => {
                    number = number
                        .saturating_mul(10)
                        .saturating_add(u16::from(byte - b'0'));
                }
                b';' | b':' if params.len < MOST - 1 => {
                    params.push(number, joined);
                    number = 0;
                    joined = *byte == b':';
                }
                b'@'..=b'~' => {
                    params.push(number, joined);
                    return Some(Plain {
                        params,
                        mark,
                        action: char::from(*byte),
                        len: index + 3,
                    });
                }
                _ => return None,
            }
        }
        None
    }
}
