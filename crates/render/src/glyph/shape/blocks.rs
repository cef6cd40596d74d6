//! Block elements, sextants and the eighth blocks of the legacy symbols: rectangles on fractions of
//! the cell.

use std::ops::Range;

use super::{CellBox, ShapePart};

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let eighths = |x, y| eighths(cell, x, y);
    let all = 0..8;
    let code = c as usize;
    Some(match c {
        '▀' => vec![eighths(all, 0..4)],
        '▁'..='█' => vec![eighths(all, 0x2588 - code..8)],
        '▉'..='▏' => vec![eighths(0..0x2590 - code, all)],
        '▐' => vec![eighths(4..8, all)],
        '░'..='▓' => {
            let quarters = (code - 0x2590) as u8;
            vec![ShapePart::Shade(quarters, 0..cell.width, 0..cell.height)]
        }
        '▔' => vec![eighths(all, 0..1)],
        '▕' => vec![eighths(7..8, all)],
        '▖'..='▟' => quadrants(cell, QUADRANTS[code - 0x2596]),
        '\u{1fb00}'..='\u{1fb3b}' => sextants(cell, code - 0x1fb00),
        '\u{1fb70}'..='\u{1fb75}' => {
            let left = code - 0x1fb70 + 1;
            vec![eighths(left..left + 1, all)]
        }
        '\u{1fb76}'..='\u{1fb7b}' => {
            let top = code - 0x1fb76 + 1;
            vec![eighths(all, top..top + 1)]
        }
        '\u{1fb7c}'..='\u{1fb7f}' => {
            let (left, upper) = ([true, true, false, false], [false, true, true, false]);
            let corner = code - 0x1fb7c;
            let side = |first| if first { 0..1 } else { 7..8 };
            vec![
                eighths(side(left[corner]), all.clone()),
                eighths(all, side(upper[corner])),
            ]
        }
        '\u{1fb80}' => {
            vec![eighths(all.clone(), 0..1), eighths(all, 7..8)]
        }
        '\u{1fb81}' => {
            let line = |top| eighths(all.clone(), top..top + 1);
            [0, 2, 4, 7].map(line).into()
        }
        '\u{1fb82}'..='\u{1fb86}' => vec![eighths(all, 0..PARTS[code - 0x1fb82])],
        '\u{1fb87}'..='\u{1fb8b}' => vec![eighths(8 - PARTS[code - 0x1fb87]..8, all)],
        _ => return None,
    })
}

/// The numbers of eighths that the other block elements do not have.
const PARTS: [usize; 5] = [2, 3, 5, 6, 7];

/// Upper left, upper right, lower left, lower right, from U+2596.
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

fn quadrants(cell: CellBox, filled: [bool; 4]) -> Vec<ShapePart> {
    let places = filled.into_iter().enumerate().filter(|(_, filled)| *filled);
    places
        .map(|(place, _)| {
            let (x, y) = (place % 2 * 4, place / 2 * 4);
            eighths(cell, x..x + 4, y..y + 4)
        })
        .collect()
}

/// Two columns of three, one bit each, line by line. The halves are skipped, since they are older
/// characters.
fn sextants(cell: CellBox, index: usize) -> Vec<ShapePart> {
    let number = index + 1;
    let bits = number + usize::from(number >= 0b010101) + usize::from(number >= 0b101010 - 1);
    let places = (0..6).filter(|place| bits >> place & 1 == 1);
    places
        .map(|place| {
            let (x, y) = (place % 2, place / 2);
            ShapePart::Area(
                fraction(cell.width, x, 2)..fraction(cell.width, x + 1, 2),
                fraction(cell.height, y, 3)..fraction(cell.height, y + 1, 3),
            )
        })
        .collect()
}

fn eighths(cell: CellBox, x: Range<usize>, y: Range<usize>) -> ShapePart {
    ShapePart::Area(
        fraction(cell.width, x.start, 8)..fraction(cell.width, x.end, 8),
        fraction(cell.height, y.start, 8)..fraction(cell.height, y.end, 8),
    )
}

/// Rounds every fraction on its own, so that adjacent parts share their edge.
pub(super) fn fraction(length: usize, part: usize, of: usize) -> usize {
    (length * part + of / 2) / of
}
