//! Triangles, squares and circles of media players, and the corner U+23BF. Programs use them as
//! bullets, and few fonts have them.

use super::{CellBox, Path, ShapePart};

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let stroke = cell.stroke;
    if c == '\u{23bf}' {
        let left = cell.width.saturating_sub(stroke) / 2;
        let middle = cell.height.saturating_sub(stroke) / 2;
        return Some(vec![
            ShapePart::Area(left..left + stroke, 0..middle + stroke),
            ShapePart::Area(left..cell.width, middle..middle + stroke),
        ]);
    }
    // A square nearly as wide as the cell, slightly below the centre, where the middle of letters
    // is.
    let side = cell
        .width
        .min(cell.height)
        .saturating_sub(2 * stroke)
        .max(2);
    let left = cell.width.saturating_sub(side) / 2;
    let top = cell.height.saturating_sub(side).div_ceil(2);
    let (x, y) = (left..left + side, top..top + side);
    let (size, x0, y0) = (side as f32, left as f32, top as f32);
    let triangle = |corners: [(f32, f32); 3]| {
        let corners = corners.map(|(x, y)| (x0 + x * size, y0 + y * size));
        vec![ShapePart::Filled(Path::polygon(&corners))]
    };
    Some(match c {
        '⏴' => triangle([(1.0, 0.0), (1.0, 1.0), (0.0, 0.5)]),
        '⏵' => triangle([(0.0, 0.0), (1.0, 0.5), (0.0, 1.0)]),
        '⏶' => triangle([(0.5, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        '⏷' => triangle([(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)]),
        '⏸' => {
            let bar = (side / 3).max(1);
            vec![
                ShapePart::Area(x.start..x.start + bar, y.clone()),
                ShapePart::Area(x.end - bar..x.end, y),
            ]
        }
        '⏹' => vec![ShapePart::Area(x, y)],
        '⏺' => {
            let half = size / 2.0;
            vec![ShapePart::Filled(Path::circle(
                (x0 + half, y0 + half),
                half,
            ))]
        }
        _ => return None,
    })
}
