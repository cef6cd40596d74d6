//! Evening out what may vary before screens are compared.
//!
//! A normaliser makes a screen from a screen: clocks, process numbers and spinners are covered with [`Mask::FILL`], rows
//! whose order does not matter are sorted. Two screens that differ only in such things are the same afterwards. It is
//! plain data: it can be compared, kept, combined, and says in reports what it does.
//!
//! Every cell keeps its column: what is covered is filled cell for cell, in no colour and without a link, and the cursor
//! stays where it is. So `9 ms` and `10 ms` are covered to different widths and what stands behind them still moves: a
//! [`Reach`] says how much more to cover, so that they compare equal.
//!
//! Doing it twice changes nothing more. Who covers by a selector or by a regular expression can break this, by asking for
//! what only the covering makes true: the first of several (`nth`), what stands behind a covered cell, blanks behind the
//! last text of a row, or the fill itself.
//! So can a list that sorts first and covers what it sorted by; sort last.
//!
//! This is about what may vary, not about secrets: what was covered may still stand in the title or in the raw bytes.
//!
//! Elsewhere: how cells are covered (`mask.rs`), how they are found ([`Selector`]).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::query::mask;
use crate::query::selector::{Regex, RegexError};
use crate::{Mask, Match, Rect, Screen, Selector};

mod order;
mod reach;
#[cfg(test)]
mod tests;
mod volatile;

pub use reach::Reach;
pub use volatile::Volatile;

/// What to even out before screens are compared.
///
/// ```
/// use screentest_core::query::normaliser::Normaliser;
/// use screentest_core::query::normaliser::Reach;
///
/// # fn main() -> Result<(), screentest_core::query::selector::RegexError> {
/// let even = Normaliser::all([
///     Normaliser::clocks(),
///     Normaliser::durations().reaching(Reach::Blanks),
///     Normaliser::regex("build ([0-9a-f]{7})")?,
/// ]);
/// assert_eq!(
///     even.to_string(),
///     "clocks; durations with the blanks around; regex `build ([0-9a-f]{7})`",
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
    Volatile(Volatile),
    /// Covers what a regular expression finds in one line: its groups or, where it has none, the whole.
    Regex(Regex),
    /// Covers what a selector finds.
    Selector(Selector),
    /// Sorts the rows of a rectangle by their text, those without any last. Columns beside it stay. That the text of a
    /// row goes on in the next is forgotten where the rectangle reaches the last column.
    Ordered(Rect),
    /// The other, covering more than what was found. A mask covers its rectangle all the same.
    Reaching(Reach, Box<Normaliser>),
    /// The other, in a rectangle that is looked at as if it were a screen of its own, as in [`Selector::Within`].
    Within(Rect, Box<Normaliser>),
    /// One after the other.
    All(Vec<Normaliser>),
}

impl Normaliser {
    /// Covers a rectangle.
    pub fn mask(rect: Rect) -> Normaliser {
        Normaliser::Mask(Mask::new(rect))
    }

    /// Covers clocks and dates: `12:34`, `9:05:00 PM`, `2026-11-16T12:34:56Z`, `Nov 16`.
    pub fn clocks() -> Normaliser {
        Normaliser::Volatile(Volatile::Clocks)
    }

    /// Covers process numbers: `pid 4711`, `sshd[4711]`, and the numbers under a heading `PID`.
    pub fn pids() -> Normaliser {
        Normaliser::Volatile(Volatile::Pids)
    }

    /// Covers how long something took: `1.23s`, `250 ms`, `1m 02s`, `00:01:02`.
    pub fn durations() -> Normaliser {
        Normaliser::Volatile(Volatile::Durations)
    }

    /// Covers the numbers of animations: `frame=12`, `tick 7`, `60 fps`.
    pub fn counters() -> Normaliser {
        Normaliser::Volatile(Volatile::Counters)
    }

    /// Covers the numbers of percentages: `42%`, `99.5 %`.
    pub fn percentages() -> Normaliser {
        Normaliser::Volatile(Volatile::Percentages)
    }

    /// Covers spinners: `⠋`, `◐`, or one of `|/-\` between blanks.
    pub fn spinners() -> Normaliser {
        Normaliser::Volatile(Volatile::Spinners)
    }

    /// Covers this text, wherever it stands.
    pub fn text(text: impl Into<String>) -> Normaliser {
        Normaliser::Selector(Selector::exact(text))
    }

