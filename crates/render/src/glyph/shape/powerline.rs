//! Powerline separators and the triangles that fill a corner.

use super::{CellBox, Path, ShapePart, box_drawing};

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let (width, height) = (cell.width as f32, cell.height as f32);
    let (middle, stroke) = (height / 2.0, cell.stroke as f32);
    let (upper, lower) = ((0.0, 0.0), (0.0, height));
    let arrow = || Path::polygon(&[upper, (width, middle), lower]);
    // A slanted line has the thickness of a straight one when measured perpendicularly; measured
    // along the row it is thicker.
    let along = (stroke * (2.0 * width).hypot(height) / height).min(width);
    let down = middle * along / width;
    let hollow_arrow = || {
        let inner = [(0.0, height - down), (width - along, middle), (0.0, down)];
        Path::polygon(&[&[upper, (width, middle), lower][..], &inner].concat())
    };
    let bow = || Path::from(upper).arc((width, middle), true, lower).close();
    let thick = (stroke * 1.2).min(width).min(middle);
    let hollow_bow = || {
        Path::from(upper)
            .arc((width, middle), true, lower)
            .line((0.0, height - thick))
            .arc((width - thick, middle - thick), false, (0.0, thick))
            .close()
    };
    let below_falling = || Path::polygon(&[upper, (width, height), lower]);
    let above_rising = || Path::polygon(&[upper, (width, 0.0), lower]);
    Some(vec![ShapePart::Filled(match c {
        '\u{e0b0}' => arrow(),
        '\u{e0b1}' => hollow_arrow(),
        '\u{e0b2}' => arrow().mirrored(width),
        '\u{e0b3}' => hollow_arrow().mirrored(width),
        '\u{e0b4}' => bow(),
        '\u{e0b5}' => hollow_bow(),
        '\u{e0b6}' => bow().mirrored(width),
        '\u{e0b7}' => hollow_bow().mirrored(width),
        '\u{e0b8}' | '\u{25e3}' => below_falling(),
        '\u{e0b9}' | '\u{e0bf}' => box_drawing::falling(cell),
        '\u{e0ba}' | '\u{25e2}' => below_falling().mirrored(width),
        '\u{e0bb}' | '\u{e0bd}' => box_drawing::falling(cell).mirrored(width),
        '\u{e0bc}' | '\u{25e4}' => above_rising(),
        '\u{e0be}' | '\u{25e5}' => above_rising().mirrored(width),
        _ => return None,
    })])
}
