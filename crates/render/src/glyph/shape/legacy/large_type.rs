//! Pieces of large letters, three columns wide and three rows high, as on HP 264x terminals.
//!
//! A stem is the middle third of a cell, a crossbar the middle fifth. A slanted line leaves the
//! stem's end at the edge of the cell and meets the side between a sixth and a third of its height.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::polygon;
use super::super::{CellBox, ShapePart};

/// The pieces of each character from U+1CE1A, in the language of [`add`].
const PIECES: [&str; 55] = [
    "dr", "s25 b13", "s25", "tdr", "b13", "b03", "b03 s35", "/dl /dr", "/dl", "s45", "dl", "b02",
    "tdl", "s25 b02", "s05 b23", "s05", "/ur /dr", "/ur", "/dr", "s01", "ur dr", "k", "m", "w",
    "x", "y", "z b03", "raised", "s05 b01", "ul dl", "/ul /dl", "s05 j", "s05 b03", "/ul", "s03",
    "s03 b13", "ur", "tur", "b03 s02", "v", "/ul /ur", "ul", "s03 b02", "ul tail", "tul", "s35",
    "s15", "s34", "s24", "s14", "s04", "s23", "s13", "s12", "s02",
];

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let pieces = PIECES.get((c as usize).checked_sub(0x1ce1a)?)?;
    let built = pieces.split(' ').fold(ShapeBuilder::new(cell), add);
    Some(built.finish())
}

const THIRD: f32 = 1.0 / 3.0;
const SIXTH: f32 = 1.0 / 6.0;
/// The crossbar.
const BAR: (f32, f32) = (0.4, 0.6);

/// Adds a piece: a stem (`s` and its first and last fifth), a crossbar (`b` and thirds), an arc or
/// a slanted line to a corner (`u` up or `d` down, then `l` left or `r` right), or a letter's own.
fn add(build: ShapeBuilder, piece: &str) -> ShapeBuilder {
    let digit = |at: usize| f32::from(piece.as_bytes()[at] - b'0');
    let polygon = |build: ShapeBuilder, corners: &[Point]| {
        let cell = build.cell();
        build.pixel_polygon(corners.iter().map(|corner| pixels(*corner, cell)).collect())
    };
    match piece {
        _ if piece.starts_with('s') => {
            build.area(THIRD..2.0 * THIRD, digit(1) / 5.0..digit(2) / 5.0)
        }
        _ if piece.starts_with('b') => build.area(digit(1) / 3.0..digit(2) / 3.0, BAR.0..BAR.1),
        "ul" | "ur" | "dl" | "dr" => arc(build, piece),
        "/ul" | "/ur" | "/dl" | "/dr" => {
            let slanted = [
                (THIRD, 1.0),
                (2.0 * THIRD, 1.0),
                (1.0, 1.0 - SIXTH),
                (1.0, 1.0 - THIRD),
            ];
            polygon(build, &turned(&slanted, piece.trim_start_matches('/')))
        }
        "tul" | "tur" | "tdl" | "tdr" => {
            // A crotch: a stem, and a slanted line from its upper end.
            let crotch = [
                (THIRD, 1.0),
                (THIRD, BAR.0),
                (0.47, BAR.0),
                (1.0, 2.0 * THIRD),
                (1.0, 5.0 * SIXTH),
                (2.0 * THIRD, 2.0 * THIRD),
                (2.0 * THIRD, 1.0),
            ];
            polygon(build, &turned(&crotch, piece.trim_start_matches('t')))
        }
        "k" => {
            let arms = [
                (0.0, BAR.0),
                (0.4, 0.35),
                (1.0, SIXTH),
                (1.0, THIRD),
                (0.55, 0.5),
                (1.0, 1.0 - THIRD),
                (1.0, 1.0 - SIXTH),
                (0.4, 0.65),
                (0.0, BAR.1),
            ];
            polygon(build, &arms)
        }
        "m" => polygon(
            build,
            &[(THIRD, 0.0), (2.0 * THIRD, 0.0), (0.5, SIXTH / 2.0)],
        ),
        "w" => {
            let corners = [(THIRD, 1.0), (0.5, 1.0 - SIXTH / 2.0), (2.0 * THIRD, 1.0)];
            polygon(build, &corners)
        }
        "x" => polygon(polygon(build, &falling()), &turned(&falling(), "dl")),
        "y" => {
            let corners = [
                (0.0, SIXTH),
                (0.5, 0.42),
                (1.0, SIXTH),
                (1.0, THIRD),
                (2.0 * THIRD, 0.5),
                (2.0 * THIRD, 1.0),
                (THIRD, 1.0),
                (THIRD, 0.5),
                (0.0, THIRD),
            ];
            polygon(build, &corners)
        }
        "z" => polygon(build, &turned(&falling(), "dl")),
        "raised" => {
            let cell = build.cell();
            let [right, bottom] = [(1.0, THIRD), (2.0 * THIRD, 1.0)].map(|at| pixels(at, cell));
            let [top, left] = [(1.0, SIXTH), (THIRD, 1.0)].map(|at| pixels(at, cell));
            let quarter = |from: Point, to: Point| {
                // From the side, where it is level, to the bottom, where it is upright.
                let radii = (from.0 - to.0, to.1 - from.1);
                polygon::arc((from.0, to.1), radii, 0.75, 0.5)
            };
            let mut corners = quarter(top, left);
            let mut inner = quarter(right, bottom);
            inner.reverse();
            corners.extend(inner);
            build.pixel_polygon(corners)
        }
        "j" => {
            let corners = [(0.0, SIXTH), (THIRD, THIRD), (THIRD, 0.5), (0.0, THIRD)];
            polygon(build, &corners)
        }
        "v" => {
            let corners = [
                (0.0, SIXTH),
                (0.5, 0.42),
                (1.0, SIXTH),
                (1.0, THIRD),
                (0.5, 0.58),
                (0.0, THIRD),
            ];
            polygon(build, &corners)
        }
        "tail" => {
            let corners = [
                (0.0, BAR.1),
                (0.2, 0.47),
                (0.4, 0.57),
                (0.6, BAR.1),
                (0.75, BAR.1),
                (2.0 * THIRD, 0.8),
                (0.45, 0.8),
                (0.25, 0.75),
            ];
            polygon(build, &corners)
        }
        _ => build,
    }
}

