//! Powerline symbols: branch, line number, lock. They need not meet a neighbour, but prompts use
//! them often, and only patched fonts have them.

use super::{CellBox, Path, ShapePart};

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let (width, height) = (cell.width as f32, cell.height as f32);
    let at = |x: f32, y: f32| (x * width, y * height);
    let line = |points: &[(f32, f32)]| {
        let mut points = points.iter().map(|(x, y)| at(*x, *y));
        let start = points.next().unwrap_or_default();
        ShapePart::Stroke(points.fold(Path::from(start), Path::line))
    };
    Some(match c {
        '\u{e0a0}' => {
            let dot = |x, y| ShapePart::Filled(Path::circle(at(x, y), (width * 0.14).max(0.5)));
            let branch = Path::from(at(0.75, 0.35)).bend(at(0.75, 0.55), at(0.25, 0.65));
            vec![
                line(&[(0.25, 0.2), (0.25, 0.8)]),
                ShapePart::Stroke(branch),
                dot(0.25, 0.2),
                dot(0.25, 0.8),
                dot(0.75, 0.3),
            ]
        }
        '\u{e0a1}' => vec![
            line(&[(0.2, 0.15), (0.2, 0.45), (0.6, 0.45)]),
            line(&[(0.35, 0.9), (0.35, 0.58), (0.8, 0.9), (0.8, 0.58)]),
        ],
        '\u{e0a2}' => {
            let body = [at(0.1, 0.45), at(0.9, 0.45), at(0.9, 0.8), at(0.1, 0.8)];
            let bow = Path::from(at(0.27, 0.45))
                .line(at(0.27, 0.37))
                .arc(at(0.23, 0.13), true, at(0.73, 0.37))
                .line(at(0.73, 0.45));
            vec![
                ShapePart::Filled(Path::polygon(&body)),
                ShapePart::Stroke(bow),
            ]
        }
        _ => return None,
    })
}
