//! Whether input that came is the one that was recorded.
//!
//! Input is a stream: a driver may type in one go what was typed key by key, and the kernel may join and split it. So nothing here
//! depends on the pieces in which it comes.

use std::sync::Arc;

use super::pattern::Pattern;
use screentest_core::input::token;

/// What must come.
#[derive(Debug, Clone)]
pub(super) enum Expected {
    /// These bytes.
    Exact(Arc<[u8]>),
    /// What this matches.
    Pattern(Pattern),
    /// So many keys.
    Keys(usize),
    /// Nobody knows what: it was not stored.
    Withheld(Until),
}

/// How much belongs to an input that was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// A line with its end: the program answered with a new line, as at a prompt for a password.
    LineEnd,
    /// Whatever comes, but no more than a line.
    Anything,
}

/// How what came stands to what must come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// So many bytes are it.
    Whole(usize),
    /// It may become it.
    Part,
    /// It is something else.
    Unfit,
}

impl Expected {
    /// How what came stands to this; of the bytes, the first `whole` are whole keys.
    pub(super) fn fit(&self, heard: &[u8], whole: usize) -> Fit {
        match self {
            Expected::Exact(bytes) => match heard.len() >= bytes.len() {
                true if heard.starts_with(bytes) => Fit::Whole(bytes.len()),
                false if bytes.starts_with(heard) => Fit::Part,
                _ => Fit::Unfit,
            },
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

    /// How many bytes it has, as far as that is known.
    pub(super) fn length(&self) -> usize {
        match self {
            Expected::Exact(bytes) => bytes.len(),
            Expected::Pattern(_) | Expected::Keys(_) | Expected::Withheld(_) => 0,
        }
    }
}

/// Input that was taken for what was expected, while what follows may belong to it as well.
#[derive(Debug)]
pub(super) struct Open {
    expected: Expected,
    /// What was taken, as far as it matters for what follows.
    taken: Vec<u8>,
}

/// The most that is taken for a pattern piece by piece: each piece is looked at together with all before it.
const MOST_TAKEN: usize = 64 << 10;

impl Open {
    /// `None` where all of it has come.
    pub(super) fn new(expected: &Expected, taken: Vec<u8>) -> Option<Open> {
        match expected {
            Expected::Pattern(_) | Expected::Withheld(_) => Some(Open {
                expected: expected.clone(),
                taken,
            }),
            Expected::Exact(_) | Expected::Keys(_) => None,
        }
    }

    /// How much of what came belongs to it.
    pub(super) fn more(&self, heard: &[u8]) -> usize {
        let (before, fit) = match &self.expected {
            Expected::Pattern(pattern) if self.taken.len() <= MOST_TAKEN => {
                let all = [self.taken.as_slice(), heard].concat();
                (self.taken.len(), pattern.fit(&all))
            }
            // What was not stored goes on up to a line end.
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

    /// More of it was taken.
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
    fn the_same_bytes_fit_in_any_pieces() {
        let expected = Expected::Exact(b"ls\r".as_slice().into());
        check(&expected, "", Fit::Part);
        check(&expected, "ls", Fit::Part);
        check(&expected, "ls\r", Fit::Whole(3));
        check(&expected, "ls\rcd", Fit::Whole(3));
        check(&expected, "lx", Fit::Unfit);
        check(&expected, "lx\rand more", Fit::Unfit);
    }

    #[test]
    fn any_keys_are_counted() {
        let expected = Expected::Keys(2);
        check(&expected, "\x1b[A", Fit::Part);
        check(&expected, "\x1b[Aé!", Fit::Whole(5));
    }

    #[test]
    fn what_was_not_stored_is_anything_or_a_line() {
        let line = Expected::Withheld(Until::LineEnd);
        check(&line, "secre", Fit::Part);
        check(&line, "secret\rls", Fit::Whole(7));
        let anything = Expected::Withheld(Until::Anything);
        check(&anything, "", Fit::Part);
        check(&anything, "i", Fit::Whole(1));
        check(&anything, "secret\rls", Fit::Whole(7));
    }

    #[test]
    fn what_goes_on_does_not_take_more_and_more() {
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
    fn a_pattern_takes_a_page_and_no_more() {
        let varying = [super::super::pattern::Varying::new(r"\d+").unwrap()];
        let pattern = Pattern::of(b"12", &varying).unwrap().unwrap();
        let mut open = Open::new(&Expected::Pattern(pattern), b"3".to_vec()).unwrap();
        assert_eq!(open.more(b"45x"), 2);
        open.take(vec![b'4'; MOST_TAKEN]);
        assert_eq!(open.more(b"5"), 0);
    }
}
