//! The search for one pattern: how much of it has arrived, and where.

use std::collections::VecDeque;
use std::ops::Range;

use super::RedactedSecret;
use super::fragments::{Fragment, Fragments};
use super::pem_block::{self, PemLine};
use super::rules::{PatternTail, RulePattern, Rules};
use super::token_patterns::TokenClass;

/// When the time or space limit is reached, a partial match of at least this many bytes is redacted
/// rather than released.
pub(super) const ENOUGH: usize = 4;

/// An active search.
#[derive(Debug)]
pub(super) struct Search {
    pattern: usize,
    /// Number of the pattern's first bytes that have arrived.
    matched: usize,
    /// The offsets of these bytes. For a token after its prefix: the offsets of the bytes of the
    /// body that are not redacted yet. For a PEM block: the offsets of the current line.
    places: VecDeque<u64>,
    /// Number of bytes of the body that have arrived; `None` before it starts.
    body: Option<usize>,
    /// The body, up to the length at which it is known to be a secret. For a PEM block, the
    /// current line.
    text: Vec<u8>,
    /// Whether bytes are redacted as they arrive: they are known to be secret, or no more bytes may
    /// be held back.
    eager: bool,
    /// Bytes before this offset are no longer held back: too few had matched when a limit was
    /// reached.
    released: u64,
    /// Whether a control character or an escape sequence came after the last byte.
    broken: bool,
    /// The ranges redacted so far; reported when the search ends.
    covered: Vec<Range<u64>>,
}

/// The result of one more byte.
#[derive(Debug, Default)]
pub(super) struct SearchStep {
    pub(super) continues: bool,
    /// Offsets of bytes to redact, with their replacements.
    pub(super) cover: Vec<(u64, u8)>,
    /// Whether the match has just become certain.
    pub(super) hit: bool,
    /// All redacted ranges, once the search has ended.
    pub(super) covered: Option<RedactedSecret>,
}

impl Search {
    /// Starts a search at the first byte of a pattern.
    pub(super) fn begin(pattern: usize, at: u64) -> Search {
        Search {
            pattern,
            matched: 1,
            places: VecDeque::from([at]),
            body: None,
            text: Vec::new(),
            eager: false,
            released: 0,
            broken: false,
            covered: Vec::new(),
        }
    }

    pub(super) fn pattern(&self) -> usize {
        self.pattern
    }

    /// Returns the offset of the first byte that must be held back.
    pub(super) fn holds_from(&self) -> Option<u64> {
        if self.eager {
            return None;
        }
        let mut held = self.places.iter().copied();
        held.find(|at| *at >= self.released)
    }

    /// Whether another search for the same pattern may start: this one is past the pattern's first
    /// bytes, but may still fail.
    pub(super) fn allows_new_search(&self, rules: &Rules) -> bool {
        match (self.body, &rules.pattern(self.pattern).tail) {
            (Some(_), PatternTail::Body(TokenClass::Block, _)) => true,
            (Some(count), PatternTail::Body(_, least)) => count < *least,
            _ => false,
        }
    }

    /// Notes an escape sequence that does not move the cursor.
    pub(super) fn interrupted(&mut self) {
        self.broken = true;
    }

    /// Notes a control character or a cursor movement: a value may continue after a line break, a
    /// token may not.
    pub(super) fn moved(&mut self, rules: &Rules, fragments: &mut Fragments) -> SearchStep {
        self.broken = true;
        match (self.body, &rules.pattern(self.pattern).tail) {
            (_, PatternTail::Literal(_)) | (None, PatternTail::Body(TokenClass::Block, _)) => {
                SearchStep {
                    continues: true,
                    ..SearchStep::default()
                }
            }
            (Some(_), PatternTail::Body(TokenClass::Block, _)) => {
                let mut step = SearchStep {
                    continues: self.ends_line(self.text.len()),
                    ..SearchStep::default()
                };
                self.cover_line(&mut step);
                if !step.continues {
                    step.covered = self.take_redacted(rules.pattern(self.pattern));
                }
                step
            }
            _ => self.end(rules, fragments),
        }
    }

    /// Ends the search.
    pub(super) fn end(&mut self, rules: &Rules, fragments: &mut Fragments) -> SearchStep {
        let pattern = rules.pattern(self.pattern);
        let mut step = SearchStep::default();
        self.broken = true;
        if self.body.is_some() && is_block(pattern) {
            self.ends_line(self.text.len());
            self.cover_line(&mut step);
        }
        step.covered = self.abandon(pattern, fragments);
        step
    }

