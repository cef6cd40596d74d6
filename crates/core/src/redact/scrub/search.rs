//! One thing being looked for: how much of it has come, and where.

use std::collections::VecDeque;
use std::ops::Range;

use super::Covered;
use super::block::{self, Line};
use super::fragments::{Fragment, Fragments};
use super::rules::{Pattern, Rules, Then};
use super::shapes::Class;

/// From so many bytes of a secret on, it is covered rather than let go when time or room is used up.
pub(super) const ENOUGH: usize = 4;

/// A search that is under way.
#[derive(Debug)]
pub(super) struct Search {
    pattern: usize,
    /// How many of the first bytes have come.
    matched: usize,
    /// Where they are, and then where the body is, until it is covered. Of a block, where its line is.
    places: VecDeque<u64>,
    /// How many bytes of the body have come; `None` before it begins.
    body: Option<usize>,
    /// The body, up to where it is known to be a secret. Of a block, its line.
    text: Vec<u8>,
    /// What comes is covered at once: either it is known to be a secret, or nothing more may be held back.
    eager: bool,
    /// What lies before is not held back any more: there was too little of it when time was up.
    released: u64,
    /// A control or an escape came after the last byte.
    broken: bool,
    /// What has been covered so far; it is told of when the search ends.
    covered: Vec<Range<u64>>,
}

/// What became of a search with one more byte.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) goes_on: bool,
    /// Bytes to be covered, and by what.
    pub(super) cover: Vec<(u64, u8)>,
    /// It is known to be a secret from now on.
    pub(super) hit: bool,
    /// All that was covered, once nothing more of it comes.
    pub(super) covered: Option<Covered>,
}

impl Search {
    /// A search whose first byte is here.
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

    /// The first byte that must be held back.
    pub(super) fn holds_from(&self) -> Option<u64> {
        if self.eager {
            return None;
        }
        let mut held = self.places.iter().copied();
        held.find(|at| *at >= self.released)
    }

    /// Whether another search for the same may begin: what has come is behind the first bytes, and may turn out to be nothing.
    pub(super) fn lets_begin(&self, rules: &Rules) -> bool {
        match (self.body, &rules.pattern(self.pattern).then) {
            (Some(_), Then::Body(Class::Block, _)) => true,
            (Some(count), Then::Body(_, least)) => count < *least,
            _ => false,
        }
    }

    /// An escape that moves nothing came.
    pub(super) fn interrupted(&mut self) {
        self.broken = true;
    }

    /// A control character came, or the cursor moved: a value may be broken into lines, a token is not.
    pub(super) fn moved(&mut self, rules: &Rules, fragments: &mut Fragments) -> Step {
        self.broken = true;
        match (self.body, &rules.pattern(self.pattern).then) {
            (_, Then::Covered(_)) | (None, Then::Body(Class::Block, _)) => Step {
                goes_on: true,
                ..Step::default()
            },
            (Some(_), Then::Body(Class::Block, _)) => {
                let mut step = Step {
                    goes_on: self.ends_line(self.text.len()),
                    ..Step::default()
                };
                self.cover_line(&mut step);
                if !step.goes_on {
                    step.covered = self.told(rules.pattern(self.pattern));
                }
                step
            }
            _ => self.end(rules, fragments),
        }
    }

    /// Nothing more of it comes.
    pub(super) fn end(&mut self, rules: &Rules, fragments: &mut Fragments) -> Step {
        let pattern = rules.pattern(self.pattern);
        let mut step = Step::default();
        self.broken = true;
        if self.body.is_some() && is_block(pattern) {
            self.ends_line(self.text.len());
            self.cover_line(&mut step);
        }
        step.covered = self.given_up(pattern, fragments);
        step
    }

