//! The comparison under review: two screens, their differences, and the lines that display them.

use std::ops::Range;

use screentest::core::query::diff::{Aspects, Diff, DiffChange};
use screentest::core::{Cursor, Position};
use screentest::test::pending_snapshots::Comparison;

/// A comparison, prepared for display.
#[derive(Debug)]
pub(crate) struct ComparisonView {
    pub(crate) comparison: Comparison,
    /// From top to bottom; each is a run of neighbouring cells.
    pub(crate) differences: Vec<CellDifference>,
    /// The displayed lines, from top to bottom.
    pub(crate) lines: Vec<ViewLine>,
    /// The description of the difference.
    pub(crate) words: Vec<String>,
    /// The cursors, if they differ.
    pub(crate) cursor: Option<DiffChange<Cursor>>,
}

/// Neighbouring cells of a row that differ in the same ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellDifference {
    pub(crate) row: usize,
    pub(crate) cols: Range<usize>,
    aspects: Aspects,
}

/// A line of the display, the same for both screens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ViewLine {
    /// A row of the screens.
    Row(usize),
    /// Marks below a row, for this range of the differences.
    Marks(Range<usize>),
}

impl ComparisonView {
    pub(crate) fn new(comparison: Comparison) -> ComparisonView {
        let diff = match &comparison.old {
            Some(old) => Some(Diff::between(old, &comparison.new)),
            None => None,
        };
        let mut differences = Vec::new();
        for row in diff.iter().flat_map(|diff| &diff.rows) {
            differences.extend(row.runs.iter().map(|run| CellDifference {
                row: row.row,
                cols: run.cols.clone(),
                aspects: run.aspects,
            }));
        }
        let words = comparison
            .words
            .lines()
            .map(|line| line.replace('\t', "    "));
        ComparisonView {
            lines: lines(comparison.size().rows, &differences),
            words: words.collect(),
            cursor: diff.and_then(|diff| diff.cursor),
            differences,
            comparison,
        }
    }

    /// Returns the display line of a difference's row.
    pub(crate) fn line_of(&self, difference: usize) -> Option<usize> {
        let row = self.differences.get(difference)?.row;
        self.lines
            .iter()
            .position(|line| *line == ViewLine::Row(row))
    }

    /// Describes differences in size and cursor.
    pub(crate) fn others(&self) -> Vec<String> {
        let mut others = Vec::new();
        let Comparison { old, new, .. } = &self.comparison;
        if let Some(old) = old
            && old.size != new.size
        {
            others.push(format!("size {} is now {}", old.size, new.size));
        }
        if let Some(DiffChange { before, after }) = &self.cursor {
            others.push(match (before.visible, after.visible) {
                (true, false) => "the cursor is now hidden".to_owned(),
                (false, true) => "the cursor is now visible".to_owned(),
                _ => format!("the cursor is now at {}", after.position.to_wire()),
            });
        }
        others
    }
}

fn lines(rows: u16, differences: &[CellDifference]) -> Vec<ViewLine> {
    let mut lines = Vec::new();
    let mut first = 0;
    for row in 0..usize::from(rows) {
        lines.push(ViewLine::Row(row));
        let end = first
            + differences[first..]
                .iter()
                .take_while(|difference| difference.row == row)
                .count();
        if first < end {
            lines.push(ViewLine::Marks(first..end));
        }
        first = end;
    }
    lines
}

impl CellDifference {
    /// Returns the mark that is drawn below each cell.
    pub(crate) fn mark(&self) -> &'static str {
        if self.aspects.intersects(Aspects::TEXT | Aspects::WIDTH) {
            "^"
        } else {
            "~"
        }
    }

    /// Describes its position and type.
    pub(crate) fn describe(&self) -> String {
        let start = Position {
            row: self.row,
            col: self.cols.start,
        };
        let start = start.to_wire();
        let place = match self.cols.len() {
            1 => start.to_string(),
            _ => format!(
                "row {}, columns {} to {}",
                start.row, start.col, self.cols.end
            ),
        };
        let kinds: Vec<&str> = [
            (Aspects::TEXT | Aspects::WIDTH, "text"),
            (Aspects::STYLE, "style"),
            (Aspects::LINK, "link"),
        ]
        .into_iter()
        .filter_map(|(aspects, name)| self.aspects.intersects(aspects).then_some(name))
        .collect();
        format!("{place}: {}", kinds.join(" and "))
    }
}
