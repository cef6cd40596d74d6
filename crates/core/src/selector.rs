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
//! Elsewhere: what was found ([`Match`]), and waiting for it ([`Condition::Visible`](crate::Condition::Visible)).

mod area;
mod describe;
mod link;
mod literal;
mod pattern;
mod regex;
mod resolve;
mod run;
mod style;
#[cfg(test)]
mod tests;

pub use link::Link;
pub use pattern::Pattern;
pub use regex::{Regex, RegexError};
pub use resolve::{Ambiguity, SelectError};
pub use style::{Styled, Underlined};

use crate::{Match, Position, Rect, Screen};
use area::Area;

/// What to look for on a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selector {
    /// This text, letter for letter. A line end in it is the end of a row. The empty text is found once, in the first
    /// cell, and takes no cell.
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

    /// Everything that it finds, in reading order.
    pub fn matches(&self, screen: &Screen) -> Vec<Match> {
        self.search(Area::whole(screen))
    }

    /// Whether it finds anything.
    pub fn is_visible(&self, screen: &Screen) -> bool {
        !self.matches(screen).is_empty()
    }

    fn search(&self, area: Area<'_>) -> Vec<Match> {
        if area.is_empty() {
            return Vec::new();
        }
        match self {
            Selector::Exact(text) => literal::all(area, text),
            Selector::Pattern(pattern) => pattern.all(area),
            Selector::Regex(regex) => regex.all(area),
            Selector::At(position) => area.character(*position).into_iter().collect(),
            Selector::Styled(style) => style.all(area),
            Selector::Link(link) => link.all(area),
            Selector::Within(rect, selector) => selector.search(area.part(*rect)),
            Selector::Nth(index, selector) => {
                let mut matches = selector.search(area).into_iter();
                matches.nth(*index).into_iter().collect()
            }
        }
    }
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
