//! Rays, spirals, striped triangles, corners of squares, and small shapes in frames.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::{CellBox, ShapePart};

/// The path of a square spiral from the upper left, on a grid of eight fields by eight.
const SPIRAL: [(u8, u8); 9] = [
    (0, 0),
    (0, 7),
    (7, 7),
    (7, 0),
    (2, 0),
    (2, 5),
    (5, 5),
    (5, 2),
    (4, 2),
];

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let build = || ShapeBuilder::new(cell);
    let eighths = |x: [f32; 2], y: [f32; 2]| {
        move |build: ShapeBuilder| build.area(x[0] / 8.0..x[1] / 8.0, y[0] / 8.0..y[1] / 8.0)
    };
    let built = match c {
        '\u{1cc69}' => rays(build(), 0.25, 0.6),
        '\u{1cc6a}' => rays(build(), 0.6, 0.95),
        '\u{1cc7c}' => spiral(build(), |at| at),
        '\u{1cc7d}' => spiral(build(), |(x, y)| (7 - y, x)),
        '\u{1cc7e}' => spiral(build(), |(x, y)| (7 - x, 7 - y)),
        '\u{1cc7f}' => spiral(build(), |(x, y)| (y, 7 - x)),
        '\u{1cc80}' => stripes(build(), |along| along, Axis::Horizontal),
        '\u{1cc81}' => stripes(build(), |along| along, Axis::Vertical),
        '\u{1cc82}' => stripes(build(), |along| 7.0 - along, Axis::Horizontal),
        '\u{1cc83}' => stripes(build(), |along| 7.0 - along, Axis::Vertical),
        '\u{1cc86}' => build().line(&[(0.0, 0.5), (0.0, 1.0), (1.0, 1.0), (0.0, 0.5)]),
        '\u{1cc87}' => build().line(&[(1.0, 0.5), (1.0, 1.0), (0.0, 1.0), (1.0, 0.5)]),
        '\u{1cc89}' => in_corners(build(), |build, corner| {
            let cross = [corner([0.0, 0.0]), corner([0.35, 0.35])];
            let other = [corner([0.35, 0.0]), corner([0.0, 0.35])];
            build.line(&cross).line(&other)
        }),
        '\u{1cc8a}' => in_corners(build(), |build, corner| {
            build.line(&[corner([0.35, 0.0]), corner([0.0, 0.35])])
        }),
        '\u{1cc8b}' => in_corners(build(), |build, corner| {
            build.polygon(&[corner([0.0, 0.0]), corner([0.35, 0.0]), corner([0.0, 0.35])])
        }),
        '\u{1cc8c}' => {
            let frame = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
            let blades = [
                [(0.65, 0.0), (0.35, 0.45)],
                [(1.0, 0.65), (0.55, 0.35)],
                [(0.35, 1.0), (0.65, 0.55)],
                [(0.0, 0.35), (0.45, 0.65)],
            ];
            blades
                .iter()
                .fold(build().line(&frame), |build, blade| build.line(blade))
        }
        '\u{1cc8d}' => {
            let diamond = [(0.15, 0.5), (0.5, 0.3), (0.85, 0.5), (0.5, 0.7)];
            build().whole_without(&[&diamond])
        }
        '\u{1cc8e}' => {
            let edges = build()
                .area(0.0..0.125, 0.0..1.0)
                .area(0.0..1.0, 0.0..0.125);
            eighths([3.0, 6.0], [3.0, 6.0])(edges)
        }
        '\u{1cc8f}' => {
            let square = [(0.25, 0.375), (0.75, 0.375), (0.75, 0.625), (0.25, 0.625)];
            build().whole_without(&[&square])
        }
        '\u{1ce03}' => {
            let top = eighths([0.0, 8.0], [0.0, 2.0])(build());
            eighths([6.0, 8.0], [2.0, 4.0])(eighths([0.0, 2.0], [2.0, 4.0])(top))
        }
        '\u{1ce04}' => {
            let bottom = eighths([0.0, 8.0], [6.0, 8.0])(build());
            eighths([6.0, 8.0], [4.0, 6.0])(eighths([0.0, 2.0], [4.0, 6.0])(bottom))
        }
        '\u{1ce05}' => {
            let ends = eighths([0.0, 8.0], [6.0, 8.0])(eighths([0.0, 8.0], [0.0, 2.0])(build()));
            let sides = eighths([6.0, 8.0], [2.0, 6.0])(eighths([0.0, 2.0], [2.0, 6.0])(ends));
            eighths([3.0, 5.0], [3.0, 5.0])(sides)
        }
        '\u{1ce06}' => {
            let frame = [
                (0.25, 0.3),
                (0.75, 0.3),
                (0.75, 0.7),
                (0.25, 0.7),
                (0.25, 0.3),
            ];
            build().line(&frame).line(&[(0.1, 0.5), (0.9, 0.5)])
        }
        '\u{1ce07}' => build().polygon(&[(0.0, 0.25), (0.5, 0.0), (0.5, 0.5)]),
        _ => return None,
    };
    Some(built.finish())
}

/// Draws eight rays around the middle, from a part of half the cell's width to another.
fn rays(build: ShapeBuilder, from: f32, to: f32) -> ShapeBuilder {
    let radius = build.cell().width.min(build.cell().height) as f32 / 2.0;
    (0..8).fold(build, |build, ray| {
        let (sin, cos) = (ray as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
        let (x, y) = build.point((0.5, 0.5));
        let at = |part: f32| (x + cos * part * radius, y + sin * part * radius);
        build.pixel_line(at(from), at(to))
    })
}

/// Draws a square spiral of fields, each turned as given.
fn spiral(build: ShapeBuilder, turned: impl Fn((u8, u8)) -> (u8, u8)) -> ShapeBuilder {
    SPIRAL.windows(2).fold(build, |build, ends| {
        let [(x, y), (x2, y2)] = [ends[0], ends[1]].map(&turned);
        let eighths = |one: u8, other: u8| {
            f32::from(one.min(other)) / 8.0..f32::from(one.max(other) + 1) / 8.0
        };
        build.area(eighths(x, x2), eighths(y, y2))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Horizontal,
    Vertical,
}

/// Draws four stripes across an axis, each longer than the one before. `order` maps the number of
/// an eighth along the axis.
fn stripes(build: ShapeBuilder, order: impl Fn(f32) -> f32, axis: Axis) -> ShapeBuilder {
    (0..4).fold(build, |build, index| {
        let place = 2.0 * index as f32 + 1.0;
        let along = order(place) / 8.0..(order(place) + 1.0) / 8.0;
        let half = place / 16.0;
        let across = 0.5 - half..0.5 + half;
        match axis {
            Axis::Horizontal => build.area(along, across),
            Axis::Vertical => build.area(across, along),
        }
    })
}

/// Draws the same in every corner; `corner` maps distances from the corner's edges.
fn in_corners(
    build: ShapeBuilder,
    draw: impl Fn(ShapeBuilder, &dyn Fn([f32; 2]) -> Point) -> ShapeBuilder,
) -> ShapeBuilder {
    let corners = [(false, false), (true, false), (false, true), (true, true)];
    corners.into_iter().fold(build, |build, (right, low)| {
        let from = |far: bool, distance: f32| if far { 1.0 - distance } else { distance };
        draw(build, &|[x, y]| (from(right, x), from(low, y)))
    })
}
