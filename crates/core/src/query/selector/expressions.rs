//! Regular expressions of one source text, such as a tape.
//!
//! Compiling `\d+ passed` takes a third of a millisecond and 13 KB, compiling `\w{100}` takes 50 ms
//! and 6 MB. So each expression is compiled only once, however often it occurs, and one that failed
//! is not tried again. All expressions together share a memory limit: a text of a few kilobytes
//! must not take gigabytes.

use std::collections::BTreeMap;

use super::{Regex, RegexError};

/// Memory limit for all expressions together, counted by the sizes tried: enough for thousands of
/// ordinary ones such as `\w+ passed`.
const ROOM: usize = 256 << 20;

/// The first limit that is tried. The `regex` crate does not report the size of an expression, only
/// whether it fits a limit, so the limit is doubled on each try.
const FIRST_SIZE: usize = 16 << 10;
/// The last limit that is tried, which applies to every expression.
const MAX_SIZE: usize = 10 << 20;

/// The expressions compiled so far, by their source.
#[derive(Debug, Default)]
pub struct Expressions {
    known: BTreeMap<String, Result<Regex, ExpressionError>>,
    taken: usize,
}

/// Reasons why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// It is invalid.
    #[error(transparent)]
    Invalid(#[from] RegexError),
    /// All expressions together need too much memory.
    #[error(
        "`{0}` and the expressions before it need more than {room} MiB to compile",
        room = ROOM >> 20
    )]
    TooLarge(String),
}

impl ExpressionError {
    /// Returns how to fix it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ExpressionError::Invalid(_) => None,
            ExpressionError::TooLarge(_) => Some(
                "in repetitions, use `[a-z]` or `(?-u:\\w)`; `\\w` covers the letters of all scripts and compiles to much more",
            ),
        }
    }
}

impl Expressions {
    /// Returns the expression, compiled now or before.
    #[doc(hidden)]
    pub fn regex(&mut self, source: &str) -> Result<Regex, ExpressionError> {
        if let Some(known) = self.known.get(source) {
            return known.clone();
        }
        let regex = self.compile(source);
        self.known.insert(source.to_owned(), regex.clone());
        regex
    }

    fn compile(&mut self, source: &str) -> Result<Regex, ExpressionError> {
        let mut size = FIRST_SIZE;
        loop {
            // A failed try counts too, because it took time.
            self.taken = self.taken.saturating_add(size);
            if self.taken > ROOM {
                return Err(ExpressionError::TooLarge(source.to_owned()));
            }
            match Regex::within(source, size) {
                None if size < MAX_SIZE => size = (size * 2).min(MAX_SIZE),
                // Returns the error for an expression that exceeds the general limit.
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
    fn all_expressions_of_a_text_share_a_memory_limit() {
        let mut expressions = Expressions::default();
        let large = |number: usize| format!("\\w{{100}}{number}");
        let fit = (0..100).take_while(|number| expressions.regex(&large(*number)).is_ok());
        assert_eq!(fit.count(), 16);
        let error = expressions.regex(&large(100)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`\\w{100}100` and the expressions before it need more than 256 MiB to compile"
        );
        // Expressions that were compiled before still work.
        assert!(expressions.regex(&large(0)).is_ok());
    }

    #[test]
    fn an_expression_that_is_too_large_counts_towards_the_limit() {
        let mut expressions = Expressions::default();
        let too_large = |number: usize| format!("\\w{{1000}}{number}");
        let errors = (0..100).map(|number| expressions.regex(&too_large(number)).unwrap_err());
        let tried = errors.take_while(|error| matches!(error, ExpressionError::Invalid(_)));
        assert_eq!(tried.count(), 9);
    }

    #[test]
    fn thousands_of_ordinary_expressions_fit() {
        let mut expressions = Expressions::default();
        for number in 0..2000 {
            let source = format!("\\w+ {number} passed");
            assert!(expressions.regex(&source).is_ok(), "{source}");
        }
    }

    #[test]
    fn syntax_errors_are_those_of_the_regex_crate() {
        let mut expressions = Expressions::default();
        for wrong in ["(", "a{1000}{1000}"] {
            let error = Regex::new(wrong).unwrap_err();
            assert_eq!(expressions.regex(wrong).unwrap_err(), error.into());
        }
    }
}
