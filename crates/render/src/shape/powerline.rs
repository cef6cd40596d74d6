//! Powerline's separators and the triangles that fill a corner.

use super::{CellBox, Stencil};

pub(super) fn draw(c: char, cell: CellBox) -> Option<Stencil> {
    let mut stencil = Stencil::new(cell.width, cell.height);
    let (width, height) = (cell.width as f32, cell.height as f32);
    let stroke = cell.stroke as f32;
    // How far a point is inside the arrow that points right, measured along the line.
    let arrow = move |x: f32, y: f32| {
        let half = height / 2.0;
        width * (1.0 - (y - half).abs() / half) - x
    };
    // The same for a half ellipse.
    let bow = move |x: f32, y: f32| {
        let half = height / 2.0;
        let y = (y - half) / half;
        width * (1.0 - y * y).max(0.0).sqrt() - x
    };
    // A slanted line is as thick as a straight one when it is measured across.
    let slanted = stroke * (2.0 * width).hypot(height) / height;
    let line = |inside: f32, thick: f32| (0.0..=thick).contains(&inside);
    // Below the diagonal that falls, and below the one that rises.
    let below_falling = move |x: f32, y: f32| y * width >= x * height;
    let below_rising = move |x: f32, y: f32| y * width >= (width - x) * height;
    let length = width.hypot(height);
    let falls = move |x: f32, y: f32| ((x * height - y * width) / length).abs() <= stroke * 0.6;
    match c {
        '\u{e0b0}' => stencil.paint(|x, y| arrow(x, y) >= 0.0),
        '\u{e0b1}' => stencil.paint(|x, y| line(arrow(x, y), slanted)),
        '\u{e0b2}' => stencil.paint(|x, y| arrow(width - x, y) >= 0.0),
        '\u{e0b3}' => stencil.paint(|x, y| line(arrow(width - x, y), slanted)),
        '\u{e0b4}' => stencil.paint(|x, y| bow(x, y) >= 0.0),
        '\u{e0b5}' => stencil.paint(|x, y| line(bow(x, y), stroke * 1.2)),
        '\u{e0b6}' => stencil.paint(|x, y| bow(width - x, y) >= 0.0),
        '\u{e0b7}' => stencil.paint(|x, y| line(bow(width - x, y), stroke * 1.2)),
        '\u{e0b8}' | '\u{25e3}' => stencil.paint(below_falling),
        '\u{e0b9}' | '\u{e0bf}' => stencil.paint(falls),
        '\u{e0ba}' | '\u{25e2}' => stencil.paint(below_rising),
        '\u{e0bb}' | '\u{e0bd}' => stencil.paint(|x, y| falls(width - x, y)),
        '\u{e0bc}' | '\u{25e4}' => stencil.paint(|x, y| !below_rising(x, y)),
        '\u{e0be}' | '\u{25e5}' => stencil.paint(|x, y| !below_falling(x, y)),
        _ => return None,
    }
    Some(stencil)
}
