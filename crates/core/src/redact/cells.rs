//! Finds and covers the cells of rows that show secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::scrub::{RedactedSecret, Rules};
use crate::query::mask;
use crate::screen::wraps_at;
use crate::{Row, Width};

/// A cell: its row and column.
pub(super) type Cell = (usize, usize);

/// The cells of a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SecretCells {
    /// Index of the rule that matched.
    pub(super) rule: usize,
    /// The cells in which its characters begin.
    pub(super) cells: Vec<Cell>,
}

/// Finds the secrets in consecutive rows of a screen that is `width` columns wide.
pub(super) fn find(rows: &[Arc<Row>], width: usize, rules: &Arc<Rules>) -> Vec<SecretCells> {
    // A token ends with its row, unless the terminal wrapped it.
    let joined = RowsText::new(rows, |row, below| wraps_at(row, below, width).is_some());
    let mut found = joined.cells_of(rules.find_patterns(joined.text.as_bytes()));
    if rules.has_values() {
        let lines = RowsText::new(rows, |_, _| false);
        let stretches = lines.cells_of(rules.find_stretches(lines.text.as_bytes()));
        let known = found.iter().flat_map(|secret| &secret.cells);
        let known: BTreeSet<Cell> = known.copied().collect();
        let is_new = |secret: &SecretCells| secret.cells.iter().any(|cell| !known.contains(cell));
        found.extend(stretches.into_iter().filter(is_new));
    }
    found
}

/// Covers cells in consecutive rows of a screen that is `width` columns wide. Other rows stay
/// shared.
pub(super) fn cover(rows: &mut [Arc<Row>], width: usize, cells: impl IntoIterator<Item = Cell>) {
    let mut by_row: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for (row, col) in cells {
        let Some(found) = rows.get(row) else {
            continue;
        };
        let covered = by_row.entry(row).or_insert_with(|| vec![false; width]);
        let wide = usize::from(found.cell(col).width == Width::Wide);
        let end = (col + 1 + wide).min(width);
        if let Some(covered) = covered.get_mut(col..end) {
            covered.fill(true);
        }
    }
    for (row, covered) in by_row {
        let row = &mut rows[row];
        let is_covered = |col| covered.get(col).copied().unwrap_or(false);
        // A wrapped row stays wrapped: otherwise the next row would begin a line.
        *row = Arc::new(mask::cover(row, width, row.wrapped(), is_covered));
    }
}

/// The text of rows, with the cell of each of its bytes.
struct RowsText {
    text: String,
    /// `None` for a line end.
    places: Vec<Option<(u32, u32)>>,
}

impl RowsText {
    /// Joins the rows. A row has no line end if `continues` returns true for it and the next one.
    fn new(rows: &[Arc<Row>], continues: impl Fn(&Row, &Row) -> bool) -> RowsText {
        let mut text = String::new();
        let mut places = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            for (col, cell) in row.cells().enumerate() {
                if cell.width != Width::Spacer {
                    cell.push_to(&mut text);
                    places.resize(text.len(), Some((index as u32, col as u32)));
                }
            }
            let below = rows.get(index + 1);
            if !below.is_some_and(|below| continues(row, below)) {
                text.push('\n');
                places.push(None);
            }
        }
        RowsText { text, places }
    }

    fn cells_of(&self, found: Vec<RedactedSecret>) -> Vec<SecretCells> {
        let cells = |secret: RedactedSecret| {
            let bytes = secret.pieces.into_iter().flatten();
            let cells = bytes.filter_map(|byte| *self.places.get(byte as usize)?);
            let cells = cells.map(|(row, col)| (row as usize, col as usize));
            let mut cells: Vec<Cell> = cells.collect();
            cells.dedup();
            SecretCells {
                rule: secret.rule,
                cells,
            }
        };
        found.into_iter().map(cells).collect()
    }
}
