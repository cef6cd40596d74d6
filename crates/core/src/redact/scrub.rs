//! Covering secrets in what a program writes, byte by byte as it comes.
//!
//! A secret may come in pieces: over several reads, with colours in its middle, as the echo of one key at a time. So bytes are held back
//! from the first that may begin one until it is known whether it does, but never for more than [`MOST_HELD`] bytes or
//! [`LONGEST_HELD`]. What is covered keeps its bytes' number and its characters' width, and escape sequences stay what they are: only what
//! is text, or the text inside a string such as a title, is covered.
//!
//! Elsewhere: what is looked for (`scrub/rules.rs`, `scrub/shapes.rs`, `scrub/variants.rs`), what of a stream is text (`scrub/tokens.rs`), how
//! one thing is looked for (`scrub/search.rs`), what needs no look (`scrub/skim.rs`).

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

mod block;
mod fragments;
mod pairs;
pub mod rules;
mod search;
mod shapes;
mod skim;
#[cfg(test)]
mod tests;
mod tokens;
pub mod trace;
mod variants;

use fragments::Fragments;
pub use rules::{Rules, RulesError};
use search::{Search, Step};
use skim::skim;
use tokens::{Token, Tokens};

/// How many bytes are held back at most.
pub const MOST_HELD: usize = 4 << 10;
/// How long they are held back at most.
pub const LONGEST_HELD: Duration = Duration::from_secs(2);

/// Characters that take as many bytes and as many columns as those they cover.
pub fn covers(bytes: &[u8]) -> Vec<u8> {
    variants::covers(bytes)
}

/// Whether a character is one of those that cover others.
pub fn is_cover(c: char) -> bool {
    variants::COVERS.iter().any(|cover| cover.sign == c)
}

/// What kind of bytes come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What a program writes to a terminal: text between escape sequences.
    Output,
    /// Text and keys: everything but control characters may belong to a secret.
    Text,
}

/// What came out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scrubbed {
    /// The next bytes, in which secrets are covered.
    pub bytes: Vec<u8>,
    /// Bytes that came out before and must be another: they turned out to begin a secret.
    pub patches: Vec<(u64, u8)>,
    /// Whether a byte is another than came.
    pub changed: bool,
    /// Secrets of which nothing more comes, each once, with all that was covered of it.
    pub covered: Vec<Covered>,
}

/// Something that was covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Covered {
    /// The rule that was hit.
    pub rule: usize,
    /// Where, in bytes since the beginning. With escapes in the middle there are several.
    pub pieces: Vec<Range<u64>>,
}

/// Covers secrets in a stream.
#[derive(Debug)]
pub struct Scrubber {
    rules: Arc<Rules>,
    kind: Kind,
    tokens: Tokens,
    /// What is on the screen, and what is inside a string such as a title; they do not mix.
    text: Vec<Search>,
    string: Vec<Search>,
    fragments: Fragments,
    held: Vec<u8>,
    /// Where `held` begins.
    from: u64,
    /// When the first of it came, or a little later.
    since: Duration,
    /// When the last byte came.
    newest: Duration,
}

impl Scrubber {
    /// A scrubber at the beginning of a stream.
    pub fn new(rules: Arc<Rules>, kind: Kind) -> Scrubber {
        Scrubber {
            tokens: Tokens::default(),
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

    /// How many bytes have come out.
    pub fn released(&self) -> u64 {
        self.from
    }

    /// When [`Scrubber::expire`] must be called at the latest; `None` while nothing is held back.
    pub fn deadline(&self) -> Option<Duration> {
        (!self.held.is_empty()).then(|| self.since.saturating_add(LONGEST_HELD))
    }

    /// How many bytes at the front are no part of a secret, as far as one look tells: they come out as they are, without being copied. The
    /// others are for [`Scrubber::push`].
    pub fn pass(&mut self, bytes: &[u8]) -> usize {
        if !self.is_idle() || !self.tokens.is_ground() {
            return 0;
        }
        let plain = skim(&self.rules, bytes, self.kind);
        self.from += plain as u64;
        plain
    }

    /// Takes bytes and gives those that are known to be no part of a secret, or are covered.
    pub fn push(&mut self, bytes: &[u8], now: Duration, out: &mut Scrubbed) {
        let mut rest = bytes;
        while let [first, after @ ..] = rest {
            let (plain, other) = rest.split_at(self.pass(rest));
            if !plain.is_empty() {
                out.bytes.extend_from_slice(plain);
                rest = other;
                continue;
            }
            if self.is_idle() && self.kind == Kind::Output && self.tokens.is_sequence(*first) {
                // No secret begins inside a sequence.
                self.tokens.step(*first);
                out.bytes.push(*first);
                self.from += 1;
                rest = after;
                continue;
            }
            self.byte(*first, now, out);
            rest = after;
        }
    }

    /// Lets go of what has been held back for too long: covered where it looks like a secret, as it is where it hardly does.
    pub fn expire(&mut self, now: Duration, out: &mut Scrubbed) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.let_go(out);
        }
    }

