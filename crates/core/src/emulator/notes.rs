//! What happens in a terminal besides its picture.

use std::collections::BTreeMap;

/// Things a program did that no cell shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// How often the bell rang.
    pub bells: u64,
    /// What the program put on the clipboard last (OSC 52).
    pub clipboard: Option<String>,
    /// How the last command ended, where the shell says so (OSC 133;D).
    pub command_status: Option<i32>,
    /// How many screens passed by and were dropped, as nobody took them in time.
    pub screens_lost: u64,
    unknown: BTreeMap<String, u64>,
    unknown_count: u64,
    unanswered: Vec<String>,
}

impl Notes {
    /// How many different sequences are listed by name; the rest are only counted, so that noise cannot fill memory.
    const LISTED: usize = 64;

    /// How many sequences were not understood.
    pub fn unknown_count(&self) -> u64 {
        self.unknown_count
    }

    /// The sequences that were not understood, in readable form, with how often each came: the first 64 different ones.
    pub fn unknown(&self) -> impl Iterator<Item = (&str, u64)> {
        self.unknown
            .iter()
            .map(|(name, count)| (name.as_str(), *count))
    }

    /// Questions that got no answer, such as `CSI ? 996 n`: a program that waits for one hangs. The first 64
    /// different ones.
    pub fn unanswered(&self) -> &[String] {
        &self.unanswered
    }

    pub(super) fn add_unknown(&mut self, sequence: String) {
        self.unknown_count += 1;
        if let Some(count) = self.unknown.get_mut(&sequence) {
            *count += 1;
        } else if self.unknown.len() < Notes::LISTED {
            self.unknown.insert(sequence, 1);
        }
    }

    pub(super) fn add_unanswered(&mut self, query: String) {
        if self.unanswered.len() < Notes::LISTED && !self.unanswered.contains(&query) {
            self.unanswered.push(query);
        }
    }
}
