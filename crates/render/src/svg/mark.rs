//! Lines under, over and through text.
//!
//! Drawn and not left to the reader's font: their colour, kind and place are the terminal's, and they go on under blanks.

use screentest_core::{Rgb, Underline};

use super::shape::Cell;
use crate::paint::Paint;

/// The lines at a stretch of text: a style and a path for each.
pub(super) fn lines(paint: &Paint, x: usize, width: usize, cell: Cell) -> Vec<(String, String)> {
    let Cell {
        baseline,
        stroke,
        height,
        ..
    } = cell;
    let below = (baseline + stroke + 1).min(height.saturating_sub(stroke));
    let solid = |color: Rgb, y: usize| {
        let d = format!("M{x} {y}h{width}v{stroke}h-{width}z");
        (format!("fill:{color}"), d)
    };
    // A dashed line keeps its step from cell to cell, since it is counted from the beginning of a cell.
    let dashed = |pattern: String| {
        let style = stroke_style(paint.underline_color, stroke);
        let middle = halves(2 * below + stroke);
        (
            format!("{style};stroke-dasharray:{pattern}"),
            format!("M{x} {middle}h{width}"),
        )
    };
    let mut lines = Vec::new();
    match paint.underline {
        Underline::None => {}
        Underline::Single => lines.push(solid(paint.underline_color, below)),
        Underline::Double => {
            let lower = (below + stroke).min(height.saturating_sub(stroke));
            let upper = lower.saturating_sub(2 * stroke);
            lines.push(solid(paint.underline_color, upper));
            lines.push(solid(paint.underline_color, lower));
        }
        Underline::Curly => {
            let style = self::stroke(paint.underline_color, stroke);
            lines.push((style, wave(x, width, cell)));
        }
        Underline::Dotted => lines.push(dashed(format!("{stroke} {}", 2 * stroke))),
        Underline::Dashed => {
            let dash = cell.width / 3;
            let gap = cell.width - 2 * dash;
            // Half a dash at either end of a cell, a whole one where two meet.
            lines.push(dashed(format!("{dash} {gap} {dash} 0")));
        }
    }
    if paint.overline {
        lines.push(solid(paint.fg, 0));
    }
    if paint.strikethrough {
        lines.push(solid(
            paint.fg,
            baseline.saturating_sub((cell.font_size * 0.3).round() as usize),
        ));
    }
    lines
}

/// A style for lines that bend or slant.
pub(super) fn stroke(color: Rgb, width: usize) -> String {
    format!(
        "{};stroke-linecap:square;shape-rendering:auto",
        stroke_style(color, width)
    )
}

fn stroke_style(color: Rgb, width: usize) -> String {
    match width {
        1 => format!("fill:none;stroke:{color}"),
        _ => format!("fill:none;stroke:{color};stroke-width:{width}"),
    }
}

/// A number of halves, as short as it can be written.
fn halves(count: usize) -> String {
    (count as f32 / 2.0).to_string()
}

/// One wave in each cell.
fn wave(x: usize, width: usize, cell: Cell) -> String {
    let swing = 2 * cell.stroke;
    let middle = cell.height.saturating_sub(swing);
    let quarter = cell.width as f32 / 4.0;
    let half = cell.width as f32 / 2.0;
    let waves = width / cell.width;
    let mut d = format!("M{x} {middle}q{quarter} -{swing} {half} 0");
    for _ in 1..2 * waves {
        d.push_str(&format!("t{half} 0"));
    }
    d
}
