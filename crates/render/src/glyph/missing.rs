//! Draws a box with the code point for a character that no font has. A blank would hide that
//! something is there.
//!
//! If a cell is too small for both, only the number is drawn. If it is too small for the number,
//! the box contains a question mark, or nothing if even that does not fit.

use super::coverage::Coverage;
use super::{Glyph, GlyphRequest};

/// The digits 0 to F, 3 dots wide and 5 high: three bits per line, from the top.
const DIGITS: [u16; 16] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_001_010_010,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
    0b111_101_111_101_101,
    0b110_101_110_101_110,
    0b111_100_100_100_111,
    0b110_101_101_101_110,
    0b111_100_111_100_111,
    0b111_100_111_100_100,
];
const DIGIT_WIDTH: usize = 3;
const DIGIT_HEIGHT: usize = 5;

/// Dots of a question mark, used where there is no room for a number.
const UNKNOWN: u16 = 0b111_001_010_000_010;

pub(super) fn draw(request: GlyphRequest<'_>) -> Glyph {
    let cell = request.grid.cell(request.cells);
    let mut coverage = Coverage::new(cell.width, cell.height);
    let dot = request.grid.stroke;
    let number = request.text.chars().next().map_or(0, u32::from);
    let digits: &[u32] = match number {
        0..=0xffff => &[12, 8, 4, 0],
        _ => &[20, 16, 12, 8, 4, 0],
    };
    let number = digits
        .iter()
        .map(|shift| DIGITS[(number >> shift & 0xf) as usize]);
    let number: Vec<u16> = number.collect();
    // Two lines of digits, or lines of two digits each.
    let arrangements = [number.len() / 2, 2].map(|across| (across, number.len() / across));
    let size = |(across, down): (usize, usize)| {
        let width = (across * (DIGIT_WIDTH + 1) - 1) * dot;
        (width, (down * (DIGIT_HEIGHT + 1) - 1) * dot)
    };
    let fits = |arrangement: (usize, usize), beside: usize, above: usize| {
        let (width, height) = size(arrangement);
        width + beside * dot < cell.width && height + above * dot < cell.height
    };
    let framed = arrangements.into_iter().find(|one| fits(*one, 2, 4));
    let bare = || arrangements.into_iter().find(|one| fits(*one, 0, 0));
    let (shown, arrangement) = match (framed, bare()) {
        // The number is more useful than the box.
        (Some(arrangement), _) | (None, Some(arrangement)) => (&number[..], arrangement),
        (None, None) if fits((1, 1), 2, 4) => (&[UNKNOWN][..], (1, 1)),
        (None, None) => (&[][..], (1, 1)),
    };
    if framed.is_some() || bare().is_none() {
        frame(&mut coverage, dot);
    }
    let (width, height) = size(arrangement);
    let left = cell.width.saturating_sub(width) / 2;
    let top = cell.height.saturating_sub(height) / 2;
    for (place, dots) in shown.iter().enumerate() {
        let x = left + place % arrangement.0 * (DIGIT_WIDTH + 1) * dot;
        let y = top + place / arrangement.0 * (DIGIT_HEIGHT + 1) * dot;
        digit(&mut coverage, *dots, x, y, dot);
    }
    coverage.into_glyph()
}

fn frame(coverage: &mut Coverage, dot: usize) {
    let (width, height) = (coverage.width(), coverage.height());
    let (right, bottom) = (width.saturating_sub(dot), height.saturating_sub(2 * dot));
    coverage.fill(dot..right, dot..2 * dot);
    coverage.fill(dot..right, bottom..bottom + dot);
    coverage.fill(dot..2 * dot, dot..bottom);
    coverage.fill(right.saturating_sub(dot)..right, dot..bottom);
}

fn digit(coverage: &mut Coverage, dots: u16, x: usize, y: usize, dot: usize) {
    for place in 0..DIGIT_WIDTH * DIGIT_HEIGHT {
        if dots >> (DIGIT_WIDTH * DIGIT_HEIGHT - 1 - place) & 1 == 1 {
            let (x, y) = (x + place % DIGIT_WIDTH * dot, y + place / DIGIT_WIDTH * dot);
            coverage.fill(x..x + dot, y..y + dot);
        }
    }
}
