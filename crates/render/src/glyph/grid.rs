//! The size of a cell in whole pixels.

use crate::font::{FaceMetrics, Fonts};
use crate::glyph::shape::CellBox;
use crate::{RenderOptions, Scale};

/// The cells of a picture: all of one size, so that columns align and lines join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Width of a cell.
    pub cell_width: usize,
    /// Height of a cell.
    pub cell_height: usize,
    /// The baseline of the text, from the upper edge.
    pub baseline: usize,
    /// Thickness of a thin line.
    pub stroke: usize,
    /// Font size in 64ths of a pixel: an integer, so that equal sizes are equal keys.
    size: u32,
    advance: usize,
}

impl Grid {
    /// Computes the cells of a font.
    pub(crate) fn new(fonts: &Fonts, options: &RenderOptions) -> Grid {
        let size = options.font_size;
        let FaceMetrics {
            ascent,
            descent,
            advance,
            ..
        } = fonts.regular().cell_metrics().scaled(size);
        let natural = ascent + descent;
        // Rounded up, so that no part of a letter is lost; the width of a letter is close to whole
        // pixels anyway.
        let cell_height = pixels((natural * options.line_height).ceil());
        let above = ((cell_height as f32 - natural) / 2.0).max(0.0);
        Grid {
            cell_width: pixels((advance + options.letter_spacing).round()),
            cell_height,
            baseline: pixels((above + ascent).round()).min(cell_height),
            stroke: pixels((size / 16.0).round()),
            size: (size * 64.0) as u32,
            advance: pixels(advance.round()),
        }
        .scaled(options.scale)
    }

    /// Multiplies all lengths by the scale, so that the picture has exactly the requested size.
    fn scaled(self, scale: Scale) -> Grid {
        let times = |length: usize| scale.times(length);
        Grid {
            cell_width: times(self.cell_width),
            cell_height: times(self.cell_height),
            baseline: times(self.baseline),
            stroke: times(self.stroke),
            size: scale.times(self.size as usize) as u32,
            advance: times(self.advance),
        }
    }

    /// Computes the cells for a font that only the viewer knows. Most fonts are 0.6 times as wide
    /// as their size, and 1.2 times as high.
    pub(crate) fn nominal(options: &RenderOptions) -> Grid {
        let size = options.font_size;
        let natural = size * 1.2;
        // Whole pixels, so that lines are sharp.
        let cell_height = pixels((natural * options.line_height).round());
        let above = (cell_height as f32 - natural).max(0.0) / 2.0;
        // Letters reach about a quarter of their size below the baseline.
        let baseline = pixels((above + natural - size / 4.0).round());
        Grid {
            cell_width: pixels((size * 0.6 + options.letter_spacing).round()),
            cell_height,
            baseline: baseline.min(cell_height),
            stroke: pixels((size / 16.0).round()),
            size: (size * 64.0) as u32,
            advance: pixels((size * 0.6).round()),
        }
    }

    /// Returns the font size.
    pub(crate) fn size(self) -> f32 {
        self.size as f32 / 64.0
    }

    /// Returns the font's own advance width, without extra space.
    pub(crate) fn advance(self) -> usize {
        self.advance
    }

    /// Returns the box of one or two cells.
    pub(crate) fn cell(self, cells: u8) -> CellBox {
        CellBox {
            width: self.cell_width * usize::from(cells),
            height: self.cell_height,
            stroke: self.stroke,
        }
    }
}

/// Returns at least one pixel, also for NaN.
fn pixels(value: f32) -> usize {
    (value as usize).max(1)
}
