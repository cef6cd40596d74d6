//! Normalisation of screens before they are compared.
//!
//! A normaliser turns a screen into a screen: clocks, process ids and spinners are covered (filled
//! with [`Mask::FILL`]), and rows whose order does not matter are sorted. Two screens that differ
//! only in such parts are equal afterwards. A normaliser is plain data: it can be compared, stored
//! and combined, and its `Display` describes it in reports.
//!
//! Every cell keeps its column: cells are covered one by one, without colour and without a link,
//! and the cursor is not moved. So `9 ms` and `10 ms` are covered with different widths, and the
//! text after them is still in different columns. An [`Extent`] covers more cells, so that they
//! compare equal.
//!
//! Normalising twice gives the same result as once. Selectors and regular expressions can break
//! this rule if they match something only because of the covering: the first of several (`nth`),
//! the text after a covered cell, spaces after the last text of a row, or the fill itself. A list
//! that first sorts rows and then covers their text can break it too, so sort last.
//!
//! Normalisation is for parts that vary, not for secrets: covered text may still be in the title or
//! in the raw bytes.
//!
//! See also: how cells are covered (`mask.rs`), how they are found ([`Selector`]).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::query::mask;
use crate::query::selector::{Regex, RegexError};
use crate::{Mask, Match, Rect, Screen, Selector};

mod extent;
mod order;
#[cfg(test)]
mod tests;
mod volatile;

pub use extent::Extent;
pub use volatile::VolatileText;

/// Which parts of a screen to normalise before a comparison.
///
/// ```
/// use screentest_core::query::normaliser::Normaliser;
/// use screentest_core::query::normaliser::Extent;
///
/// # fn main() -> Result<(), screentest_core::query::selector::RegexError> {
/// let even = Normaliser::all([
///     Normaliser::clocks(),
///     Normaliser::durations().reaching(Extent::Blanks),
///     Normaliser::regex("build ([0-9a-f]{7})")?,
/// ]);
/// assert_eq!(
///     even.to_string(),
///     "clocks; durations with the spaces around; regex `build ([0-9a-f]{7})`",
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Normaliser {
    /// Covers a rectangle.
    Mask(Mask),
    /// Covers a kind of text that varies by nature.
    Volatile(VolatileText),
    /// Covers the matches of a regular expression within one line: its groups or, if it has none,
    /// the whole match.
    Regex(Regex),
    /// Covers the matches of a selector.
    Selector(Selector),
    /// Sorts the rows of a rectangle by their text; rows without text come last. Columns outside
    /// the rectangle stay. If the rectangle includes the last column, its rows no longer count as
    /// wrapped.
    Ordered(Rect),
    /// Applies the inner normaliser, covering more than the matches. A mask covers exactly its
    /// rectangle.
    Reaching(Extent, Box<Normaliser>),
    /// Applies the inner normaliser in a rectangle as if it were a whole screen, as in
    /// [`Selector::Within`].
    Within(Rect, Box<Normaliser>),
    /// Applies each normaliser in turn.
    All(Vec<Normaliser>),
}

impl Normaliser {
    /// Covers a rectangle.
    pub fn mask(rect: Rect) -> Normaliser {
        Normaliser::Mask(Mask::new(rect))
    }

    /// Covers clocks and dates: `12:34`, `9:05:00 PM`, `2026-11-16T12:34:56Z`, `Nov 16`.
    pub fn clocks() -> Normaliser {
        Normaliser::Volatile(VolatileText::Clocks)
    }

    /// Covers process ids: `pid 4711`, `sshd[4711]`, and the numbers under a heading `PID`.
    pub fn pids() -> Normaliser {
        Normaliser::Volatile(VolatileText::Pids)
    }

    /// Covers durations: `1.23s`, `250 ms`, `1m 02s`, `00:01:02`.
    pub fn durations() -> Normaliser {
        Normaliser::Volatile(VolatileText::Durations)
    }

    /// Covers the numbers of animations: `frame=12`, `tick 7`, `60 fps`.
    pub fn counters() -> Normaliser {
        Normaliser::Volatile(VolatileText::Counters)
    }

    /// Covers the numbers of percentages: `42%`, `99.5 %`.
    pub fn percentages() -> Normaliser {
        Normaliser::Volatile(VolatileText::Percentages)
    }

    /// Covers spinners: `⠋`, `◐`, or one of `|/-\` between spaces.
    pub fn spinners() -> Normaliser {
        Normaliser::Volatile(VolatileText::Spinners)
    }

    /// Covers this text wherever it is found.
    pub fn text(text: impl Into<String>) -> Normaliser {
        Normaliser::Selector(Selector::exact(text))
    }

    /// Covers the matches of a regular expression within one line: its groups or, if it has none,
    /// the whole match.
    pub fn regex(pattern: &str) -> Result<Normaliser, RegexError> {
        Regex::new(pattern).map(Normaliser::Regex)
    }

    /// Covers the matches of a selector.
    pub fn selector(selector: impl Into<Selector>) -> Normaliser {
        Normaliser::Selector(selector.into())
    }

    /// Sorts the rows of a rectangle, such as those of a process list.
    pub fn ordered(rect: Rect) -> Normaliser {
        Normaliser::Ordered(rect)
    }

