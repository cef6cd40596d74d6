//! Record of terminal events other than changes of the screen.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::counts::Counts;
use super::image::Image;

/// Events of a program that no cell shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// Number of events of each kind.
    pub counts: Counts,
    /// Exit status of the last command, if the shell reports it (OSC 133;D).
    pub command_status: Option<i32>,
    /// Whether a synchronized update (?2026) was begun and not ended by the program, even if it is
    /// already shown.
    pub unfinished_update: bool,
    /// Number of transient screens that were dropped because they were not taken in time.
    pub screens_lost: u64,
    copies: VecDeque<ClipboardCopy>,
    copied_bytes: usize,
    images: VecDeque<Image>,
    commands: VecDeque<NotedCommand>,
    unknown: BTreeMap<String, u64>,
    unanswered: Vec<String>,
}

/// A change of the clipboard by the program (OSC 52).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipboardCopy {
    /// The selections as named by the program: `c` is the clipboard, `p` the primary selection.
    pub selection: String,
    /// The text; `None` if the selection was emptied.
    pub text: Option<Arc<str>>,
}

/// An operating system command that changes nothing on the screen: a notification (OSC 9, 99, 777),
/// progress (OSC 9;4), the shape of the mouse pointer (OSC 22), marks of an editor's shell (OSC
/// 633), or a key of iTerm2 (OSC 1337).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedCommand {
    /// The number of the command.
    pub code: u16,
    /// Everything after the number, at most 1,000 characters.
    pub text: Arc<str>,
}

impl Notes {
    /// Maximum number of entries in a list, so that memory stays bounded.
    const LISTED: usize = 64;
    /// Maximum size of all copied text: more than one sequence can hold, which has at most 1 MiB of
    /// base64.
    const MAX_COPIED: usize = 1 << 20;

    /// Returns the text of the selection that the program filled or emptied last, usually the
    /// clipboard.
    pub fn clipboard(&self) -> Option<&str> {
        self.copies.back()?.text.as_deref()
    }

    /// Returns the program's clipboard changes, oldest first: the last 64, with at most 1 MiB of
    /// text.
    pub fn copies(&self) -> impl ExactSizeIterator<Item = &ClipboardCopy> {
        self.copies.iter()
    }

    /// Returns the images that were sent, oldest first: the last 64.
    pub fn images(&self) -> impl ExactSizeIterator<Item = &Image> {
        self.images.iter()
    }

    /// Returns commands that change nothing on the screen, oldest first: the last 64.
    pub fn commands(&self) -> impl ExactSizeIterator<Item = &NotedCommand> {
        self.commands.iter()
    }

    /// Returns the unsupported sequences in readable form, with their counts: the first 64
    /// different ones.
    pub fn unknown(&self) -> impl Iterator<Item = (&str, u64)> {
        self.unknown
            .iter()
            .map(|(name, count)| (name.as_str(), *count))
    }

    /// Returns the queries without a reply, such as `CSI 21 t`: a program that waits for a reply
    /// hangs. The first 64 different ones.
    pub fn unanswered(&self) -> &[String] {
        &self.unanswered
    }

    pub(super) fn add_copy(&mut self, selection: String, text: Option<String>) {
        self.counts.copies += 1;
        self.copied_bytes += text.as_ref().map_or(0, String::len);
        self.copies.push_back(ClipboardCopy {
            selection,
            text: text.map(Arc::from),
        });
        while self.copies.len() > Notes::LISTED
            || (self.copied_bytes > Notes::MAX_COPIED && self.copies.len() > 1)
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

    pub(super) fn add_command(&mut self, code: u16, text: &str) {
        if self.commands.len() == Notes::LISTED {
            self.commands.pop_front();
        }
        let end = text.char_indices().nth(1000);
        let text = end.map_or(text, |(end, _)| text.split_at(end).0);
        self.commands.push_back(NotedCommand {
            code,
            text: Arc::from(text),
        });
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