    /// Nothing more comes.
    pub fn finish(&mut self, out: &mut Scrubbed) {
        self.let_go(out);
        self.give_up(out);
    }

    /// Nothing more comes, and what is held back is no secret.
    fn give_up(&mut self, out: &mut Scrubbed) {
        let searches = self.text.drain(..).chain(self.string.drain(..));
        let ended = searches.map(|mut search| search.end(&self.rules, &mut self.fragments));
        let ended = ended.collect();
        self.done(ended, out);
        self.release(out);
    }

    /// Whether nothing is looked for any further.
    fn is_idle(&self) -> bool {
        self.held.is_empty() && self.text.is_empty() && self.string.is_empty()
    }

    fn byte(&mut self, byte: u8, now: Duration, out: &mut Scrubbed) {
        let at = self.from + self.held.len() as u64;
        if self.held.is_empty() {
            self.since = now;
        }
        self.newest = now;
        self.held.push(byte);
        let token = match self.kind {
            Kind::Output => self.tokens.step(byte),
            Kind::Text if byte < 0x20 || byte == 0x7f => Token::Control,
            Kind::Text => Token::Text,
        };
        let mut done = Vec::new();
        let (rules, fragments) = (&*self.rules, &mut self.fragments);
        match token {
            Token::Text => advance(rules, fragments, &mut self.text, byte, at, &mut done),
            Token::StringText => advance(rules, fragments, &mut self.string, byte, at, &mut done),
            Token::StringEnd => {
                let ended = self.string.drain(..);
                done.extend(ended.map(|mut search| search.end(rules, fragments)));
            }
            Token::Control | Token::Movement => {
                step_each(&mut self.text, &mut done, |search| {
                    search.moved(rules, fragments)
                });
            }
            Token::Escape => self.text.iter_mut().for_each(Search::interrupted),
        }
        self.done(done, out);
        if self.held.len() > MOST_HELD {
            self.let_go(out);
        }
        self.release(out);
    }

    /// Does what searches found.
    fn done(&mut self, steps: Vec<Step>, out: &mut Scrubbed) {
        for step in steps {
            for (at, cover) in step.cover {
                self.cover(at, cover, out);
            }
            out.covered.extend(step.covered);
        }
    }

    /// Puts a cover in the place of a byte, whether it is still here or not.
    fn cover(&mut self, at: u64, cover: u8, out: &mut Scrubbed) {
        out.changed = true;
        match at.checked_sub(self.from) {
            Some(index) => {
                if let Some(byte) = self.held.get_mut(index as usize) {
                    *byte = cover;
                }
            }
            None => {
                // It may have come out in this very call.
                let first = self.from - out.bytes.len() as u64;
                match at.checked_sub(first) {
                    Some(index) => out.bytes[index as usize] = cover,
                    None => out.patches.push((at, cover)),
                }
            }
        }
    }

    /// Gives out what nothing needs any more.
    fn release(&mut self, out: &mut Scrubbed) {
        let searches = self.text.iter().chain(&self.string);
        let needed = searches.filter_map(Search::holds_from).min();
        let end = self.from + self.held.len() as u64;
        let until = needed.unwrap_or(end).clamp(self.from, end);
        let count = (until - self.from) as usize;
        out.bytes.extend(self.held.drain(..count));
        if count > 0 {
            // Its time counts anew for what is still held back: it came later.
            self.since = self.newest;
        }
        self.from = until;
    }

    fn let_go(&mut self, out: &mut Scrubbed) {
        let mut covers = Vec::new();
        let end = self.from + self.held.len() as u64;
        for search in self.text.iter_mut().chain(&mut self.string) {
            covers.extend(search.let_go(&self.rules, end));
        }
        for (at, cover) in covers {
            self.cover(at, cover, out);
        }
        self.release(out);
    }
}

/// Gives a byte of text to every search that is under way, and begins those that it may begin.
fn advance(
    rules: &Rules,
    fragments: &mut Fragments,
    searches: &mut Vec<Search>,
    byte: u8,
    at: u64,
    done: &mut Vec<Step>,
) {
    let mut hits = Vec::new();
    step_each(searches, done, |search| {
        // What began inside a secret of the same kind is a part of it.
        if hits.contains(&search.pattern()) {
            return Step::default();
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
        if same.all(|search| search.lets_begin(rules)) {
            searches.push(Search::begin(*pattern, at));
        }
    }
}

/// Takes a step in every search, in the order in which they began, and drops those that end.
fn step_each(
    searches: &mut Vec<Search>,
    done: &mut Vec<Step>,
    mut step: impl FnMut(&mut Search) -> Step,
) {
    searches.retain_mut(|search| {
        let step = step(search);
        let goes_on = step.goes_on;
        if !step.cover.is_empty() || step.covered.is_some() {
            done.push(step);
        }
        goes_on
    });
}
