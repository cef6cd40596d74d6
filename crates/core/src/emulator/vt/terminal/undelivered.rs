//! Tracks which cells were written since the screen was last read.
//!
//! A program may print text and erase it before its output is read. So that no screen is missed,
//! the terminal stores the screen just before it loses cells that were written since the last read.
//! This file tracks those cells.

use std::ops::Range;

/// The range of columns in each row that was written since the last read.
#[derive(Debug, Default)]
pub(super) struct UndeliveredCells {
    rows: Vec<Span>,
    any: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u16,
    end: u16,
}

impl Span {
    const NONE: Span = Span {
        start: u16::MAX,
        end: 0,
    };
}

impl UndeliveredCells {
    /// Marks every cell as read, on a screen of this many rows.
    pub(super) fn reset(&mut self, rows: usize) {
        self.rows.clear();
        self.rows.resize(rows, Span::NONE);
        self.any = false;
    }

    /// Marks every cell as read.
    pub(super) fn clear(&mut self) {
        if self.any {
            self.rows.fill(Span::NONE);
            self.any = false;
        }
    }

    /// Marks cells of a row as written.
    pub(super) fn add(&mut self, row: usize, cols: Range<usize>) {
        if let Some(span) = self.rows.get_mut(row) {
            span.start = span.start.min(cols.start as u16);
            span.end = span.end.max(cols.end as u16);
            self.any = true;
        }
    }

    /// Marks inserted cells of a row as written, and moves the range to their right.
    pub(super) fn push_right(&mut self, row: usize, cols: Range<usize>, end: usize) {
        if let Some(span) = self.rows.get_mut(row) {
            let by = cols.len() as u16;
            if usize::from(span.end) > cols.start && *span != Span::NONE {
                if usize::from(span.start) >= cols.start {
                    span.start += by;
                }
                span.end = span.end.saturating_add(by).min(end as u16);
            }
        }
        self.add(row, cols);
    }

    /// Returns whether any of these cells was written since the last read.
    pub(super) fn touches(&self, row: usize, cols: Range<usize>) -> bool {
        self.rows.get(row).is_some_and(|span| {
            usize::from(span.start) < cols.end && cols.start < usize::from(span.end)
        })
    }

    /// Returns whether any cell in these rows was written since the last read.
    pub(super) fn touches_rows(&self, rows: Range<usize>) -> bool {
        let end = rows.end.min(self.rows.len());
        self.any
            && self
                .rows
                .get(rows.start.min(end)..end)
                .is_some_and(|rows| rows.iter().any(|span| *span != Span::NONE))
    }

    /// Moves the ranges of a region up by `lines`.
    pub(super) fn scroll_up(&mut self, region: Range<usize>, lines: usize) {
        if let Some(rows) = self.rows.get_mut(region) {
            let lines = lines.min(rows.len());
            rows.rotate_left(lines);
            let kept = rows.len() - lines;
            rows[kept..].fill(Span::NONE);
        }
    }

    /// Moves the ranges of a region down by `lines`.
    pub(super) fn scroll_down(&mut self, region: Range<usize>, lines: usize) {
        if let Some(rows) = self.rows.get_mut(region) {
            let lines = lines.min(rows.len());
            rows.rotate_right(lines);
            rows[..lines].fill(Span::NONE);
        }
    }
}
