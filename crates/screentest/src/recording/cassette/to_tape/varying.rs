//! What differs from run to run, from day to day, and from machine to machine.
//!
//! Numbers do: clocks, counters, sizes, process numbers. So do the names of who runs a program and where: a tape that waits for one of
//! them would pass on one desk only.

use std::path::PathBuf;

use screentest_core::formats::cassette::manifest::Manifest;

use super::covered;
use super::numbers::{Numbers, core};
use crate::pty;
use crate::test::run_options::environment;

/// Names that others do not have.
#[derive(Debug, Clone, Default)]
pub(super) struct Varying {
    /// Of a person or a machine: as whole words.
    names: Vec<String>,
    /// Of folders: as the beginning of a path.
    folders: Vec<String>,
    /// What a prompt may call the folder that it is in.
    here: Option<String>,
}

/// The shortest name that is looked for: a letter alone stands in many a text.
const SHORTEST: usize = 2;

impl Varying {
    /// Those of this machine, of who runs us, and of a recording.
    pub(super) fn here(manifest: &Manifest) -> Varying {
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
        let folder = manifest.command.cwd.clone().map(PathBuf::from);
        let folder = folder.or_else(|| std::env::current_dir().ok());
        let last = folder.as_ref().and_then(|folder| folder.file_name());
        let last = last.map(|name| name.to_string_lossy().into_owned());
        let folders = ["HOME", "TMPDIR"].into_iter().filter_map(variable);
        let folders = folders.chain(["/tmp".to_owned(), "/var/folders".to_owned()]);
        let folders = folders.chain(folder.map(|folder| folder.to_string_lossy().into_owned()));
        Varying::of(people.chain(hosts), folders, last)
    }

    pub(super) fn of(
        names: impl IntoIterator<Item = String>,
        folders: impl IntoIterator<Item = String>,
        here: Option<String>,
    ) -> Varying {
        let long = |name: &String| name.chars().count() >= SHORTEST;
        let mut names: Vec<String> = names.into_iter().filter(long).collect();
        names.sort();
        names.dedup();
        // A whole name goes before its beginning.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        Varying {
            names,
            folders: folders.into_iter().filter(long).collect(),
            here: here.filter(long),
        }
    }

    /// A text with everything that varies made the same: what is equal then is equal for us.
    pub(super) fn masked(text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        for c in text.trim_end().chars() {
            let c = match c {
                c if is_varying(c) => '0',
                c if c.is_whitespace() => ' ',
                c => c,
            };
            // How many digits there are, and the room that they leave, varies too.
            if !(matches!(c, '0' | ' ') && masked.ends_with(c)) {
                masked.push(c);
            }
        }
        masked
    }

    /// The stretches of a text that stay the same.
    pub(super) fn stretches<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let marks = self.marks(text, None);
        pieces(text, &marks)
            .into_iter()
            .filter_map(|(piece, varies)| (!varies).then_some(piece))
            .collect()
    }

    /// A prompt as pieces, each with whether it varies. In a prompt every path does.
    pub(super) fn prompt<'t>(&self, text: &'t str) -> Vec<(&'t str, bool)> {
        let mut marks = self.marks(text, self.here.as_deref());
        for word in words(text) {
            let Some(path) = text
                .get(word.clone())
                .and_then(|word| word.find(['/', '~']))
            else {
                continue;
            };
            let from = word.start + path;
            let path = path_of(text.get(from..word.end).unwrap_or_default());
            marks[from..from + path.len()].fill(true);
        }
        pieces(text, &marks)
    }

    /// The stretches that stay the same of what a program says to a line: what the line names comes again, and numbers may be trusted.
    pub(super) fn steady<'t>(&self, text: &'t str, line: &str, numbers: Numbers) -> Vec<&'t str> {
        // A row with a time of day is about a moment, and the rest of it often too. What lists a folder finds more in it the next time: the
        // tape itself.
        if has_clock(text) || lists_folder(line) || names_recording(text) {
            return Vec::new();
        }
        let mut marks = self.marks(text, self.here.as_deref());
        let words = words(text);
        let inside = |word: &std::ops::Range<usize>| text.get(word.clone()).unwrap_or_default();
        let believed = numbers.believed(&words.iter().map(inside).collect::<Vec<_>>());
        for (range, believed) in words.into_iter().zip(believed) {
            let word = text.get(range.clone()).unwrap_or_default();
            let core = core(word);
            let named = core.chars().count() >= SHORTEST && line.contains(core);
            let is_sign = |c: char| !c.is_alphanumeric() && !"/~".contains(c);
            let is_path = word.trim_start_matches(is_sign).starts_with(['/', '~']);
            if believed || named && !covered::is_covered(word) {
                marks[range].fill(false);
            } else if is_path {
                marks[range].fill(true);
            }
        }
        pieces(text, &marks)
            .into_iter()
            .filter_map(|(piece, varies)| (!varies).then_some(piece))
            .collect()
    }

    /// Which bytes of a text vary.
    fn marks(&self, text: &str, name: Option<&str>) -> Vec<bool> {
        let mut marks = vec![false; text.len()];
        for (at, c) in text.char_indices().filter(|(_, c)| is_varying(*c)) {
            marks[at..at + c.len_utf8()].fill(true);
        }
        let names = self.names.iter().map(String::as_str).chain(name);
        for name in names {
            for (at, _) in text.match_indices(name) {
                let before = text.get(..at).and_then(|text| text.chars().next_back());
                let behind = text.get(at + name.len()..);
                let behind = behind.and_then(|text| text.chars().next());
                let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                if !is_word(before) && !is_word(behind) {
                    marks[at..at + name.len()].fill(true);
                }
            }
        }
        for range in covered::stretches(text) {
            marks[range].fill(true);
        }
        let dated = text.contains(|c: char| c.is_ascii_digit());
        for word in words(text) {
            let inside = text.get(word.clone()).unwrap_or_default();
            if dated && is_of_calendar(inside) {
                marks[word.clone()].fill(true);
            }
            let folders = self.folders.iter();
            let found = folders
                .filter_map(|folder| inside.find(folder.as_str()))
                .min();
            if let Some(found) = found {
                // What lies below such a folder is called otherwise the next time.
                let from = word.start + found;
                let path = path_of(text.get(from..word.end).unwrap_or_default());
                marks[from..from + path.len()].fill(true);
            }
            for (at, _) in inside.match_indices('@') {
                let at = word.start + at;
                let (before, behind) = (text.get(..at), text.get(at + 1..));
                let before = before.unwrap_or_default();
                let person = before.len() - before.trim_end_matches(is_named).len();
                let behind = behind.unwrap_or_default();
                let machine = behind.len() - behind.trim_start_matches(is_named).len();
                if person > 0 && machine > 0 {
                    marks[at - person..=at + machine].fill(true);
                }
            }
        }
        marks
    }
}

