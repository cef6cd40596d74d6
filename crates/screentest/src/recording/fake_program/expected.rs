//! Compares received input with recorded input.
//!
//! Input is a stream: a driver may send at once what was typed key by key, and the kernel may join
//! and split it. So nothing here depends on the sizes of reads.

use std::sync::Arc;

use super::pattern::Pattern;
use screentest_core::input::token;

/// The next input that must be received.
#[derive(Debug, Clone)]
pub(super) enum Expected {
    /// Exactly these bytes.
    Exact(Arc<[u8]>),
    /// Bytes that match this pattern.
    Pattern(Pattern),
    /// This number of keys.
    Keys(usize),
    /// Unknown input: it was not stored.
    Withheld(Until),
}

/// How much input belongs to an input that was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// Everything up to a line end: the program answered with a new line, as after a password
    /// prompt.
    LineEnd,
    /// Anything, but at most one line.
    Anything,
}

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// The first N bytes match.
    Whole(usize),
    /// The input so far is the beginning of a match.
    Part,
    /// The input does not match.
    Unfit,
}

impl Expected {
    /// Compares the received bytes with this; the first `whole` of them are complete keys.
    pub(super) fn fit(&self, heard: &[u8], whole: usize) -> Fit {
        match self {
            Expected::Exact(bytes) => {
                if heard.starts_with(bytes) {
                    Fit::Whole(bytes.len())
                } else if bytes.starts_with(heard) {
                    Fit::Part
                } else {
                    Fit::Unfit
                }
            }
            Expected::Pattern(pattern) => pattern.fit(heard),
            Expected::Keys(count) => {
                token::keys(&heard[..whole.min(heard.len())], *count).map_or(Fit::Part, Fit::Whole)
            }
            Expected::Withheld(until) => {
                let end = heard.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
                match (end, until) {
                    (Some(end), _) => Fit::Whole(end + 1),
                    (None, Until::Anything) if !heard.is_empty() => Fit::Whole(heard.len()),
                    (None, _) => Fit::Part,
                }
            }
        }
    }

    /// The number of expected bytes, if it is known.
    pub(super) fn length(&self) -> usize {
        match self {
            Expected::Exact(bytes) => bytes.len(),
            Expected::Pattern(_) | Expected::Keys(_) | Expected::Withheld(_) => 0,
        }
    }
}

/// A matched input to which the following bytes may belong as well.
#[derive(Debug)]
pub(super) struct Open {
    expected: Expected,
    /// The consumed bytes, as far as they matter for the rest.
    taken: Vec<u8>,
}

/// The most bytes of a pattern that are matched in several steps, because each step matches all
/// earlier bytes again.
const MOST_TAKEN: usize = 64 << 10;

impl Open {
    /// Returns `None` if no more bytes can belong to this input.
    pub(super) fn new(expected: &Expected, taken: Vec<u8>) -> Option<Open> {
        match expected {
            Expected::Pattern(_) | Expected::Withheld(_) => Some(Open {
                expected: expected.clone(),
                taken,
            }),
            Expected::Exact(_) | Expected::Keys(_) => None,
        }
    }

    /// The number of received bytes that belong to this input.
    pub(super) fn more(&self, heard: &[u8]) -> usize {
        let (before, fit) = match &self.expected {
            Expected::Pattern(pattern) if self.taken.len() <= MOST_TAKEN => {
                let all = [self.taken.as_slice(), heard].concat();
                (self.taken.len(), pattern.fit(&all))
            }
            // Input that was not stored continues up to a line end.
            Expected::Withheld(_) if !matches!(self.taken.last(), Some(b'\r' | b'\n')) => {
                (0, self.expected.fit(heard, heard.len()))
            }
            _ => (0, Fit::Unfit),
        };
        match fit {
            Fit::Whole(count) => count.saturating_sub(before),
            Fit::Part | Fit::Unfit => 0,
        }
    }

    /// Records that more bytes were consumed.
    pub(super) fn take(&mut self, more: Vec<u8>) {
        match self.expected {
            Expected::Pattern(_) => self.taken.extend(more),
            _ => self.taken = more,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &Expected, heard: &str, fit: Fit) {
        assert_eq!(
            expected.fit(heard.as_bytes(), heard.len()),
            fit,
            "{heard:?}"
        );
    }

    #[test]
    fn exact_bytes_match_in_any_pieces() {
        let expected = Expected::Exact(b"ls\r".as_slice().into());
        check(&expected, "", Fit::Part);
        check(&expected, "ls", Fit::Part);
        check(&expected, "ls\r", Fit::Whole(3));
        check(&expected, "ls\rcd", Fit::Whole(3));
        check(&expected, "lx", Fit::Unfit);
        check(&expected, "lx\rand more", Fit::Unfit);
    }

    #[test]
    fn keys_are_counted() {
        let expected = Expected::Keys(2);
        check(&expected, "\x1b[A", Fit::Part);
        check(&expected, "\x1b[Aé!", Fit::Whole(5));
    }

    #[test]
    fn withheld_input_matches_anything_or_a_line() {
        let line = Expected::Withheld(Until::LineEnd);
        check(&line, "secre", Fit::Part);
        check(&line, "secret\rls", Fit::Whole(7));
        let anything = Expected::Withheld(Until::Anything);
        check(&anything, "", Fit::Part);
        check(&anything, "i", Fit::Whole(1));
        check(&anything, "secret\rls", Fit::Whole(7));
    }

    #[test]
    fn withheld_input_is_not_accumulated() {
        let mut open = Open::new(&Expected::Withheld(Until::Anything), b"s".to_vec()).unwrap();
        for _ in 0..1000 {
            assert_eq!(open.more(b"e"), 1);
            open.take(b"e".to_vec());
        }
        assert_eq!(open.taken.len(), 1);
        assert_eq!(open.more(b"cret\rls"), 5);
        open.take(b"cret\r".to_vec());
        assert_eq!(open.more(b"ls"), 0);
    }

    #[test]
    fn a_pattern_stops_after_64_kib() {
        let varying = [super::super::pattern::Varying::new(r"\d+").unwrap()];
        let pattern = Pattern::of(b"12", &varying).unwrap().unwrap();
        let mut open = Open::new(&Expected::Pattern(pattern), b"3".to_vec()).unwrap();
        assert_eq!(open.more(b"45x"), 2);
        open.take(vec![b'4'; MOST_TAKEN]);
        assert_eq!(open.more(b"5"), 0);
    }
}