    /// Takes a byte of text.
    pub(super) fn step(
        &mut self,
        rules: &Rules,
        fragments: &mut Fragments,
        byte: u8,
        at: u64,
    ) -> SearchStep {
        let pattern = rules.pattern(self.pattern);
        match (self.body, &pattern.tail) {
            (Some(count), PatternTail::Body(TokenClass::Block, _)) => {
                return self.block_step(pattern, count, byte, at);
            }
            (Some(count), PatternTail::Body(class, least)) if class.has(byte) => {
                return self.body_step(fragments, *least, count, byte, at);
            }
            (Some(_), _) => {
                return SearchStep {
                    covered: self.abandon(pattern, fragments),
                    ..SearchStep::default()
                };
            }
            _ => {}
        }
        let mut step = SearchStep::default();
        if pattern.prefix.get(self.matched) != Some(&byte) {
            step.covered = self.abandon(pattern, fragments);
            // The match became shorter, so its bytes are held back again.
            self.eager = false;
        }
        while self.matched > 0 && pattern.prefix.get(self.matched) != Some(&byte) {
            self.matched = pattern.fallback[self.matched];
        }
        while self.places.len() > self.matched {
            self.places.pop_front();
        }
        if self.matched == 0 {
            // The byte may still start a new match; `advance` checks that.
            return step;
        }
        self.broken = false;
        self.places.push_back(at);
        self.matched += 1;
        step.continues = true;
        match &pattern.tail {
            PatternTail::Literal(cover) => {
                if self.eager {
                    step.cover.push((at, cover[self.matched - 1]));
                    add(&mut self.covered, at);
                }
                if self.matched == pattern.prefix.len() {
                    let places = self.places.iter().copied();
                    step.cover = places.zip(cover.iter().copied()).collect();
                    self.covered = pieces(self.places.iter().copied());
                    for fragment in fragments.take(self.pattern, &[]) {
                        let places = fragment.pieces.iter().flat_map(|piece| piece.clone());
                        step.cover.extend(places.zip(cover.iter().copied()));
                        self.covered.extend(fragment.pieces);
                    }
                    step.hit = true;
                    step.covered = self.take_redacted(pattern);
                    step.continues = false;
                }
            }
            PatternTail::Body(..) => {
                if self.matched == pattern.prefix.len() {
                    self.body = Some(0);
                    // The prefix is not redacted, and need not be held back.
                    self.places.clear();
                }
            }
        }
        step
    }

    fn body_step(
        &mut self,
        fragments: &mut Fragments,
        least: usize,
        count: usize,
        byte: u8,
        at: u64,
    ) -> SearchStep {
        let mut step = SearchStep {
            continues: true,
            ..SearchStep::default()
        };
        self.broken = false;
        self.body = Some(count + 1);
        if count < least {
            self.text.push(byte);
        }
        self.places.push_back(at);
        if count + 1 == least {
            self.eager = true;
            step.hit = true;
            for fragment in fragments.take(self.pattern, &self.text) {
                let places = fragment.pieces.iter().flat_map(|piece| piece.clone());
                step.cover.extend(places.map(|at| (at, b'*')));
                self.covered.extend(fragment.pieces);
            }
        }
        if self.eager {
            self.cover_places(&mut step.cover);
        }
        step
    }

    /// Takes a byte of a PEM block. A line is held back until it is known to belong to a key.
    fn block_step(&mut self, pattern: &RulePattern, count: usize, byte: u8, at: u64) -> SearchStep {
        let mut step = SearchStep::default();
        self.body = Some(count + 1);
        self.places.push_back(at);
        self.text.push(byte);
        let (continues, line) = match self.text.strip_suffix(pem_block::END) {
            Some(before) => (false, before.len()),
            None => (
                (0x20..0x7f).contains(&byte) && count + 1 < pem_block::MAX_LEN,
                self.text.len(),
            ),
        };
        step.continues = continues;
        if self.eager {
            step.continues &= pem_block::may_belong(byte);
            if step.continues && pem_block::reveals(byte) {
                step.cover.push((at, b'*'));
                add(&mut self.covered, at);
            }
            self.places.clear();
        } else if !continues {
            self.ends_line(line);
            self.cover_line(&mut step);
        }
        if !step.continues {
            step.covered = self.take_redacted(pattern);
        }
        step
    }

