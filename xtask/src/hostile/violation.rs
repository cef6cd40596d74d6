//! The rules that a run of a command may violate.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Result;

use super::commands::ToolCommand;
use super::inputs::HOSTILE_STYLE;
use super::process::{Connection, Finished};

const MAX_TIME: Duration = Duration::from_secs(10);
const MAX_MEMORY: u64 = 256 << 20;

/// How a command uses the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScreenUse {
    /// Prints lines, with colours.
    Lines,
    /// Draws on the whole screen, with sequences that begin with `ESC [`.
    FullScreen,
    /// Passes on the output of a program, by design.
    Program,
}

/// A violation of a guarantee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Violation {
    pub(super) kind: ViolationKind,
    pub(super) details: String,
}

/// The kind of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ViolationKind {
    /// A control character other than our colours reached the terminal.
    Control,
    Time,
    Memory,
    /// An exit code other than 0, 1 and 2.
    Exit,
    Panic,
    /// A file outside of the folder was created, changed or removed.
    Outside,
}

impl ViolationKind {
    pub(super) const ALL: [ViolationKind; 6] = [
        ViolationKind::Control,
        ViolationKind::Time,
        ViolationKind::Memory,
        ViolationKind::Exit,
        ViolationKind::Panic,
        ViolationKind::Outside,
    ];

    /// The letter in the table.
    pub(super) fn letter(self) -> char {
        match self {
            ViolationKind::Control => 'C',
            ViolationKind::Time => 'T',
            ViolationKind::Memory => 'M',
            ViolationKind::Exit => 'X',
            ViolationKind::Panic => 'P',
            ViolationKind::Outside => 'O',
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ViolationKind::Control => "control characters in the terminal",
            ViolationKind::Time => "more than 10 s",
            ViolationKind::Memory => "more than 256 MB",
            ViolationKind::Exit => "exit code other than 0, 1, 2",
            ViolationKind::Panic => "panic",
            ViolationKind::Outside => "files outside of the folder",
        })
    }
}

/// Returns the violations of a run.
pub(super) fn of_run(
    finished: &Finished,
    connection: Connection,
    command: &ToolCommand,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut add = |kind, details: String| violations.push(Violation { kind, details });
    if connection == Connection::Terminal
        && let Some(details) = foreign_control(&finished.output, command.screen_use)
    {
        add(ViolationKind::Control, details);
    }
    match finished.status {
        None => add(ViolationKind::Time, "does not end".to_owned()),
        Some(_) if finished.processor_time > MAX_TIME => {
            add(
                ViolationKind::Time,
                format!("{:?}", finished.processor_time),
            );
        }
        Some(status) if !matches!(status.code(), Some(0..=2)) && !command.has_own_exits => {
            add(ViolationKind::Exit, status.to_string());
        }
        Some(_) => {}
    }
    if finished.memory > MAX_MEMORY {
        add(
            ViolationKind::Memory,
            format!("{} MB", finished.memory >> 20),
        );
    }
    let text = String::from_utf8_lossy(&finished.output);
    if let Some((_, message)) = text.split_once("panicked at") {
        let line: String = message.chars().take(200).collect();
        add(ViolationKind::Panic, line.replace(char::is_control, " "));
    }
    violations
}

/// Returns the first control character that is not ours, with the text around it.
fn foreign_control(output: &[u8], screen_use: ScreenUse) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let mut rest = &*text;
    while let Some(c) = rest.chars().next() {
        let own = match (c, screen_use) {
            (_, ScreenUse::Program) => return None,
            // The terminal adds a carriage return to each line feed.
            ('\r', _) if rest.starts_with("\r\n") => 2,
            ('\n' | '\t', _) => 1,
            ('\r' | '\x08', ScreenUse::FullScreen) => 1,
            ('\x1b', _) => csi_len(rest, screen_use),
            // On a drawn screen every character has its cell, so these reorder no other text.
            (c, ScreenUse::FullScreen) if is_bidirectional(c) => c.len_utf8(),
            (c, _) if c.is_control() || is_bidirectional(c) => 0,
            (c, _) => c.len_utf8(),
        };
        if own == 0 {
            let (before, _) = text.split_at(text.len() - rest.len());
            let before: String = before.chars().rev().take(30).collect();
            let before: String = before.chars().rev().collect();
            let after: String = rest.chars().take(20).collect();
            return Some(format!("{before:?} | {after:?}"));
        }
        (_, rest) = rest.split_at(own);
    }
    None
}

