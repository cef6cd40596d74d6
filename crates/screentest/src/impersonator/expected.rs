//! Whether input that came is the one that was recorded.
//!
//! Input is a stream: a driver may type in one go what was typed key by key, and the kernel may join and split it. So nothing here
//! depends on the pieces in which it comes.

use std::sync::Arc;

use super::pattern::Pattern;
use crate::token;

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

    /// Whether what follows may belong to it as well, where it is nothing else.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Expected::Pattern(_) | Expected::Withheld(_) => true,
            Expected::Exact(_) | Expected::Keys(_) => false,
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
}