    /// Classifies the first `length` bytes of the current line of a block, and discards those that
    /// are not redacted. Returns whether the block may continue.
    fn ends_line(&mut self, length: usize) -> bool {
        if self.eager {
            // The line was redacted as it arrived.
            self.eager = false;
            self.text.clear();
            return true;
        }
        let line = pem_block::classify_line(&self.text[..length]);
        match line {
            PemLine::Key => {
                self.text.truncate(length);
                self.places.truncate(length);
            }
            PemLine::Header | PemLine::Other => {
                self.text.clear();
                self.places.clear();
            }
        }
        line != PemLine::Other
    }

    /// Redacts the remaining bytes of the current line of a block.
    fn cover_line(&mut self, step: &mut SearchStep) {
        for (at, byte) in self.places.drain(..).zip(self.text.drain(..)) {
            if pem_block::reveals(byte) {
                step.cover.push((at, b'*'));
                add(&mut self.covered, at);
            }
        }
    }

    fn cover_places(&mut self, cover: &mut Vec<(u64, u8)>) {
        for at in self.places.drain(..) {
            cover.push((at, b'*'));
            add(&mut self.covered, at);
        }
    }

    /// Ends a match that cannot continue. An incomplete match that was interrupted is stored as a
    /// fragment, since the program may draw the secret again from its start.
    fn abandon(
        &mut self,
        pattern: &RulePattern,
        fragments: &mut Fragments,
    ) -> Option<RedactedSecret> {
        let came = match pattern.tail {
            PatternTail::Literal(_) => self.matched,
            PatternTail::Body(..) => self.text.len(),
        };
        let pieces = pieces(self.places.iter().copied());
        if self.broken && !self.eager && came >= ENOUGH && !pieces.is_empty() {
            fragments.keep(Fragment {
                pattern: self.pattern,
                text: self.text.clone(),
                pieces,
            });
        }
        self.take_redacted(pattern)
    }

    /// Returns all redacted ranges.
    fn take_redacted(&mut self, pattern: &RulePattern) -> Option<RedactedSecret> {
        let pieces = std::mem::take(&mut self.covered);
        (!pieces.is_empty()).then_some(RedactedSecret {
            rule: pattern.rule,
            pieces,
        })
    }

    /// Handles a reached time or space limit: redacts the bytes so far if they are enough to look
    /// like a secret, otherwise releases them. `end` is the current end of the stream.
    pub(super) fn release_all(&mut self, rules: &Rules, end: u64) -> Vec<(u64, u8)> {
        let pattern = rules.pattern(self.pattern);
        let mut step = SearchStep::default();
        if self.eager {
            return step.cover;
        }
        if self.body.is_some() && is_block(pattern) {
            let line = pem_block::classify_line(&self.text);
            if line == PemLine::Key && !self.text.is_empty() {
                self.cover_line(&mut step);
                self.eager = true;
            }
            self.released = end;
            return step.cover;
        }
        let (came, all) = match pattern.tail {
            PatternTail::Literal(_) => (self.matched, pattern.prefix.len()),
            PatternTail::Body(_, least) => (self.body.unwrap_or(0), least),
        };
        if came < ENOUGH.min(all.div_ceil(2)) {
            self.released = end;
            return step.cover;
        }
        self.eager = true;
        match &pattern.tail {
            PatternTail::Literal(cover) => {
                self.covered = pieces(self.places.iter().copied());
                let places = self.places.iter().copied();
                step.cover.extend(places.zip(cover.iter().copied()));
            }
            PatternTail::Body(..) => self.cover_places(&mut step.cover),
        }
        step.cover
    }
}

fn is_block(pattern: &RulePattern) -> bool {
    matches!(pattern.tail, PatternTail::Body(TokenClass::Block, _))
}

/// Merges offsets into ranges.
fn pieces(places: impl Iterator<Item = u64>) -> Vec<Range<u64>> {
    let mut pieces = Vec::new();
    for at in places {
        add(&mut pieces, at);
    }
    pieces
}

fn add(pieces: &mut Vec<Range<u64>>, at: u64) {
    match pieces.last_mut() {
        Some(last) if last.end == at => last.end = at + 1,
        _ => pieces.push(at..at + 1),
    }
}
