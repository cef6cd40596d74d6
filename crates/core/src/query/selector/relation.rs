//! Spatial relations between two matches.
//!
//! A relation selects those matches of one selector that have the relation to a match of another
//! selector. It never changes the cells of a match, and the order stays reading order: of several
//! values right of a label, the first is `nth(0)`.

use std::fmt;
use std::ops::Range;

use crate::Match;
use crate::query::match_::MatchSpan;

/// A relation that a match must have to some match of another selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Relation {
    /// All its cells are cells of the other match: the text “Save” in bold text.
    Inside,
    /// All cells of the other match are its own cells: the inverse line that contains the text
    /// “Save”.
    Holding,
    /// It shares no cell with any match of the other selector.
    Apart,
    /// It begins after the end of the other match, in the same row.
    RightOf,
    /// It ends before the other match begins, in the same row.
    LeftOf,
    /// It begins in a row below the last row of the other match, and they share a column.
    Below,
    /// It ends in a row above the first row of the other match, and they share a column.
    Above,
    /// It shares no cell with the other match, and at most this many steps lead from one to the
    /// other, straight or diagonal: 1 for cells that touch.
    Near(usize),
}

impl Relation {
    /// Returns whether a match has the relation, given all matches of the other selector.
    pub(super) fn keeps(self, found: &Match, others: &[Match]) -> bool {
        match self {
            Relation::Apart => others.iter().all(|other| !overlap(found, other)),
            _ => others.iter().any(|other| self.holds(found, other)),
        }
    }

    fn holds(self, found: &Match, other: &Match) -> bool {
        match self {
            Relation::Inside => covers(other, found),
            Relation::Holding => covers(found, other),
            Relation::Apart => !overlap(found, other),
            Relation::RightOf => is_right_of(found, other),
            Relation::LeftOf => is_right_of(other, found),
            Relation::Below => is_below(found, other),
            Relation::Above => is_below(other, found),
            Relation::Near(most) => {
                !overlap(found, other) && pairs(found, other).any(|(a, b)| steps(a, b) <= most)
            }
        }
    }
}

/// Returns whether `found` begins after the end of `other`, in the same row.
fn is_right_of(found: &Match, other: &Match) -> bool {
    other.spans().last().is_some_and(|last| {
        let start = found.position();
        start.row == last.row && start.col >= last.cols.end
    })
}

/// Returns whether `found` begins in a row below `other`, and both share a column.
fn is_below(found: &Match, other: &Match) -> bool {
    let last = other.spans().last().map(|span| span.row);
    Some(found.position().row) > last
        && pairs(found, other).any(|(a, b)| gap(&a.cols, &b.cols) == 0)
}

/// Returns all pairs of spans of two matches, without spans that have no cells.
fn pairs<'a>(a: &'a Match, b: &'a Match) -> impl Iterator<Item = (&'a MatchSpan, &'a MatchSpan)> {
    let filled = |found: &'a Match| {
        let spans = found.spans().iter();
        spans.filter(|span| !span.cols.is_empty())
    };
    filled(a).flat_map(move |span| filled(b).map(move |other| (span, other)))
}

/// Returns whether two matches share a cell.
pub(super) fn overlap(a: &Match, b: &Match) -> bool {
    pairs(a, b).any(|(a, b)| a.row == b.row && gap(&a.cols, &b.cols) == 0)
}

/// Returns whether every cell of `inner` is a cell of `outer`.
fn covers(outer: &Match, inner: &Match) -> bool {
    inner.cells().next().is_some()
        && inner.spans().iter().all(|span| {
            span.cols.is_empty()
                || outer.spans().iter().any(|around| {
                    around.row == span.row
                        && around.cols.start <= span.cols.start
                        && span.cols.end <= around.cols.end
                })
        })
}

/// Returns the number of steps between the nearest cells of two spans.
fn steps(a: &MatchSpan, b: &MatchSpan) -> usize {
    a.row.abs_diff(b.row).max(gap(&a.cols, &b.cols))
}

/// Returns the number of columns between two column ranges: 0 if they share a column, 1 if they
/// touch.
fn gap(a: &Range<usize>, b: &Range<usize>) -> usize {
    let between =
        |left: &Range<usize>, right: &Range<usize>| (right.start + 1).saturating_sub(left.end);
    between(a, b).max(between(b, a))
}

/// The words between the two selectors in a description.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::Inside => f.write_str("inside"),
            Relation::Holding => f.write_str("holding"),
            Relation::Apart => f.write_str("apart from"),
            Relation::RightOf => f.write_str("right of"),
            Relation::LeftOf => f.write_str("left of"),
            Relation::Below => f.write_str("below"),
            Relation::Above => f.write_str("above"),
            Relation::Near(1) => f.write_str("touching"),
            Relation::Near(most) => write!(f, "at most {most} cells from"),
        }
    }
}
