//! Guesses whether numbers in a program's answer are the same in every run: a sum is, a process id
//! is not.
//!
//! A single run cannot show this, so the guess uses the command and the form of the number.

/// Whether the numbers in an answer are the same in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberStability {
    /// Equal in every run, such as sums.
    Trusted,
    /// Different in each run, such as process ids, sizes and random numbers.
    Volatile,
}

/// Words of commands whose answers depend on the time or the machine.
const VARYING_WORDS: &str = "date time now clock uptime cal epochseconds epochrealtime seconds ps top htop pid ppid bashpid getpid pgrep jobs free df du stat ping random srandom rand shuf mktemp uuidgen uuid nproc tty";

/// Units that follow a measured number.
const UNITS: &str = "s sec secs second seconds ms us µs ns m min mins minute minutes h hour hours day days ago b kb mb gb kib mib gib bytes";

/// Limits for numbers that are trusted: a row with more numbers is a table of measurements, and a
/// longer number is rarely the answer to a command in a demonstration.
const MAX_NUMBERS: usize = 2;
const MAX_DIGITS: usize = 4;

impl NumberStability {
    /// The class of the numbers in the answer to these lines.
    pub(super) fn of(lines: &[&str]) -> NumberStability {
        let varies = |line: &&str| {
            let mut words = line.split(|c: char| !c.is_alphanumeric());
            let line = line.trim_end();
            ["$$", "$!"].iter().any(|sign| line.contains(sign))
                || line.ends_with('&')
                || words.any(|word| is_one_of(word, VARYING_WORDS))
        };
        if lines.iter().any(varies) {
            NumberStability::Volatile
        } else {
            NumberStability::Trusted
        }
    }

    /// Combines both: the result is `Volatile` if either is.
    pub(super) fn and(self, other: NumberStability) -> NumberStability {
        match self {
            NumberStability::Trusted => other,
            NumberStability::Volatile => self,
        }
    }

    /// For each word of a row, whether it is a number that is the same in every run.
    pub(super) fn trusted(self, words: &[&str]) -> Vec<bool> {
        let numbers: Vec<bool> = words.iter().map(|word| is_number(word)).collect();
        let few = numbers.iter().filter(|number| **number).count() <= MAX_NUMBERS;
        let after = words.iter().skip(1).copied().chain([""]);
        let measures = after.map(|next| is_one_of(without_punctuation(next), UNITS));
        let numbers = numbers.iter().zip(measures);
        numbers
            .map(|(number, measures)| {
                *number && !measures && few && self == NumberStability::Trusted
            })
            .collect()
    }
}

/// Returns whether a word is a whole number of at most `MAX_DIGITS` digits, but not a year or a
/// percentage.
fn is_number(word: &str) -> bool {
    let digits = without_punctuation(word);
    let year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    !digits.is_empty()
        && digits.len() <= MAX_DIGITS
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !year
        && !word.contains('%')
}

/// A word without punctuation around it.
pub(super) fn without_punctuation(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_one_of(word: &str, words: &str) -> bool {
    let word = word.to_lowercase();
    words.split(' ').any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_trusted_but_measurements_are_not() {
        let trusted = |row: &str| {
            let words: Vec<&str> = row.split_whitespace().collect();
            let trusted = NumberStability::Trusted.trusted(&words);
            let words = words.into_iter().zip(trusted);
            let words = words.filter_map(|(word, trusted)| trusted.then_some(word));
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(trusted("sum: 42."), "42.");
        assert_eq!(trusted("3 of 12 passed"), "3 12");
        assert_eq!(trusted("took 12 ms, 5 times"), "5");
        assert_eq!(trusted("1 2 3"), "");
        assert_eq!(trusted("in 2026 12345 v2 1.5 80%"), "");
        assert_eq!(NumberStability::Volatile.trusted(&["42"]), [false]);
    }

    #[test]
    fn commands_with_varying_numbers_are_recognised() {
        for line in [
            "$ date",
            "echo $$",
            "make &",
            "python -c 'import random'",
            "kill $PPID",
        ] {
            assert_eq!(
                NumberStability::of(&[line]),
                NumberStability::Volatile,
                "{line}"
            );
        }
        assert_eq!(
            NumberStability::of(&["$ echo $((6 * 7))", "update"]),
            NumberStability::Trusted
        );
    }
}
