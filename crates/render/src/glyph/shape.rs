//! Characters that are drawn by us, since they must meet their neighbours at the very edge of the cell.
//!
//! A font draws its lines for cells of its own size; at any other they leave seams. Here each is described for the cell at
//! hand: straight edges on whole pixels, outlines only where something is slanted or round. Pixels and SVG are drawn from
//! the same description.
//!
//! Elsewhere: as levels of coverage (`glyph/coverage.rs`), as SVG (`svg/drawing.rs`).

use std::ops::Range;

pub(crate) use path::{Path, Segment};

mod blocks;
mod box_drawing;
mod braille;
pub(crate) mod decorations;
mod media_symbols;
mod path;
mod powerline;
mod powerline_symbols;

/// The room a shape has, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellBox {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// How thick a thin line is.
    pub(crate) stroke: usize,
}

/// A part of a shape, counted from the upper left corner of its cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShapePart {
    /// A rectangle on whole pixels. It may reach beyond a cell that is too small for it, and is cut off there.
    Area(Range<usize>, Range<usize>),
    /// The whole cell, of which so many quarters are covered.
    Shade(u8),
    /// What is inside of an outline.
    Filled(Path),
    /// A line along a path, as thick as a thin line is.
    Stroke(Path),
}

/// Describes a character, if it is one of ours.
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
        _ => None,
    }
}

/// Whether a character is one of ours.
pub(crate) fn is_drawn_shape(c: char) -> bool {
    let smallest = CellBox {
        width: 1,
        height: 1,
        stroke: 1,
    };
    // Most characters are letters, which end the question at once.
    c >= '\u{23bf}' && parts(c, smallest).is_some()
}

#[cfg(test)]
mod tests;
