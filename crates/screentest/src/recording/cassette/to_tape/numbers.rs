//! Whether the numbers of an answer are the same in every run: a sum is, and a process's number is not.
//!
//! Nobody can tell from one run, so this is a guess: by what was asked for, and by what the number looks like.

/// Whether the numbers of an answer are the same in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// As those of a sum.
    Trusted,
    /// As those of processes, of sizes, of chance.
    Varying,
}

/// Words of a line whose answer is about this moment, or this machine.
const VARYING_WORDS: &str = "date time now clock uptime cal epochseconds epochrealtime seconds ps top htop pid ppid bashpid getpid pgrep jobs free df du stat ping random srandom rand shuf mktemp uuidgen uuid nproc tty";

/// What a number is followed by that measures something.
const UNITS: &str = "s sec secs second seconds ms us µs ns m min mins minute minutes h hour hours day days ago b kb mb gb kib mib gib bytes";

/// A row with more numbers is a table of measures; a number with more digits is seldom the answer to what somebody tries.
const MOST_NUMBERS: usize = 2;
const MOST_DIGITS: usize = 4;

impl Numbers {
    /// Those of what is said to these lines.
    pub(super) fn of(lines: &[&str]) -> Numbers {
        let varies = |line: &&str| {
            let mut words = line.split(|c: char| !c.is_alphanumeric());
            let line = line.trim_end();
            ["$$", "$!"].iter().any(|sign| line.contains(sign))
                || line.ends_with('&')
                || words.any(|word| is_one_of(word, VARYING_WORDS))
        };
        match lines.iter().any(varies) {
            true => Numbers::Varying,
            false => Numbers::Trusted,
        }
    }

    /// Both together: what varies is not trusted for the sake of the other.
    pub(super) fn and(self, other: Numbers) -> Numbers {
        match self {
            Numbers::Trusted => other,
            Numbers::Varying => self,
        }
    }

    /// Which words of a row are numbers that are the same in every run.
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

/// Whether a word is a whole number that is no year and no percentage.
fn is_number(word: &str) -> bool {
    let digits = core(word);
    let year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    !digits.is_empty()
        && digits.len() <= MOST_DIGITS
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !year
        && !word.contains('%')
}

/// A word without the signs around it.
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
    fn few_small_numbers_are_believed_and_measures_are_not() {
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
        assert_eq!(Numbers::Varying.believed(&["42"]), [false]);
    }

    #[test]
    fn a_line_says_whether_its_answer_has_numbers_of_chance() {
        for line in [
            "$ date",
            "echo $$",
            "make &",
            "python -c 'import random'",
            "kill $PPID",
        ] {
            assert_eq!(Numbers::of(&[line]), Numbers::Varying, "{line}");
        }
        assert_eq!(
            Numbers::of(&["$ echo $((6 * 7))", "update"]),
            Numbers::Trusted
        );
    }
}
