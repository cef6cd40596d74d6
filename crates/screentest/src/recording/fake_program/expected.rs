//! Compares received input with recorded input.
//!
//! Input is a stream: a driver may send at once what was typed key by key, and the kernel may join
//! and split it. So nothing here depends on the sizes of reads.

use std::sync::Arc;

use super::pattern::InputPattern;
use screentest_core::input::token;

/// The next input that must be received.
#[derive(Debug, Clone)]
pub(super) enum ExpectedInput {
    /// Exactly these bytes.
    Exact(Arc<[u8]>),
    /// Bytes that match this pattern.
    Pattern(InputPattern),
    /// This number of keys.
    Keys(usize),
    /// Unknown input: it was not stored.
    Withheld(WithheldExtent),
}

/// How much input belongs to an input that was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WithheldExtent {
    /// Everything up to a line end: the program answered with a new line, as after a password
    /// prompt.
    LineEnd,
    /// Anything, but at most one line.
    Anything,
}

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputMatch {
    /// The first N bytes match.
    Full(usize),
    /// The input so far is the beginning of a match.
    Partial,
    /// The input does not match.
    None,
}

impl ExpectedInput {
    /// Compares the received bytes with this; the first `complete` of them are complete keys.
    pub(super) fn matches(&self, received: &[u8], complete: usize) -> InputMatch {
        match self {
            ExpectedInput::Exact(bytes) => {
                if received.starts_with(bytes) {
                    InputMatch::Full(bytes.len())
                } else if bytes.starts_with(received) {
                    InputMatch::Partial
                } else {
                    InputMatch::None
                }
            }
            ExpectedInput::Pattern(pattern) => pattern.matches(received),
            ExpectedInput::Keys(count) => {
                token::keys(&received[..complete.min(received.len())], *count)
                    .map_or(InputMatch::Partial, InputMatch::Full)
            }
            ExpectedInput::Withheld(extent) => {
                let end = received
                    .iter()
                    .position(|byte| matches!(byte, b'\r' | b'\n'));
                match (end, extent) {
                    (Some(end), _) => InputMatch::Full(end + 1),
                    (None, WithheldExtent::Anything) if !received.is_empty() => {
                        InputMatch::Full(received.len())
                    }
                    (None, _) => InputMatch::Partial,
                }
            }
        }
    }

    /// The number of expected bytes, if it is known.
    pub(super) fn length(&self) -> usize {
        match self {
            ExpectedInput::Exact(bytes) => bytes.len(),
            ExpectedInput::Pattern(_) | ExpectedInput::Keys(_) | ExpectedInput::Withheld(_) => 0,
        }
    }
}

/// A matched input to which the following bytes may belong as well.
#[derive(Debug)]
pub(super) struct OpenMatch {
    expected: ExpectedInput,
    /// The consumed bytes, as far as they matter for the rest.
    consumed: Vec<u8>,
}

/// The maximum number of bytes that one pattern matches in several steps. It is limited because
/// each step matches all earlier bytes again.
const MAX_CONSUMED: usize = 64 << 10;

impl OpenMatch {
    /// Returns `None` if no more bytes can belong to this input.
    pub(super) fn new(expected: &ExpectedInput, consumed: Vec<u8>) -> Option<OpenMatch> {
        match expected {
            ExpectedInput::Pattern(_) | ExpectedInput::Withheld(_) => Some(OpenMatch {
                expected: expected.clone(),
                consumed,
            }),
            ExpectedInput::Exact(_) | ExpectedInput::Keys(_) => None,
        }
    }

    /// The number of received bytes that belong to this input.
    pub(super) fn continuation_length(&self, received: &[u8]) -> usize {
        let (before, found) = match &self.expected {
            ExpectedInput::Pattern(pattern) if self.consumed.len() <= MAX_CONSUMED => {
                let all = [self.consumed.as_slice(), received].concat();
                (self.consumed.len(), pattern.matches(&all))
            }
            // Input that was not stored continues up to a line end.
            ExpectedInput::Withheld(_) if !matches!(self.consumed.last(), Some(b'\r' | b'\n')) => {
                (0, self.expected.matches(received, received.len()))
            }
            _ => (0, InputMatch::None),
        };
        match found {
            InputMatch::Full(count) => count.saturating_sub(before),
            InputMatch::Partial | InputMatch::None => 0,
        }
    }

    /// Records that more bytes were consumed.
    pub(super) fn consume(&mut self, more: Vec<u8>) {
        match self.expected {
            ExpectedInput::Pattern(_) => self.consumed.extend(more),
            _ => self.consumed = more,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &ExpectedInput, received: &str, found: InputMatch) {
        assert_eq!(
            expected.matches(received.as_bytes(), received.len()),
            found,
            "{received:?}"
        );
    }

    #[test]
    fn exact_bytes_match_in_any_pieces() {
        let expected = ExpectedInput::Exact(b"ls\r".as_slice().into());
        check(&expected, "", InputMatch::Partial);
        check(&expected, "ls", InputMatch::Partial);
        check(&expected, "ls\r", InputMatch::Full(3));
        check(&expected, "ls\rcd", InputMatch::Full(3));
        check(&expected, "lx", InputMatch::None);
        check(&expected, "lx\rand more", InputMatch::None);
    }

    #[test]
    fn keys_are_counted() {
        let expected = ExpectedInput::Keys(2);
        check(&expected, "\x1b[A", InputMatch::Partial);
        check(&expected, "\x1b[Aé!", InputMatch::Full(5));
    }

    #[test]
    fn withheld_input_matches_anything_or_a_line() {
        let line = ExpectedInput::Withheld(WithheldExtent::LineEnd);
        check(&line, "secre", InputMatch::Partial);
        check(&line, "secret\rls", InputMatch::Full(7));
        let anything = ExpectedInput::Withheld(WithheldExtent::Anything);
        check(&anything, "", InputMatch::Partial);
        check(&anything, "i", InputMatch::Full(1));
        check(&anything, "secret\rls", InputMatch::Full(7));
    }

    #[test]
    fn withheld_input_is_not_accumulated() {
        let mut open = OpenMatch::new(
            &ExpectedInput::Withheld(WithheldExtent::Anything),
            b"s".to_vec(),
        )
        .unwrap();
        for _ in 0..1000 {
            assert_eq!(open.continuation_length(b"e"), 1);
            open.consume(b"e".to_vec());
        }
        assert_eq!(open.consumed.len(), 1);
        assert_eq!(open.continuation_length(b"cret\rls"), 5);
        open.consume(b"cret\r".to_vec());
        assert_eq!(open.continuation_length(b"ls"), 0);
    }

    #[test]
    fn a_pattern_stops_after_64_kib() {
        let varying = [super::super::pattern::VaryingText::new(r"\d+").unwrap()];
        let pattern = InputPattern::of(b"12", &varying).unwrap().unwrap();
        let mut open = OpenMatch::new(&ExpectedInput::Pattern(pattern), b"3".to_vec()).unwrap();
        assert_eq!(open.continuation_length(b"45x"), 2);
        open.consume(vec![b'4'; MAX_CONSUMED]);
        assert_eq!(open.continuation_length(b"5"), 0);
    }
}
