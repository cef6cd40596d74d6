//! Resolves a selector to one match.
//!
//! A click or a read needs exactly one match. The caller decides what happens when there are
//! several; choosing one silently would let a test pass for the wrong reason.

use super::Selector;
use crate::{Changes, Match, Rect, Screen, Size};

/// What to do when a selector finds more than one match. `At` and `Nth` never find more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ambiguity {
    /// Returns an error.
    #[default]
    Fail,
    /// Takes the first match in reading order.
    First,
    /// Takes the last match in reading order.
    Last,
}

/// Reasons why a selector has no single match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// A position in the selector is outside the screen, so it can never be found.
    #[error("`{place}` is outside the searched area of {searched} cells")]
    Outside {
        /// The position, as given in the selector.
        place: Rect,
        /// The size of the screen, or of the rectangle that the position is relative to.
        searched: Size,
    },
    /// Nothing was found.
    #[error("{selector} not found")]
    NotFound {
        /// The selector that was searched.
        selector: Selector,
    },
    /// More than one match was found.
    #[error("{selector} found {} times: {}", matches.len(), list(matches))]
    Ambiguous {
        /// The selector that was searched.
        selector: Selector,
        /// All matches, in reading order.
        matches: Vec<Match>,
    },
}

fn list(matches: &[Match]) -> String {
    let each: Vec<String> = matches.iter().map(Match::to_string).collect();
    each.join("; ")
}

impl Selector {
    /// Returns the only match, or the one that `ambiguity` chooses.
    pub fn resolve(&self, screen: &Screen, ambiguity: Ambiguity) -> Result<Match, SelectError> {
        self.resolve_in(&Changes::all(screen), ambiguity)
    }

    /// Does the same as [`Selector::resolve`], but only matches that are new since a
    /// [`Baseline`](crate::Baseline) count.
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

    /// Checks that every position in the selector is on a screen of this size, and returns
    /// [`SelectError::Outside`] if not. Call it before waiting: such a wait could only time out.
    pub fn check(&self, size: Size) -> Result<(), SelectError> {
        let inside = |place: Rect| {
            let inside = place.clipped(size.rect());
            if inside.is_empty() {
                let searched = size;
                return Err(SelectError::Outside { place, searched });
            }
            Ok(Size {
                // Not larger than `size`, because `inside` is clipped to it.
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
            Selector::Image(image) => match image.at {
                Some(at) => Selector::At(at).check(size),
                None => Ok(()),
            },
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
