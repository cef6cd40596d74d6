//! What is decided on: two screens and where they differ, line by line as it is shown.

use std::ops::Range;

use screentest::core::query::diff::{Aspects, Diff, DiffChange};
use screentest::core::{Cursor, Position};
use screentest::test::pending_snapshots::Comparison;

/// A comparison, ready to be looked at.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) comparison: Comparison,
    /// From the top, each a stretch of neighbouring cells.
    pub(crate) differences: Vec<Difference>,
    /// What stands below what.
    pub(crate) lines: Vec<Line>,
    /// The difference in words.
    pub(crate) words: Vec<String>,
    /// The cursors, where they differ.
    pub(crate) cursor: Option<DiffChange<Cursor>>,
}

/// Neighbouring cells of a row that differ in the same ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) row: usize,
    pub(crate) cols: Range<usize>,
    aspects: Aspects,
}

/// What is shown in a line of both screens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// A row.
    Row(usize),
    /// Marks below a row, for these of the differences.
    Marks(Range<usize>),
}

impl Shown {
    pub(crate) fn new(comparison: Comparison) -> Shown {
        let diff = match &comparison.old {
            Some(old) => Some(Diff::between(old, &comparison.new)),
            None => None,
        };
        let mut differences = Vec::new();
        for row in diff.iter().flat_map(|diff| &diff.rows) {
            differences.extend(row.runs.iter().map(|run| Difference {
                row: row.row,
                cols: run.cols.clone(),
                aspects: run.aspects,
            }));
        }
        let words = comparison
            .words
            .lines()
            .map(|line| line.replace('\t', "    "));
        Shown {
            lines: lines(comparison.size().rows, &differences),
            words: words.collect(),
            cursor: diff.and_then(|diff| diff.cursor),
            differences,
            comparison,
        }
    }

    /// The line in which a difference stands.
    pub(crate) fn line_of(&self, difference: usize) -> Option<usize> {
        let row = self.differences.get(difference)?.row;
        self.lines.iter().position(|line| *line == Line::Row(row))
    }

    /// What differs besides cells.
    pub(crate) fn others(&self) -> Vec<String> {
        let mut others = Vec::new();
        let Comparison { old, new, .. } = &self.comparison;
        if let Some(old) = old
            && old.size != new.size
        {
            others.push(format!("{} is now {}", old.size, new.size));
        }
        if let Some(DiffChange { before, after }) = &self.cursor {
            others.push(match (before.visible, after.visible) {
                (true, false) => "the cursor is hidden now".to_owned(),
                (false, true) => "the cursor is shown now".to_owned(),
                _ => format!("the cursor is now at {}", after.position.to_wire()),
            });
        }
        others
    }
}

fn lines(rows: u16, differences: &[Difference]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut first = 0;
    for row in 0..usize::from(rows) {
        lines.push(Line::Row(row));
        let end = first
            + differences[first..]
                .iter()
                .take_while(|difference| difference.row == row)
                .count();
        if first < end {
            lines.push(Line::Marks(first..end));
        }
        first = end;
    }
    lines
}

impl Difference {
    /// The mark below each of its cells.
    pub(crate) fn mark(&self) -> &'static str {
        match self.aspects.intersects(Aspects::TEXT | Aspects::WIDTH) {
            true => "^",
            false => "~",
        }
    }

    /// Where it is and what kind it is of, for a sentence.
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
            (Aspects::STYLE, "look"),
            (Aspects::LINK, "link"),
        ]
        .into_iter()
        .filter_map(|(aspects, name)| self.aspects.intersects(aspects).then_some(name))
        .collect();
        format!("{place}: {}", kinds.join(" and "))
    }
}
