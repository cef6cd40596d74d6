//! Builds shapes from lengths given as fractions of the cell.

use std::ops::Range;

use super::path::Point;
use super::polygon::{self, Corners};
use super::{CellBox, ShapePart, box_drawing};

/// Builds the parts of a shape. Positions are fractions of the cell, from its upper left corner.
#[derive(Debug)]
pub(super) struct ShapeBuilder {
    cell: CellBox,
    parts: Vec<ShapePart>,
}

impl ShapeBuilder {
    pub(super) fn new(cell: CellBox) -> ShapeBuilder {
        ShapeBuilder {
            cell,
            parts: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> Vec<ShapePart> {
        self.parts
    }

    pub(super) fn cell(&self) -> CellBox {
        self.cell
    }

    /// Returns a point in pixels. The middle is on the axis of thin lines, so that slanted lines
    /// meet straight ones.
    pub(super) fn point(&self, (x, y): Point) -> Point {
        let along = |part: f32, length: usize| {
            let middle = axis(length, self.cell.stroke);
            if part < 0.5 {
                part * 2.0 * middle
            } else {
                middle + (part - 0.5) * 2.0 * (length as f32 - middle)
            }
        };
        (along(x, self.cell.width), along(y, self.cell.height))
    }

    /// Thickness of a slanted line, which looks as thick as a straight one.
    pub(super) fn slanted_stroke(&self) -> f32 {
        self.cell.stroke as f32 * 1.2
    }

    /// Adds a rectangle. Every edge is rounded to a whole pixel, and a rectangle that would vanish
    /// is one pixel wide or high.
    pub(super) fn area(mut self, x: Range<f32>, y: Range<f32>) -> ShapeBuilder {
        let (x, y) = (pixels(x, self.cell.width), pixels(y, self.cell.height));
        self.parts.push(ShapePart::Area(x, y));
        self
    }

    /// Adds a rectangle that is covered by some quarters.
    pub(super) fn shade(mut self, quarters: u8, x: Range<f32>, y: Range<f32>) -> ShapeBuilder {
        let (x, y) = (pixels(x, self.cell.width), pixels(y, self.cell.height));
        self.parts.push(ShapePart::Shade(quarters, x, y));
        self
    }

    /// Adds a rectangle in pixels.
    pub(super) fn pixel_area(mut self, x: Range<usize>, y: Range<usize>) -> ShapeBuilder {
        self.parts.push(ShapePart::Area(x, y));
        self
    }

    /// Adds a polygon.
    pub(super) fn polygon(self, corners: &[Point]) -> ShapeBuilder {
        let corners = corners.iter().map(|corner| self.point(*corner)).collect();
        self.pixel_polygon(corners)
    }

    /// Adds a polygon in pixels.
    pub(super) fn pixel_polygon(mut self, corners: Corners) -> ShapeBuilder {
        let outline = polygon::outline(corners, self.cell);
        self.parts.extend(outline.map(ShapePart::Filled));
        self
    }

    /// Adds the whole cell except for polygons, which must not overlap.
    pub(super) fn whole_without(mut self, holes: &[&[Point]]) -> ShapeBuilder {
        let pixels = |hole: &&[Point]| hole.iter().map(|corner| self.point(*corner)).collect();
        let holes = holes.iter().map(pixels).collect();
        let outline = polygon::outline_with_holes(polygon::whole(self.cell), holes, self.cell);
        self.parts.extend(outline.map(ShapePart::Filled));
        self
    }

    /// Adds thin lines from point to point. Straight ones are on whole pixels.
    pub(super) fn line(mut self, points: &[Point]) -> ShapeBuilder {
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|point| self.point(point));
            self = if from.0 == to.0 || from.1 == to.1 {
                self.straight(from, to)
            } else {
                self.slanted(from, to)
            };
        }
        self
    }

    /// Adds a thin slanted line between two points in pixels.
    pub(super) fn pixel_line(self, from: Point, to: Point) -> ShapeBuilder {
        self.slanted(from, to)
    }

