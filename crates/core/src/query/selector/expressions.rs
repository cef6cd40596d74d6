//! Regular expressions that stand in one text, such as a tape.
//!
//! Compiling `\d+ passed` takes a third of a millisecond and 13 KB, compiling `\w{100}` 50 of them and 6 MB. So each is compiled once,
//! however often it stands there, and what failed is not tried again either. All of them together have so much room: a text of a few
//! kilobytes must not take gigabytes.

use std::collections::BTreeMap;

use super::{Regex, RegexError};

/// How much may be compiled in all, counted by what was tried: thousands of ordinary ones, such as `\w+ passed`.
const ROOM: usize = 256 << 20;

/// How large an expression is, is not told; only whether one fits. So twice as much is tried each time, from this on...
const LEAST: usize = 16 << 10;
/// ... up to what an expression may take anywhere.
const MOST: usize = 10 << 20;

/// The expressions that were compiled so far, by their source.
#[derive(Debug, Default)]
pub(crate) struct Expressions {
    known: BTreeMap<String, Result<Regex, Refused>>,
    taken: usize,
}

/// Why an expression of a text cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error(transparent)]
    Wrong(#[from] RegexError),
    #[error("`{0}` and the expressions before it take more than {room} MiB to compile", room = ROOM >> 20)]
    NoRoom(String),
}

impl Refused {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Refused::Wrong(_) => None,
            Refused::NoRoom(_) => Some(
                "what is repeated often is smaller as `[a-z]` or `(?-u:\\w)` than as `\\w`, which knows the letters of all scripts",
            ),
        }
    }
}

impl Expressions {
    /// The expression, compiled now or before.
    pub(crate) fn regex(&mut self, source: &str) -> Result<Regex, Refused> {
        if let Some(known) = self.known.get(source) {
            return known.clone();
        }
        let regex = self.compile(source);
        self.known.insert(source.to_owned(), regex.clone());
        regex
    }

    fn compile(&mut self, source: &str) -> Result<Regex, Refused> {
        let mut size = LEAST;
        loop {
            // What does not fit has taken its time all the same.
            self.taken = self.taken.saturating_add(size);
            if self.taken > ROOM {
                return Err(Refused::NoRoom(source.to_owned()));
            }
            match Regex::within(source, size) {
                None if size < MOST => size = (size * 2).min(MOST),
                // It says what is too large anywhere.
                None => return Ok(Regex::new(source)?),
                Some(compiled) => return Ok(compiled?),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_expressions_of_a_text_have_so_much_room() {
        let mut expressions = Expressions::default();
        let large = |number: usize| format!("\\w{{100}}{number}");
        let fit = (0..100).take_while(|number| expressions.regex(&large(*number)).is_ok());
        assert_eq!(fit.count(), 16);
        let error = expressions.regex(&large(100)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`\\w{100}100` and the expressions before it take more than 256 MiB to compile"
        );
        // Those that were there before still are.
        assert!(expressions.regex(&large(0)).is_ok());
    }

    #[test]
    fn what_is_too_large_for_any_room_takes_some_too() {
        let mut expressions = Expressions::default();
        let too_large = |number: usize| format!("\\w{{1000}}{number}");
        let told = (0..100).map(|number| expressions.regex(&too_large(number)).unwrap_err());
        let tried = told.take_while(|error| matches!(error, Refused::Wrong(_)));
        assert_eq!(tried.count(), 9);
    }

    #[test]
    fn there_is_room_for_thousands_of_ordinary_ones() {
        let mut expressions = Expressions::default();
        for number in 0..2000 {
            let source = format!("\\w+ {number} passed");
            assert!(expressions.regex(&source).is_ok(), "{source}");
        }
    }

    #[test]
    fn what_is_wrong_with_one_is_told_as_ever() {
        let mut expressions = Expressions::default();
        for wrong in ["(", "a{1000}{1000}"] {
            let error = Regex::new(wrong).unwrap_err();
            assert_eq!(expressions.regex(wrong).unwrap_err(), error.into());
        }
    }
}
