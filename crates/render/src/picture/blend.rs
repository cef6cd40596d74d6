//! Blends glyphs onto pixels.

use std::ops::Range;

use crate::glyph::{FULL, Glyph, GlyphPixels};
use crate::{Pixel, Pixels};

/// A colour in all levels of coverage over a background.
///
/// Most pixels of a glyph are on the background of their own cell, so their colours are computed in
/// advance. The colour is mixed again only where a neighbouring glyph overlaps.
#[derive(Debug, Clone)]
pub(super) struct Tints {
    fg: Pixel,
    bg: Pixel,
    levels: [Pixel; FULL as usize + 1],
}

impl Tints {
    pub(super) fn new(fg: Pixel, bg: Pixel) -> Tints {
        Tints {
            fg,
            bg,
            levels: std::array::from_fn(|level| mix(bg, fg, level as u8 * (255 / FULL))),
        }
    }

    pub(super) fn is(&self, fg: Pixel, bg: Pixel) -> bool {
        self.fg == fg && self.bg == bg
    }

    fn over(&self, under: Pixel, level: u8) -> Pixel {
        if under == self.bg {
            self.levels[usize::from(level)]
        } else {
            mix(under, self.fg, level * (255 / FULL))
        }
    }
}

/// The pixels on which a row may draw.
#[derive(Debug, Clone)]
pub(super) struct Band {
    pub(super) columns: Range<usize>,
    pub(super) lines: Range<usize>,
}

/// Paints a glyph whose cell begins at `x` and at the band's first line. Parts outside the band are
/// clipped.
pub(super) fn paint(pixels: &mut Pixels, x: usize, band: &Band, glyph: &Glyph, tints: &Tints) {
    let columns = clip(x as i32 + glyph.left, glyph.width, &band.columns);
    let rows = clip(
        band.lines.start as i32 + glyph.top,
        glyph.height,
        &band.lines,
    );
    if columns.to.is_empty() {
        return;
    }
    for (y, from) in rows.to.zip(rows.from..) {
        let line = &mut pixels.row_mut(y)[columns.to.clone()];
        let start = from * glyph.width + columns.from;
        let from = start..start + line.len();
        match &glyph.pixels {
            GlyphPixels::Coverage(levels) => {
                for (pixel, level) in line.iter_mut().zip(&levels[from]) {
                    if *level != 0 {
                        *pixel = tints.over(*pixel, *level);
                    }
                }
            }
            GlyphPixels::Colors(colors) => {
                for (pixel, color) in line.iter_mut().zip(&colors[from]) {
                    *pixel = mix(*pixel, *color, color[3]);
                }
            }
        }
    }
}

/// The visible part of a range: its position on the picture and its start within the glyph.
struct ClippedRange {
    to: Range<usize>,
    from: usize,
}

fn clip(start: i32, length: usize, within: &Range<usize>) -> ClippedRange {
    let end = start.saturating_add(length as i32).max(0) as usize;
    let first = (start.max(0) as usize).max(within.start);
    ClippedRange {
        to: first..end.min(within.end).max(first),
        from: (first as i32 - start).max(0) as usize,
    }
}

/// Mixes a colour over another with an opacity of 0 to 255. The result has the alpha of the lower
/// colour.
pub(super) fn mix(under: Pixel, over: Pixel, opacity: u8) -> Pixel {
    let part = |under: u8, over: u8| {
        let (under, over, opacity) = (u32::from(under), u32::from(over), u32::from(opacity));
        ((under * (255 - opacity) + over * opacity + 127) / 255) as u8
    };
    [
        part(under[0], over[0]),
        part(under[1], over[1]),
        part(under[2], over[2]),
        under[3],
    ]
}
