//! Characters that are drawn without a font because they must meet their neighbours at the edge of
//! the cell.
//!
//! The lines of a font fit cells of the font's size; at any other size there are gaps. Here each
//! shape is computed for the given cell: straight edges on whole pixels, outlines only for slanted
//! and round parts. Pixels and SVG are drawn from the same description.
//!
//! See also: `glyph/coverage.rs` (levels of coverage), `formats/svg/drawing.rs` (SVG).

use std::ops::Range;

pub(crate) use path::{Path, PathSegment};

mod blocks;
mod box_drawing;
mod braille;
mod builder;
pub(crate) mod decorations;
mod legacy;
mod media_symbols;
mod path;
mod polygon;
mod powerline;
mod powerline_symbols;

/// The size of the cell in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellBox {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Thickness of a thin line.
    pub(crate) stroke: usize,
}

/// A part of a shape, relative to the upper left corner of its cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShapePart {
    /// A rectangle on whole pixels. It is clipped to its cell.
    Area(Range<usize>, Range<usize>),
    /// A rectangle that is covered by this many quarters. It is clipped to its cell.
    Shade(u8, Range<usize>, Range<usize>),
    /// The inside of an outline.
    Filled(Path),
    /// The inside of an outline, covered by this many quarters.
    ShadedOutline(u8, Path),
    /// A thin line along a path.
    Stroke(Path),
}

/// Returns the parts of a character; `None` if it is not one of the drawn shapes.
pub(crate) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    match c {
        '\u{2500}'..='\u{257f}' => box_drawing::parts(c, cell),
        '\u{2580}'..='\u{259f}' | '\u{1fb00}'..='\u{1fb3b}' | '\u{1fb70}'..='\u{1fb8b}' => {
            blocks::parts(c, cell)
        }
        '\u{2800}'..='\u{28ff}' => Some(braille::parts(c, cell)),
        '\u{e0b0}'..='\u{e0bf}' | '\u{25e2}'..='\u{25e5}' => powerline::parts(c, cell),
        '\u{e0a0}'..='\u{e0a2}' => powerline_symbols::parts(c, cell),
        '\u{23bf}' | '\u{23f4}'..='\u{23fa}' => media_symbols::parts(c, cell),
        '\u{1fb3c}'..='\u{1fbf9}' | '\u{1cc00}'..='\u{1cebf}' => legacy::parts(c, cell),
        _ => None,
    }
}

/// Whether a character is one of the drawn shapes.
pub(crate) fn is_drawn_shape(c: char) -> bool {
    let smallest = CellBox {
        width: 1,
        height: 1,
        stroke: 1,
    };
    // Most characters are letters, for which the comparison is enough.
    c >= '\u{23bf}' && parts(c, smallest).is_some()
}

#[cfg(test)]
mod tests;
