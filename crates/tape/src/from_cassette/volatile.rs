//! Finds text that differs between runs, days or machines.
//!
//! Numbers differ: clocks, counters, sizes, process ids. So do names of users, hosts and
//! directories: a tape that waits for one of them would pass on one machine only.

use std::path::PathBuf;

use screentest_core::formats::cassette::manifest::Manifest;

use super::numbers::{NumberStability, without_punctuation};
use super::redacted;
use screentest::internals::environment;
use screentest::pty;

/// Names that are specific to a machine or a user.
#[derive(Debug, Clone, Default)]
pub(super) struct VolatileText {
    /// Names of users and hosts, matched as whole words.
    names: Vec<String>,
    /// Directories, matched as the beginning of a path.
    directories: Vec<String>,
    /// The name that a prompt may show for the working directory.
    directory_name: Option<String>,
}

/// The shortest name to look for: a single letter occurs in too many texts.
const MIN_LENGTH: usize = 2;

impl VolatileText {
    /// The names of this machine, of its user, and of a recording.
    pub(super) fn of_recording(manifest: &Manifest) -> VolatileText {
        let variable = |name: &str| {
            let value = environment(name)?.into_string().ok()?;
            Some(value).filter(|value| !value.is_empty())
        };
        let hosts = [Some(pty::hostname()), manifest.terminal.hostname.clone()];
        let hosts = hosts.into_iter().flatten().flat_map(|host| {
            let short = host.split('.').next().unwrap_or_default().to_owned();
            [host, short]
        });
        let people = ["USER", "LOGNAME"].into_iter().filter_map(variable);
        let directory = manifest.command.cwd.clone().map(PathBuf::from);
        let directory = directory.or_else(|| std::env::current_dir().ok());
        let last = directory
            .as_ref()
            .and_then(|directory| directory.file_name());
        let last = last.map(|name| name.to_string_lossy().into_owned());
        let directories = ["HOME", "TMPDIR"].into_iter().filter_map(variable);
        let directories = directories.chain(["/tmp".to_owned(), "/var/folders".to_owned()]);
        let directories =
            directories.chain(directory.map(|directory| directory.to_string_lossy().into_owned()));
        VolatileText::of(people.chain(hosts), directories, last)
    }

