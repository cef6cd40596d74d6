//! Guesses whether numbers in a program's answer are the same in every run: a sum is, a process id
//! is not.
//!
//! A single run cannot show this, so the guess uses the command and the form of the number.

/// Whether the numbers in an answer are the same in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Equal in every run, such as sums.
    Trusted,
    /// Different in each run, such as process ids, sizes and random numbers.
    VolatileText,
}

/// Words of commands whose answers depend on the time or the machine.
const VARYING_WORDS: &str = "date time now clock uptime cal epochseconds epochrealtime seconds ps top htop pid ppid bashpid getpid pgrep jobs free df du stat ping random srandom rand shuf mktemp uuidgen uuid nproc tty";

/// Units that follow a measured number.
const UNITS: &str = "s sec secs second seconds ms us µs ns m min mins minute minutes h hour hours day days ago b kb mb gb kib mib gib bytes";

/// Limits for numbers that are trusted: a row with more numbers is a table of measurements, and a
/// longer number is rarely the answer to a command in a demonstration.
const MOST_NUMBERS: usize = 2;
const MOST_DIGITS: usize = 4;

impl Numbers {
    /// The class of the numbers in the answer to these lines.
    pub(super) fn of(lines: &[&str]) -> Numbers {
        let varies = |line: &&str| {
            let mut words = line.split(|c: char| !c.is_alphanumeric());
            let line = line.trim_end();
            ["$$", "$!"].iter().any(|sign| line.contains(sign))
                || line.ends_with('&')
                || words.any(|word| is_one_of(word, VARYING_WORDS))
        };
        if lines.iter().any(varies) {
            Numbers::VolatileText
        } else {
            Numbers::Trusted
        }
    }

    /// Combines both: the result is `VolatileText` if either is.
    pub(super) fn and(self, other: Numbers) -> Numbers {
        match self {
            Numbers::Trusted => other,
            Numbers::VolatileText => self,
        }
    }

    /// For each word of a row, whether it is a number that is the same in every run.
    pub(super) fn believed(self, words: &[&str]) -> Vec<bool> {
        let numbers: Vec<bool> = words.iter().map(|word| is_number(word)).collect();
        let few = numbers.iter().filter(|number| **number).count() <= MOST_NUMBERS;
        let behind = words.iter().skip(1).copied().chain([""]);
        let measures = behind.map(|next| is_one_of(core(next), UNITS));
        let numbers = numbers.iter().zip(measures);
        numbers
            .map(|(number, measures)| *number && !measures && few && self == Numbers::Trusted)
            .collect()
    }
}

/// Returns whether a word is a whole number, but not a year or a percentage.
fn is_number(word: &str) -> bool {
    let digits = core(word);
    let year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    !digits.is_empty()
        && digits.len() <= MOST_DIGITS
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !year
        && !word.contains('%')
}

/// A word without punctuation around it.
pub(super) fn core(word: &str) -> &str {
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
        let believed = |row: &str| {
            let words: Vec<&str> = row.split_whitespace().collect();
            let believed = Numbers::Trusted.believed(&words);
            let words = words.into_iter().zip(believed);
            let words = words.filter_map(|(word, believed)| believed.then_some(word));
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(believed("sum: 42."), "42.");
        assert_eq!(believed("3 of 12 passed"), "3 12");
        assert_eq!(believed("took 12 ms, 5 times"), "5");
        assert_eq!(believed("1 2 3"), "");
        assert_eq!(believed("in 2026 12345 v2 1.5 80%"), "");
        assert_eq!(Numbers::VolatileText.believed(&["42"]), [false]);
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
            assert_eq!(Numbers::of(&[line]), Numbers::VolatileText, "{line}");
        }
        assert_eq!(
            Numbers::of(&["$ echo $((6 * 7))", "update"]),
            Numbers::Trusted
        );
    }
}
