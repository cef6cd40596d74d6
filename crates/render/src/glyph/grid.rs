//! How large a cell is, in whole pixels.

use crate::font::{FaceMetrics, Fonts};
use crate::glyph::shape::CellBox;
use crate::{Options, Scale};

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
    /// The cells of a font.
    pub(crate) fn new(fonts: &Fonts, options: &Options) -> Grid {
        let size = options.font_size;
        let FaceMetrics {
            ascent,
            descent,
            advance,
            ..
        } = fonts.regular().measures().scaled(size);
        let natural = ascent + descent;
        // Rounded up, so that nothing of a letter is lost; a letter's width is close to whole pixels anyway.
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

    /// The same with more pixels: exactly as many times, so that a picture is as large as was asked.
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
