//! Redacts secrets in a stream of bytes while it arrives.
//!
//! A secret may arrive in pieces: over several reads, with colour sequences in its middle, as the
//! echo of single keys. Bytes are therefore held back from the first one that may start a secret
//! until it is known whether it does, but at most [`MAX_HELD`] bytes. They are also released if
//! none of them was released for [`LONGEST_HELD`]. Redacted text keeps its number of bytes and the
//! width of its characters. Escape sequences are not changed: only text, and the text inside
//! strings such as a title, is redacted.
//!
//! Only whole values are found in this way. `Rules::scrub_stretches` finds parts of them, in text
//! that is complete.
//!
//! See also: `rules.rs` (values and token patterns to search for), `token_patterns.rs` (patterns of
//! well-known tokens), `encodings.rs` (encodings of a value), `sequence_tracker.rs` (separates text
//! from sequences), `search.rs` (the search for one pattern), `prefilter.rs` (skips bytes that
//! cannot be part of a secret).

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

mod byte_pairs;
pub(super) mod encodings;
mod fragments;
pub mod on_screen;
mod pem_block;
mod prefilter;
pub mod rules;
mod search;
pub(super) mod sequence_tracker;
#[cfg(test)]
mod tests;
mod token_patterns;

use fragments::Fragments;
use prefilter::harmless_prefix;
pub use rules::{Rules, RulesError};
use search::{Search, SearchStep};
use sequence_tracker::{ByteClass, SequenceTracker};

/// The most bytes that are held back.
pub const MAX_HELD: usize = 4 << 10;
/// The longest time for which held bytes wait without any of them being released.
pub const LONGEST_HELD: Duration = Duration::from_secs(2);

/// Returns replacement characters with the same number of bytes and columns as the given text.
pub fn replacements(bytes: &[u8]) -> Vec<u8> {
    encodings::replacements(bytes)
}

/// Whether a character is one of the replacement characters.
pub fn is_replacement(c: char) -> bool {
    encodings::REPLACEMENTS.iter().any(|cover| cover.sign == c)
}

/// The kind of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamKind {
    /// Output of a program: text and escape sequences.
    Output,
    /// Text and keys: any byte except a control character may belong to a secret.
    Text,
}

/// The result of pushing bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScrubOutput {
    /// The next bytes, with secrets redacted.
    pub bytes: Vec<u8>,
    /// Replacements of bytes that were released before they turned out to start a secret: offset in
    /// the stream and new byte.
    pub patches: Vec<(u64, u8)>,
    /// Whether any byte was changed.
    pub changed: bool,
    /// Redacted secrets that have ended, each once, with all redacted ranges.
    pub covered: Vec<RedactedSecret>,
}

/// A redacted secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedactedSecret {
    /// Index of the rule that matched.
    pub rule: usize,
    /// The ranges, in bytes since the start of the stream; several if escape sequences divide the
    /// secret.
    pub pieces: Vec<Range<u64>>,
}

/// Redacts secrets in a stream.
#[derive(Debug)]
pub struct Scrubber {
    rules: Arc<Rules>,
    kind: StreamKind,
    tracker: SequenceTracker,
    /// Searches in the text on the screen, and in the text inside strings such as a title. The two
    /// never mix.
    text: Vec<Search>,
    string: Vec<Search>,
    fragments: Fragments,
    held: Vec<u8>,
    /// Offset of the first byte of `held`.
    from: u64,
    /// Time from which [`LONGEST_HELD`] counts: the arrival of the first held byte, or the last
    /// release of bytes before it.
    since: Duration,
    /// Time at which the last byte arrived.
    newest: Duration,
}

impl Scrubber {
    /// Creates a scrubber for the start of a stream.
    pub fn new(rules: Arc<Rules>, kind: StreamKind) -> Scrubber {
        Scrubber {
            tracker: SequenceTracker::default(),
            text: Vec::new(),
            string: Vec::new(),
            fragments: Fragments::default(),
            held: Vec::new(),
            from: 0,
            since: Duration::ZERO,
            newest: Duration::ZERO,
            rules,
            kind,
        }
    }

    /// Returns the number of bytes released so far.
    pub fn released(&self) -> u64 {
        self.from
    }

    /// Returns the latest time for the next call of [`Scrubber::expire`]; `None` while no bytes are
    /// held back.
    pub fn deadline(&self) -> Option<Duration> {
        (!self.held.is_empty()).then(|| self.since.saturating_add(LONGEST_HELD))
    }

    /// Returns the number of bytes at the front that cannot be part of a secret. They count as
    /// released without being copied. The remaining bytes must be passed to [`Scrubber::push`].
    pub fn skip_harmless(&mut self, bytes: &[u8]) -> usize {
        if !self.is_idle() || !self.tracker.is_ground() {
            return 0;
        }
        let plain = harmless_prefix(&self.rules, bytes, self.kind);
        self.from += plain as u64;
        plain
    }

    /// Takes bytes, and releases those that are known not to be part of a secret, or are redacted.
    pub fn push(&mut self, bytes: &[u8], now: Duration, out: &mut ScrubOutput) {
        let mut rest = bytes;
        while let [first, after @ ..] = rest {
            let (plain, other) = rest.split_at(self.skip_harmless(rest));
            if !plain.is_empty() {
                out.bytes.extend_from_slice(plain);
                rest = other;
                continue;
            }
            if self.is_idle() && self.kind == StreamKind::Output && self.tracker.is_sequence(*first)
            {
                // No secret starts inside an escape sequence.
                self.tracker.step(*first);
                out.bytes.push(*first);
                self.from += 1;
                rest = after;
                continue;
            }
            self.byte(*first, now, out);
            rest = after;
        }
    }