    /// Applies each normaliser in turn.
    pub fn all<N: Into<Normaliser>>(normalisers: impl IntoIterator<Item = N>) -> Normaliser {
        Normaliser::All(normalisers.into_iter().map(Into::into).collect())
    }

    /// Covers more than the matches.
    #[must_use]
    pub fn reaching(self, extent: Extent) -> Normaliser {
        Normaliser::Reaching(extent, Box::new(self))
    }

    /// Restricts it to a rectangle.
    #[must_use]
    pub fn within(self, rect: Rect) -> Normaliser {
        Normaliser::Within(rect, Box::new(self))
    }

    /// Returns the normalised screen. Untouched rows stay shared.
    pub fn apply(&self, screen: &Screen) -> Screen {
        self.apply_in(screen, screen.size.rect(), Extent::Match)
    }

    fn apply_in(&self, screen: &Screen, rect: Rect, extent: Extent) -> Screen {
        let cover = |matches: &[Match]| cover(screen, rect, extent, matches);
        match self {
            Normaliser::Mask(mask) => Mask::new(mask.rect().inside(rect)).apply(screen),
            Normaliser::Volatile(volatile) => cover(&volatile.matches(screen, rect)),
            Normaliser::Regex(regex) => cover(&regex.parts(screen, rect)),
            Normaliser::Selector(selector) => cover(&selector.matches_within(screen, rect)),
            Normaliser::Ordered(part) => order::ordered(screen, part.inside(rect)),
            Normaliser::Reaching(extent, inner) => inner.apply_in(screen, rect, *extent),
            Normaliser::Within(part, inner) => inner.apply_in(screen, part.inside(rect), extent),
            Normaliser::All(normalisers) => {
                normalisers.iter().fold(screen.clone(), |screen, next| {
                    next.apply_in(&screen, rect, extent)
                })
            }
        }
    }
}

/// Returns the screen with the cells of the matches covered.
pub(crate) fn covered(screen: &Screen, matches: &[Match]) -> Screen {
    cover(screen, screen.size.rect(), Extent::Match, matches)
}

/// Returns the screen with the cells of the matches covered, and those that `extent` adds inside a
/// rectangle.
fn cover(screen: &Screen, rect: Rect, extent: Extent, matches: &[Match]) -> Screen {
    let width = usize::from(screen.size.cols);
    // Determined on the unchanged screen: the extent of one match must not depend on whether
    // another was covered before.
    let mut covered: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for span in matches
        .iter()
        .flat_map(|found| extent.spans(screen, rect, found))
    {
        let row = covered
            .entry(span.row)
            .or_insert_with(|| vec![false; width]);
        if let Some(cells) = row.get_mut(span.cols) {
            cells.fill(true);
        }
    }
    let mut evened = screen.clone();
    for (row, covered) in covered {
        if let Some(row) = evened.rows.get_mut(row) {
            let is_covered = |col| covered.get(col).copied().unwrap_or(false);
            // A wrapped row stays wrapped: otherwise the next row would begin a new line, and more
            // text could match there.
            *row = Arc::new(mask::cover(row, width, row.wrapped(), is_covered));
        }
    }
    evened
}

impl From<Mask> for Normaliser {
    fn from(mask: Mask) -> Normaliser {
        Normaliser::Mask(mask)
    }
}

impl From<VolatileText> for Normaliser {
    fn from(volatile: VolatileText) -> Normaliser {
        Normaliser::Volatile(volatile)
    }
}

impl From<Regex> for Normaliser {
    fn from(regex: Regex) -> Normaliser {
        Normaliser::Regex(regex)
    }
}

impl From<Selector> for Normaliser {
    fn from(selector: Selector) -> Normaliser {
        Normaliser::Selector(selector)
    }
}

/// Applies each normaliser in turn.
impl From<Vec<Normaliser>> for Normaliser {
    fn from(normalisers: Vec<Normaliser>) -> Normaliser {
        Normaliser::All(normalisers)
    }
}

/// The description in reports: `clocks; pids within rows 2–4; the order of rows 2–9`.
impl fmt::Display for Normaliser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Normaliser::Mask(mask) => write!(f, "{}", mask.rect()),
            Normaliser::Volatile(volatile) => write!(f, "{volatile}"),
            Normaliser::Regex(regex) => write!(f, "regex `{}`", regex.as_str()),
            Normaliser::Selector(selector) => write!(f, "{selector}"),
            Normaliser::Ordered(rect) => write!(f, "the order of {rect}"),
            Normaliser::Reaching(Extent::Match, inner) => write!(f, "{inner}"),
            Normaliser::Reaching(extent, inner) => {
                write!(f, "{} {extent}", NestedNormaliser(inner))
            }
            Normaliser::Within(rect, inner) => {
                write!(f, "{} within {rect}", NestedNormaliser(inner))
            }
            Normaliser::All(normalisers) => {
                let [first, rest @ ..] = normalisers.as_slice() else {
                    return f.write_str("nothing");
                };
                write!(f, "{first}")?;
                rest.iter().try_for_each(|next| write!(f, "; {next}"))
            }
        }
    }
}

/// A normaliser before words that apply to all of it.
struct NestedNormaliser<'a>(&'a Normaliser);

impl fmt::Display for NestedNormaliser<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Normaliser::All(_) => write!(f, "({})", self.0),
            Normaliser::Selector(selector) if selector.is_compound() => write!(f, "({selector})"),
            other => write!(f, "{other}"),
        }
    }
}
