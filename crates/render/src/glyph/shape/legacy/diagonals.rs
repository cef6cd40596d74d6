//! Slanted lines between the corners, the middles of the sides and the middle of the cell; double
//! slanted lines; and the cell without such lines.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::polygon::{self, Corners};
use super::super::{CellBox, ShapePart};

/// Lines from U+1FBA0: points as columns and rows in halves of the cell.
const SIDES: [&str; 15] = [
    "10-01",
    "10-21",
    "01-12",
    "21-12",
    "10-01-12",
    "10-21-12",
    "01-12-21",
    "01-10-21",
    "10-01 21-12",
    "10-21 01-12",
    "10-21-12-01",
    "10-01-12-21",
    "01-10-21-12",
    "21-10-01-12",
    "10-21-12-01-10",
];

/// Lines from U+1FBD0.
const CORNERS: [&str; 16] = [
    "21-02", "20-01", "00-21", "01-22", "00-12", "10-22", "20-12", "10-02", "00-11-20", "20-11-22",
    "02-11-22", "00-11-02", "00-12-20", "20-01-22", "02-10-22", "00-21-02",
];

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let code = c as usize;
    let built = match c {
        '\u{1fba0}'..='\u{1fbae}' => lines(cell, SIDES[code - 0x1fba0], 0.0),
        '\u{1fbd0}'..='\u{1fbdf}' => lines(cell, CORNERS[code - 0x1fbd0], 0.0),
        '\u{1cc1f}' => double(cell, "20-02"),
        '\u{1cc20}' => double(cell, "00-22"),
        '\u{1ce09}' => double(cell, "02-11-22"),
        '\u{1ce0a}' => double(cell, "00-11-20"),
        '\u{1fbbd}' => without(cell, "00-22 20-02"),
        '\u{1fbbe}' => without(cell, "21-12"),
        '\u{1fbbf}' => without(cell, "10-21 21-12 12-01 01-10"),
        _ => return None,
    };
    Some(built.finish())
}

/// Draws lines, moved down by a fraction of the cell.
fn lines(cell: CellBox, lines: &str, down: f32) -> ShapeBuilder {
    add_lines(ShapeBuilder::new(cell), lines, down)
}

fn add_lines(build: ShapeBuilder, lines: &str, down: f32) -> ShapeBuilder {
    lines.split(' ').fold(build, |build, line| {
        let points: Vec<Point> = line.split('-').filter_map(point).collect();
        let moved: Vec<Point> = points.into_iter().map(|(x, y)| (x, y + down)).collect();
        build.line(&moved)
    })
}

/// Draws lines twice, a quarter of the cell above and below their place.
fn double(cell: CellBox, each: &str) -> ShapeBuilder {
    add_lines(lines(cell, each, -0.25), each, 0.25)
}

fn point(digits: &str) -> Option<Point> {
    match digits.as_bytes() {
        [column, row] => Some((f32::from(column - b'0') / 2.0, f32::from(row - b'0') / 2.0)),
        _ => None,
    }
}

/// Fills the cell except for lines: each line divides what the lines before it have left.
fn without(cell: CellBox, lines: &str) -> ShapeBuilder {
    let build = ShapeBuilder::new(cell);
    let half = build.slanted_stroke() / 2.0;
    let mut areas: Vec<Corners> = vec![polygon::whole(cell)];
    for line in lines.split(' ') {
        let ends: Vec<Point> = line.split('-').filter_map(point).collect();
        let [from, to] = ends[..] else { continue };
        let (from, to) = (build.point(from), build.point(to));
        let edges = polygon::band(from, to, 2.0 * half, [0.0, 0.0]);
        let halves = areas.iter().flat_map(|area| {
            let one = polygon::beside(area, edges[3], edges[2]);
            let other = polygon::beside(area, edges[1], edges[0]);
            [one, other]
        });
        areas = halves.filter(|area| area.len() > 2).collect();
    }
    areas.into_iter().fold(build, ShapeBuilder::pixel_polygon)
}
