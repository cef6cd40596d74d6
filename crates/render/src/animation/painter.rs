//! Trait of types that draw the frames of an animation.
//!
//! Each frame is drawn over the one before, so only changed rows are redrawn. Several threads draw
//! at once, each with its own clone of the painter.

use std::ops::Range;
use std::sync::Arc;

use screentest_core::{Screen, Size};

use crate::Pixels;
use crate::picture::image_painter;

/// The size of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PixelSize {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
}

impl PixelSize {
    /// Returns the number of pixels; saturates on overflow.
    pub fn pixels(self) -> usize {
        self.width.saturating_mul(self.height)
    }
}

/// Draws screens as pixels. The pixels of a screen depend only on the screen. They are opaque:
/// alpha is ignored.
pub trait Painter: Clone + Send + Sync {
    /// Returns the extent of the picture of a screen.
    fn extent(&self, size: Size) -> PixelSize;

    /// Draws a screen and returns the rows of pixels that may have changed.
    ///
    /// `pixels` has the screen's extent and shows the screen `before`, which has the same size.
    /// Without `before` the pixels are arbitrary, and all of them must be drawn.
    fn paint(
        &mut self,
        screen: &Screen,
        before: Option<&Screen>,
        pixels: &mut Pixels,
    ) -> Range<usize>;
}

/// Returns the rows of a screen that look different from the screen before, including rows that the
/// cursor left or entered, and rows with other images: all rows if the program changed a colour of
/// the terminal.
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
    let recolored = screen.palette != before.palette;
    let old = before;
    let rows = screen.rows.iter().zip(&before.rows).enumerate();
    rows.filter(move |(index, (row, before))| {
        recolored
            || moved(*index)
            || !(Arc::ptr_eq(row, before) || row == before)
            || !image_painter::same_in_row(screen, old, *index)
    })
    .map(|(index, _)| index)
}
