//! Selectors: descriptions of what to find on a screen.
//!
//! A selector finds matches; each match has its cells. Matches come in reading order, top to bottom
//! and then left to right. The matches of one selector share no cell; the exceptions are documented
//! at [`Selector::Pattern`] and [`Selector::Image`]. Two rules hold for every selector that reads
//! text:
//!
//! - Text that was wrapped into the next row is read as one line. Rows that are only below each
//!   other are not joined.
//! - A match consists of whole cells, so both halves of a wide character, and a combining mark with
//!   its base character, are found together.
//!
//! A selector is plain data: it can be compared, stored and printed, and its `Display` is the
//! description in errors.
//!
//! See also: the written form and its parser ([`Selector::syntax`]), results ([`Match`]), waiting
//! for a match ([`Condition::Visible`](crate::Condition::Visible)), and the closest matches when
//! nothing is found ([`NearMiss`](crate::NearMiss)).

mod describe;
mod expressions;
mod image;
mod link;
mod literal;
mod near_miss_search;
mod pattern;
mod regex;
mod region;
mod relation;
mod resolve;
mod run;
mod style;
#[doc(hidden)]
pub mod syntax;
#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use expressions::{ExpressionError, Expressions};
pub use image::ImageSelector;
pub use link::Link;
pub use pattern::Pattern;
pub use regex::{Regex, RegexError};
pub use relation::Relation;
pub use resolve::{Ambiguity, SelectError};
pub use style::{Styled, Underlined};
pub use syntax::{MaskTarget, SelectorSyntax, SelectorSyntaxError};

use crate::{Changes, Match, Position, Rect, Screen};
use region::Region;

/// A description of what to find on a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selector {
    /// Finds this text exactly. A line end in the text matches the end of a row. Spaces at the end
    /// of a line also match cells that were never written, so a prompt such as `$ ` can be used as
    /// it is. The empty text is found once, in the first cell, and covers no cell.
    Exact(String),
    /// Finds the alternatives of a simple pattern. Each alternative is searched on its own, so
    /// their matches may share cells: see [`Pattern`].
    Pattern(Pattern),
    /// Finds what a regular expression matches within one line: a row with its wrapped continuation
    /// rows.
    Regex(Regex),
    /// Finds the character in this cell; nothing if the cell is blank.
    At(Position),
    /// Finds runs of neighbouring cells that all have this style, from their first character to
    /// their last. Other properties may vary within a run.
    Styled(Styled),
    /// Finds text with a hyperlink: neighbouring cells of one link.
    Link(Link),
    /// Finds images. Unlike other matches, they may share cells: an image can be over another one.
    Image(ImageSelector),
    /// Searches only this rectangle, as if it were a whole screen: rows begin and end at its
    /// borders, and positions inside it (of [`Selector::At`] and of nested rectangles) count from
    /// its first cell. The positions of a match are those of the whole screen.
    Within(Rect, Box<Selector>),
    /// Selects one match of the inner selector, counted from 0.
    Nth(usize, Box<Selector>),
    /// Selects the matches that have a cell in the cursor's row, whether the cursor is visible or
    /// not.
    OnCursorRow(Box<Selector>),
    /// Finds the matches of all these selectors. If two matches share a cell, only the one that
    /// begins first is returned; if both begin in the same cell, the one whose selector comes first
    /// in this list.
    Any(Vec<Selector>),
    /// Selects the matches of the first selector that have this relation to a match of the second.
    Related(Box<Selector>, Relation, Box<Selector>),
}

impl Selector {
    /// Finds this text exactly.
    pub fn exact(text: impl Into<String>) -> Selector {
        Selector::Exact(text.into())
    }

    /// Finds the alternatives of a simple pattern: `Ready|Done`, `took .* seconds`.
    pub fn pattern(pattern: impl Into<String>) -> Selector {
        Selector::Pattern(Pattern::new(pattern))
    }

    /// Finds what a regular expression matches within one line.
    pub fn regex(pattern: &str) -> Result<Selector, RegexError> {
        Regex::new(pattern).map(Selector::Regex)
    }

    /// Finds the character in this cell.
    pub fn at(position: Position) -> Selector {
        Selector::At(position)
    }

