//! Traces cells of the screen to the bytes that wrote them.
//!
//! Cursor movements may assemble a secret on the screen, so that it never occurs as consecutive
//! bytes. The finder starts a link before every character. The link's URI is the character's
//! offset in the stream. The emulator keeps the link when it moves or copies the cell.

use std::sync::Arc;

use super::rules::Rules;
use super::sequence_tracker::SequenceTracker;
use crate::formats::cassette::Deriver;
use crate::redact::cells::{self, SecretCells};
use crate::{Screen, Size};

/// An emulator that records the source of every cell.
#[derive(Debug)]
pub struct OnScreenFinder {
    deriver: Deriver,
    tracker: SequenceTracker,
    at: u64,
    fed: Vec<u8>,
}

impl OnScreenFinder {
    /// Creates a finder for the start of a stream. The emulator must support links.
    pub fn new(deriver: Deriver) -> OnScreenFinder {
        OnScreenFinder {
            deriver,
            tracker: SequenceTracker::default(),
            at: 0,
            fed: Vec::new(),
        }
    }

    /// Feeds the next bytes of output.
    pub fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let begins = byte & 0xc0 != 0x80;
            if self.tracker.is_ground() && begins && *byte >= 0x20 && *byte != 0x7f {
                let link = format!("\x1b]8;;{}\x1b\\", self.at);
                self.fed.extend_from_slice(link.as_bytes());
            }
            self.fed.push(*byte);
            self.tracker.step(*byte);
            self.at += 1;
        }
        self.deriver.feed(&self.fed);
        self.fed.clear();
    }

    /// Returns the number of bytes fed so far.
    pub fn fed(&self) -> u64 {
        self.at
    }

    /// Resizes the terminal at this point of the output.
    pub fn resize(&mut self, size: Size) {
        self.deriver.resize(size);
    }

    /// Shows the content of an unfinished synchronized update.
    pub fn end_synchronized(&mut self) {
        self.deriver.end_synchronized();
    }

    /// Returns the secrets on the current screen.
    pub fn secrets(&mut self, rules: &Arc<Rules>) -> Vec<OnScreenSecret> {
        let screen = self.deriver.screen();
        let found = cells::find(&screen.rows, screen.size.cols.into(), rules);
        let secrets = found.into_iter().map(|SecretCells { rule, cells }| {
            let from = cells.into_iter().filter_map(|(row, col)| {
                let cell = screen.rows.get(row)?.cell(col);
                cell.link?.uri.parse().ok()
            });
            let mut places: Vec<u64> = from.collect();
            places.sort_unstable();
            places.dedup();
            OnScreenSecret { rule, places }
        });
        secrets.collect()
    }
}

/// A secret on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnScreenSecret {
    /// Index of the rule that matched.
    pub rule: usize,
    /// The offsets of its characters in the stream, in ascending order.
    pub places: Vec<u64>,
}

/// Returns the rule of a secret that a screen shows, if there is one.
pub fn shows_secret(screen: &Screen, rules: &Arc<Rules>) -> Option<usize> {
    let found = cells::find(&screen.rows, screen.size.cols.into(), rules);
    found.first().map(|secret| secret.rule)
}

/// Returns the rule of a secret that a screen shows or contains in its title, its working directory
/// or the URI of a link, if there is one.
pub fn contains_secret(screen: &Screen, rules: &Arc<Rules>) -> Option<usize> {
    let in_text = |text: &str| {
        let found = rules.find(text.as_bytes());
        found.first().map(|secret| secret.rule)
    };
    let links = screen.rows.iter().flat_map(|row| row.runs());
    let mut links = links.filter_map(|run| run.link());
    shows_secret(screen, rules)
        .or_else(|| in_text(&screen.title))
        .or_else(|| in_text(&screen.working_directory))
        .or_else(|| links.find_map(|link| in_text(&link.uri)))
}
