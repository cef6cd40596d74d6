//! A box with a character's number, for what no font has: better than a blank, which hides that something is there.

use super::stencil::Stencil;
use super::{Glyph, Wanted};

/// The digits 0 to F, 3 dots wide and 5 high: one line per three bits, from the top.
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

pub(super) fn draw(wanted: Wanted<'_>) -> Glyph {
    let cell = wanted.grid.cell(wanted.cells);
    let mut stencil = Stencil::new(cell.width, cell.height);
    let dot = wanted.grid.stroke;
    frame(&mut stencil, dot);
    let number = wanted.text.chars().next().map_or(0, u32::from);
    let digits = if number > 0xffff { 6 } else { 4 };
    let across = digits / 2;
    let width = (across * (DIGIT_WIDTH + 1) - 1) * dot;
    let height = (2 * (DIGIT_HEIGHT + 1) - 1) * dot;
    // A cell too small for digits keeps the box alone.
    if width + 2 * dot < cell.width && height + 4 * dot < cell.height {
        let (left, top) = ((cell.width - width) / 2, (cell.height - height) / 2);
        for place in 0..digits {
            let value = number >> (4 * (digits - 1 - place)) & 0xf;
            let x = left + place % across * (DIGIT_WIDTH + 1) * dot;
            let y = top + place / across * (DIGIT_HEIGHT + 1) * dot;
            digit(&mut stencil, DIGITS[value as usize], x, y, dot);
        }
    }
    stencil.into_glyph()
}

fn frame(stencil: &mut Stencil, dot: usize) {
    let (width, height) = (stencil.width(), stencil.height());
    let (right, bottom) = (width.saturating_sub(dot), height.saturating_sub(2 * dot));
    stencil.fill(dot..right, dot..2 * dot);
    stencil.fill(dot..right, bottom..bottom + dot);
    stencil.fill(dot..2 * dot, dot..bottom);
    stencil.fill(right.saturating_sub(dot)..right, dot..bottom);
}

fn digit(stencil: &mut Stencil, dots: u16, x: usize, y: usize, dot: usize) {
    for place in 0..DIGIT_WIDTH * DIGIT_HEIGHT {
        if dots >> (DIGIT_WIDTH * DIGIT_HEIGHT - 1 - place) & 1 == 1 {
            let (x, y) = (x + place % DIGIT_WIDTH * dot, y + place / DIGIT_WIDTH * dot);
            stencil.fill(x..x + dot, y..y + dot);
        }
    }
}
