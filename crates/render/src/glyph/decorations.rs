//! Underlines, overline, strikethrough and line-shaped cursors, drawn once per cell size.

use screentest_core::Underline;

use super::coverage::Coverage;
use super::{Glyph, Grid};
use crate::glyph::shape::{ShapePart, decorations};

/// The decorations of one cell size.
#[derive(Debug)]
pub(crate) struct Decorations {
    single: Glyph,
    double: Glyph,
    curly: Glyph,
    dotted: Glyph,
    dashed: Glyph,
    pub(crate) overline: Glyph,
    pub(crate) strikethrough: Glyph,
    /// An underline cursor.
    pub(crate) under: Glyph,
    /// A bar cursor at the left edge.
    pub(crate) bar: Glyph,
}

impl Decorations {
    pub(super) fn new(grid: Grid) -> Decorations {
        let drawn = |parts: &[ShapePart]| Coverage::of(parts, grid.cell(1)).into_glyph();
        let underline = |kind| drawn(&decorations::underline(kind, grid));
        Decorations {
            single: underline(Underline::Single),
            double: underline(Underline::Double),
            curly: underline(Underline::Curly),
            dotted: underline(Underline::Dotted),
            dashed: underline(Underline::Dashed),
            overline: drawn(&[decorations::overline(grid)]),
            strikethrough: drawn(&[decorations::strikethrough(grid)]),
            under: drawn(&[decorations::cursor_under(grid)]),
            bar: drawn(&[decorations::cursor_bar(grid)]),
        }
    }

    /// Returns the approximate memory use.
    pub(super) fn bytes(&self) -> usize {
        let Decorations {
            single,
            double,
            curly,
            dotted,
            dashed,
            overline,
            strikethrough,
            under,
            bar,
        } = self;
        let all = [
            single,
            double,
            curly,
            dotted,
            dashed,
            overline,
            strikethrough,
            under,
            bar,
        ];
        all.map(Glyph::bytes).into_iter().sum()
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
