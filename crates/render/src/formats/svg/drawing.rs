//! Path data for the shapes of one colour in one row.
//!
//! Rectangles that touch along a row become one.
//!
//! See also: `glyph/shape.rs` (the shapes).

use std::fmt::{self, Write};
use std::ops::Range;

use crate::glyph::shape::{Path, PathSegment, ShapePart};

/// Opacities of one, two and three quarters.
const OPACITIES: [f32; 3] = [0.25, 0.5, 0.75];

/// The shapes of one colour in one row.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    areas: Rectangles,
    /// Areas that are covered by one, two and three quarters of the colour, and such areas that are
    /// not rectangles.
    shades: [(Rectangles, String); 3],
    /// Areas that are not rectangles.
    outlines: String,
    /// Thin lines along a path.
    strokes: String,
}

impl Drawing {
    /// Adds a shape in a cell that begins at `x`.
    pub(super) fn add(&mut self, parts: &[ShapePart], x: usize, width: usize, height: usize) {
        for part in parts {
            match part {
                ShapePart::Area(columns, lines) => {
                    self.areas
                        .add(clipped(columns, width, x), clipped(lines, height, 0));
                }
                ShapePart::Shade(quarters, columns, lines) => {
                    let (areas, _) = &mut self.shades[usize::from(*quarters) - 1];
                    areas.add(clipped(columns, width, x), clipped(lines, height, 0));
                }
                ShapePart::ShadedOutline(quarters, path) => {
                    push(&mut self.shades[usize::from(*quarters) - 1].1, path, x);
                }
                ShapePart::Filled(path) => push(&mut self.outlines, path, x),
                ShapePart::Stroke(path) => push(&mut self.strokes, path, x),
            }
        }
    }

    /// Returns the path data of its rectangles; empty if there are none, as for the following
    /// functions.
    pub(super) fn filled(&self) -> String {
        self.areas.to_string()
    }

    /// Returns the path data of its other areas.
    pub(super) fn outlined(&self) -> &str {
        &self.outlines
    }

    /// Returns the path data of partly covered rectangles, each with its opacity.
    pub(super) fn shaded(&self) -> impl Iterator<Item = (f32, String)> {
        let shades = self.shades.iter().zip(OPACITIES);
        let shades = shades.filter(|((areas, _), _)| !areas.0.is_empty());
        shades.map(|((areas, _), opacity)| (opacity, areas.to_string()))
    }

    /// Returns the path data of other partly covered areas, each with its opacity.
    pub(super) fn shaded_outlines(&self) -> impl Iterator<Item = (f32, &str)> {
        let shades = self.shades.iter().zip(OPACITIES);
        shades.map(|((_, outlines), opacity)| (opacity, outlines.as_str()))
    }

    /// Returns the path data of its lines.
    pub(super) fn stroked(&self) -> &str {
        &self.strokes
    }
}

/// Returns a range within a cell of this length, moved to the cell's place.
fn clipped(range: &Range<usize>, length: usize, start: usize) -> Range<usize> {
    let end = range.end.min(length);
    start + range.start.min(end)..start + end
}

fn push(out: &mut String, path: &Path, x: usize) {
    let x = x as f32;
    for segment in &path.0 {
        let _ = match *segment {
            PathSegment::Move(to) => write!(out, "M{}", point(x, to)),
            PathSegment::Line(to) => write!(out, "L{}", point(x, to)),
            PathSegment::Bend(towards, to) => {
                write!(out, "Q{} {}", point(x, towards), point(x, to))
            }
            PathSegment::Arc {
                radii,
                clockwise,
                to,
            } => {
                let (radii, to) = (point(0.0, radii), point(x, to));
                write!(out, "A{radii} 0 0 {} {to}", u8::from(clockwise))
            }
            PathSegment::Close => write!(out, "z"),
        };
    }
}

/// Formats a point with an accuracy of a hundredth of a pixel.
fn point(left: f32, (x, y): (f32, f32)) -> String {
    let short = |value: f32| (value * 100.0).round() / 100.0;
    format!("{} {}", short(left + x), short(y))
}

/// Rectangles of one colour.
#[derive(Debug, Default)]
struct Rectangles(Vec<(Range<usize>, Range<usize>)>);

impl Rectangles {
    /// How far back to search for a rectangle to extend: it was added with the cell before, and no
    /// cell has more rectangles than this.
    const NEAR: usize = 16;

    /// Adds a rectangle, or extends one that ends where it begins.
    fn add(&mut self, x: Range<usize>, y: Range<usize>) {
        if x.is_empty() || y.is_empty() {
            return;
        }
        let mut near = self.0.iter_mut().rev().take(Rectangles::NEAR);
        match near.find(|area| area.0.end == x.start && area.1 == y) {
            Some(area) => area.0.end = x.end,
            None => self.0.push((x, y)),
        }
    }
}

/// Formats the rectangles as path data.
impl fmt::Display for Rectangles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (x, y) in &self.0 {
            let width = x.len();
            write!(f, "M{} {}h{width}v{}h-{width}z", x.start, y.start, y.len())?;
        }
        Ok(())
    }
}
