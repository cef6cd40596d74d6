//! How large a cell is, in whole pixels.

use crate::Options;
use crate::font::Fonts;
use crate::shape::CellBox;

/// The cells of a picture: all of one size, so that columns align and lines join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// How wide a cell is.
    pub cell_width: usize,
    /// How high it is.
    pub cell_height: usize,
    /// The line on which letters stand, from the upper edge.
    pub baseline: usize,
    /// How thick a thin line is.
    pub stroke: usize,
    /// The size of the letters in 64ths of a pixel: whole, so that equal sizes are the same key.
    size: u32,
    advance: usize,
}

impl Grid {
    /// The cells of a font at a size in pixels, with letters and lines set apart: `spacing` in pixels, `line_height` as
    /// a factor.
    pub(crate) fn new(fonts: &Fonts, size: f32, spacing: f32, line_height: f32) -> Grid {
        let metrics = fonts.regular().with(|font| {
            let advance = font.glyph_metrics(&[]).scale(size);
            let advance = advance.advance_width(font.charmap().map('M'));
            (font.metrics(&[]).scale(size), advance)
        });
        let (metrics, advance) = metrics.expect("the regular face was read before");
        let natural = metrics.ascent + metrics.descent;
        // Rounded up, so that nothing of a letter is lost; a letter's width is close to whole pixels anyway.
        let cell_height = pixels((natural * line_height).ceil());
        let above = ((cell_height as f32 - natural) / 2.0).max(0.0);
        Grid {
            cell_width: pixels((advance + spacing).round()),
            cell_height,
            baseline: pixels((above + metrics.ascent).round()).min(cell_height),
            stroke: pixels((size / 16.0).round()),
            size: (size * 64.0) as u32,
            advance: pixels(advance.round()),
        }
    }

    /// The cells for a font that only the reader knows: most are 0.6 times as wide as their size, and 1.2 times as high.
    pub(crate) fn nominal(options: &Options) -> Grid {
        let size = options.font_size;
        let natural = size * 1.2;
        // Whole pixels, so that lines are sharp.
        let cell_height = pixels((natural * options.line_height).round());
        let above = (cell_height as f32 - natural).max(0.0) / 2.0;
        // Letters reach about a quarter of their size below the line.
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

    /// The size of the letters.
    pub(crate) fn size(self) -> f32 {
        self.size as f32 / 64.0
    }

    /// How far one letter is from the next as the font has it, without extra space.
    pub(crate) fn advance(self) -> usize {
        self.advance
    }

    /// One or two cells to draw lines in.
    pub(crate) fn cell(self, cells: u8) -> CellBox {
        CellBox {
            width: self.cell_width * usize::from(cells),
            height: self.cell_height,
            stroke: self.stroke,
        }
    }
}

/// At least one pixel; what is not a number becomes one too.
fn pixels(value: f32) -> usize {
    (value as usize).max(1)
}
