//! What stands in a cell, as a stencil to paint through or a small picture.
//!
//! A glyph knows its place in its cell, so that whoever paints it only adds the cell's own. Coverage is kept in 16 levels:
//! the eye cannot tell them from 256, and a screen of a dozen colours then has fewer than 256 in all, so that PNG and
//! GIF can list them exactly.
//!
//! Elsewhere: glyphs from fonts (`glyph/cast.rs`), those drawn by us (`shape.rs`), painting (`picture/ink.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use screentest_core::Text;

use crate::Pixel;
use crate::font::Fonts;
use crate::shape;

mod cast;
mod grid;
mod marks;
mod missing;
mod stencil;

use cast::Caster;
pub use grid::Grid;
pub(crate) use marks::Marks;
pub(crate) use stencil::Stencil;

/// The highest level of coverage: ink only.
pub(crate) const FULL: u8 = 15;

/// The level nearest to a coverage of 0 to 255.
pub(crate) fn level(coverage: u8) -> u8 {
    ((u16::from(coverage) * u16::from(FULL) + 127) / 255) as u8
}

/// Whether letters are bold and whether they lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Look {
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
    pub(crate) ink: Ink,
}

/// What a glyph is painted with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The colour of the text, through levels of coverage, line by line.
    Stencil(Box<[u8]>),
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
            ink: Ink::Stencil(Box::default()),
        }
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let ink = match &self.ink {
            Ink::Stencil(levels) => levels.len(),
            Ink::Colors(colors) => size_of_val(&colors[..]),
        };
        // What finds it again takes about as much as itself.
        ink + 2 * size_of::<Glyph>()
    }
}

/// Which glyph is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Wanted<'a> {
    pub(crate) text: &'a str,
    pub(crate) look: Look,
    /// 1, or 2 for a wide character.
    pub(crate) cells: u8,
    pub(crate) grid: Grid,
}

/// Makes the glyph of a cell, from a font or by our own hand.
fn make(wanted: Wanted<'_>, fonts: &Fonts, caster: &mut Caster) -> Glyph {
    let mut chars = wanted.text.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && let cell = wanted.grid.cell(wanted.cells)
        && let Some(parts) = shape::parts(c, cell)
    {
        return Stencil::of(&parts, cell).into_glyph();
    }
    caster
        .cast(wanted, fonts)
        .unwrap_or_else(|| missing::draw(wanted))
}

/// Glyphs made so far, for every size, shared by all threads.
#[derive(Default)]
pub(crate) struct Cache(Mutex<Store>);

#[derive(Default)]
struct Store {
    caster: Caster,
    grids: HashMap<Grid, Kept>,
    /// What all of them take.
    bytes: usize,
}

#[derive(Default)]
struct Kept {
    chars: HashMap<(char, Look, u8), Arc<Glyph>>,
    clusters: HashMap<(Box<str>, Look, u8), Arc<Glyph>>,
    marks: Option<Arc<Marks>>,
}

impl Cache {
    /// Over a hundred thousand characters at a usual size, and dozens as large as a screen; a program that prints more starts
    /// over.
    const MOST_BYTES: usize = 64 << 20;

    /// The glyph of a cell.
    pub(crate) fn glyph(
        &self,
        text: Text<'_>,
        look: Look,
        cells: u8,
        grid: Grid,
        fonts: &Fonts,
    ) -> Arc<Glyph> {
        let mut buffer = [0; 4];
        let mut store = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Store {
            caster,
            grids,
            bytes,
        } = &mut *store;
        if *bytes >= Cache::MOST_BYTES {
            grids.clear();
            *bytes = 0;
        }
        let kept = grids.entry(grid).or_default();
        let mut made = |text: &str| {
            let wanted = Wanted {
                text,
                look,
                cells,
                grid,
            };
            let glyph = make(wanted, fonts, caster);
            *bytes += glyph.bytes() + text.len();
            Arc::new(glyph)
        };
        let glyph = match text {
            Text::Char(c) => kept
                .chars
                .entry((c, look, cells))
                .or_insert_with(|| made(c.encode_utf8(&mut buffer))),
            Text::Cluster(cluster) => kept
                .clusters
                .entry((cluster.into(), look, cells))
                .or_insert_with(|| made(cluster)),
        };
        Arc::clone(glyph)
    }

    /// The lines over, under and through text.
    pub(crate) fn marks(&self, grid: Grid) -> Arc<Marks> {
        let mut store = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Store { grids, bytes, .. } = &mut *store;
        let kept = grids.entry(grid).or_default();
        let marks = kept.marks.get_or_insert_with(|| {
            let marks = Marks::new(grid);
            *bytes += marks.bytes();
            Arc::new(marks)
        });
        Arc::clone(marks)
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
                .glyph(Text::Char(c), Look::default(), 1, grid, &fonts);
        }
        let store = fonts.cache().0.lock().expect("no thread panicked");
        let kept = store.grids.values().flat_map(|kept| kept.chars.values());
        let bytes: usize = kept.map(|glyph| glyph.bytes()).sum();
        assert!(
            (1..=Cache::MOST_BYTES + (4 << 20)).contains(&bytes),
            "{bytes}"
        );
    }
}
