//! Beginnings of secrets that were drawn and broken off.
//!
//! A line editor draws its line again with every key, so that all but the last character of a secret comes out before the secret does. Each
//! beginning after which the cursor moved is kept by its place, and is covered once the whole follows.

use std::collections::VecDeque;
use std::ops::Range;

/// How many are kept: a line of a thousand characters, drawn anew with each of them, a few times over.
const MOST: usize = 4096;

/// A beginning.
#[derive(Debug)]
pub(super) struct Fragment {
    pub(super) pattern: usize,
    /// What it was, where its pattern does not tell.
    pub(super) text: Vec<u8>,
    pub(super) pieces: Vec<Range<u64>>,
}

/// The beginnings that have come.
#[derive(Debug, Default)]
pub(super) struct Fragments(VecDeque<Fragment>);

impl Fragments {
    pub(super) fn keep(&mut self, fragment: Fragment) {
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(fragment);
    }

    /// Takes those that are beginnings of a secret that came as a whole.
    pub(super) fn take(&mut self, pattern: usize, text: &[u8]) -> Vec<Fragment> {
        let is_its =
            |fragment: &Fragment| fragment.pattern == pattern && text.starts_with(&fragment.text);
        let mut taken = Vec::new();
        for fragment in std::mem::take(&mut self.0) {
            match is_its(&fragment) {
                true => taken.push(fragment),
                false => self.0.push_back(fragment),
            }
        }
        taken
    }
}
