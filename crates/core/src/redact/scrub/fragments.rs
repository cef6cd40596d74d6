//! Remembers the starts of secrets that were drawn but not completed.
//!
//! A line editor redraws its line after every key, so all but the last character of a secret is
//! released before the whole secret arrives. Each start of a secret that a control character or an
//! escape sequence interrupted is stored with its ranges, and is redacted once the whole secret
//! follows.

use std::collections::VecDeque;
use std::ops::Range;

/// Maximum number of fragments. They suffice for a few lines of a thousand characters that are
/// redrawn after every character.
const MAX_FRAGMENTS: usize = 4096;

/// The start of a secret.
#[derive(Debug)]
pub(super) struct Fragment {
    pub(super) pattern: usize,
    /// Its text, if the pattern does not determine it.
    pub(super) text: Vec<u8>,
    pub(super) pieces: Vec<Range<u64>>,
}

/// The fragments so far.
#[derive(Debug, Default)]
pub(super) struct Fragments(VecDeque<Fragment>);

impl Fragments {
    pub(super) fn keep(&mut self, fragment: Fragment) {
        if self.0.len() >= MAX_FRAGMENTS {
            self.0.pop_front();
        }
        self.0.push_back(fragment);
    }

    /// Removes and returns the fragments that are starts of the given complete secret.
    pub(super) fn take(&mut self, pattern: usize, text: &[u8]) -> Vec<Fragment> {
        let is_its =
            |fragment: &Fragment| fragment.pattern == pattern && text.starts_with(&fragment.text);
        let mut taken = Vec::new();
        for fragment in std::mem::take(&mut self.0) {
            if is_its(&fragment) {
                taken.push(fragment);
            } else {
                self.0.push_back(fragment);
            }
        }
        taken
    }
}
