//! Glyphs: the contents of a cell, as levels of coverage or as coloured pixels.
//!
//! A glyph stores its position relative to its cell. Coverage has 16 levels: the eye cannot
//! distinguish them from 256, and a screen with a dozen colours then has fewer than 256 in total,
//! so that PNG and GIF can store them exactly.
//!
//! See also: `glyph/rasterize.rs` (glyphs from fonts), `glyph/shape.rs` (drawn characters),
//! `picture/blend.rs` (painting onto pixels).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use screentest_core::Text;

use crate::Pixel;
use crate::font::{self, Fonts};

mod coverage;
mod decorations;
mod glyph_images;
mod grid;
mod marks;
mod missing;
mod paint_graph;
mod presentation;
mod rasterize;
pub(crate) mod shape;

pub(crate) use coverage::Coverage;
pub(crate) use decorations::Decorations;
pub use grid::Grid;
use rasterize::Rasterizer;

/// The highest level: full coverage.
pub(crate) const FULL: u8 = 15;

/// Returns the nearest level to a coverage of 0 to 255.
pub(crate) fn level(coverage: u8) -> u8 {
    ((u16::from(coverage) * u16::from(FULL) + 127) / 255) as u8
}

/// Whether letters are bold and whether they are slanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct FontStyle {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
}

/// The pixels of a character, relative to its cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glyph {
    /// First column, from the left edge of the cell; may be in the cell before.
    pub(crate) left: i32,
    /// First line, from the upper edge of the cell.
    pub(crate) top: i32,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: GlyphPixels,
}

/// The pixels of a glyph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GlyphPixels {
    /// Levels of coverage, line by line, painted in the colour of the text.
    Coverage(Box<[u8]>),
    /// Pixels with their own colours.
    Colors(Box<[Pixel]>),
}

impl Glyph {
    /// Returns a glyph without pixels, as for a space.
    pub(crate) fn empty() -> Glyph {
        Glyph {
            left: 0,
            top: 0,
            width: 0,
            height: 0,
            pixels: GlyphPixels::Coverage(Box::default()),
        }
    }

    /// Returns the approximate memory use.
    pub(crate) fn bytes(&self) -> usize {
        let pixels = match &self.pixels {
            GlyphPixels::Coverage(levels) => levels.len(),
            GlyphPixels::Colors(colors) => size_of_val(&colors[..]),
        };
        // The entry in the cache takes about as much as the struct itself.
        pixels + 2 * size_of::<Glyph>()
    }
}

/// Identifies a glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GlyphRequest<'a> {
    pub(crate) text: &'a str,
    pub(crate) style: FontStyle,
    /// 1, or 2 for a wide character.
    pub(crate) cells: u8,
    pub(crate) grid: Grid,
}

/// Makes the glyph of a cell, from a drawn shape or from a font.
fn make(request: GlyphRequest<'_>, fonts: &Fonts, rasterizer: &mut Rasterizer) -> Glyph {
    let mut chars = request.text.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && let cell = request.grid.cell(request.cells)
        && let Some(parts) = shape::parts(c, cell)
    {
        return Coverage::of(&parts, cell).into_glyph();
    }
    rasterizer.rasterize(request, fonts).unwrap_or_else(|| {
        // The box of a syllable of Hangul, not of its first letter.
        let text = &font::composed(request.text);
        missing::draw(GlyphRequest { text, ..request })
    })
}

/// Cache of glyphs for every size, shared by all threads.
#[derive(Default)]
pub(crate) struct GlyphCache(Mutex<CacheState>);

#[derive(Default)]
struct CacheState {
    rasterizer: Rasterizer,
    grids: HashMap<Grid, GridGlyphs>,
    /// Memory of all cached glyphs.
    bytes: usize,
}

#[derive(Default)]
struct GridGlyphs {
    chars: HashMap<(char, FontStyle, u8), Arc<Glyph>>,
    /// By text within the style, so that a text is looked up without a copy of it.
    clusters: HashMap<(FontStyle, u8), HashMap<Box<str>, Arc<Glyph>>>,
    decorations: Option<Arc<Decorations>>,
}

impl GlyphCache {
    /// More than a hundred thousand characters at a usual size, or dozens as large as a screen.
    /// Beyond the limit the cache is cleared.
    const MAX_BYTES: usize = 64 << 20;

    /// Returns the glyph of a cell.
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
        match text {
            Text::Char(c) => {
                let glyph = glyphs.chars.entry((c, style, cells));
                Arc::clone(glyph.or_insert_with(|| made(c.encode_utf8(&mut buffer))))
            }
            Text::Cluster(cluster) => {
                let clusters = glyphs.clusters.entry((style, cells)).or_default();
                if let Some(glyph) = clusters.get(cluster) {
                    return Arc::clone(glyph);
                }
                let glyph = made(cluster);
                clusters.insert(cluster.into(), Arc::clone(&glyph));
                glyph
            }
        }
    }

    /// Returns the underlines, overline, strikethrough and line-shaped cursors.
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
    use crate::{RenderOptions, SystemFonts};

    #[test]
    fn no_mark_is_cut_at_the_edge_of_its_row() {
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        // The bundled font has all of these marks.
        let above = [
            '\u{300}', '\u{301}', '\u{302}', '\u{303}', '\u{304}', '\u{30a}', '\u{30b}',
        ];
        let below = ['\u{323}', '\u{324}', '\u{325}', '\u{331}', '\u{32d}'];
        for font_size in [8.0, 16.0, 40.0] {
            let options = RenderOptions {
                font_size,
                ..RenderOptions::default()
            };
            let grid = Grid::new(&fonts, &options);
            for letter in ['x', 'H', 'g', 'É'] {
                for count in 1..=above.len() {
                    let mut text = letter.to_string();
                    text.extend(&above[..count]);
                    text.extend(&below[..count.min(below.len())]);
                    let style = FontStyle::default();
                    let cluster = Text::Cluster(&text);
                    let glyph = fonts.cache().glyph(cluster, style, 1, grid, &fonts);
                    let bottom = glyph.top + glyph.height as i32;
                    assert!(
                        glyph.top >= 0 && bottom <= grid.cell_height as i32,
                        "{text:?} at {font_size}: lines {} to {bottom}",
                        glyph.top
                    );
                }
            }
        }
        assert_eq!(fonts.missing(), [""; 0]);
    }

    #[test]
    fn the_memory_of_cached_glyphs_is_bounded() {
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        let options = RenderOptions {
            font_size: 256.0,
            line_height: 4.0,
            letter_spacing: 1024.0,
            ..RenderOptions::default()
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
