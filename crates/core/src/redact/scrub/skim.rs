//! What of a stream needs no closer look.
//!
//! Nearly everything a program writes is no secret. As long as nothing is under way, text in which nothing begins and whole control sequences
//! are passed on as they are, at the speed of a flood; only from the first byte that may begin something is every byte looked at on its own.

use super::Kind;
use super::rules::Rules;
use super::search::ENOUGH;

const ESC: u8 = 0x1b;

/// How many bytes at the front of a stream, outside of any sequence, can be no part of a secret. 0 where the first one may.
pub(super) fn skim(rules: &Rules, bytes: &[u8], kind: Kind) -> usize {
    let mut at = 0;
    loop {
        at += rules.pairs.none(&bytes[at..]);
        match &bytes[at..] {
            [ESC, rest @ ..] if kind == Kind::Output => match sequence(rest) {
                Some(length) => at += 1 + length,
                None => return at,
            },
            // Every other word of coloured text ends with the beginning of something; what follows the colours tells at once.
            [first, ESC, rest @ ..]
                if kind == Kind::Output
                    && let Some(length) = sequence(rest)
                    && let Some(second @ 0x20..) = rest.get(length)
                    && !rules.pairs.has(*first, *second) =>
            {
                at += 2 + length;
            }
            [_, _, ..] if may_begin(rules, &bytes[at..], kind) => return at,
            [_, _, ..] => at += 1,
            // Nobody knows yet what follows the last one.
            [last] => return at + usize::from(rules.beginning_with(*last).is_empty()),
            [] => return at,
        }
    }
}

/// How long the control sequence is whose escape came, if it is here as a whole and has no control in it.
#[inline]
fn sequence(rest: &[u8]) -> Option<usize> {
    let [b'[', rest @ ..] = rest else {
        return None;
    };
    let end = parameters(rest);
    (0x40..0x7f).contains(rest.get(end)?).then_some(end + 2)
}

/// How many bytes of parameters are at the front: those from 0x20 to 0x3f. Eight at a time, as true colours take forty.
#[inline]
fn parameters(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let others = (u64::from_le_bytes(*eight) ^ PARAMETERS) & UPPER_BITS;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let others = bytes[at..].iter();
    at + others
        .take_while(|byte| (0x20..0x40).contains(*byte))
        .count()
}

/// The three bits by which a parameter is told, in eight bytes.
const UPPER_BITS: u64 = 0xe0e0_e0e0_e0e0_e0e0;
/// What they are in one.
const PARAMETERS: u64 = 0x2020_2020_2020_2020;

/// Whether something begins here, as far as what is here tells.
fn may_begin(rules: &Rules, bytes: &[u8], kind: Kind) -> bool {
    let mut text = Text::new(bytes, kind);
    let (Next::Text(first), Next::Text(second)) = (text.next(), text.next()) else {
        return true;
    };
    // Most words that end in the middle of a line of colours end here.
    rules.pairs.has(first, second)
        && rules
            .beginning_with(first)
            .iter()
            .any(|pattern| may_be(&rules.pattern(*pattern).first, Text::new(bytes, kind)))
}

/// Whether these bytes come first in a text, or enough of them to be kept as a fragment.
fn may_be(first: &[u8], mut text: Text<'_>) -> bool {
    for (count, wanted) in first.iter().enumerate() {
        match text.next() {
            Next::Text(came) if came == *wanted => {}
            Next::Text(_) => return text.broken && count >= ENOUGH,
            Next::Unknown => return true,
        }
    }
    true
}

/// The text of a stream, without the controls and sequences between.
struct Text<'a> {
    rest: &'a [u8],
    kind: Kind,
    /// Something was between.
    broken: bool,
}

enum Next {
    Text(u8),
    /// The stream ends, or begins something else than a control sequence.
    Unknown,
}

impl Text<'_> {
    fn new(rest: &[u8], kind: Kind) -> Text<'_> {
        Text {
            rest,
            kind,
            broken: false,
        }
    }

    fn next(&mut self) -> Next {
        while let [byte, rest @ ..] = self.rest {
            self.rest = rest;
            match byte {
                &ESC if self.kind == Kind::Output => match sequence(rest) {
                    Some(length) => self.rest = &rest[length..],
                    None => return Next::Unknown,
                },
                0..0x20 | 0x7f => {}
                text => return Next::Text(*text),
            }
            self.broken = true;
        }
        Next::Unknown
    }
}