    pub(super) fn of(
        names: impl IntoIterator<Item = String>,
        directories: impl IntoIterator<Item = String>,
        directory_name: Option<String>,
    ) -> VolatileText {
        let long = |name: &String| name.chars().count() >= MIN_LENGTH;
        let mut names: Vec<String> = names.into_iter().filter(long).collect();
        names.sort();
        names.dedup();
        // Match a full name before its prefix.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        VolatileText {
            names,
            directories: directories.into_iter().filter(long).collect(),
            directory_name: directory_name.filter(long),
        }
    }

    /// A text with digits and spinner characters replaced by `0`, and with runs of `0` and of
    /// spaces shortened to one. Two texts count as equal if their masked forms are.
    pub(super) fn masked(text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        for c in text.trim_end().chars() {
            let c = match c {
                c if is_varying(c) => '0',
                c if c.is_whitespace() => ' ',
                c => c,
            };
            // The number of digits varies too, and so does the padding next to them.
            if !(matches!(c, '0' | ' ') && masked.ends_with(c)) {
                masked.push(c);
            }
        }
        masked
    }

    /// The parts of a text that do not vary.
    pub(super) fn stable_parts<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let volatile_bytes = self.volatile_bytes(text, None);
        pieces(text, &volatile_bytes)
            .into_iter()
            .filter_map(|(piece, varies)| (!varies).then_some(piece))
            .collect()
    }

    /// Splits a prompt into pieces, each with whether it varies. In a prompt, every path varies.
    pub(super) fn prompt<'t>(&self, text: &'t str) -> Vec<(&'t str, bool)> {
        let mut volatile_bytes = self.volatile_bytes(text, self.directory_name.as_deref());
        for word in words(text) {
            let Some(path) = text
                .get(word.clone())
                .and_then(|word| word.find(['/', '~']))
            else {
                continue;
            };
            let from = word.start + path;
            let path = path_of(text.get(from..word.end).unwrap_or_default());
            volatile_bytes[from..from + path.len()].fill(true);
        }
        pieces(text, &volatile_bytes)
    }

    /// The parts of an answer that do not vary. Words of the command are expected to appear again,
    /// and numbers may be trusted.
    pub(super) fn stable_parts_of_answer<'t>(
        &self,
        text: &'t str,
        line: &str,
        numbers: NumberStability,
    ) -> Vec<&'t str> {
        // A row with a time of day describes one moment, so the rest of the row often varies, too.
        // A directory listing has more files in the next run, for example the tape itself.
        if has_time_of_day(text) || lists_folder(line) || names_recording(text) {
            return Vec::new();
        }
        let mut volatile_bytes = self.volatile_bytes(text, self.directory_name.as_deref());
        let words = words(text);
        let inside = |word: &std::ops::Range<usize>| text.get(word.clone()).unwrap_or_default();
        let trusted = numbers.trusted(&words.iter().map(inside).collect::<Vec<_>>());
        for (range, trusted) in words.into_iter().zip(trusted) {
            let word = text.get(range.clone()).unwrap_or_default();
            let without_punctuation = without_punctuation(word);
            let named = without_punctuation.chars().count() >= MIN_LENGTH
                && line.contains(without_punctuation);
            let is_sign = |c: char| !c.is_alphanumeric() && !"/~".contains(c);
            let is_path = word.trim_start_matches(is_sign).starts_with(['/', '~']);
            if trusted || named && !redacted::is_redacted(word) {
                volatile_bytes[range].fill(false);
            } else if is_path {
                volatile_bytes[range].fill(true);
            }
        }
        pieces(text, &volatile_bytes)
            .into_iter()
            .filter_map(|(piece, varies)| (!varies).then_some(piece))
            .collect()
    }

    /// For each byte of a text, whether it varies.
    fn volatile_bytes(&self, text: &str, name: Option<&str>) -> Vec<bool> {
        let mut volatile_bytes = vec![false; text.len()];
        for (at, c) in text.char_indices().filter(|(_, c)| is_varying(*c)) {
            volatile_bytes[at..at + c.len_utf8()].fill(true);
        }
        let names = self.names.iter().map(String::as_str).chain(name);
        for name in names {
            for (at, _) in text.match_indices(name) {
                let before = text.get(..at).and_then(|text| text.chars().next_back());
                let after = text.get(at + name.len()..);
                let after = after.and_then(|text| text.chars().next());
                let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                if !is_word(before) && !is_word(after) {
                    volatile_bytes[at..at + name.len()].fill(true);
                }
            }
        }
        for range in redacted::ranges(text) {
            volatile_bytes[range].fill(true);
        }
        let dated = text.contains(|c: char| c.is_ascii_digit());
        for word in words(text) {
            let inside = text.get(word.clone()).unwrap_or_default();
            if dated && is_calendar_name(inside) {
                volatile_bytes[word.clone()].fill(true);
            }
            let directories = self.directories.iter();
            let found = directories
                .filter_map(|directory| inside.find(directory.as_str()))
                .min();
            if let Some(found) = found {
                // Names below such a directory differ in the next run.
                let from = word.start + found;
                let path = path_of(text.get(from..word.end).unwrap_or_default());
                volatile_bytes[from..from + path.len()].fill(true);
            }
            for (at, _) in inside.match_indices('@') {
                let at = word.start + at;
                let (before, after) = (text.get(..at), text.get(at + 1..));
                let before = before.unwrap_or_default();
                let person = before.len() - before.trim_end_matches(is_name_char).len();
                let after = after.unwrap_or_default();
                let machine = after.len() - after.trim_start_matches(is_name_char).len();
                if person > 0 && machine > 0 {
                    volatile_bytes[at - person..=at + machine].fill(true);
                }
            }
        }
        volatile_bytes
    }
}

/// Returns whether a text contains a time of day such as 12:05.
fn has_time_of_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|around| {
        let [a, colon, b, c] = around else {
            return false;
        };
        a.is_ascii_digit() && *colon == b':' && b.is_ascii_digit() && c.is_ascii_digit()
    })
}

/// Returns whether a command lists a directory.
fn lists_folder(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ["ls", "ll", "la", "dir", "vdir", "tree", "find", "fd"].contains(&word))
}

