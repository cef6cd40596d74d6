//! Thin lines at edges and in the middle of the cell: box drawing, ladders, tick marks, dashes and
//! a zigzag.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::{CellBox, ShapePart};

const THIRD: f32 = 1.0 / 3.0;

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let build = || ShapeBuilder::new(cell);
    let row = || build().line(&[(0.0, 0.5), (1.0, 0.5)]);
    let column = || build().line(&[(0.5, 0.0), (0.5, 1.0)]);
    let built = match c {
        '\u{1cc1b}' => row().line(&[(1.0, 0.0), (1.0, 0.5)]),
        '\u{1cc1c}' => row().line(&[(1.0, 0.5), (1.0, 1.0)]),
        '\u{1cc1d}' => build().line(&[(1.0, 0.0), (0.0, 0.0), (0.0, 0.5)]),
        '\u{1cc1e}' => build().line(&[(1.0, 1.0), (0.0, 1.0), (0.0, 0.5)]),
        '\u{1cc84}' => {
            let rails = build()
                .line(&[(0.25, 0.0), (0.25, 1.0)])
                .line(&[(0.75, 0.0), (0.75, 1.0)]);
            across_each(rails, &[0.125, 0.375, 0.625, 0.875], 0.1..0.9)
        }
        '\u{1cc85}' => {
            let rails = build()
                .line(&[(0.0, 0.4), (1.0, 0.4)])
                .line(&[(0.0, 0.6), (1.0, 0.6)]);
            along_each(rails, &[0.125, 0.375, 0.625, 0.875], 0.33..0.67)
        }
        '\u{1cc90}' => across_each(column(), &[0.0, 0.25, 0.5, 0.75], 0.25..0.75),
        '\u{1cc91}' => along_each(row(), &[0.0, 0.25, 0.5, 0.75], 0.35..0.65),
        '\u{1ce0d}' => build()
            .line(&[(0.0, 0.5), (0.2, 0.5)])
            .line(&[(0.8, 0.5), (1.0, 0.5)]),
        '\u{1ce0e}' => build().line(&[(0.4, 0.5), (0.6, 0.5)]),
        '\u{1ce0f}' => along_each(row(), &[1.0], 0.5..0.75),
        '\u{1ce10}' => along_each(row(), &[2.0 * THIRD], 0.5..0.75),
        '\u{1ce11}' => along_each(row(), &[THIRD, 1.0], 0.5..0.75),
        '\u{1ce12}' => along_each(row(), &[THIRD, 2.0 * THIRD, 1.0], 0.5..0.75),
        '\u{1ce13}' => across_each(column(), &[THIRD], 0.0..0.5),
        '\u{1ce14}' => across_each(column(), &[0.0, 2.0 * THIRD], 0.0..0.5),
        '\u{1ce15}' => across_each(column(), &[0.0, THIRD, 2.0 * THIRD], 0.0..0.5),
        '\u{1ce16}' => column().line(&[(0.5, 0.0), (1.0, 0.0)]),
        '\u{1ce17}' => column().line(&[(0.5, 1.0), (1.0, 1.0)]),
        '\u{1ce18}' => column().line(&[(0.0, 0.0), (0.5, 0.0)]),
        '\u{1ce19}' => column().line(&[(0.0, 1.0), (0.5, 1.0)]),
        '\u{1ceb0}' => {
            let height = |index: u8| if index.is_multiple_of(2) { 0.54 } else { 0.46 };
            let points = (0..=8).map(|index| (f32::from(index) / 8.0, height(index)));
            build().line(&points.collect::<Vec<Point>>())
        }
        _ => return None,
    };
    Some(built.finish())
}

/// Draws short horizontal lines at some heights.
fn across_each(build: ShapeBuilder, heights: &[f32], x: std::ops::Range<f32>) -> ShapeBuilder {
    heights
        .iter()
        .fold(build, |build, y| build.line(&[(x.start, *y), (x.end, *y)]))
}

/// Draws short vertical lines at some columns.
fn along_each(build: ShapeBuilder, columns: &[f32], y: std::ops::Range<f32>) -> ShapeBuilder {
    columns
        .iter()
        .fold(build, |build, x| build.line(&[(*x, y.start), (*x, y.end)]))
}
