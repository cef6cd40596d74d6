//! From many matches to the one that is meant.
//!
//! To click or to read, there must be one match. What happens when there are more is for the caller to say; to guess
//! silently would make a test pass for the wrong reason.

use super::Selector;
use crate::{Changes, Match, Rect, Screen, Size};

/// What to do when a selector finds more than one match. At and Nth never do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ambiguity {
    /// It is an error.
    #[default]
    Fail,
    /// The first in reading order is meant.
    First,
    /// The last in reading order is meant.
    Last,
}

/// Why there is no one match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// A place that was named is not on the screen, so that nothing could ever be found there.
    #[error("`{place}` is outside the {searched} cells that are searched")]
    Outside {
        /// The place, as the selector gives it.
        place: Rect,
        /// The size of the screen, or of the rectangle in which the place counts.
        searched: Size,
    },
    /// Nothing was found.
    #[error("{selector} not found")]
    NotFound {
        /// What was looked for.
        selector: Selector,
    },
    /// More than one match was found.
    #[error("{selector} found {} times: {}", matches.len(), list(matches))]
    Ambiguous {
        /// What was looked for.
        selector: Selector,
        /// All that was found, in reading order.
        matches: Vec<Match>,
    },
}

fn list(matches: &[Match]) -> String {
    let each: Vec<String> = matches.iter().map(Match::to_string).collect();
    each.join("; ")
}

impl Selector {
    /// The one match that is meant.
    pub fn resolve(&self, screen: &Screen, ambiguity: Ambiguity) -> Result<Match, SelectError> {
        self.resolve_in(&Changes::all(screen), ambiguity)
    }

    /// The one match that is meant, of those that are new since a [`Baseline`](crate::Baseline).
    pub fn resolve_in(
        &self,
        changes: &Changes<'_>,
        ambiguity: Ambiguity,
    ) -> Result<Match, SelectError> {
        self.check(changes.screen().size)?;
        let mut matches = self.matches_in(changes);
        if ambiguity == Ambiguity::Fail && matches.len() > 1 {
            return Err(SelectError::Ambiguous {
                selector: self.clone(),
                matches,
            });
        }
        let meant = match ambiguity {
            Ambiguity::First => matches.into_iter().next(),
            Ambiguity::Fail | Ambiguity::Last => matches.pop(),
        };
        meant.ok_or_else(|| SelectError::NotFound {
            selector: self.clone(),
        })
    }

    /// Whether every place that it names is on a screen of this size: [`SelectError::Outside`] if not. To be asked
    /// before waiting, as such a wait would only end with its time.
    pub fn check(&self, size: Size) -> Result<(), SelectError> {
        let inside = |place: Rect| {
            let inside = place.clipped(size.rect());
            if inside.is_empty() {
                let searched = size;
                return Err(SelectError::Outside { place, searched });
            }
            Ok(Size {
                // No larger than `size`, which is clipped to.
                cols: inside.cols as u16,
                rows: inside.rows as u16,
            })
        };
        match self {
            Selector::Exact(_)
            | Selector::Pattern(_)
            | Selector::Regex(_)
            | Selector::Styled(_)
            | Selector::Link(_) => Ok(()),
            Selector::At(position) => inside(Rect {
                row: position.row,
                col: position.col,
                rows: 1,
                cols: 1,
            })
            .map(drop),
            Selector::Within(rect, selector) => selector.check(inside(*rect)?),
            Selector::Nth(_, selector) | Selector::OnCursorRow(selector) => selector.check(size),
            Selector::Any(selectors) => selectors.iter().try_for_each(|s| s.check(size)),
            Selector::Related(selector, _, other) => {
                selector.check(size)?;
                other.check(size)
            }
        }
    }
}
