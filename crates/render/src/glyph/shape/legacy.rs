//! Symbols for legacy computing (U+1FB00 to U+1FBF9) and their supplement (U+1CC00 to U+1CEBF), as
//! far as they are geometric shapes: mosaics, octants, separated blocks, lines, fills, parts of
//! circles, segmented digits, large letters.
//!
//! Not drawn here are the pictures of the supplement (people, vehicles, animals, chess pieces), its
//! circuit symbols and its outlined letters: they come from a font.
//!
//! The positions follow the names of the characters and the charts of Unicode 16.
//!
//! See also: `glyph/shape/blocks.rs` (sextants and eighths).

use super::{CellBox, ShapePart};

mod circles;
mod diagonals;
mod fills;
mod large_type;
mod mosaics;
mod octants;
mod ornaments;
mod pictograms;
mod segmented_digits;
#[cfg(test)]
mod tests;
mod tick_marks;

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    match c {
        '\u{1fb3c}'..='\u{1fb6f}' | '\u{1fb9a}' | '\u{1fb9b}' => mosaics::parts(c, cell),
        '\u{1fb8c}'..='\u{1fb99}' | '\u{1fb9c}'..='\u{1fb9f}' | '\u{1cc40}'..='\u{1cc47}' => {
            fills::parts(c, cell)
        }
        '\u{1fba0}'..='\u{1fbae}'
        | '\u{1fbbd}'..='\u{1fbbf}'
        | '\u{1fbd0}'..='\u{1fbdf}'
        | '\u{1cc1f}'
        | '\u{1cc20}'
        | '\u{1ce09}'
        | '\u{1ce0a}' => diagonals::parts(c, cell),
        '\u{1fbaf}'..='\u{1fbbc}' | '\u{1fbc0}'..='\u{1fbcd}' => pictograms::parts(c, cell),
        '\u{1fbe0}'..='\u{1fbe3}'
        | '\u{1fbe8}'..='\u{1fbef}'
        | '\u{1cc30}'..='\u{1cc3f}'
        | '\u{1cc6b}'..='\u{1cc6e}'
        | '\u{1cc88}'
        | '\u{1ce00}'
        | '\u{1ce01}'
        | '\u{1ce0b}'
        | '\u{1ce0c}' => circles::parts(c, cell),
        '\u{1fbf0}'..='\u{1fbf9}' => segmented_digits::parts(c, cell),
        '\u{1fbce}'
        | '\u{1fbcf}'
        | '\u{1fbe4}'..='\u{1fbe7}'
        | '\u{1cc21}'..='\u{1cc2f}'
        | '\u{1cd00}'..='\u{1cde5}'
        | '\u{1ce51}'..='\u{1ceaf}' => octants::parts(c, cell),
        '\u{1cc1b}'..='\u{1cc1e}'
        | '\u{1cc84}'
        | '\u{1cc85}'
        | '\u{1cc90}'
        | '\u{1cc91}'
        | '\u{1ce0d}'..='\u{1ce19}'
        | '\u{1ceb0}' => tick_marks::parts(c, cell),
        '\u{1cc69}' | '\u{1cc6a}' | '\u{1cc7c}'..='\u{1cc8f}' | '\u{1ce03}'..='\u{1ce07}' => {
            ornaments::parts(c, cell)
        }
        '\u{1ce1a}'..='\u{1ce50}' => large_type::parts(c, cell),
        _ => None,
    }
}
