//! Sorting of rows whose order does not matter.
//!
//! Two screens that differ only in the order of these rows become equal. So rows with the same text
//! are ordered too, by the width, style and link of their cells.

use std::sync::Arc;

use crate::{Hyperlink, Rect, Row, Screen, Style, Width};

/// Returns the screen with the rows of a rectangle sorted.
pub(super) fn ordered(screen: &Screen, rect: Rect) -> Screen {
    let rect = rect.clipped(screen.size.rect());
    let mut sorted_screen = screen.clone();
    let Some(rows) = sorted_screen.rows.get_mut(rect.row..rect.row + rect.rows) else {
        return sorted_screen;
    };
    let width = usize::from(screen.size.cols);
    let cols = rect.col..rect.col + rect.cols;
    let inside = |col| cols.contains(&col);
    // Remove characters that the edge of the rectangle cuts before sorting. Otherwise the first run
    // would sort them as whole characters and a second run as blank cells, in another order.
    let whole: Vec<Row> = rows
        .iter()
        .map(|row| {
            let wrapped = row.wrapped() && cols.end < width;
            row.replaced(width, wrapped, |col| inside(col).then(|| row.cell(col)))
        })
        .collect();
    let mut sorted: Vec<&Row> = whole.iter().collect();
    sorted.sort_by_cached_key(|row| RowSortKey::of(row, rect));
    for ((row, whole), other) in rows.iter_mut().zip(&whole).zip(sorted) {
        let moved = whole.replaced(width, whole.wrapped(), |col| {
            inside(col).then(|| other.cell(col))
        });
        if moved != **row {
            *row = Arc::new(moved);
        }
    }
    sorted_screen
}

/// Sort key of a row: blank rows last, then by text, then by cells.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RowSortKey {
    is_blank: bool,
    text: String,
    cells: Vec<(Width, Style, Option<Hyperlink>)>,
}

impl RowSortKey {
    fn of(row: &Row, rect: Rect) -> RowSortKey {
        let mut text = String::new();
        let mut cells = Vec::new();
        for cell in row.cells().take(rect.col + rect.cols).skip(rect.col) {
            cell.push_to(&mut text);
            cells.push((cell.width, *cell.style, cell.link.cloned()));
        }
        text.truncate(text.trim_end_matches(' ').len());
        RowSortKey {
            is_blank: text.is_empty(),
            text,
            cells,
        }
    }
}
