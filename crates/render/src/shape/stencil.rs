//! A cell to draw in, in levels of coverage.

use std::ops::Range;

use crate::glyph::{FULL, Glyph, Ink};

/// Points looked at along each side of a pixel where an edge is soft: 16 for each level of coverage but none.
const SAMPLES: usize = 16;

/// Levels of coverage, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stencil {
    width: usize,
    height: usize,
    levels: Vec<u8>,
}

impl Stencil {
    pub(crate) fn new(width: usize, height: usize) -> Stencil {
        Stencil {
            width,
            height,
            levels: vec![0; width * height],
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// Covers a rectangle; what of it lies outside is not there.
    pub(crate) fn fill(&mut self, x: Range<usize>, y: Range<usize>) {
        self.shade(x, y, FULL);
    }

    /// Covers a rectangle in part.
    pub(crate) fn shade(&mut self, x: Range<usize>, y: Range<usize>, level: u8) {
        let (left, right) = (x.start.min(self.width), x.end.min(self.width));
        for y in y.start..y.end.min(self.height) {
            if left < right {
                self.levels[y * self.width..][left..right].fill(level);
            }
        }
    }

    /// Covers the points that are inside, with soft edges; leaves what is covered more already.
    pub(crate) fn paint(&mut self, inside: impl Fn(f32, f32) -> bool) {
        for y in 0..self.height {
            for x in 0..self.width {
                let sample =
                    |of: usize, start: usize| start as f32 + (of as f32 + 0.5) / SAMPLES as f32;
                let hits = (0..SAMPLES * SAMPLES)
                    .filter(|at| inside(sample(at % SAMPLES, x), sample(at / SAMPLES, y)))
                    .count();
                let most = SAMPLES * SAMPLES;
                let level = (hits * usize::from(FULL) + most / 2) / most;
                let kept = &mut self.levels[y * self.width + x];
                *kept = (*kept).max(level as u8);
            }
        }
    }

    /// The level of one pixel; 0 outside.
    #[cfg(test)]
    pub(crate) fn at(&self, x: usize, y: usize) -> u8 {
        match x < self.width && y < self.height {
            true => self.levels[y * self.width + x],
            false => 0,
        }
    }

    /// The same as something to paint, which fills its cells.
    pub(crate) fn into_glyph(self) -> Glyph {
        Glyph {
            left: 0,
            top: 0,
            width: self.width,
            height: self.height,
            ink: Ink::Stencil(self.levels.into()),
        }
    }
}