/// Returns a point in pixels, rounded, so that pieces in adjacent cells meet.
fn pixels((x, y): Point, cell: CellBox) -> Point {
    (
        (x * cell.width as f32).round(),
        (y * cell.height as f32).round(),
    )
}

/// A line from the left side to the right one.
fn falling() -> [Point; 4] {
    [
        (0.0, SIXTH),
        (1.0, 1.0 - THIRD),
        (1.0, 1.0 - SIXTH),
        (0.0, THIRD),
    ]
}

/// Turns a shape that is made for the lower right to another corner.
fn turned(corners: &[Point], corner: &str) -> Vec<Point> {
    let (up, left) = (corner.starts_with('u'), corner.ends_with('l'));
    let turn = |(x, y): &Point| {
        (
            if left { 1.0 - x } else { *x },
            if up { 1.0 - y } else { *y },
        )
    };
    corners.iter().map(turn).collect()
}

/// Adds a quarter of an ellipse from the stem at the lower edge to the crossbar at the right one,
/// turned to a corner.
fn arc(build: ShapeBuilder, corner: &str) -> ShapeBuilder {
    let cell = build.cell();
    let at = |x: f32, y: f32| pixels((x, y), cell);
    let (center, outer, inner) = (
        at(1.0, 1.0),
        at(1.0 - THIRD, 1.0 - BAR.0),
        at(THIRD, 1.0 - BAR.1),
    );
    let mut corners = polygon::arc(center, outer, 0.5, 0.75);
    let mut back = polygon::arc(center, inner, 0.5, 0.75);
    back.reverse();
    corners.extend(back);
    let (up, left) = (corner.starts_with('u'), corner.ends_with('l'));
    let (width, height) = (cell.width as f32, cell.height as f32);
    let turn = |(x, y): Point| {
        (
            if left { width - x } else { x },
            if up { height - y } else { y },
        )
    };
    build.pixel_polygon(corners.into_iter().map(turn).collect())
}
