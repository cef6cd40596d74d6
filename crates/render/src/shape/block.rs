//! Block elements, sextants and the eighths among the legacy symbols: rectangles on fractions of the cell.

use std::ops::Range;

use super::{CellBox, Stencil};

/// Levels of the three shades: a quarter, a half and three quarters of full coverage.
const SHADES: [u8; 3] = [4, 8, 11];

pub(super) fn draw(c: char, cell: CellBox) -> Option<Stencil> {
    let mut stencil = Stencil::new(cell.width, cell.height);
    let all = 0..8;
    let code = c as usize;
    match c {
        '▀' => eighths(&mut stencil, all, 0..4),
        '▁'..='█' => eighths(&mut stencil, all, 0x2588 - code..8),
        '▉'..='▏' => eighths(&mut stencil, 0..0x2590 - code, all),
        '▐' => eighths(&mut stencil, 4..8, all),
        '░'..='▓' => stencil.shade(0..cell.width, 0..cell.height, SHADES[code - 0x2591]),
        '▔' => eighths(&mut stencil, all, 0..1),
        '▕' => eighths(&mut stencil, 7..8, all),
        '▖'..='▟' => quadrants(&mut stencil, QUADRANTS[code - 0x2596]),
        '\u{1fb00}'..='\u{1fb3b}' => sextants(&mut stencil, code - 0x1fb00),
        '\u{1fb70}'..='\u{1fb75}' => {
            let left = code - 0x1fb70 + 1;
            eighths(&mut stencil, left..left + 1, all);
        }
        '\u{1fb76}'..='\u{1fb7b}' => {
            let top = code - 0x1fb76 + 1;
            eighths(&mut stencil, all, top..top + 1);
        }
        '\u{1fb7c}'..='\u{1fb7f}' => {
            let (left, upper) = ([true, true, false, false], [false, true, true, false]);
            let corner = code - 0x1fb7c;
            let side = |first| if first { 0..1 } else { 7..8 };
            eighths(&mut stencil, side(left[corner]), all.clone());
            eighths(&mut stencil, all, side(upper[corner]));
        }
        '\u{1fb80}' => {
            eighths(&mut stencil, all.clone(), 0..1);
            eighths(&mut stencil, all, 7..8);
        }
        '\u{1fb81}' => {
            for top in [0, 2, 4, 7] {
                eighths(&mut stencil, all.clone(), top..top + 1);
            }
        }
        '\u{1fb82}'..='\u{1fb86}' => eighths(&mut stencil, all, 0..PARTS[code - 0x1fb82]),
        '\u{1fb87}'..='\u{1fb8b}' => eighths(&mut stencil, 8 - PARTS[code - 0x1fb87]..8, all),
        _ => return None,
    }
    Some(stencil)
}

/// The eighths that have no other character.
const PARTS: [usize; 5] = [2, 3, 5, 6, 7];

/// Upper left, upper right, lower left, lower right, from U+2596 on.
const QUADRANTS: [[bool; 4]; 10] = {
    const O: bool = false;
    const X: bool = true;
    [
        [O, O, X, O],
        [O, O, O, X],
        [X, O, O, O],
        [X, O, X, X],
        [X, O, O, X],
        [X, X, X, O],
        [X, X, O, X],
        [O, X, O, O],
        [O, X, X, O],
        [O, X, X, X],
    ]
};

fn quadrants(stencil: &mut Stencil, filled: [bool; 4]) {
    for (place, filled) in filled.into_iter().enumerate() {
        if filled {
            let (x, y) = (place % 2 * 4, place / 2 * 4);
            eighths(stencil, x..x + 4, y..y + 4);
        }
    }
}

/// Two columns of three: each bit one of them, line by line; the halves, which are older characters, are left out.
fn sextants(stencil: &mut Stencil, index: usize) {
    let number = index + 1;
    let bits = number + usize::from(number >= 0b010101) + usize::from(number >= 0b101010 - 1);
    let (width, height) = (stencil.width(), stencil.height());
    for place in (0..6).filter(|place| bits >> place & 1 == 1) {
        let (x, y) = (place % 2, place / 2);
        stencil.fill(
            fraction(width, x, 2)..fraction(width, x + 1, 2),
            fraction(height, y, 3)..fraction(height, y + 1, 3),
        );
    }
}

fn eighths(stencil: &mut Stencil, x: Range<usize>, y: Range<usize>) {
    let (width, height) = (stencil.width(), stencil.height());
    stencil.fill(
        fraction(width, x.start, 8)..fraction(width, x.end, 8),
        fraction(height, y.start, 8)..fraction(height, y.end, 8),
    );
}

/// Every fraction is rounded by itself, so that two that meet share their edge.
fn fraction(length: usize, part: usize, of: usize) -> usize {
    (length * part + of / 2) / of
}