/// Returns the length of our own sequence at the start; 0 if it is not ours.
fn csi_len(text: &str, screen_use: ScreenUse) -> usize {
    let Some(sequence) = text.strip_prefix("\x1b[") else {
        return 0;
    };
    let end = sequence.find(|c: char| ('@'..='~').contains(&c));
    let Some(end) = end else {
        return 0;
    };
    let (parameters, last) = sequence.split_at(end);
    let plain = |c: char| c.is_ascii_digit() || matches!(c, ';' | ':');
    let own = match screen_use {
        ScreenUse::Lines => {
            let is_style = last.starts_with('m') && parameters.chars().all(plain);
            is_style && parameters != HOSTILE_STYLE
        }
        _ => parameters.chars().all(|c| (' '..='?').contains(&c)),
    };
    if own { end + 3 } else { 0 }
}

fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The files below a folder, by path: size and time of change.
pub(super) type Listing = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

/// Lists a folder, except for the named entries at its top.
pub(super) fn listing(folder: &Path, except: &[&str]) -> Result<Listing> {
    let mut found = Listing::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            let top = next == folder;
            if top && except.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            let about = entry.metadata()?;
            if about.is_dir() {
                folders.push(entry.path());
            } else {
                found.insert(entry.path(), (about.len(), about.modified().ok()));
            }
        }
    }
    Ok(found)
}

/// Returns the violation if a listing changed.
pub(super) fn of_listings(before: &Listing, after: &Listing) -> Option<Violation> {
    let changed = after
        .iter()
        .find(|(path, about)| before.get(*path) != Some(about));
    let removed = before.keys().find(|path| !after.contains_key(*path));
    let path = changed.map(|(path, _)| path).or(removed)?;
    Some(Violation {
        kind: ViolationKind::Outside,
        details: path.display().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_sequences_are_allowed() {
        let lines = |text: &str| foreign_control(text.as_bytes(), ScreenUse::Lines).is_none();
        let full = |text: &str| foreign_control(text.as_bytes(), ScreenUse::FullScreen).is_none();
        assert!(lines("\x1b[1;31merror:\x1b[0m é\r\n\tx\n"));
        assert!(full("\x1b[?1049h\x1b[2J\x1b[3;1Hx\x1b[m\r"));
        for text in [
            "\x1b[2J",
            "\x1b[?1m",
            "\x1b[38;5;199m",
            "\r",
            "\x07",
            "\x1b",
            "\x1b[",
            "\u{9b}",
            "\u{202e}",
        ] {
            assert!(!lines(text), "{text:?}");
        }
        for text in ["\x1b]0;t\x07", "\x07", "\x1b", "\x1bP", "\u{9b}31m"] {
            assert!(!full(text), "{text:?}");
        }
    }

    #[test]
    fn new_changed_and_removed_files_are_found() {
        let list = |names: &[(&str, u64)]| -> Listing {
            let entry = |(name, len): &(&str, u64)| (PathBuf::from(name), (*len, None));
            names.iter().map(entry).collect()
        };
        let before = list(&[("a", 1)]);
        assert_eq!(of_listings(&before, &before), None);
        for after in [list(&[]), list(&[("a", 2)]), list(&[("a", 1), ("b", 0)])] {
            let found = of_listings(&before, &after).unwrap();
            assert_eq!(found.kind, ViolationKind::Outside);
        }
    }
}