/// Returns whether a row names a recording, possibly the one being made.
fn names_recording(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| {
        let endings = [".tape", ".cassette", ".cassette.part", ".cast"];
        endings.iter().any(|ending| word.ends_with(ending))
    })
}

/// Returns whether a word is the name of a weekday or a month.
fn is_calendar_name(word: &str) -> bool {
    const NAMES: [&str; 19] = [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    NAMES
        .iter()
        .any(|name| *name == word || name.get(..3) == Some(word))
}

/// A path without punctuation after it.
fn path_of(text: &str) -> &str {
    text.trim_end_matches(|c: char| !c.is_alphanumeric() && !"/~._-".contains(c))
}

/// Returns whether a character may be part of a user or host name.
fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

/// Returns whether a character is a digit or part of a spinner.
fn is_varying(c: char) -> bool {
    c.is_numeric() || ('\u{2800}'..='\u{28ff}').contains(&c) || "◐◓◑◒◴◷◶◵".contains(c)
}

/// The words between spaces.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// Splits a text into pieces whose bytes are all marked or all unmarked.
fn pieces<'t>(text: &'t str, volatile_bytes: &[bool]) -> Vec<(&'t str, bool)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for at in 1..=text.len() {
        if at == text.len() || volatile_bytes[at] != volatile_bytes[from] {
            pieces.extend(
                text.get(from..at)
                    .map(|piece| (piece, volatile_bytes[from])),
            );
            from = at;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volatile() -> VolatileText {
        let owned = |texts: &[&str]| -> Vec<String> {
            texts.iter().map(|text| (*text).to_owned()).collect()
        };
        VolatileText::of(
            owned(&["ann", "box", "box.example.org", "x"]),
            owned(&["/home/ann", "/tmp"]),
            Some("project".to_owned()),
        )
    }

    #[test]
    fn stable_parts_leave_out_varying_text() {
        for (text, stable_parts) in [
            ("ready", &["ready"][..]),
            ("item 12 of 9", &["item ", " of "]),
            ("⠋ building", &[" building"]),
            ("wrote /tmp/tmp.Xb/out ok", &["wrote ", " ok"]),
            ("ann@box.example.org: annual", &[": annual"]),
            ("on box, bob@other: no box2", &["on ", ", ", ": no box"]),
            ("in (/tmp/a.b) it is @home", &["in (", ") it is @home"]),
            ("1234", &[]),
            ("", &[]),
        ] {
            assert_eq!(volatile().stable_parts(text), stable_parts, "{text}");
        }
    }

    #[test]
    fn directory_listings_have_no_stable_parts() {
        let stable_parts_of_answer =
            |text, line| volatile().stable_parts_of_answer(text, line, NumberStability::Trusted);
        assert_eq!(stable_parts_of_answer("a  b", "ls"), [""; 0]);
        assert_eq!(
            stable_parts_of_answer("a  b", "cd x; ls -1 | head"),
            [""; 0]
        );
        assert_eq!(
            stable_parts_of_answer("a  demo.cassette.part", "echo *"),
            [""; 0]
        );
        assert_eq!(stable_parts_of_answer("a  b", "echo also"), ["a  b"]);
    }

    #[test]
    fn user_host_and_path_in_a_prompt_vary() {
        let gaps = |text| {
            let pieces = volatile().prompt(text);
            let pieces = pieces
                .iter()
                .map(|(piece, varies)| if *varies { "…" } else { piece });
            pieces.collect::<String>()
        };
        assert_eq!(gaps("ann@box:~/src/x$"), "…:…$");
        assert_eq!(gaps("[ann@box project]$"), "[… …]$");
        assert_eq!(gaps("/etc #"), "… #");
        assert_eq!(gaps("In [12]:"), "In […]:");
        assert_eq!(gaps("mysql>"), "mysql>");
    }

    #[test]
    fn numbers_and_their_padding_are_masked() {
        let same = |one, other| assert_eq!(VolatileText::masked(one), VolatileText::masked(other));
        same("9%   done", "10% done  ");
        same("1,1     All", "12,40   All");
        assert_ne!(VolatileText::masked("a 1"), VolatileText::masked("b 1"));
    }
}
