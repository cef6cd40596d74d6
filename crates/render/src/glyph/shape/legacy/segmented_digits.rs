//! Digits of seven segments, as on pocket calculators.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::polygon::Corners;
use super::super::{CellBox, ShapePart};

/// The segments of each digit: top, upper left, upper right, middle, lower left, lower right,
/// bottom.
const DIGITS: [u8; 10] = [
    0b111_0111, 0b001_0010, 0b101_1101, 0b101_1011, 0b011_1010, 0b110_1011, 0b110_1111, 0b111_0010,
    0b111_1111, 0b111_1011,
];

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let digit = DIGITS.get((c as usize).checked_sub(0x1fbf0)?)?;
    let (width, height) = (cell.width as f32, cell.height as f32);
    let thickness = (width * 0.16).max(cell.stroke as f32);
    let (left, right) = (width * 0.18, width * 0.82);
    let (top, middle, bottom) = (height * 0.2, height * 0.5, height * 0.8);
    let segments = [
        ((left, top), (right, top)),
        ((left, top), (left, middle)),
        ((right, top), (right, middle)),
        ((left, middle), (right, middle)),
        ((left, middle), (left, bottom)),
        ((right, middle), (right, bottom)),
        ((left, bottom), (right, bottom)),
    ];
    let lit = segments.into_iter().enumerate();
    let lit = lit.filter(|(place, _)| digit >> (6 - place) & 1 == 1);
    let built = lit.fold(ShapeBuilder::new(cell), |build, (_, (from, to))| {
        build.pixel_polygon(segment(from, to, thickness))
    });
    Some(built.finish())
}

/// Returns a horizontal or vertical bar with pointed ends, which leaves a small gap to the next.
fn segment(from: Point, to: Point, thickness: f32) -> Corners {
    let half = thickness / 2.0;
    let gap = half * 0.4;
    if from.1 == to.1 {
        let ((left, y), (right, _)) = (from, to);
        vec![
            (left + gap, y),
            (left + gap + half, y - half),
            (right - gap - half, y - half),
            (right - gap, y),
            (right - gap - half, y + half),
            (left + gap + half, y + half),
        ]
    } else {
        let ((x, top), (_, bottom)) = (from, to);
        vec![
            (x, top + gap),
            (x + half, top + gap + half),
            (x + half, bottom - gap - half),
            (x, bottom - gap),
            (x - half, bottom - gap - half),
            (x - half, top + gap + half),
        ]
    }
}
