//! Parameters of a control sequence, and a fast parser for the common form.
//!
//! Because of colours, control sequences are as frequent as text. Nearly all are complete in the
//! buffer and have a simple form: `ESC [`, at most one private mark, numbers, a final byte. This
//! file parses those in one step. All others, such as a sequence split between two reads or one
//! with intermediates, go through the general parser, which does the same byte by byte.

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

    /// Returns the numbers without their grouping.
    pub(crate) fn numbers(&self) -> &[u16] {
        &self.numbers[..self.len]
    }

    /// Returns a parameter without its subparameters, or 0 if there is none.
    pub(crate) fn get(&self, index: usize) -> u16 {
        self.iter().nth(index).map_or(0, |param| param[0])
    }

    /// Returns a parameter, or 1 if it is 0 or missing.
    pub(crate) fn count(&self, index: usize) -> usize {
        usize::from(self.get(index).max(1))
    }

    /// Returns the first parameter, or 0 if there is none.
    pub(crate) fn first(&self) -> u16 {
        self.numbers[0]
    }

    /// Returns whether a parameter has subparameters.
    pub(crate) fn has_subparameters(&self) -> bool {
        self.joined != 0
    }

    fn push(&mut self, number: u16, joined: bool) {
        self.numbers[self.len] = number;
        self.joined |= u32::from(joined) << self.len;
        self.len += 1;
    }
}

/// Splits the parameters of a sequence that has more of them than [`Params`] has room for. `body`
/// is the sequence after its introducer. A colour of several parameters stays together.
pub(crate) fn read_many(body: &[u8], mut take: impl FnMut(&Params)) {
    let end = body.iter().position(|byte| matches!(byte, b'@'..=b'~'));
    let digits = &body[..end.unwrap_or(body.len())];
    let mut chunk = Params::EMPTY;
    // Number of parameters of a colour that are still to come.
    let mut rest_of_color = 0;
    let mut is_kind_of_color = false;
    let mut joined = false;
    for part in digits.split_inclusive(|byte| matches!(byte, b';' | b':')) {
        let number = part.iter().filter(|byte| byte.is_ascii_digit());
        let number = number.fold(0_u16, |number, digit| {
            number
                .saturating_mul(10)
                .saturating_add(u16::from(digit - b'0'))
        });
        if chunk.len + 8 > MAX_PARAMS && rest_of_color == 0 && !is_kind_of_color && !joined
            || chunk.len == MAX_PARAMS
        {
            take(&chunk);
            chunk = Params::EMPTY;
        }
        chunk.push(number, joined && chunk.len > 0);
        if is_kind_of_color {
            rest_of_color = match number {
                2 => 3,
                5 => 1,
                _ => 0,
            };
            is_kind_of_color = false;
        } else if rest_of_color > 0 {
            rest_of_color -= 1;
        } else {
            is_kind_of_color = matches!(number, 38 | 48 | 58) && !joined && part.ends_with(b";");
        }
        joined = part.ends_with(b":");
    }
    take(&chunk);
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
