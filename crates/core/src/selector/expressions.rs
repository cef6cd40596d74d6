//! Regular expressions that stand in one text, such as a tape.
//!
//! Compiling `\d+ passed` takes a third of a millisecond and 13 KB, compiling `\w{100}` 50 of them and 6 MB. So each is compiled once,
//! however often it stands there, and what failed is not tried again either. All of them together have so much room: a text of a few
//! kilobytes must not take gigabytes.

use std::collections::BTreeMap;

use super::{Regex, RegexError};

/// The room for all of them: thousands of ordinary ones, or a dozen of the largest.
const ROOM: usize = 64 << 20;

/// How large an expression is, is not told; only whether one fits. So these are tried, smallest first, and the one that fits is what it
/// counts for. The last is what an expression may take anywhere.
const SIZES: [usize; 6] = [16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 10 << 20];

/// The expressions that were compiled so far, by their source.
#[derive(Debug, Default)]
pub(crate) struct Expressions {
    known: BTreeMap<String, Result<Regex, RegexError>>,
    taken: usize,
}

impl Expressions {
    /// The expression, compiled now or before.
    pub(crate) fn regex(&mut self, source: &str) -> Result<Regex, RegexError> {
        if let Some(known) = self.known.get(source) {
            return known.clone();
        }
        let regex = self.compile(source);
        self.known.insert(source.to_owned(), regex.clone());
        regex
    }

    fn compile(&mut self, source: &str) -> Result<Regex, RegexError> {
        for size in SIZES {
            if self.taken + size > ROOM {
                return Err(RegexError {
                    pattern: source.to_owned(),
                    reason: format!(
                        "with those before it, it would take more than {} MiB",
                        ROOM >> 20
                    ),
                });
            }
            if let Some(compiled) = Regex::within(source, size) {
                self.taken += size;
                return compiled;
            }
        }
        Regex::new(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_expressions_of_a_text_have_so_much_room() {
        let mut expressions = Expressions::default();
        let large = |number: usize| format!("\\w{{100}}{number}");
        let fit = (0..30).take_while(|number| expressions.regex(&large(*number)).is_ok());
        assert_eq!(fit.count(), 6);
        let error = expressions.regex(&large(30)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`\\w{100}30` is no regular expression: with those before it, it would take more than 64 MiB"
        );
        // Those that were there before still are, and a small one may still fit.
        assert!(expressions.regex(&large(0)).is_ok());
        assert!(expressions.regex("passed").is_ok());
    }

    #[test]
    fn what_is_wrong_with_one_is_told_as_ever() {
        let mut expressions = Expressions::default();
        for wrong in ["(", "a{1000}{1000}"] {
            assert_eq!(
                expressions.regex(wrong).unwrap_err(),
                Regex::new(wrong).unwrap_err()
            );
        }
    }
}