/// Whether there is a time of day, as 12:05.
fn has_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|around| {
        let [a, colon, b, c] = around else {
            return false;
        };
        a.is_ascii_digit() && *colon == b':' && b.is_ascii_digit() && c.is_ascii_digit()
    })
}

/// Whether a line asks what is in a folder.
fn lists_folder(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ["ls", "ll", "la", "dir", "vdir", "tree", "find", "fd"].contains(&word))
}

/// Whether a row has the name of what is being recorded.
fn names_recording(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| {
        let endings = [".tape", ".cassette", ".cassette.part", ".cast"];
        endings.iter().any(|ending| word.ends_with(ending))
    })
}

/// Whether a word is the name of a day or of a month.
fn is_of_calendar(word: &str) -> bool {
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

/// A path without what stands behind it.
fn path_of(text: &str) -> &str {
    text.trim_end_matches(|c: char| !c.is_alphanumeric() && !"/~._-".contains(c))
}

/// What names of people and machines are made of.
fn is_named(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

/// Digits, and signs that turn while something takes time.
fn is_varying(c: char) -> bool {
    c.is_numeric() || ('\u{2800}'..='\u{28ff}').contains(&c) || "◐◓◑◒◴◷◶◵".contains(c)
}

/// The words between blanks.
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

/// A text in pieces of which all bytes are marked, or none is.
fn pieces<'t>(text: &'t str, marks: &[bool]) -> Vec<(&'t str, bool)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for at in 1..=text.len() {
        if at == text.len() || marks[at] != marks[from] {
            pieces.extend(text.get(from..at).map(|piece| (piece, marks[from])));
            from = at;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varying() -> Varying {
        let owned = |texts: &[&str]| -> Vec<String> {
            texts.iter().map(|text| (*text).to_owned()).collect()
        };
        Varying::of(
            owned(&["ann", "box", "box.example.org", "x"]),
            owned(&["/home/ann", "/tmp"]),
            Some("project".to_owned()),
        )
    }

    #[test]
    fn what_stays_the_same_is_between_what_varies() {
        for (text, stretches) in [
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
            assert_eq!(varying().stretches(text), stretches, "{text}");
        }
    }

    #[test]
    fn what_is_in_a_folder_is_not_the_same_the_next_time() {
        let steady = |text, line| varying().steady(text, line, Numbers::Trusted);
        assert_eq!(steady("a  b", "ls"), [""; 0]);
        assert_eq!(steady("a  b", "cd x; ls -1 | head"), [""; 0]);
        assert_eq!(steady("a  demo.cassette.part", "echo *"), [""; 0]);
        assert_eq!(steady("a  b", "echo also"), ["a  b"]);
    }

    #[test]
    fn a_prompt_says_who_and_where_and_that_varies() {
        let gaps = |text| {
            let pieces = varying().prompt(text);
            let pieces = pieces.iter().map(|(piece, varies)| match varies {
                true => "…",
                false => piece,
            });
            pieces.collect::<String>()
        };
        assert_eq!(gaps("ann@box:~/src/x$"), "…:…$");
        assert_eq!(gaps("[ann@box project]$"), "[… …]$");
        assert_eq!(gaps("/etc #"), "… #");
        assert_eq!(gaps("In [12]:"), "In […]:");
        assert_eq!(gaps("mysql>"), "mysql>");
    }

    #[test]
    fn numbers_and_the_room_they_leave_are_masked() {
        let same = |one, other| assert_eq!(Varying::masked(one), Varying::masked(other));
        same("9%   done", "10% done  ");
        same("1,1     All", "12,40   All");
        assert_ne!(Varying::masked("a 1"), Varying::masked("b 1"));
    }
}
