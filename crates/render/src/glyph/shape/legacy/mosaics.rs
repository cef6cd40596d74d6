//! Smooth mosaics: the part of a cell below or above a line between points of its edge; and the
//! triangles between the corners and the middle.

use super::super::blocks::fraction;
use super::super::path::Point;
use super::super::polygon;
use super::super::{CellBox, ShapePart};

/// The ends of the lines from U+1FB3C, each as a column in halves of the cell and a row in thirds.
/// The first 22 characters are the parts below these lines, the next 22 the parts above.
const LINES: [&str; 22] = [
    "02 13", "02 23", "01 13", "01 23", "00 13", "01 10", "01 20", "02 10", "02 20", "03 10",
    "02 21", "13 22", "03 22", "13 21", "03 21", "13 20", "10 21", "00 21", "10 22", "00 22",
    "10 23", "01 22",
];

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let whole = polygon::whole(cell);
    let [upper_left, upper_right, lower_right, lower_left] = [0, 1, 2, 3].map(|at| whole[at]);
    let middle = (cell.width as f32 / 2.0, cell.height as f32 / 2.0);
    // From the left clockwise: a side of the cell and the middle.
    let quarters = [
        vec![lower_left, upper_left, middle],
        vec![upper_left, upper_right, middle],
        vec![upper_right, lower_right, middle],
        vec![lower_right, lower_left, middle],
    ];
    // Two opposite triangles are one polygon: separate ones would cover too little of the pixel in
    // which they meet.
    let two = |first: usize| [&quarters[first][..], &quarters[first + 2]].concat();
    let code = c as usize;
    let shapes = match c {
        '\u{1fb3c}'..='\u{1fb51}' => {
            let [from, to] = ends(LINES[code - 0x1fb3c], cell)?;
            vec![polygon::beside(&whole, from, to)]
        }
        '\u{1fb52}'..='\u{1fb67}' => {
            let [from, to] = ends(LINES[code - 0x1fb52], cell)?;
            vec![polygon::beside(&whole, to, from)]
        }
        // The cell without one of the triangles.
        '\u{1fb68}'..='\u{1fb6b}' => {
            let missing = code - 0x1fb68;
            let mut corners = vec![middle];
            corners.extend((0..4).map(|step| whole[(missing + step) % 4]));
            vec![corners]
        }
        '\u{1fb6c}'..='\u{1fb6f}' => vec![quarters[code - 0x1fb6c].clone()],
        '\u{1fb9a}' => vec![two(1)],
        '\u{1fb9b}' => vec![two(0)],
        _ => return None,
    };
    let outlines = shapes
        .into_iter()
        .filter_map(|corners| polygon::outline(corners, cell));
    Some(outlines.map(ShapePart::Filled).collect())
}

/// Returns the ends of a line. They are at the corners of sextants, on whole pixels.
fn ends(line: &str, cell: CellBox) -> Option<[Point; 2]> {
    let mut ends = line.split(' ').map(|end| {
        let [column, row] = end.as_bytes() else {
            return None;
        };
        let x = fraction(cell.width, usize::from(column - b'0'), 2);
        let y = fraction(cell.height, usize::from(row - b'0'), 3);
        Some((x as f32, y as f32))
    });
    Some([ends.next()??, ends.next()??])
}