    /// Releases bytes that were held back for too long: redacted if enough of a secret has arrived,
    /// otherwise unchanged.
    pub fn expire(&mut self, now: Duration, out: &mut ScrubOutput) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.release_all(out);
        }
    }

    /// Ends the stream. Releases held bytes as [`Scrubber::expire`] does.
    pub fn finish(&mut self, out: &mut ScrubOutput) {
        self.release_all(out);
        self.end_searches(out);
    }

    /// Ends the stream; bytes that are still held back are released unchanged.
    fn end_searches(&mut self, out: &mut ScrubOutput) {
        let searches = self.text.drain(..).chain(self.string.drain(..));
        let ended = searches.map(|mut search| search.end(&self.rules, &mut self.fragments));
        let ended = ended.collect();
        self.done(ended, out);
        self.release(out);
    }

    /// Whether no bytes are held back and no search is active.
    fn is_idle(&self) -> bool {
        self.held.is_empty() && self.text.is_empty() && self.string.is_empty()
    }

    fn byte(&mut self, byte: u8, now: Duration, out: &mut ScrubOutput) {
        let at = self.from + self.held.len() as u64;
        if self.held.is_empty() {
            self.since = now;
        }
        self.newest = now;
        self.held.push(byte);
        let token = match self.kind {
            StreamKind::Output => self.tracker.step(byte),
            StreamKind::Text if byte < 0x20 || byte == 0x7f => ByteClass::Control,
            StreamKind::Text => ByteClass::Text,
        };
        let mut done = Vec::new();
        let (rules, fragments) = (&*self.rules, &mut self.fragments);
        match token {
            ByteClass::Text => advance(rules, fragments, &mut self.text, byte, at, &mut done),
            ByteClass::StringText => {
                advance(rules, fragments, &mut self.string, byte, at, &mut done);
            }
            ByteClass::StringEnd => {
                let ended = self.string.drain(..);
                done.extend(ended.map(|mut search| search.end(rules, fragments)));
            }
            ByteClass::Control | ByteClass::Movement => {
                step_each(&mut self.text, &mut done, |search| {
                    search.moved(rules, fragments)
                });
            }
            ByteClass::Escape => self.text.iter_mut().for_each(Search::interrupted),
        }
        self.done(done, out);
        if self.held.len() > MAX_HELD {
            self.release_all(out);
        }
        self.release(out);
    }

    /// Applies the results of searches.
    fn done(&mut self, steps: Vec<SearchStep>, out: &mut ScrubOutput) {
        for step in steps {
            for (at, cover) in step.cover {
                self.cover(at, cover, out);
            }
            out.covered.extend(step.covered);
        }
    }

    /// Replaces a byte, whether it is still held back or was released.
    fn cover(&mut self, at: u64, cover: u8, out: &mut ScrubOutput) {
        out.changed = true;
        match at.checked_sub(self.from) {
            Some(index) => {
                if let Some(byte) = self.held.get_mut(index as usize) {
                    *byte = cover;
                }
            }
            None => {
                // The byte may have been released in this call.
                let first = self.from - out.bytes.len() as u64;
                match at.checked_sub(first) {
                    Some(index) => out.bytes[index as usize] = cover,
                    None => out.patches.push((at, cover)),
                }
            }
        }
    }

    /// Releases the bytes that no search needs.
    fn release(&mut self, out: &mut ScrubOutput) {
        let searches = self.text.iter().chain(&self.string);
        let needed = searches.filter_map(Search::holds_from).min();
        let end = self.from + self.held.len() as u64;
        let until = needed.unwrap_or(end).clamp(self.from, end);
        let count = (until - self.from) as usize;
        out.bytes.extend(self.held.drain(..count));
        if count > 0 {
            // The remaining bytes arrived later, so their time limit starts again.
            self.since = self.newest;
        }
        self.from = until;
    }

    fn release_all(&mut self, out: &mut ScrubOutput) {
        let mut covers = Vec::new();
        let end = self.from + self.held.len() as u64;
        for search in self.text.iter_mut().chain(&mut self.string) {
            covers.extend(search.release_all(&self.rules, end));
        }
        for (at, cover) in covers {
            self.cover(at, cover, out);
        }
        self.release(out);
    }
}

/// Passes a byte of text to every active search, and starts a search for each pattern that begins
/// with the byte.
fn advance(
    rules: &Rules,
    fragments: &mut Fragments,
    searches: &mut Vec<Search>,
    byte: u8,
    at: u64,
    done: &mut Vec<SearchStep>,
) {
    let mut hits = Vec::new();
    step_each(searches, done, |search| {
        // A match that started inside another match of the same pattern is a part of that one.
        if hits.contains(&search.pattern()) {
            return SearchStep::default();
        }
        let step = search.step(rules, fragments, byte, at);
        if step.hit {
            hits.push(search.pattern());
        }
        step
    });
    for pattern in rules.beginning_with(byte) {
        let mut same = searches
            .iter()
            .filter(|search| search.pattern() == *pattern);
        if same.all(|search| search.allows_new_search(rules)) {
            searches.push(Search::begin(*pattern, at));
        }
    }
}

/// Advances every search, in the order in which they started, and drops those that ended.
fn step_each(
    searches: &mut Vec<Search>,
    done: &mut Vec<SearchStep>,
    mut step: impl FnMut(&mut Search) -> SearchStep,
) {
    searches.retain_mut(|search| {
        let step = step(search);
        let continues = step.continues;
        if !step.cover.is_empty() || step.covered.is_some() {
            done.push(step);
        }
        continues
    });
}
