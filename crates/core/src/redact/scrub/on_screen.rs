//! Traces cells of the screen to the bytes that wrote them.
//!
//! Cursor movements may assemble a secret on the screen, so that it never occurs as consecutive
//! bytes. The tracer encloses every character in a link whose address is the byte's offset in the
//! stream. Whatever the emulator does with the cell, the link stays with it.

use std::sync::Arc;

use super::rules::Rules;
use super::sequence_tracker::SequenceTracker;
use crate::formats::cassette::Deriver;
use crate::{Screen, Size, Width};

/// An emulator that records the source of every cell.
#[derive(Debug)]
pub struct OnScreenFinder {
    deriver: Deriver,
    tracker: SequenceTracker,
    at: u64,
    fed: Vec<u8>,
}

impl OnScreenFinder {
    /// Creates a tracer for the start of a stream. The emulator must support links.
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
        let (text, places) = text(&screen);
        let mut found = Vec::new();
        for covered in rules.find(text.as_bytes()) {
            let bytes = covered.pieces.iter().flat_map(|piece| piece.clone());
            let cells = bytes.filter_map(|byte| places.get(byte as usize)?.as_ref());
            let from = cells.filter_map(|(row, col)| {
                let cell = screen.rows.get(*row)?.cell(*col);
                cell.link?.uri.parse().ok()
            });
            let mut places: Vec<u64> = from.collect();
            places.sort_unstable();
            places.dedup();
            let rule = covered.rule;
            found.push(OnScreenSecret { rule, places });
        }
        found
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
    let mut text = String::new();
    for (index, row) in screen.rows.iter().enumerate() {
        text.push_str(row.text());
        if screen.goes_on(index).is_none() {
            text.push('\n');
        }
    }
    let found = rules.find(text.as_bytes());
    found.first().map(|covered| covered.rule)
}

/// Returns the text of a screen, with the cell of each of its bytes. A row that wraps into the next
/// one has no newline.
fn text(screen: &Screen) -> (String, Vec<Option<(usize, usize)>>) {
    let mut text = String::new();
    let mut places = Vec::new();
    for (index, row) in screen.rows.iter().enumerate() {
        for (col, cell) in row.cells().enumerate() {
            if cell.width != Width::Spacer {
                cell.push_to(&mut text);
                places.resize(text.len(), Some((index, col)));
            }
        }
        if screen.goes_on(index).is_none() {
            text.push('\n');
            places.push(None);
        }
    }
    (text, places)
}
