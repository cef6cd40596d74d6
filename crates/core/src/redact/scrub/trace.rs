//! Which byte of the output wrote which cell.
//!
//! A secret may be put together on the screen by a cursor that jumps, so that no stretch of bytes is the secret. Every character is fed with a
//! link of our own around it that leads to its place in the stream; whatever the emulator does with the cell, the link goes along.

use std::sync::Arc;

use super::rules::Rules;
use super::tokens::Tokens;
use crate::formats::cassette::Deriver;
use crate::{Screen, Size, Width};

/// An emulator whose cells know where they come from.
#[derive(Debug)]
pub struct Tracer {
    deriver: Deriver,
    tokens: Tokens,
    at: u64,
    fed: Vec<u8>,
}

impl Tracer {
    /// A tracer at the start of a stream. The emulator must know links.
    pub fn new(deriver: Deriver) -> Tracer {
        Tracer {
            deriver,
            tokens: Tokens::default(),
            at: 0,
            fed: Vec::new(),
        }
    }

    /// Feeds what the program wrote next.
    pub fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let begins = byte & 0xc0 != 0x80;
            if self.tokens.is_ground() && begins && *byte >= 0x20 && *byte != 0x7f {
                let link = format!("\x1b]8;;{}\x1b\\", self.at);
                self.fed.extend_from_slice(link.as_bytes());
            }
            self.fed.push(*byte);
            self.tokens.step(*byte);
            self.at += 1;
        }
        self.deriver.feed(&self.fed);
        self.fed.clear();
    }

    /// How many bytes it has been fed.
    pub fn fed(&self) -> u64 {
        self.at
    }

    /// Gives the terminal another size, here.
    pub fn resize(&mut self, size: Size) {
        self.deriver.resize(size);
    }

    /// Shows what a synchronized update has drawn so far.
    pub fn end_synchronized(&mut self) {
        self.deriver.end_synchronized();
    }

    /// The secrets that are shown now.
    pub fn secrets(&mut self, rules: &Arc<Rules>) -> Vec<Traced> {
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
            found.push(Traced { rule, places });
        }
        found
    }
}

/// A secret on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// The rule that was hit.
    pub rule: usize,
    /// Where in the stream its characters begin, in order.
    pub places: Vec<u64>,
}

/// The rule of a secret that a screen shows.
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

/// The text of a screen, with the cell of each of its bytes. A row that goes on in the next has no line end.
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
