//! One thing being looked for: how much of it has come, and where.

use std::collections::VecDeque;
use std::ops::Range;

use super::secrets::{Secrets, Then};
use super::shapes::{BLOCK_END, Class};
use super::{Covered, Scrubbed};

/// From so many bytes of a secret on, it is covered rather than let go when time or room is used up.
const ENOUGH: usize = 4;

/// A search that is under way.
#[derive(Debug)]
pub(super) struct Search {
    pattern: usize,
    /// How many of the first bytes have come.
    matched: usize,
    /// Where they are, and then where the body is, until it is covered.
    places: VecDeque<u64>,
    /// How many bytes of the body have come; `None` before it begins.
    body: Option<usize>,
    /// The last bytes of the body.
    last: VecDeque<u8>,
    /// What comes is covered at once: either it is known to be a secret, or nothing more may be held back.
    eager: bool,
    /// What lies before is not held back any more: there was too little of it when time was up.
    released: u64,
}

/// What became of a search with one more byte.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) goes_on: bool,
    /// Bytes to be covered, and by what.
    pub(super) cover: Vec<(u64, u8)>,
    /// The secret, once it is known to be one.
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
            last: VecDeque::new(),
            eager: false,
            released: 0,
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

    /// Whether a control character may stand in its middle: a value may be broken into lines, a token is not.
    pub(super) fn passes_controls(&self, secrets: &Secrets) -> bool {
        matches!(
            secrets.pattern(self.pattern).then,
            Then::Covered(_) | Then::Body(Class::Block, _)
        )
    }

    /// Whether the cursor may move in its middle.
    pub(super) fn passes_movement(&self, secrets: &Secrets) -> bool {
        self.passes_controls(secrets)
    }

    /// Takes a byte of text.
    pub(super) fn step(&mut self, secrets: &Secrets, byte: u8, at: u64) -> Step {
        let pattern = secrets.pattern(self.pattern);
        if let (Some(count), Then::Body(class, least)) = (self.body, &pattern.then) {
            return self.body_step(pattern.rule, *class, *least, count, byte, at);
        }
        while self.matched > 0 && pattern.first.get(self.matched) != Some(&byte) {
            self.matched = pattern.fallback[self.matched];
            // Less of it has come than was thought, so that it is held back again.
            self.eager = false;
        }
        while self.places.len() > self.matched {
            self.places.pop_front();
        }
        if self.matched == 0 {
            // It may still be the first byte, which whoever begins searches sees.
            return Step::default();
        }
        self.places.push_back(at);
        self.matched += 1;
        let mut step = Step {
            goes_on: true,
            ..Step::default()
        };
        match &pattern.then {
            Then::Covered(cover) => {
                if self.eager {
                    step.cover.push((at, cover[self.matched - 1]));
                }
                if self.matched == pattern.first.len() {
                    step.cover = self
                        .places
                        .iter()
                        .copied()
                        .zip(cover.iter().copied())
                        .collect();
                    step.covered = Some(Covered {
                        rule: pattern.rule,
                        pieces: pieces(&self.places),
                    });
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
        rule: usize,
        class: Class,
        least: usize,
        count: usize,
        byte: u8,
        at: u64,
    ) -> Step {
        let mut step = Step::default();
        if !class.has(byte) {
            return step;
        }
        step.goes_on = true;
        self.body = Some(count + 1);
        if self.eager {
            step.cover.push((at, b'*'));
        } else {
            self.places.push_back(at);
        }
        if count + 1 == least {
            let covered = self.places.drain(..).collect::<VecDeque<u64>>();
            step.cover.extend(covered.iter().map(|at| (*at, b'*')));
            step.covered = Some(Covered {
                rule,
                pieces: pieces(&covered),
            });
            self.eager = true;
        }
        if class == Class::Block {
            self.last.push_back(byte);
            if self.last.len() > BLOCK_END.len() {
                self.last.pop_front();
            }
            step.goes_on = !self.last.iter().eq(BLOCK_END);
        }
        step
    }

    /// Time or room is used up: covers what has come if it is enough to look like a secret, else lets it go.
    /// `end` is where the stream ends so far.
    pub(super) fn let_go(
        &mut self,
        secrets: &Secrets,
        end: u64,
        out: &mut Scrubbed,
    ) -> Vec<(u64, u8)> {
        let pattern = secrets.pattern(self.pattern);
        let came = self.body.unwrap_or(match pattern.then {
            Then::Covered(_) => self.matched,
            Then::Body(..) => 0,
        });
        let half = match pattern.then {
            Then::Covered(_) => pattern.first.len().div_ceil(2),
            Then::Body(_, least) => least.div_ceil(2),
        };
        if self.eager || came < ENOUGH.min(half) {
            self.released = end;
            return Vec::new();
        }
        self.eager = true;
        out.covered.push(Covered {
            rule: pattern.rule,
            pieces: pieces(&self.places),
        });
        match &pattern.then {
            Then::Covered(cover) => {
                let covers = self.places.iter().copied().zip(cover.iter().copied());
                covers.collect()
            }
            Then::Body(..) => self.places.drain(..).map(|at| (at, b'*')).collect(),
        }
    }
}

/// Places as stretches.
fn pieces(places: &VecDeque<u64>) -> Vec<Range<u64>> {
    let mut pieces: Vec<Range<u64>> = Vec::new();
    for at in places {
        match pieces.last_mut() {
            Some(last) if last.end == *at => last.end = at + 1,
            _ => pieces.push(*at..at + 1),
        }
    }
    pieces
}