    /// Adds an ellipse in pixels.
    pub(super) fn ellipse(self, center: Point, radii: Point) -> ShapeBuilder {
        self.pixel_polygon(polygon::arc(center, radii, 0.0, 1.0))
    }

    /// Adds the line of an ellipse in pixels.
    pub(super) fn ring(self, center: Point, radii: Point) -> ShapeBuilder {
        let thickness = self.slanted_stroke();
        self.pixel_polygon(polygon::ring(center, radii, thickness, 0.0, 1.0))
    }

    /// Adds the outline of a slanted cross in the middle of the cell. `x` and `y` are the distances
    /// of its ends from the middle, `thickness` is the width of an arm along the row.
    pub(super) fn saltire_outline(mut self, x: f32, y: f32, thickness: f32) -> ShapeBuilder {
        let (width, height) = (self.cell.width as f32, self.cell.height as f32);
        let (x, y, arm) = (x * width, y * height, thickness * width);
        let middle = self.point((0.5, 0.5));
        let stroke = self.slanted_stroke();
        let outer = saltire(middle, (x, y), arm);
        let hole = saltire(middle, (x - stroke, y - stroke), arm - 1.3 * stroke);
        let outline = polygon::outline_with_holes(outer, vec![hole], self.cell);
        self.parts.extend(outline.map(ShapePart::Filled));
        self
    }

    fn straight(self, from: Point, to: Point) -> ShapeBuilder {
        let stroke = self.cell.stroke;
        let range = |from: f32, to: f32, length: usize| {
            let half = stroke as f32 / 2.0;
            let (low, high) = (from.min(to), from.max(to));
            if high < 0.0 || low > length as f32 {
                return None;
            }
            // At an edge of the cell, the line is inside.
            let start = ((low - half).round().max(0.0) as usize).min(length.saturating_sub(stroke));
            let end = ((high + half).round() as usize).max(start + stroke);
            Some(start..end.min(length))
        };
        let x = range(from.0, to.0, self.cell.width);
        let y = range(from.1, to.1, self.cell.height);
        match (x, y) {
            (Some(x), Some(y)) => self.pixel_area(x, y),
            _ => self,
        }
    }

    fn slanted(self, from: Point, to: Point) -> ShapeBuilder {
        let thickness = self.slanted_stroke();
        let (width, height) = (self.cell.width as f32, self.cell.height as f32);
        let extended = [(from, to), (to, from)].map(|((x, y), other)| {
            let (right, down) = (x - other.0, y - other.1);
            let leaves = (x <= 0.0 && right < 0.0)
                || (x >= width && right > 0.0)
                || (y <= 0.0 && down < 0.0)
                || (y >= height && down > 0.0);
            // A line that leaves the cell is cut at the edge, whatever its angle.
            if leaves {
                width + height
            } else {
                thickness / 2.0
            }
        });
        self.pixel_polygon(polygon::band(from, to, thickness, extended))
    }
}

/// Returns the middle of a thin line in the middle of a length.
fn axis(length: usize, stroke: usize) -> f32 {
    let thin = box_drawing::thin(length, stroke);
    (thin.start + thin.end) as f32 / 2.0
}

fn pixels(range: Range<f32>, length: usize) -> Range<usize> {
    let pixel = |part: f32| (part * length as f32).round() as usize;
    let start = pixel(range.start).min(length.saturating_sub(1));
    start..pixel(range.end).max(start + 1)
}

/// Returns the corners of a slanted cross.
fn saltire(middle: Point, (x, y): Point, arm: f32) -> Corners {
    let (x, y) = (x.max(0.0), y.max(0.0));
    let arm = arm.clamp(0.0, x);
    // The sides of the arms are parallel to the diagonals.
    let tall = if x > 0.0 { arm * y / x } else { 0.0 };
    let corners = [
        (arm - x, -y),
        (0.0, -tall),
        (x - arm, -y),
        (x, tall - y),
        (arm, 0.0),
        (x, y - tall),
        (x - arm, y),
        (0.0, tall),
        (arm - x, y),
        (-x, y - tall),
        (-arm, 0.0),
        (-x, tall - y),
    ];
    corners
        .map(|(across, down)| (middle.0 + across, middle.1 + down))
        .into()
}
