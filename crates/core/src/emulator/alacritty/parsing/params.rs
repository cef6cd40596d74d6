//! Parameters of a control sequence, and a fast parser for the common form.
//!
//! Because of colours, control sequences are as frequent as text. Nearly all are complete in the
//! buffer and have a simple form: `ESC [`, at most one private mark, numbers, a final byte. This
//! file parses those in one step. All others, such as a sequence split between two reads or one
//! with intermediates, go through the general parser, which does the same byte by byte.

use alacritty_terminal::vte;

/// Maximum number of parameters; the parser has the same limit.
const MAX_PARAMS: usize = 32;

/// Parameters of a control sequence: separated by `;`, with subparameters after `:`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Params {
    numbers: [u16; MAX_PARAMS],
    len: usize,
    /// Bit `i` is set if number `i` is a subparameter of the one before.
    joined: u32,
}

impl Params {
    const EMPTY: Params = Params {
        numbers: [0; MAX_PARAMS],
        len: 0,
        joined: 0,
    };

    /// Returns the parameters, each with its subparameters.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u16]> {
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

    /// Returns the first parameter, or 0 if there is none.
    pub(crate) fn first(&self) -> u16 {
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

/// A complete control sequence of the simple form.
#[derive(Debug)]
pub(crate) struct SimpleSequence {
    pub(crate) params: Params,
    /// One of `<=>?`, if present.
    pub(crate) mark: Option<u8>,
    pub(crate) action: char,
    /// Length in bytes.
    pub(crate) len: usize,
}

impl SimpleSequence {
    /// Parses a sequence at the start of `bytes`.
    #[inline]
    pub(crate) fn read(bytes: &[u8]) -> Option<SimpleSequence> {
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
                b';' | b':' if params.len < MAX_PARAMS - 1 => {
                    params.push(number, joined);
                    number = 0;
                    joined = *byte == b':';
                }
                b'@'..=b'~' => {
                    params.push(number, joined);
                    return Some(SimpleSequence {
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
