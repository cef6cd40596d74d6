//! Fills: shaded halves and triangles, checker boards, hatching, speckles.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::polygon::{self, Corners};
use super::super::{CellBox, ShapePart};

/// Half covered, as U+2592. Its inverse is half covered, too.
const MEDIUM: u8 = 2;

/// Places of speckles, each as a column and a row in eighths of the cell.
const SPECKLES: [&str; 2] = [
    "00 40 61 12 04 44 15 75 07 37 77",
    "10 71 02 42 14 55 06 37 77",
];

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let build = || ShapeBuilder::new(cell);
    let [left, right] = [0.0..0.5, 0.5..1.0];
    let [upper, lower, all] = [0.0..0.5, 0.5..1.0, 0.0..1.0];
    let built = match c {
        '\u{1fb8c}' => build().shade(MEDIUM, left, all),
        '\u{1fb8d}' => build().shade(MEDIUM, right, all),
        '\u{1fb8e}' => build().shade(MEDIUM, all, upper),
        '\u{1fb8f}' => build().shade(MEDIUM, all, lower),
        '\u{1fb90}' => build().shade(MEDIUM, all.clone(), all),
        '\u{1fb91}' => build().area(all.clone(), upper).shade(MEDIUM, all, lower),
        '\u{1fb92}' => build().shade(MEDIUM, all.clone(), upper).area(all, lower),
        '\u{1fb94}' => build().shade(MEDIUM, left, all.clone()).area(right, all),
        '\u{1fb95}' => checkers(cell, 0),
        '\u{1fb96}' => checkers(cell, 1),
        '\u{1fb97}' => build().area(all.clone(), 0.25..0.5).area(all, 0.75..1.0),
        '\u{1fb98}' => hatching(build(), cell.width as f32 / 4.0, Slope::Falling),
        '\u{1fb99}' => hatching(build(), cell.width as f32 / 4.0, Slope::Rising),
        '\u{1fb9c}'..='\u{1fb9f}' => {
            // Upper left, upper right, lower right, lower left: the cell without the corner
            // opposite to it.
            let mut corners = polygon::whole(cell);
            corners.remove((c as usize - 0x1fb9c + 2) % 4);
            let outline = polygon::outline(corners, cell)?;
            return Some(vec![ShapePart::ShadedOutline(MEDIUM, outline)]);
        }
        '\u{1cc40}' => rows(build(), 4),
        '\u{1cc41}' => columns(build(), 2),
        '\u{1cc42}' => columns(rows(build(), 4), 2),
        '\u{1cc43}' => {
            let thickness = build().slanted_stroke();
            let falling = hatching(build(), thickness, Slope::Falling);
            hatching(falling, thickness, Slope::Rising)
        }
        '\u{1cc44}' => columns(build(), 4),
        '\u{1cc45}' => rows(build(), 8),
        '\u{1cc46}' | '\u{1cc47}' => speckles(build(), SPECKLES[c as usize - 0x1cc46]),
        _ => return None,
    };
    Some(built.finish())
}

/// Sixteen fields, of which those are filled whose column and row have this sum, even or odd.
fn checkers(cell: CellBox, parity: usize) -> ShapeBuilder {
    let fields = (0..16).map(|place| (place % 4, place / 4));
    let filled = fields.filter(|(x, y)| (x + y) % 2 == parity);
    let quarter = |at: usize| at as f32 / 4.0..(at + 1) as f32 / 4.0;
    filled.fold(ShapeBuilder::new(cell), |build, (x, y)| {
        build.area(quarter(x), quarter(y))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slope {
    Falling,
    Rising,
}

/// Slanted lines that are this wide along the row. They start at every half of the cell and move by
/// two cells from its upper to its lower edge, so that they continue in every neighbour.
fn hatching(build: ShapeBuilder, thickness: f32, slope: Slope) -> ShapeBuilder {
    let (width, height) = (build.cell().width as f32, build.cell().height as f32);
    (-4..2).fold(build, |build, start| {
        let left = start as f32 * width / 2.0;
        let (upper, lower) = (left, left + 2.0 * width);
        let line = [
            (upper, 0.0),
            (upper + thickness, 0.0),
            (lower + thickness, height),
            (lower, height),
        ];
        let mirror = |(x, y): Point| match slope {
            Slope::Falling => (x, y),
            Slope::Rising => (width - x, y),
        };
        let corners: Corners = line.into_iter().map(mirror).collect();
        build.pixel_polygon(corners)
    })
}

/// Thin lines with equal gaps.
fn rows(build: ShapeBuilder, count: usize) -> ShapeBuilder {
    let (height, stroke) = (build.cell().height, build.cell().stroke);
    let width = build.cell().width;
    (0..count).fold(build, |build, index| {
        let top = ((2 * index + 1) * height / (2 * count)).saturating_sub(stroke / 2);
        build.pixel_area(0..width, top..(top + stroke).min(height))
    })
}

fn columns(build: ShapeBuilder, count: usize) -> ShapeBuilder {
    let (width, stroke) = (build.cell().width, build.cell().stroke);
    let height = build.cell().height;
    (0..count).fold(build, |build, index| {
        let left = ((2 * index + 1) * width / (2 * count)).saturating_sub(stroke / 2);
        build.pixel_area(left..(left + stroke).min(width), 0..height)
    })
}

fn speckles(build: ShapeBuilder, places: &str) -> ShapeBuilder {
    let eighth = |digit: u8| {
        let start = f32::from(digit - b'0') / 8.0;
        start..start + 0.125
    };
    places
        .split(' ')
        .fold(build, |build, place| match place.as_bytes() {
            [column, row] => build.area(eighth(*column), eighth(*row)),
            _ => build,
        })
}
