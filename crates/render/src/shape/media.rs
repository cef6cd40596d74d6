//! Triangles, squares and circles of players, and the corner that hangs below a line: programs use them as bullets, and
//! few fonts have them.

use super::{CellBox, Stencil};

pub(super) fn draw(c: char, cell: CellBox) -> Option<Stencil> {
    let mut stencil = Stencil::new(cell.width, cell.height);
    let stroke = cell.stroke;
    if c == '\u{23bf}' {
        let left = cell.width.saturating_sub(stroke) / 2;
        let middle = cell.height.saturating_sub(stroke) / 2;
        stencil.fill(left..left + stroke, 0..middle + stroke);
        stencil.fill(left..cell.width, middle..middle + stroke);
        return Some(stencil);
    }
    // A square that is as large as the cell is wide, a little lower than its middle, where letters have theirs.
    let side = cell
        .width
        .min(cell.height)
        .saturating_sub(2 * stroke)
        .max(2);
    let left = (cell.width.saturating_sub(side)) / 2;
    let top = (cell.height.saturating_sub(side)).div_ceil(2);
    let (x, y) = (left..left + side, top..top + side);
    let (size, x0, y0) = (side as f32, left as f32, top as f32);
    // Inside of the triangle that points right, in a square of length 1.
    let triangle = |x: f32, y: f32| (0.0..=1.0 - (2.0 * y - 1.0).abs()).contains(&x);
    let unit = |x: f32, y: f32| ((x - x0) / size, (y - y0) / size);
    match c {
        '⏴' => stencil.paint(|x, y| {
            let (x, y) = unit(x, y);
            triangle(1.0 - x, y)
        }),
        '⏵' => stencil.paint(|x, y| {
            let (x, y) = unit(x, y);
            triangle(x, y)
        }),
        '⏶' => stencil.paint(|x, y| {
            let (x, y) = unit(x, y);
            triangle(1.0 - y, x)
        }),
        '⏷' => stencil.paint(|x, y| {
            let (x, y) = unit(x, y);
            triangle(y, x)
        }),
        '⏸' => {
            let bar = (side / 3).max(1);
            stencil.fill(x.start..x.start + bar, y.clone());
            stencil.fill(x.end - bar..x.end, y);
        }
        '⏹' => stencil.fill(x, y),
        '⏺' => stencil.paint(|x, y| {
            let (x, y) = unit(x, y);
            (x - 0.5).hypot(y - 0.5) <= 0.5
        }),
        _ => return None,
    }
    Some(stencil)
}
