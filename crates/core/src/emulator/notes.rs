//! What happens in a terminal besides its picture.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::counts::Counts;
use super::image::Image;

/// Things a program did that no cell shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// How often each thing happened.
    pub counts: Counts,
    /// How the last command ended, where the shell says so (OSC 133;D).
    pub command_status: Option<i32>,
    /// A synchronized update (?2026) was begun that the program has not ended, whether or not it is shown by now.
    pub unfinished_update: bool,
    /// How many screens passed by and were dropped, as nobody took them in time.
    pub screens_lost: u64,
    copies: VecDeque<Copied>,
    copied_bytes: usize,
    images: VecDeque<Image>,
    unknown: BTreeMap<String, u64>,
    unanswered: Vec<String>,
}

/// Something a program did to the clipboard (OSC 52).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Which selections, as the program named them: `c` is the clipboard, `p` the primary selection.
    pub selection: String,
    /// The text; `None` where the selection was emptied.
    pub text: Option<Arc<str>>,
}

impl Notes {
    /// How many different things are listed; the rest are only counted, so that noise cannot fill memory.
    const LISTED: usize = 64;
    /// How much text is kept of what was copied: the largest that one sequence can hold.
    const MOST_COPIED: usize = 1 << 20;

    /// What is on the clipboard, or on whichever selection the program filled or emptied last.
    pub fn clipboard(&self) -> Option<&str> {
        self.copies.back()?.text.as_deref()
    }

    /// What the program put on the clipboard, oldest first: the last 64 times, and no more than 1 MiB of text.
    pub fn copies(&self) -> impl ExactSizeIterator<Item = &Copied> {
        self.copies.iter()
    }

    /// The pictures that were sent, oldest first: the last 64.
    pub fn images(&self) -> impl ExactSizeIterator<Item = &Image> {
        self.images.iter()
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

    pub(super) fn add_copy(&mut self, selection: String, text: Option<String>) {
        self.counts.copies += 1;
        self.copied_bytes += text.as_ref().map_or(0, String::len);
        self.copies.push_back(Copied {
            selection,
            text: text.map(Arc::from),
        });
        while self.copies.len() > Notes::LISTED
            || (self.copied_bytes > Notes::MOST_COPIED && self.copies.len() > 1)
        {
            let gone = self.copies.pop_front().and_then(|copied| copied.text);
            self.copied_bytes -= gone.map_or(0, |text| text.len());
        }
    }

    pub(super) fn add_image(&mut self, image: Image) {
        self.counts.images += 1;
        if self.images.len() == Notes::LISTED {
            self.images.pop_front();
        }
        self.images.push_back(image);
    }

    pub(super) fn add_unknown(&mut self, sequence: String) {
        self.counts.unknown += 1;
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
