//! Lines over, under and through text, one cell long; each kind goes on in the next cell without a seam.

use std::f32::consts::TAU;

use screentest_core::Underline;

use super::{Glyph, Grid};
use crate::shape::Stencil;

/// The lines of one size of cells, drawn once.
#[derive(Debug)]
pub(crate) struct Marks {
    single: Glyph,
    double: Glyph,
    curly: Glyph,
    dotted: Glyph,
    dashed: Glyph,
    pub(crate) overline: Glyph,
    pub(crate) strikethrough: Glyph,
    /// A cursor that underlines.
    pub(crate) under: Glyph,
    /// A cursor at the left.
    pub(crate) bar: Glyph,
}

impl Marks {
    pub(super) fn new(grid: Grid) -> Marks {
        let Grid {
            cell_width: width,
            cell_height: height,
            baseline,
            stroke,
            ..
        } = grid;
        let filled = |x: std::ops::Range<usize>, y: usize, thick: usize| {
            drawn(grid, |stencil| stencil.fill(x, y..y + thick))
        };
        // Close under the letters, but always within the cell.
        let top = (baseline + stroke).min(height.saturating_sub(stroke));
        let lower = (top + 2 * stroke).min(height.saturating_sub(stroke));
        let through = baseline.saturating_sub((grid.size() * 0.3).round() as usize);
        let cursor = (2 * stroke).min(height);
        Marks {
            single: filled(0..width, top, stroke),
            double: drawn(grid, |stencil| {
                let upper = lower.saturating_sub(2 * stroke);
                stencil.fill(0..width, upper..upper + stroke);
                stencil.fill(0..width, lower..lower + stroke);
            }),
            curly: drawn(grid, |stencil| wave(stencil, grid, top)),
            dotted: drawn(grid, |stencil| {
                let dots = (width / (2 * stroke)).max(1);
                for dot in 0..dots {
                    let x = width * dot / dots;
                    stencil.fill(x..x + stroke, top..top + stroke);
                }
            }),
            dashed: drawn(grid, |stencil| {
                // Half a dash at either end: they meet their neighbours'.
                let gap = (width / 3).max(1);
                let start = (width - gap.min(width)) / 2;
                stencil.fill(0..start, top..top + stroke);
                stencil.fill(start + gap..width, top..top + stroke);
            }),
            overline: filled(0..width, 0, stroke),
            strikethrough: filled(0..width, through, stroke),
            under: filled(0..width, height - cursor, cursor),
            bar: drawn(grid, |stencil| {
                stencil.fill(0..cursor.min(width), 0..height);
            }),
        }
    }

    pub(crate) fn underline(&self, kind: Underline) -> Option<&Glyph> {
        match kind {
            Underline::None => None,
            Underline::Single => Some(&self.single),
            Underline::Double => Some(&self.double),
            Underline::Curly => Some(&self.curly),
            Underline::Dotted => Some(&self.dotted),
            Underline::Dashed => Some(&self.dashed),
        }
    }
}

fn drawn(grid: Grid, draw: impl FnOnce(&mut Stencil)) -> Glyph {
    let mut stencil = Stencil::new(grid.cell_width, grid.cell_height);
    draw(&mut stencil);
    stencil.into_glyph()
}

/// One whole wave in each cell, between the letters and the cell's lower edge.
fn wave(stencil: &mut Stencil, grid: Grid, top: usize) {
    let (width, stroke) = (grid.cell_width as f32, grid.stroke as f32);
    let room = grid.cell_height.saturating_sub(top) as f32;
    let swing = ((room - stroke) / 2.0).clamp(0.5, 1.5 * stroke);
    let middle = grid.cell_height as f32 - stroke / 2.0 - swing;
    let middle = middle.min(top as f32 + stroke / 2.0 + swing);
    stencil.paint(|x, y| {
        let (height, slope) = (x / width * TAU).sin_cos();
        let off = y - middle - height * swing;
        // Measured across the line, which is steep where it passes the middle.
        let steep = slope * swing * TAU / width;
        off.abs() <= stroke * 0.6 * steep.hypot(1.0)
    });
}