    /// Finds text with this style.
    pub fn styled(style: Styled) -> Selector {
        Selector::Styled(style)
    }

    /// Finds text that links to exactly this address.
    pub fn link(uri: impl Into<String>) -> Selector {
        Selector::Link(Link::To(uri.into()))
    }

    /// Finds text that links to an address that contains `part`.
    pub fn link_containing(part: impl Into<String>) -> Selector {
        Selector::Link(Link::Containing(part.into()))
    }

    /// Finds these images.
    pub fn image(image: ImageSelector) -> Selector {
        Selector::Image(image)
    }

    /// Searches only this rectangle.
    #[must_use]
    pub fn within(self, rect: Rect) -> Selector {
        Selector::Within(rect, Box::new(self))
    }

    /// Selects one match, counted from 0.
    #[must_use]
    pub fn nth(self, index: usize) -> Selector {
        Selector::Nth(index, Box::new(self))
    }

    /// Selects the matches that have a cell in the cursor's row.
    #[must_use]
    pub fn on_cursor_row(self) -> Selector {
        Selector::OnCursorRow(Box::new(self))
    }

    /// Finds the matches of either selector. If two matches share a cell, only the one that
    /// begins first is returned; if both begin in the same cell, the one of `self`.
    #[must_use]
    pub fn or(self, other: impl Into<Selector>) -> Selector {
        match self {
            Selector::Any(mut selectors) => {
                selectors.push(other.into());
                Selector::Any(selectors)
            }
            selector => Selector::Any(vec![selector, other.into()]),
        }
    }

    /// Selects the matches that are inside a match of `other`: text that is also bold.
    #[must_use]
    pub fn and(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Inside, other)
    }

    /// Selects the matches that share no cell with any match of `other`: text without a bold cell.
    #[must_use]
    pub fn and_not(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Apart, other)
    }

    /// Selects the matches that contain a match of `other`: the link with the text “more”.
    #[must_use]
    pub fn holding(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Holding, other)
    }

    /// Selects the matches that begin after the end of a match of `other`, in the same row: the
    /// value after a label.
    #[must_use]
    pub fn right_of(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::RightOf, other)
    }

    /// Selects the matches that end before a match of `other` begins, in the same row: the box
    /// before a label.
    #[must_use]
    pub fn left_of(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::LeftOf, other)
    }

    /// Selects the matches that begin in a row below a match of `other` and share a column with it:
    /// the text under a heading.
    #[must_use]
    pub fn below(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Below, other)
    }

    /// Selects the matches that end in a row above a match of `other` and share a column with it:
    /// the heading of a value.
    #[must_use]
    pub fn above(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Above, other)
    }

    /// Selects the matches at most `cells` cells away from a match of `other`, in any direction; 1
    /// means that they touch.
    #[must_use]
    pub fn near(self, cells: usize, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Near(cells), other)
    }

    /// Selects the matches that have this relation to a match of `other`.
    #[must_use]
    pub fn related(self, relation: Relation, other: impl Into<Selector>) -> Selector {
        Selector::Related(Box::new(self), relation, Box::new(other.into()))
    }

    /// Returns all matches, in reading order.
    pub fn matches(&self, screen: &Screen) -> Vec<Match> {
        self.search(Region::whole(screen))
    }

    /// Returns the matches that are new since a [`Baseline`](crate::Baseline), in reading order.
    /// [`Selector::Nth`] counts only the new matches. If there are too few of them, it counts all
    /// matches, and the selected one must be new. Of related selectors, only the matches of the
    /// first must be new.
    pub fn matches_in(&self, changes: &Changes<'_>) -> Vec<Match> {
        self.search(Region::changed(changes))
    }

    /// Returns the new matches in a rectangle.
    #[doc(hidden)]
    pub fn matches_in_rect(&self, changes: &Changes<'_>, rect: Rect) -> Vec<Match> {
        self.search(Region::changed(changes).part(rect))
    }

    /// Returns the matches in a rectangle, as [`Selector::Within`] does.
    pub(crate) fn matches_within(&self, screen: &Screen, rect: Rect) -> Vec<Match> {
        self.search(Region::whole(screen).part(rect))
    }

    /// Returns whether there is at least one match.
    pub fn is_visible(&self, screen: &Screen) -> bool {
        match self {
            // The most frequent query of waits: stops at the first match.
            Selector::Exact(text) => is_on_screen(screen, text),
            _ => !self.matches(screen).is_empty(),
        }
    }

    fn search(&self, region: Region<'_>) -> Vec<Match> {
        if region.is_empty() {
            return Vec::new();
        }
        let counted = |mut matches: Vec<Match>| {
            matches.retain(|found| region.counts(found));
            matches
        };
        match self {
            Selector::Exact(text) => counted(literal::all(region, text)),
            Selector::Pattern(pattern) => counted(pattern.all(region)),
            Selector::Regex(regex) => counted(regex.all(region)),
            Selector::At(position) => counted(region.character(*position).into_iter().collect()),
            Selector::Styled(style) => counted(style.all(region)),
            Selector::Link(link) => counted(link.all(region)),
            Selector::Image(image) => counted(image.all(region)),
            Selector::Within(rect, selector) => selector.search(region.part(*rect)),
            Selector::Nth(index, selector) => {
                let nth = |region| selector.search(region).into_iter().nth(*index);
                // If only new matches count, the caller's index may have counted all visible ones.
                let shown = || {
                    let found = region
                        .has_changes()
                        .then(|| nth(region.unchanged()))
                        .flatten();
                    found.filter(|found| region.counts(found))
                };
                nth(region).or_else(shown).into_iter().collect()
            }
            Selector::OnCursorRow(selector) => {
                let row = region.screen.cursor.position.row;
                let mut matches = selector.search(region);
                matches.retain(|found| found.spans().iter().any(|span| span.row == row));
                matches
            }
            Selector::Any(selectors) => any(selectors, region),
            Selector::Related(selector, relation, other) => {
                let mut matches = selector.search(region);
                if !matches.is_empty() {
                    let others = other.search(region.unchanged());
                    matches.retain(|found| relation.keeps(found, &others));
                }
                matches
            }
        }
    }
}

