//! Writes images into HTML, positioned over or under the rows.
//!
//! Each visible rectangle of cells is an element that clips the image to it. Columns are measured
//! in `ch`, so that images match the text in any font. Images below the text are also below
//! coloured backgrounds, which belong to the same elements as the text.

use std::fmt::Write;

use screentest_core::ImagePlacement;
use screentest_core::screen::image::{CELL_HEIGHT, CELL_WIDTH};

use crate::formats::image_element;
use crate::formats::span::escape;
use crate::image::ImageCache;
use crate::{Grid, RenderOptions};

/// Writes all images, in their order.
pub(super) fn write(out: &mut String, images: &[ImagePlacement], options: &RenderOptions) {
    let cache = ImageCache::default();
    for placed in images {
        let Some(uri) = image_element::data_uri(placed, &cache) else {
            continue;
        };
        for cells in placed.visible.iter() {
            let below = if placed.is_below_text() {
                ";z-index:-1"
            } else {
                ""
            };
            let padding = options.scale.times(options.window.padding) as f64;
            let _ = write!(
                out,
                "<span style=\"position:absolute;overflow:hidden;pointer-events:none;left:{};top:{}px;width:{};height:{}px{below}\">",
                across(cells.col as f64, padding, options),
                down(cells.row as f64, options) + padding,
                across(cells.cols as f64, 0.0, options),
                down(cells.rows as f64, options),
            );
            let drawn = placed.drawn;
            let col = f64::from(placed.col) - cells.col as f64;
            let row = f64::from(placed.row) - cells.row as f64;
            let cols = |pixels: u32| f64::from(pixels) / f64::from(CELL_WIDTH);
            let rows = |pixels: u32| f64::from(pixels) / f64::from(CELL_HEIGHT);
            let _ = write!(
                out,
                "<img style=\"position:absolute;max-width:none;left:{};top:{}px;width:{};height:{}px\" src=\"{uri}\" alt=\"",
                across(col + cols(drawn.x), 0.0, options),
                down(row + rows(drawn.y), options),
                across(cols(drawn.width), 0.0, options),
                down(rows(drawn.height), options),
            );
            escape::push(out, &image_element::description(placed));
            out.push_str("\"></span>");
        }
    }
}

/// Returns the width of some columns and pixels in CSS.
fn across(columns: f64, pixels: f64, options: &RenderOptions) -> String {
    let spacing = f64::from(options.letter_spacing * options.scale.factor()) * columns;
    let (columns, pixels) = (hundredths(columns), hundredths(pixels + spacing));
    if pixels == 0.0 {
        format!("{columns}ch")
    } else {
        format!("calc({columns}ch + {pixels}px)")
    }
}

/// Returns the height of some rows in pixels.
fn down(rows: f64, options: &RenderOptions) -> f64 {
    hundredths(rows * options.scale.times(Grid::nominal(options).cell_height) as f64)
}

/// Rounds to two decimals. A negative zero becomes a zero.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}
