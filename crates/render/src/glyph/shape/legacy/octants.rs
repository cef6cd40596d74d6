//! Blocks on a grid: octants, separated quadrants and sextants, sixteenths, thirds and quarters.

use std::ops::Range;

use super::super::blocks::fraction;
use super::super::builder::ShapeBuilder;
use super::super::{CellBox, ShapePart};

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let code = c as usize;
    let quarters = |x: Range<usize>, y: Range<usize>| {
        vec![ShapePart::Area(
            fraction(cell.width, x.start, 4)..fraction(cell.width, x.end, 4),
            fraction(cell.height, y.start, 4)..fraction(cell.height, y.end, 4),
        )]
    };
    let left_thirds = |thirds: usize| {
        let area = ShapeBuilder::new(cell).area(0.0..thirds as f32 / 3.0, 0.0..1.0);
        area.finish()
    };
    Some(match c {
        '\u{1fbce}' => left_thirds(2),
        '\u{1fbcf}' => left_thirds(1),
        '\u{1fbe4}' => quarters(1..3, 0..2),
        '\u{1fbe5}' => quarters(1..3, 2..4),
        '\u{1fbe6}' => quarters(0..2, 1..3),
        '\u{1fbe7}' => quarters(2..4, 1..3),
        '\u{1cc21}'..='\u{1cc2f}' => separated(cell, code - 0x1cc20, 2),
        '\u{1ce51}'..='\u{1ce8f}' => separated(cell, code - 0x1ce50, 3),
        '\u{1cd00}'..='\u{1cde5}' => octants(cell, OCTANTS[code - 0x1cd00]),
        '\u{1ce90}'..='\u{1ce9f}' => {
            let (x, y) = ((code - 0x1ce90) % 4, (code - 0x1ce90) / 4);
            quarters(x..x + 1, y..y + 1)
        }
        '\u{1cea0}' => quarters(2..4, 3..4),
        '\u{1cea1}' => quarters(1..4, 3..4),
        '\u{1cea2}' => quarters(0..3, 3..4),
        '\u{1cea3}' => quarters(0..2, 3..4),
        '\u{1cea4}' => quarters(0..1, 2..4),
        '\u{1cea5}' => quarters(0..1, 1..4),
        '\u{1cea6}' => quarters(0..1, 0..3),
        '\u{1cea7}' => quarters(0..1, 0..2),
        '\u{1cea8}' => quarters(0..2, 0..1),
        '\u{1cea9}' => quarters(0..3, 0..1),
        '\u{1ceaa}' => quarters(1..4, 0..1),
        '\u{1ceab}' => quarters(2..4, 0..1),
        '\u{1ceac}' => quarters(3..4, 0..2),
        '\u{1cead}' => quarters(3..4, 0..3),
        '\u{1ceae}' => quarters(3..4, 1..4),
        '\u{1ceaf}' => quarters(3..4, 2..4),
        _ => return None,
    })
}

/// The filled octants of each character, one bit each, line by line: all patterns in order except
/// those that are other characters, such as quadrants and quarters.
const OCTANTS: [u8; 230] = {
    let mut octants = [0; 230];
    let (mut found, mut pattern) = (0, 0);
    while found < octants.len() {
        if !is_other_character(pattern) {
            octants[found] = pattern;
            found += 1;
        }
        pattern += 1;
    }
    octants
};

const fn is_other_character(pattern: u8) -> bool {
    // A quadrant is two octants, one above the other.
    let is_quadrants = pattern & 0b0011_0011 == pattern >> 2 & 0b0011_0011;
    is_quadrants
        || matches!(
            pattern,
            // Single corners: halves of the quarters from U+1CEA0.
            0b0000_0001 | 0b0000_0010 | 0b0100_0000 | 0b1000_0000
            // One and three quarters, from above and from below.
            | 0b0000_0011 | 0b0011_1111 | 0b1100_0000 | 0b1111_1100
            // The middle of the left and the right half, U+1FBE6 and U+1FBE7.
            | 0b0001_0100 | 0b0010_1000
        )
}

/// Two columns of four.
fn octants(cell: CellBox, bits: u8) -> Vec<ShapePart> {
    let places = (0..8).filter(|place| bits >> place & 1 == 1);
    places
        .map(|place| {
            let (x, y) = (place % 2, place / 2);
            ShapePart::Area(
                fraction(cell.width, x, 2)..fraction(cell.width, x + 1, 2),
                fraction(cell.height, y, 4)..fraction(cell.height, y + 1, 4),
            )
        })
        .collect()
}

/// Two columns of some rows, one bit each, line by line. Each block is surrounded by a gap of the
/// thickness of a line; in cells too small for that, the gap is only right and below.
fn separated(cell: CellBox, bits: usize, rows: usize) -> Vec<ShapePart> {
    let shrunk = |range: Range<usize>| {
        let gap = (range.len() / 6).max(cell.stroke);
        let both = range.start + gap..range.end.saturating_sub(gap);
        if both.len() > range.len() / 3 {
            both
        } else {
            range.start..range.end.saturating_sub(1).max(range.start + 1)
        }
    };
    let places = (0..2 * rows).filter(|place| bits >> place & 1 == 1);
    places
        .map(|place| {
            let (x, y) = (place % 2, place / 2);
            ShapePart::Area(
                shrunk(fraction(cell.width, x, 2)..fraction(cell.width, x + 1, 2)),
                shrunk(fraction(cell.height, y, rows)..fraction(cell.height, y + 1, rows)),
            )
        })
        .collect()
}
