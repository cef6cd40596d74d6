//! Draws the part of the images that is in one row of a screen.

use std::ops::Range;
use std::sync::Arc;

use screentest_core::{ImagePlacement, Screen};

use super::blend::mix;
use crate::image::{ImageCache, PlacedRect};
use crate::layout::window::WindowLayout;
use crate::{Grid, Pixels};

/// When an image is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImageLayer {
    /// Before backgrounds that the program has set.
    BelowBackgrounds,
    /// Between backgrounds and text.
    BelowText,
    /// After the text.
    AboveText,
}

impl ImageLayer {
    fn of(placed: &ImagePlacement) -> ImageLayer {
        if placed.z < ImagePlacement::BELOW_BACKGROUNDS {
            ImageLayer::BelowBackgrounds
        } else if placed.is_below_text() {
            ImageLayer::BelowText
        } else {
            ImageLayer::AboveText
        }
    }
}

/// The images that are visible in a row, in drawing order.
#[derive(Debug, Clone, Default)]
pub(super) struct RowImages<'a> {
    row: usize,
    placements: Vec<&'a ImagePlacement>,
}

impl<'a> RowImages<'a> {
    pub(super) fn of(screen: &'a Screen, row: usize) -> RowImages<'a> {
        RowImages {
            row,
            placements: in_row(screen, row).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.placements.is_empty()
    }
}

/// Returns the images that are visible in a row.
pub(crate) fn in_row(screen: &Screen, row: usize) -> impl Iterator<Item = &ImagePlacement> {
    let images = screen.images.iter();
    images.filter(move |placed| {
        let mut rects = placed.visible.iter();
        rects.any(|rect| (rect.row..rect.row.saturating_add(rect.rows)).contains(&row))
    })
}

/// Returns whether a row has the same images on two screens.
pub(crate) fn same_in_row(one: &Screen, other: &Screen, row: usize) -> bool {
    Arc::ptr_eq(&one.images, &other.images) || in_row(one, row).eq(in_row(other, row))
}

/// Draws the images of one layer in a row. Only cells for which `is_drawn` returns true are drawn.
pub(super) fn draw(
    pixels: &mut Pixels,
    layout: &WindowLayout,
    grid: Grid,
    images: &RowImages<'_>,
    layer: ImageLayer,
    cache: &ImageCache,
    is_drawn: impl Fn(usize) -> bool,
) {
    for placed in &images.placements {
        if ImageLayer::of(placed) != layer {
            continue;
        }
        let rect = PlacedRect::of(placed, grid);
        let Some(scaled) = cache.scaled(placed, rect) else {
            continue;
        };
        let rects = placed.visible.iter();
        let here = rects.filter(|rect| (rect.row..rect.row + rect.rows).contains(&images.row));
        for cells in here {
            for cols in runs(cells.col..cells.col + cells.cols, &is_drawn) {
                draw_cells(pixels, layout, grid, images.row, cols, rect, &scaled);
            }
        }
    }
}

/// Splits columns into runs for which `is_drawn` returns true.
fn runs(cols: Range<usize>, is_drawn: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for col in cols.filter(|col| is_drawn(*col)) {
        match runs.last_mut().filter(|last| last.end == col) {
            Some(last) => last.end += 1,
            None => runs.push(col..col + 1),
        }
    }
    runs
}

/// Draws an image in some columns of a row. `rect` is its place relative to the first cell.
fn draw_cells(
    pixels: &mut Pixels,
    layout: &WindowLayout,
    grid: Grid,
    row: usize,
    cols: Range<usize>,
    rect: PlacedRect,
    scaled: &Pixels,
) {
    let across = overlap(
        cols.start * grid.cell_width,
        cols.end * grid.cell_width,
        rect.x,
        rect.width,
    );
    let down = overlap(
        row * grid.cell_height,
        (row + 1) * grid.cell_height,
        rect.y,
        rect.height,
    );
    // A scaled image may be smaller than its rectangle.
    let is_exact = (scaled.width(), scaled.height()) == (rect.width, rect.height);
    for y in down {
        let from_y = (y as i64 - rect.y) as usize;
        let from = scaled.row(if is_exact {
            from_y
        } else {
            from_y * scaled.height() / rect.height
        });
        let line = pixels.row_mut(layout.cells_top + y);
        for x in across.clone() {
            let from_x = (x as i64 - rect.x) as usize;
            let over = from[if is_exact {
                from_x
            } else {
                from_x * scaled.width() / rect.width
            }];
            // Cells outside the picture are cut off.
            let Some(under) = line.get_mut(layout.cells_left + x) else {
                break;
            };
            *under = match over[3] {
                0 => *under,
                255 => [over[0], over[1], over[2], under[3]],
                opacity => mix(*under, over, opacity),
            };
        }
    }
}

/// Returns the part of a range that a length from `from` on covers.
fn overlap(start: usize, end: usize, from: i64, length: usize) -> Range<usize> {
    let last = from.saturating_add(length as i64).max(0) as usize;
    let first = (from.max(0) as usize).max(start);
    first..last.min(end).max(first)
}

#[cfg(test)]
mod tests;
