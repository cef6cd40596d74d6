//! Simple patterns: alternatives and gaps; every other character is literal.
//!
//! Square brackets and dots need no escapes. `|` separates alternatives, `.*` is a gap of any
//! length that may also cross rows, and `(` and `)` are dropped, so `(a|b)c` means `a` or `bc`.
//! A single `.`, `\`, `[`, `^`, `$`, `+` or `*` is literal.

use super::literal;
use super::region::{Region, TextPosition};
use crate::{Match, Position};

/// A simple pattern of alternatives and gaps.
///
/// Each alternative is searched on its own. One without a gap is found everywhere it occurs. One
/// with a gap is found at most once: each piece at its first place after the piece before, and the
/// match covers everything from the first piece to the last. So `Ready|Done` has two matches if
/// both words are on the screen, and `Ready|Read` has two at the same place. A pattern of gaps
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
    /// Returns whether a text contains characters that are literal here but special in a regular
    /// expression, which its author may have meant.
    pub fn looks_like_regex(pattern: &str) -> bool {
        pattern.contains(['\\', '[', '+', '^', '$'])
    }

    const GAP: &str = ".*";

    /// Parses a pattern; every text is valid.
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

    /// Returns the pattern as written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    pub(super) fn all(&self, region: Region<'_>) -> Vec<Match> {
        let mut matches: Vec<Match> = self
            .alternatives
            .iter()
            .flat_map(|alternative| alternative.all(region))
            .collect();
        // The sort is stable: at the same position, the alternative written first comes first.
        matches.sort_by_key(Match::position);
        matches
    }
}

/// A piece of an alternative that was not found at its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct MissingPiece<'a> {
    pub(super) piece: &'a str,
    /// The piece before it, which was found.
    pub(super) preceding: Option<&'a str>,
}

impl Pattern {
    /// Returns the first missing piece of each alternative that is not found.
    pub(super) fn missing(&self, region: Region<'_>) -> impl Iterator<Item = MissingPiece<'_>> {
        let alternatives = self.alternatives.iter();
        alternatives.filter_map(move |alternative| alternative.missing(region))
    }
}

impl Alternative {
    fn missing(&self, region: Region<'_>) -> Option<MissingPiece<'_>> {
        let mut from = region.start();
        let mut preceding = None;
        for piece in &self.pieces {
            match literal::find(region, piece, from) {
                Some(found) => from = found.end,
                None => return Some(MissingPiece { piece, preceding }),
            }
            preceding = Some(&**piece);
        }
        None
    }

    fn all(&self, region: Region<'_>) -> Vec<Match> {
        match self.pieces.as_slice() {
            [] => vec![everything(region)],
            [only] if !self.has_gap => literal::all(region, only),
            pieces => first(region, pieces).into_iter().collect(),
        }
    }
}

/// Returns the first place where the pieces follow each other. Taking each piece at its first place
/// leaves the most room for the next ones, so a match is found whenever there is one.
fn first(region: Region<'_>, pieces: &[String]) -> Option<Match> {
    let mut start: Option<TextPosition> = None;
    let mut from = region.start();
    for piece in pieces {
        let found = literal::find(region, piece, from)?;
        start = start.or(Some(found.start));
        from = found.end;
    }
    Some(region.match_of(&(start?..from)))
}

fn everything(region: Region<'_>) -> Match {
    let row = region.rows().end - 1;
    let col = region.region_row(row).end();
    region.match_between(region.corner(), Position { row, col })
}
