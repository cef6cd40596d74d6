//! What stands in a cell, as a stencil to paint through or a small picture.
//!
//! A glyph knows its place in its cell, so that whoever paints it only adds the cell's own. Coverage is kept in 16 levels:
//! the eye cannot tell them from 256, and a screen of a dozen colours then has fewer than 256 in all, so that PNG and
//! GIF can list them exactly.
//!
//! Elsewhere: glyphs from fonts (`glyph/rasterize.rs`), those drawn by us (`shape.rs`), painting (`picture/pixels.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use screentest_core::Text;

use crate::Pixel;
use crate::font::Fonts;

mod coverage;
mod decorations;
mod grid;
mod missing;
mod rasterize;
pub(crate) mod shape;

pub(crate) use coverage::Coverage;
pub(crate) use decorations::Decorations;
pub use grid::Grid;
use rasterize::Rasterizer;

/// The highest level of coverage: ink only.
pub(crate) const FULL: u8 = 15;

/// The level nearest to a coverage of 0 to 255.
pub(crate) fn level(coverage: u8) -> u8 {
    ((u16::from(coverage) * u16::from(FULL) + 127) / 255) as u8
}

/// Whether letters are bold and whether they lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct FontStyle {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
}

/// Something to paint into a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glyph {
    /// Its first column, from the cell's left edge; may lie in the cell before.
    pub(crate) left: i32,
    /// Its first line, from the cell's upper edge.
    pub(crate) top: i32,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: GlyphPixels,
}

/// What a glyph is painted with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GlyphPixels {
    /// The colour of the text, through levels of coverage, line by line.
    Coverage(Box<[u8]>),
    /// Colours of its own.
    Colors(Box<[Pixel]>),
}

impl Glyph {
    /// Nothing at all, as for a blank.
    pub(crate) fn empty() -> Glyph {
        Glyph {
            left: 0,
            top: 0,
            width: 0,
            height: 0,
            pixels: GlyphPixels::Coverage(Box::default()),
        }
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let pixels = match &self.pixels {
            GlyphPixels::Coverage(levels) => levels.len(),
            GlyphPixels::Colors(colors) => size_of_val(&colors[..]),
        };
        // What finds it again takes about as much as itself.
        pixels + 2 * size_of::<Glyph>()
    }
}

/// Which glyph is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GlyphRequest<'a> {
    pub(crate) text: &'a str,
    pub(crate) style: FontStyle,
    /// 1, or 2 for a wide character.
    pub(crate) cells: u8,
    pub(crate) grid: Grid,
}

/// Makes the glyph of a cell, from a font or by our own hand.
fn make(request: GlyphRequest<'_>, fonts: &Fonts, rasterizer: &mut Rasterizer) -> Glyph {
    let mut chars = request.text.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && let cell = request.grid.cell(request.cells)
        && let Some(parts) = shape::parts(c, cell)
    {
        return Coverage::of(&parts, cell).into_glyph();
    }
    rasterizer
        .rasterize(request, fonts)
        .unwrap_or_else(|| missing::draw(request))
}

/// Glyphs made so far, for every size, shared by all threads.
#[derive(Default)]
pub(crate) struct GlyphCache(Mutex<CacheState>);

#[derive(Default)]
struct CacheState {
    rasterizer: Rasterizer,
    grids: HashMap<Grid, GridGlyphs>,
    /// What all of them take.
    bytes: usize,
}

#[derive(Default)]
struct GridGlyphs {
    chars: HashMap<(char, FontStyle, u8), Arc<Glyph>>,
    clusters: HashMap<(Box<str>, FontStyle, u8), Arc<Glyph>>,
    decorations: Option<Arc<Decorations>>,
}

impl GlyphCache {
    /// Over a hundred thousand characters at a usual size, and dozens as large as a screen; a program that prints more starts
    /// over.
    const MAX_BYTES: usize = 64 << 20;

    /// The glyph of a cell.
    pub(crate) fn glyph(
        &self,
        text: Text<'_>,
        style: FontStyle,
        cells: u8,
        grid: Grid,
        fonts: &Fonts,
    ) -> Arc<Glyph> {
        let mut buffer = [0; 4];
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let CacheState {
            rasterizer,
            grids,
            bytes,
        } = &mut *state;
        if *bytes >= GlyphCache::MAX_BYTES {
            grids.clear();
            *bytes = 0;
        }
        let glyphs = grids.entry(grid).or_default();
        let mut made = |text: &str| {
            let request = GlyphRequest {
                text,
                style,
                cells,
                grid,
            };
            let glyph = make(request, fonts, rasterizer);
            *bytes += glyph.bytes() + text.len();
            Arc::new(glyph)
        };
        let glyph = match text {
            Text::Char(c) => glyphs
                .chars
                .entry((c, style, cells))
                .or_insert_with(|| made(c.encode_utf8(&mut buffer))),
            Text::Cluster(cluster) => glyphs
                .clusters
                .entry((cluster.into(), style, cells))
                .or_insert_with(|| made(cluster)),
        };
        Arc::clone(glyph)
    }

    /// The lines over, under and through text.
    pub(crate) fn decorations(&self, grid: Grid) -> Arc<Decorations> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let CacheState { grids, bytes, .. } = &mut *state;
        let glyphs = grids.entry(grid).or_default();
        let decorations = glyphs.decorations.get_or_insert_with(|| {
            let decorations = Decorations::new(grid);
            *bytes += decorations.bytes();
            Arc::new(decorations)
        });
        Arc::clone(decorations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, SystemFonts};

    #[test]
    fn large_glyphs_do_not_pile_up() {
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        let options = Options {
            font_size: 256.0,
            line_height: 4.0,
            letter_spacing: 1024.0,
            ..Options::default()
        };
        let grid = Grid::new(&fonts, &options);
        // Each of these covers its cell, which has more than a million pixels.
        for number in 0..100 {
            let c = char::from_u32(0x2801 + number).expect("a pattern of dots");
            fonts
                .cache()
                .glyph(Text::Char(c), FontStyle::default(), 1, grid, &fonts);
        }
        let state = fonts.cache().0.lock().expect("no thread panicked");
        let glyphs = state
            .grids
            .values()
            .flat_map(|glyphs| glyphs.chars.values());
        let bytes: usize = glyphs.map(|glyph| glyph.bytes()).sum();
        assert!(
            (1..=GlyphCache::MAX_BYTES + (4 << 20)).contains(&bytes),
            "{bytes}"
        );
    }
}
