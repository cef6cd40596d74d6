//! Underlines, overline, strikethrough and line-shaped cursors, one cell long; each continues in
//! the next cell without a gap.

use screentest_core::Underline;

use super::{Path, ShapePart};
use crate::Grid;

/// Returns an underline.
pub(crate) fn underline(kind: Underline, grid: Grid) -> Vec<ShapePart> {
    let (width, stroke) = (grid.cell_width, grid.stroke);
    let lowest = grid.cell_height.saturating_sub(stroke);
    // Close below the letters, but always within the cell.
    let top = (grid.baseline + stroke).min(lowest);
    let line = |top: usize| ShapePart::Area(0..width, top..top + stroke);
    match kind {
        Underline::None => Vec::new(),
        Underline::Single => vec![line(top)],
        Underline::Double => {
            let lower = (top + 2 * stroke).min(lowest);
            vec![line(lower.saturating_sub(2 * stroke)), line(lower)]
        }
        Underline::Curly => vec![ShapePart::Stroke(wave(grid, top))],
        Underline::Dotted => {
            let dots = (width / (2 * stroke)).max(1);
            let starts = (0..dots).map(|dot| width * dot / dots);
            starts
                .map(|x| ShapePart::Area(x..x + stroke, top..top + stroke))
                .collect()
        }
        Underline::Dashed => {
            // Half a dash at either end, which meets the neighbour's half.
            let gap = (width / 3).max(1);
            let start = (width - gap.min(width)) / 2;
            let lines = top..top + stroke;
            vec![
                ShapePart::Area(0..start, lines.clone()),
                ShapePart::Area(start + gap..width, lines),
            ]
        }
    }
}

/// Returns an overline. It is below the cell's upper edge by its own thickness: directly at the
/// edge it would merge with an underline or with a background of the row above.
pub(crate) fn overline(grid: Grid) -> ShapePart {
    let top = grid
        .stroke
        .min(grid.cell_height.saturating_sub(grid.stroke));
    ShapePart::Area(0..grid.cell_width, top..top + grid.stroke)
}

/// Returns a strikethrough, at half the height of lower-case letters.
pub(crate) fn strikethrough(grid: Grid) -> ShapePart {
    let top = grid
        .baseline
        .saturating_sub((grid.size() * 0.3).round() as usize);
    ShapePart::Area(0..grid.cell_width, top..top + grid.stroke)
}

/// Returns an underline cursor.
pub(crate) fn cursor_under(grid: Grid) -> ShapePart {
    let top = grid.cell_height.saturating_sub(2 * grid.stroke);
    ShapePart::Area(0..grid.cell_width, top..grid.cell_height)
}

/// Returns a bar cursor at the left edge.
pub(crate) fn cursor_bar(grid: Grid) -> ShapePart {
    ShapePart::Area(
        0..(2 * grid.stroke).min(grid.cell_width),
        0..grid.cell_height,
    )
}

/// Returns one whole wave per cell, between the letters and the cell's lower edge.
fn wave(grid: Grid, top: usize) -> Path {
    let (width, stroke) = (grid.cell_width as f32, grid.stroke as f32);
    let room = grid.cell_height.saturating_sub(top) as f32;
    let swing = ((room - stroke) / 2.0).clamp(0.5, 1.5 * stroke);
    let lowest = grid.cell_height as f32 - stroke / 2.0 - swing;
    let middle = lowest.min(top as f32 + stroke / 2.0 + swing);
    // A quadratic curve reaches half the distance to its control point.
    let reach = 2.0 * swing;
    Path::from((0.0, middle))
        .bend((width / 4.0, middle + reach), (width / 2.0, middle))
        .bend((width * 0.75, middle - reach), (width, middle))
}