    /// Covers what a regular expression finds in one line: its groups or, where it has none, the whole.
    pub fn regex(pattern: &str) -> Result<Normaliser, RegexError> {
        Regex::new(pattern).map(Normaliser::Regex)
    }

    /// Covers what a selector finds.
    pub fn selector(selector: impl Into<Selector>) -> Normaliser {
        Normaliser::Selector(selector.into())
    }

    /// Sorts the rows of a rectangle, such as those of a process list.
    pub fn ordered(rect: Rect) -> Normaliser {
        Normaliser::Ordered(rect)
    }

    /// One after the other.
    pub fn all<N: Into<Normaliser>>(normalisers: impl IntoIterator<Item = N>) -> Normaliser {
        Normaliser::All(normalisers.into_iter().map(Into::into).collect())
    }

    /// The same, covering more than what was found.
    #[must_use]
    pub fn reaching(self, reach: Reach) -> Normaliser {
        Normaliser::Reaching(reach, Box::new(self))
    }

    /// The same, in a rectangle only.
    #[must_use]
    pub fn within(self, rect: Rect) -> Normaliser {
        Normaliser::Within(rect, Box::new(self))
    }

    /// The screen with what may vary evened out. Rows that are not touched stay shared.
    pub fn apply(&self, screen: &Screen) -> Screen {
        self.apply_in(screen, screen.size.rect(), Reach::Match)
    }

    fn apply_in(&self, screen: &Screen, rect: Rect, reach: Reach) -> Screen {
        let cover = |matches: &[Match]| cover(screen, rect, reach, matches);
        match self {
            Normaliser::Mask(mask) => Mask::new(mask.rect().inside(rect)).apply(screen),
            Normaliser::Volatile(volatile) => cover(&volatile.matches(screen, rect)),
            Normaliser::Regex(regex) => cover(&regex.parts(screen, rect)),
            Normaliser::Selector(selector) => cover(&selector.matches_within(screen, rect)),
            Normaliser::Ordered(part) => order::ordered(screen, part.inside(rect)),
            Normaliser::Reaching(reach, inner) => inner.apply_in(screen, rect, *reach),
            Normaliser::Within(part, inner) => inner.apply_in(screen, part.inside(rect), reach),
            Normaliser::All(normalisers) => {
                normalisers.iter().fold(screen.clone(), |screen, next| {
                    next.apply_in(&screen, rect, reach)
                })
            }
        }
    }
}

/// The screen with the cells of matches covered.
pub(crate) fn covered(screen: &Screen, matches: &[Match]) -> Screen {
    cover(screen, screen.size.rect(), Reach::Match, matches)
}

/// The screen with the cells of matches covered, and those that they reach inside a rectangle.
fn cover(screen: &Screen, rect: Rect, reach: Reach, matches: &[Match]) -> Screen {
    let width = usize::from(screen.size.cols);
    // Marked in the screen as it was: what one match reaches must not depend on whether another was covered before.
    let mut covered: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for span in matches
        .iter()
        .flat_map(|found| reach.spans(screen, rect, found))
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
            // A text that went on still does: otherwise the next row would begin a line, in which more could be found.
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

impl From<Volatile> for Normaliser {
    fn from(volatile: Volatile) -> Normaliser {
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

/// One after the other.
impl From<Vec<Normaliser>> for Normaliser {
    fn from(normalisers: Vec<Normaliser>) -> Normaliser {
        Normaliser::All(normalisers)
    }
}

/// What is evened out, as reports name it: `clocks; pids within rows 2–4; the order of rows 2–9`.
impl fmt::Display for Normaliser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Normaliser::Mask(mask) => write!(f, "{}", mask.rect()),
            Normaliser::Volatile(volatile) => write!(f, "{volatile}"),
            Normaliser::Regex(regex) => write!(f, "regex `{}`", regex.as_str()),
            Normaliser::Selector(selector) => write!(f, "{selector}"),
            Normaliser::Ordered(rect) => write!(f, "the order of {rect}"),
            Normaliser::Reaching(Reach::Match, inner) => write!(f, "{inner}"),
            Normaliser::Reaching(reach, inner) => write!(f, "{} {reach}", Part(inner)),
            Normaliser::Within(rect, inner) => write!(f, "{} within {rect}", Part(inner)),
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

/// A normaliser before words that belong to all of it.
struct Part<'a>(&'a Normaliser);

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Normaliser::All(_) => write!(f, "({})", self.0),
            Normaliser::Selector(selector) if selector.is_compound() => write!(f, "({selector})"),
            other => write!(f, "{other}"),
        }
    }
}
