//! What to look for on a screen.
//!
//! A selector finds matches, which know their cells. They come in reading order, from the top and then from the left,
//! and those of one selector share no cell; the one exception is said at [`Selector::Pattern`]. Two things hold for every
//! selector that reads text: text that went on in the next row because it did not fit is read as one, while rows that
//! merely stand below each other are not joined; and a match has whole cells, so that both halves of a wide character
//! and a mark with the character it joins are found together.
//!
//! A selector is plain data: it can be compared, kept and shown, and says in errors what it looked for.
//!
//! Elsewhere: writing one down and reading it ([`Selector::notation`]), what was found ([`Match`]), waiting for it ([`Condition::Visible`](crate::Condition::Visible)), and what comes
//! close when nothing is found ([`NearMiss`](crate::NearMiss)).

mod area;
mod describe;
mod expressions;
mod link;
mod literal;
mod missed;
pub(crate) mod notation;
mod pattern;
mod regex;
mod relation;
mod resolve;
mod run;
mod style;
#[cfg(test)]
mod tests;

pub(crate) use expressions::Expressions;
pub use link::Link;
pub use notation::{Cover, Notation, NotationError};
pub use pattern::Pattern;
pub use regex::{Regex, RegexError};
pub use relation::Relation;
pub use resolve::{Ambiguity, SelectError};
pub use style::{Styled, Underlined};

use crate::{Changes, Match, Position, Rect, Screen};
use area::Area;

/// What to look for on a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selector {
    /// This text, letter for letter. A line end in it is the end of a row, and blanks at the end of a line may be cells
    /// that were never written, so that a prompt can be looked for as it is: `$ `. The empty text is found once, in the
    /// first cell, and takes no cell.
    Exact(String),
    /// What a light pattern describes. Its alternatives are looked for each on its own, so that their matches may share
    /// cells: see [`Pattern`].
    Pattern(Pattern),
    /// What a regular expression describes, in one line: a row together with those in which its text goes on.
    Regex(Regex),
    /// Whatever stands in this cell; nothing where it is blank.
    At(Position),
    /// Text that is drawn in a certain way: neighbouring cells that all fit, from their first character to their last,
    /// whatever else they differ in.
    Styled(Styled),
    /// Text that leads somewhere: neighbouring cells of one link.
    Link(Link),
    /// What the other finds in a rectangle. The rectangle is searched as if it were a screen of its own: a row begins
    /// and ends with it, and places inside (of [`Selector::At`] and of further rectangles) count from its first cell.
    /// A match has its place on the whole screen.
    Within(Rect, Box<Selector>),
    /// One of the other's matches, counted from 0.
    Nth(usize, Box<Selector>),
    /// Those of the other's matches that have a cell in the cursor's row, whether the cursor is shown or not.
    OnCursorRow(Box<Selector>),
    /// What any of them finds. Where two would share a cell, the one that begins first is found, and of those that begin
    /// together the one whose selector stands first here.
    Any(Vec<Selector>),
    /// Those matches of the first selector that stand so to a match of the second.
    Related(Box<Selector>, Relation, Box<Selector>),
}

impl Selector {
    /// This text, letter for letter.
    pub fn exact(text: impl Into<String>) -> Selector {
        Selector::Exact(text.into())
    }

    /// What a light pattern describes: `Ready|Done`, `took .* seconds`.
    pub fn pattern(pattern: impl Into<String>) -> Selector {
        Selector::Pattern(Pattern::new(pattern))
    }

    /// What a regular expression describes, in one line.
    pub fn regex(pattern: &str) -> Result<Selector, RegexError> {
        Regex::new(pattern).map(Selector::Regex)
    }

    /// Whatever stands in this cell.
    pub fn at(position: Position) -> Selector {
        Selector::At(position)
    }

    /// Text that is drawn in a certain way.
    pub fn styled(style: Styled) -> Selector {
        Selector::Styled(style)
    }

    /// Text that leads to this address.
    pub fn link(uri: impl Into<String>) -> Selector {
        Selector::Link(Link::To(uri.into()))
    }

    /// Text that leads to an address with this in it.
    pub fn link_containing(part: impl Into<String>) -> Selector {
        Selector::Link(Link::Containing(part.into()))
    }

    /// What it finds in a rectangle.
    #[must_use]
    pub fn within(self, rect: Rect) -> Selector {
        Selector::Within(rect, Box::new(self))
    }

    /// One of its matches, counted from 0.
    #[must_use]
    pub fn nth(self, index: usize) -> Selector {
        Selector::Nth(index, Box::new(self))
    }

    /// Those of its matches that have a cell in the cursor's row.
    #[must_use]
    pub fn on_cursor_row(self) -> Selector {
        Selector::OnCursorRow(Box::new(self))
    }

    /// What either finds. Where they would share a cell, only the match that begins first is found, and this one's of two
    /// that begin together.
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

