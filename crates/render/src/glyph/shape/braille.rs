//! Braille patterns: eight dots of one size, in two columns of four.

use super::{CellBox, Path, ShapePart};

/// The bit of the character for each dot, line by line.
const BITS: [u32; 8] = [0, 3, 1, 4, 2, 5, 6, 7];

pub(super) fn parts(c: char, cell: CellBox) -> Vec<ShapePart> {
    let (across, down) = (cell.width as f32 / 2.0, cell.height as f32 / 4.0);
    let dot = (across.min(down) * 0.66).round().max(1.0);
    let places = BITS.into_iter().enumerate();
    let set = places.filter(|(_, bit)| (c as u32 - 0x2800) >> bit & 1 == 1);
    set.map(|(place, _)| {
        // Whole pixels, so that all dots are equally sharp.
        let left = ((place % 2) as f32 * across + (across - dot) / 2.0).round();
        let top = ((place / 2) as f32 * down + (down - dot) / 2.0).round();
        if dot < 3.0 {
            let (x, y, dot) = (left as usize, top as usize, dot as usize);
            ShapePart::Area(x..x + dot, y..y + dot)
        } else {
            let radius = dot / 2.0;
            ShapePart::Filled(Path::circle((left + radius, top + radius), radius))
        }
    })
    .collect()
}