    /// Takes a byte of text.
    pub(super) fn step(
        &mut self,
        rules: &Rules,
        fragments: &mut Fragments,
        byte: u8,
        at: u64,
    ) -> Step {
        let pattern = rules.pattern(self.pattern);
        match (self.body, &pattern.then) {
            (Some(count), Then::Body(Class::Block, _)) => {
                return self.block_step(pattern, count, byte, at);
            }
            (Some(count), Then::Body(class, least)) if class.has(byte) => {
                return self.body_step(fragments, *least, count, byte, at);
            }
            (Some(_), _) => {
                return Step {
                    covered: self.given_up(pattern, fragments),
                    ..Step::default()
                };
            }
            _ => {}
        }
        let mut step = Step::default();
        if pattern.first.get(self.matched) != Some(&byte) {
            step.covered = self.given_up(pattern, fragments);
            // Less of it has come than was thought, so that it is held back again.
            self.eager = false;
        }
        while self.matched > 0 && pattern.first.get(self.matched) != Some(&byte) {
            self.matched = pattern.fallback[self.matched];
        }
        while self.places.len() > self.matched {
            self.places.pop_front();
        }
        if self.matched == 0 {
            // It may still be the first byte, which whoever begins searches sees.
            return step;
        }
        self.broken = false;
        self.places.push_back(at);
        self.matched += 1;
        step.goes_on = true;
        match &pattern.then {
            Then::Covered(cover) => {
                if self.eager {
                    step.cover.push((at, cover[self.matched - 1]));
                    add(&mut self.covered, at);
                }
                if self.matched == pattern.first.len() {
                    let places = self.places.iter().copied();
                    step.cover = places.zip(cover.iter().copied()).collect();
                    self.covered = pieces(self.places.iter().copied());
                    for fragment in fragments.take(self.pattern, &[]) {
                        let places = fragment.pieces.iter().flat_map(|piece| piece.clone());
                        step.cover.extend(places.zip(cover.iter().copied()));
                        self.covered.extend(fragment.pieces);
                    }
                    step.hit = true;
                    step.covered = self.told(pattern);
                    step.goes_on = false;
                }
            }
            Then::Body(..) => {
                if self.matched == pattern.first.len() {
                    self.body = Some(0);
                    // The beginning stays as it is, and need not be held back.
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
    ) -> Step {
        let mut step = Step {
            goes_on: true,
            ..Step::default()
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

    /// A line is held back until it is known to be one of a key.
    fn block_step(&mut self, pattern: &Pattern, count: usize, byte: u8, at: u64) -> Step {
        let mut step = Step::default();
        self.body = Some(count + 1);
        self.places.push_back(at);
        self.text.push(byte);
        let (goes_on, line) = match self.text.strip_suffix(block::END) {
            Some(before) => (false, before.len()),
            None => (
                (0x20..0x7f).contains(&byte) && count + 1 < block::MOST,
                self.text.len(),
            ),
        };
        step.goes_on = goes_on;
        if self.eager {
            step.goes_on &= block::may_belong(byte);
            if step.goes_on && block::tells(byte) {
                step.cover.push((at, b'*'));
                add(&mut self.covered, at);
            }
            self.places.clear();
        } else if !goes_on {
            self.ends_line(line);
            self.cover_line(&mut step);
        }
        if !step.goes_on {
            step.covered = self.told(pattern);
        }
        step
    }

    /// Decides what so many bytes of the line of a block are, and forgets those that stay as they are. Returns whether the block may go on.
    fn ends_line(&mut self, length: usize) -> bool {
        if self.eager {
            // It was covered as it came.
            self.eager = false;
            self.text.clear();
            return true;
        }
        let line = block::line(&self.text[..length]);
        match line {
            Line::Key => {
                self.text.truncate(length);
                self.places.truncate(length);
            }
            Line::Header | Line::Other => {
                self.text.clear();
                self.places.clear();
            }
        }
        line != Line::Other
    }

    /// Covers what is left of the line of a block.
    fn cover_line(&mut self, step: &mut Step) {
        for (at, byte) in self.places.drain(..).zip(self.text.drain(..)) {
            if block::tells(byte) {
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

    /// What came was not all of it. Where it was broken off, it may be told of again from its beginning.
    fn given_up(&mut self, pattern: &Pattern, fragments: &mut Fragments) -> Option<Covered> {
        let came = match pattern.then {
            Then::Covered(_) => self.matched,
            Then::Body(..) => self.text.len(),
        };
        let pieces = pieces(self.places.iter().copied());
        if self.broken && !self.eager && came >= ENOUGH && !pieces.is_empty() {
            fragments.keep(Fragment {
                pattern: self.pattern,
                text: self.text.clone(),
                pieces,
            });
        }
        self.told(pattern)
    }

    /// Tells of all that was covered.
    fn told(&mut self, pattern: &Pattern) -> Option<Covered> {
        let pieces = std::mem::take(&mut self.covered);
        (!pieces.is_empty()).then_some(Covered {
            rule: pattern.rule,
            pieces,
        })
    }

    /// Time or room is used up: covers what has come if it is enough to look like a secret, else lets it go.
    /// `end` is where the stream ends so far.
    pub(super) fn let_go(&mut self, rules: &Rules, end: u64) -> Vec<(u64, u8)> {
        let pattern = rules.pattern(self.pattern);
        let mut step = Step::default();
        if self.eager {
            return step.cover;
        }
        if self.body.is_some() && is_block(pattern) {
            let line = block::line(&self.text);
            if line == Line::Key && !self.text.is_empty() {
                self.cover_line(&mut step);
                self.eager = true;
            }
            self.released = end;
            return step.cover;
        }
        let (came, all) = match pattern.then {
            Then::Covered(_) => (self.matched, pattern.first.len()),
            Then::Body(_, least) => (self.body.unwrap_or(0), least),
        };
        if came < ENOUGH.min(all.div_ceil(2)) {
            self.released = end;
            return step.cover;
        }
        self.eager = true;
        match &pattern.then {
            Then::Covered(cover) => {
                self.covered = pieces(self.places.iter().copied());
                let places = self.places.iter().copied();
                step.cover.extend(places.zip(cover.iter().copied()));
            }
            Then::Body(..) => self.cover_places(&mut step.cover),
        }
        step.cover
    }
}

fn is_block(pattern: &Pattern) -> bool {
    matches!(pattern.then, Then::Body(Class::Block, _))
}

/// Places as stretches.
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
