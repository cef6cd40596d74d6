//! Polygons that are cut at the edges of their cell.
//!
//! A viewer of SVG does not cut a shape at its cell as the canvas for pixels does, so a line that
//! ends at an edge is a polygon that ends there exactly. All outlines turn the same way: SVG joins
//! the shapes of a row to one path, in which overlapping outlines of opposite turns would leave a
//! hole.

use super::path::{PathSegment, Point};
use super::{CellBox, Path};

/// The corners of a polygon, in pixels.
pub(super) type Corners = Vec<Point>;

/// Returns the corners of the whole cell.
pub(super) fn whole(cell: CellBox) -> Corners {
    let (width, height) = (cell.width as f32, cell.height as f32);
    vec![(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
}

/// Returns the part of a polygon on one side of a line: below a line that goes right, left of a
/// line that goes down.
pub(super) fn beside(corners: &[Point], from: Point, to: Point) -> Corners {
    let distance = |(x, y): Point| (to.0 - from.0) * (y - from.1) - (to.1 - from.1) * (x - from.0);
    let mut kept = Corners::new();
    for (index, &corner) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let (here, there) = (distance(corner), distance(next));
        if here >= 0.0 {
            kept.push(corner);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            let part = here / (here - there);
            let between = |from: f32, to: f32| from + (to - from) * part;
            kept.push((between(corner.0, next.0), between(corner.1, next.1)));
        }
    }
    kept
}

/// Returns the part of a polygon inside the cell.
fn inside(mut corners: Corners, cell: CellBox) -> Corners {
    let edges = whole(cell);
    for (index, &from) in edges.iter().enumerate() {
        corners = beside(&corners, from, edges[(index + 1) % edges.len()]);
    }
    corners
}

/// Returns the outline of a polygon's part inside the cell; `None` if nothing is inside.
pub(super) fn outline(corners: Corners, cell: CellBox) -> Option<Path> {
    let mut corners = inside(corners, cell);
    corners.dedup();
    let area = turned_area(&corners);
    if area.abs() < f32::EPSILON {
        return None;
    }
    if area < 0.0 {
        corners.reverse();
    }
    Some(Path::polygon(&corners))
}

/// Returns the outline of a polygon with holes, all cut at the edges of the cell.
pub(super) fn outline_with_holes(
    outer: Corners,
    holes: Vec<Corners>,
    cell: CellBox,
) -> Option<Path> {
    let mut path = outline(outer, cell)?;
    for hole in holes.into_iter().filter_map(|hole| outline(hole, cell)) {
        let mut corners: Corners = hole.0.iter().filter_map(end).collect();
        corners.reverse();
        path.0.extend(Path::polygon(&corners).0);
    }
    Some(path)
}

fn end(segment: &PathSegment) -> Option<Point> {
    match *segment {
        PathSegment::Move(to) | PathSegment::Line(to) => Some(to),
        _ => None,
    }
}

/// Returns twice the area of a polygon: positive if it turns clockwise on the screen.
fn turned_area(corners: &[Point]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    let parts = corners.iter().zip(next);
    parts.map(|((x, y), (x2, y2))| x * y2 - x2 * y).sum()
}

/// Returns a straight line of some thickness, extended at both ends by a length.
pub(super) fn band(from: Point, to: Point, thickness: f32, extended: [f32; 2]) -> Corners {
    let length = (to.0 - from.0).hypot(to.1 - from.1).max(f32::EPSILON);
    let (along_x, along_y) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
    let half = thickness / 2.0;
    let corner = |(x, y): Point, along: f32, across: f32| {
        (
            x + along_x * along - along_y * across,
            y + along_y * along + along_x * across,
        )
    };
    vec![
        corner(from, -extended[0], -half),
        corner(to, extended[1], -half),
        corner(to, extended[1], half),
        corner(from, -extended[0], half),
    ]
}

/// Returns points of an axis-aligned ellipse, from an angle to another in turns of a circle: 0 is
/// right, a quarter is down.
pub(super) fn arc(center: Point, radii: Point, from: f32, to: f32) -> Corners {
    /// Straight parts of a whole ellipse. In the largest cells, 300 pixels high, they differ from
    /// the ellipse by a sixth of a pixel.
    const PARTS: f32 = 64.0;
    let steps = ((to - from).abs() * PARTS).ceil().max(1.0);
    (0..=steps as usize)
        .map(|step| {
            let turn = from + (to - from) * step as f32 / steps;
            let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
            (center.0 + radii.0 * cos, center.1 + radii.1 * sin)
        })
        .collect()
}

/// Returns a part of a ring: the area between two ellipses around a center.
pub(super) fn ring(center: Point, outer: Point, thickness: f32, from: f32, to: f32) -> Corners {
    let inner = (
        (outer.0 - thickness).max(0.0),
        (outer.1 - thickness).max(0.0),
    );
    let mut corners = arc(center, outer, from, to);
    let mut back = arc(center, inner, from, to);
    back.reverse();
    corners.extend(back);
    corners
}
