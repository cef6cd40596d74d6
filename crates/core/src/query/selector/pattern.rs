//! The light pattern: alternatives and gaps, and every other sign means itself.
//!
//! It is for those who would rather not escape brackets and dots. `|` separates alternatives, `.*` is a gap of any
//! length that also crosses rows, and `(` and `)` are dropped, so `(a|b)c` means `a` or `bc`. A lone `.`, `\`, `[`, `^`,
//! `$`, `+` or `*` stands for itself.

use super::area::{Area, Spot};
use super::literal;
use crate::{Match, Position};

/// A light pattern.
///
/// Each alternative is looked for on its own: one without a gap is found wherever it stands, one with a gap at most once,
/// its pieces each at the first place behind the one before. Such a match reaches from its first piece to its last.
/// So `Ready|Done` has two matches where both words stand, and `Ready|Read` two in the same place. A pattern of gaps
/// alone matches the whole screen, even a blank one; an empty pattern matches nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    source: String,
    alternatives: Vec<Alternative>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Alternative {
    /// The pieces around the gaps; none of them is empty.
    pieces: Vec<String>,
    has_gap: bool,
}

impl Pattern {
    /// Whether a text has signs that stand for themselves here and for more in a regular expression, which its author may have meant.
    pub fn looks_like_regex(pattern: &str) -> bool {
        pattern.contains(['\\', '[', '+', '^', '$'])
    }

    const GAP: &str = ".*";

    /// Reads a pattern; every text is one.
    pub fn new(source: impl Into<String>) -> Pattern {
        let source = source.into();
        let alternatives = source
            .split('|')
            .map(|alternative| alternative.replace(['(', ')'], ""))
            .filter(|alternative| !alternative.is_empty())
            .map(|alternative| Alternative {
                has_gap: alternative.contains(Pattern::GAP),
                pieces: alternative
                    .split(Pattern::GAP)
                    .filter(|piece| !piece.is_empty())
                    .map(str::to_owned)
                    .collect(),
            })
            .collect();
        Pattern {
            source,
            alternatives,
        }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    pub(super) fn all(&self, area: Area<'_>) -> Vec<Match> {
        let mut matches: Vec<Match> = self
            .alternatives
            .iter()
            .flat_map(|alternative| alternative.all(area))
            .collect();
        // A stable sort: in the same place, the alternative that was written first comes first.
        matches.sort_by_key(Match::position);
        matches
    }
}

/// A piece of an alternative that is not where it should be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Missing<'a> {
    pub(super) piece: &'a str,
    /// The piece before it, which is there.
    pub(super) behind: Option<&'a str>,
}

impl Pattern {
    /// The first missing piece of each alternative that is not found.
    pub(super) fn missing(&self, area: Area<'_>) -> impl Iterator<Item = Missing<'_>> {
        let alternatives = self.alternatives.iter();
        alternatives.filter_map(move |alternative| alternative.missing(area))
    }
}

impl Alternative {
    fn missing(&self, area: Area<'_>) -> Option<Missing<'_>> {
        let mut from = area.start();
        let mut behind = None;
        for piece in &self.pieces {
            match literal::find(area, piece, from) {
                Some(found) => from = found.end,
                None => return Some(Missing { piece, behind }),
            }
            behind = Some(&**piece);
        }
        None
    }

    fn all(&self, area: Area<'_>) -> Vec<Match> {
        match self.pieces.as_slice() {
            [] => vec![everything(area)],
            [only] if !self.has_gap => literal::all(area, only),
            pieces => first(area, pieces).into_iter().collect(),
        }
    }
}

/// The first place where the pieces stand one behind the other. As each is taken where it first stands, there is room
/// for the next ones whenever there is any.
fn first(area: Area<'_>, pieces: &[String]) -> Option<Match> {
    let mut start: Option<Spot> = None;
    let mut from = area.start();
    for piece in pieces {
        let found = literal::find(area, piece, from)?;
        start = start.or(Some(found.start));
        from = found.end;
    }
    Some(area.between(&(start?..from)))
}

fn everything(area: Area<'_>) -> Match {
    let row = area.rows().end - 1;
    let col = area.strip(row).end();
    area.stretch(area.corner(), Position { row, col })
}
