//! Who draws a film's screens.
//!
//! Drawing is asked for one shot after another on the same pixels, so that only what changed is drawn again. Several
//! threads draw at once, each with a painter of its own.

use std::ops::Range;
use std::sync::Arc;

use screentest_core::{Screen, Size};

use crate::Pixels;

/// How large a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Pixels from left to right.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
}

impl Extent {
    /// How many pixels it has; the largest number where they cannot be counted.
    pub fn pixels(self) -> usize {
        self.width.saturating_mul(self.height)
    }
}

/// Draws screens as pixels. The pixels of a screen depend on nothing but the screen. They are opaque: alpha is not looked
/// at.
pub trait Painter: Clone + Send + Sync {
    /// How large the picture of a screen is.
    fn extent(&self, size: Size) -> Extent;

    /// Draws a screen, and says which rows of pixels may differ from before.
    ///
    /// The pixels have the screen's extent. They show the screen `before`, which is of the same size; without one they
    /// show anything, and all of them are to be drawn.
    fn paint(
        &mut self,
        screen: &Screen,
        before: Option<&Screen>,
        pixels: &mut Pixels,
    ) -> Range<usize>;
}

/// The rows of a screen that look different from the one before, the ones that a cursor left or reached among them.
pub fn changed_rows<'a>(
    screen: &'a Screen,
    before: &'a Screen,
) -> impl Iterator<Item = usize> + 'a {
    let cursor = |screen: &Screen| screen.cursor.visible.then_some(screen.cursor);
    let (now, then) = (cursor(screen), cursor(before));
    let moved = move |row: usize| {
        let here = |cursor: &screentest_core::Cursor| cursor.position.row == row;
        now != then && (now.is_some_and(|now| here(&now)) || then.is_some_and(|then| here(&then)))
    };
    let rows = screen.rows.iter().zip(&before.rows).enumerate();
    rows.filter(move |(index, (row, before))| {
        moved(*index) || !(Arc::ptr_eq(row, before) || row == before)
    })
    .map(|(index, _)| index)
}