    /// Its matches that lie inside a match of the other: text that is also bold.
    #[must_use]
    pub fn and(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Inside, other)
    }

    /// Its matches that share no cell with any match of the other: text that is not bold anywhere.
    #[must_use]
    pub fn and_not(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Apart, other)
    }

    /// Its matches inside which the other has one: the link that says “more”.
    #[must_use]
    pub fn holding(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Holding, other)
    }

    /// Its matches that begin behind a match of the other, in the same row: the value behind a label.
    #[must_use]
    pub fn right_of(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::RightOf, other)
    }

    /// Its matches that begin in a row below a match of the other and share a column with it: what is under a heading.
    #[must_use]
    pub fn below(self, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Below, other)
    }

    /// Its matches that are at most so many cells away from a match of the other, in any direction: 1 where they touch.
    #[must_use]
    pub fn near(self, cells: usize, other: impl Into<Selector>) -> Selector {
        self.related(Relation::Near(cells), other)
    }

    /// Its matches that stand so to a match of the other.
    #[must_use]
    pub fn related(self, relation: Relation, other: impl Into<Selector>) -> Selector {
        Selector::Related(Box::new(self), relation, Box::new(other.into()))
    }

    /// Everything that it finds, in reading order.
    pub fn matches(&self, screen: &Screen) -> Vec<Match> {
        self.search(Area::whole(screen))
    }

    /// What it finds that is new since a [`Baseline`](crate::Baseline), in reading order. [`Selector::Nth`] counts among
    /// these, or among all matches if that one is new. Of related selectors, only what the first finds must be new.
    pub fn matches_in(&self, changes: &Changes<'_>) -> Vec<Match> {
        self.search(Area::changed(changes))
    }

    /// What it finds in a rectangle that is new.
    pub(crate) fn matches_in_rect(&self, changes: &Changes<'_>, rect: Rect) -> Vec<Match> {
        self.search(Area::changed(changes).part(rect))
    }

    /// What it finds in a rectangle, as [`Selector::Within`] would.
    pub(crate) fn matches_within(&self, screen: &Screen, rect: Rect) -> Vec<Match> {
        self.search(Area::whole(screen).part(rect))
    }

    /// Whether it finds anything.
    pub fn is_visible(&self, screen: &Screen) -> bool {
        match self {
            // What nearly every wait asks: the first place is enough.
            Selector::Exact(text) => stands(screen, text),
            _ => !self.matches(screen).is_empty(),
        }
    }

    fn search(&self, area: Area<'_>) -> Vec<Match> {
        if area.is_empty() {
            return Vec::new();
        }
        let counted = |mut matches: Vec<Match>| {
            matches.retain(|found| area.counts(found));
            matches
        };
        match self {
            Selector::Exact(text) => counted(literal::all(area, text)),
            Selector::Pattern(pattern) => counted(pattern.all(area)),
            Selector::Regex(regex) => counted(regex.all(area)),
            Selector::At(position) => counted(area.character(*position).into_iter().collect()),
            Selector::Styled(style) => counted(style.all(area)),
            Selector::Link(link) => counted(link.all(area)),
            Selector::Within(rect, selector) => selector.search(area.part(*rect)),
            Selector::Nth(index, selector) => {
                let nth = |area| selector.search(area).into_iter().nth(*index);
                // Where only new matches count, a caller may have counted all that are shown.
                let shown = || {
                    let found = area.has_changes().then(|| nth(area.unchanged())).flatten();
                    found.filter(|found| area.counts(found))
                };
                nth(area).or_else(shown).into_iter().collect()
            }
            Selector::OnCursorRow(selector) => {
                let row = area.screen.cursor.position.row;
                let mut matches = selector.search(area);
                matches.retain(|found| found.spans().iter().any(|span| span.row == row));
                matches
            }
            Selector::Any(selectors) => any(selectors, area),
            Selector::Related(selector, relation, other) => {
                let mut matches = selector.search(area);
                if !matches.is_empty() {
                    let others = other.search(area.unchanged());
                    matches.retain(|found| relation.keeps(found, &others));
                }
                matches
            }
        }
    }
}

/// Whether a text stands somewhere on a screen.
pub(crate) fn stands(screen: &Screen, text: &str) -> bool {
    let area = Area::whole(screen);
    !area.is_empty() && literal::any(area, text)
}

/// The first place where a text stands on a screen.
pub(crate) fn first(screen: &Screen, text: &str) -> Option<Match> {
    let area = Area::whole(screen);
    (!area.is_empty())
        .then(|| literal::first(area, text))
        .flatten()
}

fn any(selectors: &[Selector], area: Area<'_>) -> Vec<Match> {
    let mut matches: Vec<Match> = selectors
        .iter()
        .flat_map(|selector| selector.search(area))
        .collect();
    // A stable sort: in the same place, the selector that stands first comes first.
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

/// A text is looked for letter for letter.
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

/// Text that is drawn so.
impl From<Styled> for Selector {
    fn from(style: Styled) -> Selector {
        Selector::Styled(style)
    }
}

/// What the expression describes, in one line.
impl From<Regex> for Selector {
    fn from(regex: Regex) -> Selector {
        Selector::Regex(regex)
    }
}

/// Text that leads there.
impl From<Link> for Selector {
    fn from(link: Link) -> Selector {
        Selector::Link(link)
    }
}
