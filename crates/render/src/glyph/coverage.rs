//! A cell as levels of coverage, with drawing operations.

use std::ops::Range;

use swash::zeno::{Angle, ArcSize, ArcSweep, Cap, Command, Mask, PathBuilder, Stroke, Style};

use super::{FULL, Glyph, GlyphPixels};
use crate::glyph::shape::{CellBox, Path, PathSegment, ShapePart};

/// Levels of the three shades: a quarter, a half and three quarters of full coverage.
const SHADES: [u8; 3] = [4, 8, 11];

/// Levels of coverage, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Coverage {
    width: usize,
    height: usize,
    levels: Vec<u8>,
}

impl Coverage {
    pub(crate) fn new(width: usize, height: usize) -> Coverage {
        Coverage {
            width,
            height,
            levels: vec![0; width * height],
        }
    }

    /// Draws a shape, clipped to its cell.
    pub(crate) fn of(parts: &[ShapePart], cell: CellBox) -> Coverage {
        let mut coverage = Coverage::new(cell.width, cell.height);
        for part in parts {
            match part {
                ShapePart::Area(x, y) => coverage.fill(x.clone(), y.clone()),
                ShapePart::Shade(quarters, x, y) => {
                    coverage.shade(x.clone(), y.clone(), SHADES[usize::from(*quarters) - 1]);
                }
                ShapePart::Filled(path) => coverage.paint(path, Style::default(), FULL),
                ShapePart::ShadedOutline(quarters, path) => {
                    let most = SHADES[usize::from(*quarters) - 1];
                    coverage.paint(path, Style::default(), most);
                }
                ShapePart::Stroke(path) => {
                    let mut line = Stroke::new(cell.stroke as f32);
                    // Extends beyond the edge, so that a slanted end leaves no notch.
                    line.cap(Cap::Square);
                    coverage.paint(path, line.into(), FULL);
                }
            }
        }
        coverage
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// Covers a rectangle, clipped to the cell.
    pub(crate) fn fill(&mut self, x: Range<usize>, y: Range<usize>) {
        self.shade(x, y, FULL);
    }

    /// Covers a rectangle with a level, clipped to the cell.
    pub(crate) fn shade(&mut self, x: Range<usize>, y: Range<usize>, level: u8) {
        let (left, right) = (x.start.min(self.width), x.end.min(self.width));
        for y in y.start..y.end.min(self.height) {
            if left < right {
                self.levels[y * self.width..][left..right].fill(level);
            }
        }
    }

    /// Covers the inside or the line of a path with a level, antialiased. Pixels that are already
    /// covered more stay as they are.
    fn paint(&mut self, path: &Path, style: Style<'_>, most: u8) {
        let (mask, _) = Mask::new(&commands(path))
            .size(self.width as u32, self.height as u32)
            .style(style)
            .render();
        for (kept, coverage) in self.levels.iter_mut().zip(mask) {
            // Rounded as in `level`, which this is for full coverage.
            let part = (u16::from(coverage) * u16::from(most) + 127) / 255;
            *kept = (*kept).max(part as u8);
        }
    }

    /// Returns the level of a pixel; 0 outside.
    #[cfg(test)]
    pub(crate) fn at(&self, x: usize, y: usize) -> u8 {
        if x < self.width && y < self.height {
            self.levels[y * self.width + x]
        } else {
            0
        }
    }

    /// Converts the coverage to a glyph that fills its cells.
    pub(crate) fn into_glyph(self) -> Glyph {
        Glyph {
            left: 0,
            top: 0,
            width: self.width,
            height: self.height,
            pixels: GlyphPixels::Coverage(self.levels.into()),
        }
    }
}

fn commands(path: &Path) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for segment in &path.0 {
        match *segment {
            PathSegment::Move(to) => commands.move_to(to),
            PathSegment::Line(to) => commands.line_to(to),
            PathSegment::Bend(towards, to) => commands.quad_to(towards, to),
            PathSegment::Arc {
                radii,
                clockwise,
                to,
            } => {
                let sweep = if clockwise {
                    ArcSweep::Positive
                } else {
                    ArcSweep::Negative
                };
                commands.arc_to(radii.0, radii.1, Angle::ZERO, ArcSize::Small, sweep, to)
            }
            PathSegment::Close => commands.close(),
        };
    }
    commands
}