/// Returns whether a text is anywhere on the screen.
pub(crate) fn is_on_screen(screen: &Screen, text: &str) -> bool {
    let region = Region::whole(screen);
    !region.is_empty() && literal::any(region, text)
}

/// Returns the first match of a text on the screen.
pub(crate) fn first(screen: &Screen, text: &str) -> Option<Match> {
    let region = Region::whole(screen);
    (!region.is_empty())
        .then(|| literal::first(region, text))
        .flatten()
}

fn any(selectors: &[Selector], region: Region<'_>) -> Vec<Match> {
    let mut matches: Vec<Match> = selectors
        .iter()
        .flat_map(|selector| selector.search(region))
        .collect();
    // The sort is stable: at the same position, the selector listed first comes first.
    matches.sort_by_key(Match::position);
    let mut kept: Vec<Match> = Vec::new();
    for found in matches {
        if !kept
            .iter()
            .rev()
            .any(|other| relation::overlap(other, &found))
        {
            kept.push(found);
        }
    }
    kept
}

/// Finds the text exactly.
impl From<&str> for Selector {
    fn from(text: &str) -> Selector {
        Selector::exact(text)
    }
}

impl From<String> for Selector {
    fn from(text: String) -> Selector {
        Selector::Exact(text)
    }
}

impl From<&Selector> for Selector {
    fn from(selector: &Selector) -> Selector {
        selector.clone()
    }
}

/// Finds text with this style.
impl From<Styled> for Selector {
    fn from(style: Styled) -> Selector {
        Selector::Styled(style)
    }
}

/// Finds what the expression matches within one line.
impl From<Regex> for Selector {
    fn from(regex: Regex) -> Selector {
        Selector::Regex(regex)
    }
}

/// Finds text with this link.
impl From<Link> for Selector {
    fn from(link: Link) -> Selector {
        Selector::Link(link)
    }
}

/// Finds these images.
impl From<ImageSelector> for Selector {
    fn from(image: ImageSelector) -> Selector {
        Selector::Image(image)
    }
}
