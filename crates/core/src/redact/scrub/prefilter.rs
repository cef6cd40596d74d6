//! Skips bytes that cannot be part of a secret.
//!
//! Nearly all output of a program is not secret. While no search is active, complete control
//! sequences and text in which no pattern starts are passed through unchanged, at high speed. Only
//! from the first byte that may start a pattern on, every byte is inspected.

use super::StreamKind;
use super::rules::Rules;
use super::search::ENOUGH;

const ESC: u8 = 0x1b;

/// Returns the number of bytes at the front, outside any sequence, that cannot be part of a secret;
/// 0 if the first one may be.
pub(super) fn harmless_prefix(rules: &Rules, bytes: &[u8], kind: StreamKind) -> usize {
    let mut at = 0;
    loop {
        at += rules.byte_pairs.count_without_start(&bytes[at..]);
        match &bytes[at..] {
            [ESC, rest @ ..] if kind == StreamKind::Output => match sequence(rest) {
                Some(length) => at += 1 + length,
                None => return at,
            },
            // Many words of coloured text end with the first byte of a pattern; the byte after the
            // colour sequence rules most of them out.
            [first, ESC, rest @ ..]
                if kind == StreamKind::Output
                    && let Some(length) = sequence(rest)
                    && let Some(second @ 0x20..) = rest.get(length)
                    && !rules.byte_pairs.may_start(*first, *second) =>
            {
                at += 2 + length;
            }
            [_, _, ..] if may_begin(rules, &bytes[at..], kind) => return at,
            [_, _, ..] => at += 1,
            // The byte after the last one is not known yet.
            [last] => return at + usize::from(rules.beginning_with(*last).is_empty()),
            [] => return at,
        }
    }
}

/// Returns the length of a control sequence after its escape, if it is complete and contains no
/// control characters.
#[inline]
fn sequence(rest: &[u8]) -> Option<usize> {
    let [b'[', rest @ ..] = rest else {
        return None;
    };
    let end = parameters(rest);
    (0x40..0x7f).contains(rest.get(end)?).then_some(end + 2)
}

/// Returns the number of parameter bytes (0x20 to 0x3f) at the front. Tests eight at a time, since
/// a sequence with two RGB colours has about thirty.
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

/// The three upper bits of eight bytes, which distinguish parameters.
const UPPER_BITS: u64 = 0xe0e0_e0e0_e0e0_e0e0;
/// Their value in parameter bytes.
const PARAMETERS: u64 = 0x2020_2020_2020_2020;

/// Whether a pattern may start here, according to the bytes that have arrived.
fn may_begin(rules: &Rules, bytes: &[u8], kind: StreamKind) -> bool {
    let mut text = TextBytes::new(bytes, kind);
    let (NextByte::Text(first), NextByte::Text(second)) = (text.next(), text.next()) else {
        return true;
    };
    // Most words that end before a colour sequence are ruled out here.
    rules.byte_pairs.may_start(first, second)
        && rules
            .beginning_with(first)
            .iter()
            .any(|pattern| may_be(&rules.pattern(*pattern).prefix, TextBytes::new(bytes, kind)))
}

/// Whether a text may start with these bytes, or with enough of them to be stored as a fragment.
fn may_be(first: &[u8], mut text: TextBytes<'_>) -> bool {
    for (count, wanted) in first.iter().enumerate() {
        match text.next() {
            NextByte::Text(came) if came == *wanted => {}
            NextByte::Text(_) => return text.broken && count >= ENOUGH,
            NextByte::Unknown => return true,
        }
    }
    true
}

/// The text of a stream, without controls and sequences.
struct TextBytes<'a> {
    rest: &'a [u8],
    kind: StreamKind,
    /// Whether a control or a sequence was skipped.
    broken: bool,
}

enum NextByte {
    Text(u8),
    /// No more bytes have arrived, or an escape starts something other than a control sequence.
    Unknown,
}

impl TextBytes<'_> {
    fn new(rest: &[u8], kind: StreamKind) -> TextBytes<'_> {
        TextBytes {
            rest,
            kind,
            broken: false,
        }
    }

    fn next(&mut self) -> NextByte {
        while let [byte, rest @ ..] = self.rest {
            self.rest = rest;
            match byte {
                &ESC if self.kind == StreamKind::Output => match sequence(rest) {
                    Some(length) => self.rest = &rest[length..],
                    None => return NextByte::Unknown,
                },
                0..0x20 | 0x7f => {}
                text => return NextByte::Text(*text),
            }
            self.broken = true;
        }
        NextByte::Unknown
    }
}
