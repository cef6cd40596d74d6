//! Writes images into an SVG.
//!
//! Each visible rectangle of cells is a nested `svg`, which clips the image to it. An image with
//! several rectangles is defined once; its id is made of its content and its size, so that the same
//! id in two pictures of one page is the same image.

use std::fmt::Write;

use screentest_core::{ImagePlacement, Rect};

use crate::Grid;
use crate::formats::image_element;
use crate::formats::span::escape;
use crate::image::{ImageCache, PlacedRect};

/// Writes images, in their order.
pub(super) fn write<'a>(
    out: &mut String,
    images: impl IntoIterator<Item = &'a ImagePlacement>,
    grid: Grid,
    cache: &ImageCache,
) {
    for placed in images {
        let Some(uri) = image_element::data_uri(placed, cache) else {
            continue;
        };
        let rect = PlacedRect::of(placed, grid);
        match &*placed.visible {
            [only] => clipped(out, *only, grid, &element(placed, rect, &uri, None)),
            several => {
                let hash = placed.image.hash().to_hex();
                let (x, y) = (rect.x, rect.y);
                let id = format!("i{hash}-{x}-{y}-{}-{}", rect.width, rect.height);
                let _ = writeln!(
                    out,
                    "<defs>{}</defs>",
                    element(placed, rect, &uri, Some(&id))
                );
                for cells in several {
                    clipped(out, *cells, grid, &format!("<use href=\"#{id}\"/>"));
                }
            }
        }
    }
}

/// Writes an element so that only its part in some cells is visible. Inside, coordinates are those
/// of the screen.
fn clipped(out: &mut String, cells: Rect, grid: Grid, element: &str) {
    let (x, y) = (cells.col * grid.cell_width, cells.row * grid.cell_height);
    let width = cells.cols * grid.cell_width;
    let height = cells.rows * grid.cell_height;
    let _ = writeln!(
        out,
        "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {width} {height}\">{element}</svg>"
    );
}

fn element(placed: &ImagePlacement, rect: PlacedRect, uri: &str, id: Option<&str>) -> String {
    let mut out = String::from("<image");
    if let Some(id) = id {
        let _ = write!(out, " id=\"{id}\"");
    }
    let PlacedRect {
        x,
        y,
        width,
        height,
    } = rect;
    let _ = write!(
        out,
        " x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" href=\"{uri}\"><title>"
    );
    escape::push(&mut out, &image_element::description(placed));
    out.push_str("</title></image>");
    out
}
