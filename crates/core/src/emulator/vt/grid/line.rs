//! One line of the grid.
//!
//! A line has memory only for the cells up to the last one that was written, rounded up. So a new
//! screen, or a resize to a large one, costs a little for each row, not for each cell.
//!
//! Invariants: a wide character's first half is always followed by its spacer, so an operation that
//! separates them leaves blanks. Cells from `occupied` on are plain.

use std::ops::Range;
use std::sync::Arc;

use super::cell::{Cell, CellFlags, Extra};
use crate::emulator::graphics::cells::CellImagePart;
use crate::screen::row::Row;

/// Whether the text of a line continues in the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Wrap {
    #[default]
    None,
    /// It continues.
    Wrapped,
    /// It continues with a wide character that did not fit into the last column, which is blank.
    BeforeWide,
}

/// A line.
#[derive(Debug)]
pub(crate) struct Line {
    /// The first cells; those after them are plain.
    cells: Vec<Cell>,
    /// The extras of the cells that have the flag for it; entries of other cells are outdated.
    extras: Vec<Option<Arc<Extra>>>,
    cols: usize,
    occupied: usize,
    pub(crate) wrap: Wrap,
    /// Whether it changed since it was read last.
    pub(crate) dirty: bool,
    /// The row that was read last.
    pub(crate) row: Option<Arc<Row>>,
}

impl Line {
    pub(crate) fn new(cols: usize) -> Line {
        Line {
            cells: Vec::new(),
            extras: Vec::new(),
            cols,
            occupied: 0,
            wrap: Wrap::None,
            dirty: true,
            row: None,
        }
    }

    #[inline]
    pub(crate) fn cell(&self, col: usize) -> Cell {
        self.cells.get(col).copied().unwrap_or(Cell::PLAIN)
    }

    /// Makes room for the cells before `end`.
    #[inline]
    fn reach(&mut self, end: usize) {
        if self.cells.len() < end {
            self.grow(end);
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        let len = end.max(2 * self.cells.len()).max(32).min(self.cols);
        self.cells.reserve_exact(len - self.cells.len());
        self.cells.resize(len, Cell::PLAIN);
    }

    /// Returns the cells up to the last one that is not plain.
    pub(crate) fn content(&self) -> &[Cell] {
        let kept = self.cells[..self.occupied]
            .iter()
            .rposition(|cell| *cell != Cell::PLAIN);
        &self.cells[..kept.map_or(0, |last| last + 1)]
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.content().is_empty()
    }

    pub(crate) fn extra(&self, col: usize) -> Option<&Arc<Extra>> {
        if !self.cell(col).flags.contains(CellFlags::EXTRA) {
            return None;
        }
        self.extras.get(col)?.as_ref()
    }

    /// Returns the parts of images that cells show, with their columns.
    pub(crate) fn images(&self) -> impl Iterator<Item = (usize, &CellImagePart)> {
        let cells = self.extras.iter().zip(&self.cells).enumerate();
        cells.filter_map(|(col, (extra, cell))| {
            let is_current = cell.flags.contains(CellFlags::EXTRA);
            let extra = extra.as_ref().filter(|_| is_current)?;
            Some((col, extra.image.as_ref()?))
        })
    }

    /// Sets an extra, and the cell's flag for it.
    pub(crate) fn set_extra(&mut self, col: usize, extra: Option<Arc<Extra>>) {
        self.reach(col + 1);
        self.cells[col].flags.set(CellFlags::EXTRA, extra.is_some());
        if extra.is_some() {
            self.extras_mut()[col] = extra;
        }
    }

    /// Counts a cell as written although it may still be plain.
    pub(crate) fn touch(&mut self, col: usize) {
        self.occupied = self.occupied.max(col + 1);
    }

    fn extras_mut(&mut self) -> &mut [Option<Arc<Extra>>] {
        let cells = self.cells.len();
        if self.extras.len() < cells {
            self.extras.resize(cells, None);
        }
        &mut self.extras
    }

    /// Returns cells that are about to be written. The caller writes whole characters, and passes
    /// the extra of all of them. A wide character that is cut at either end leaves a blank.
    #[inline]
    pub(crate) fn overwrite(
        &mut self,
        cols: Range<usize>,
        extra: Option<&Arc<Extra>>,
    ) -> &mut [Cell] {
        self.split_wide(cols.start);
        self.split_wide(cols.end);
        self.reach(cols.end);
        if let Some(extra) = extra {
            self.extras_mut()[cols.clone()].fill(Some(extra.clone()));
        }
        self.occupied = self.occupied.max(cols.end);
        if cols.end == self.cols {
            self.wrap = Wrap::None;
        }
        &mut self.cells[cols]
    }

    /// Writes characters, like [`Line::overwrite`], to some of the columns. `write` gets all cells,
    /// and returns the column after the last one that it wrote.
    #[inline]
    pub(crate) fn write(
        &mut self,
        cols: Range<usize>,
        extra: Option<&Arc<Extra>>,
        write: impl FnOnce(&mut [Cell]) -> usize,
    ) -> usize {
        let col = cols.start;
        self.split_wide(col);
        self.reach(cols.end);
        let end = write(&mut self.cells);
        if end == col {
            return end;
        }
        // The first half was overwritten.
        if self
            .cells
            .get(end)
            .is_some_and(|cell| cell.flags.contains(CellFlags::SPACER))
        {
            self.blank_half(end);
        }
        if let Some(extra) = extra {
            self.extras_mut()[col..end].fill(Some(extra.clone()));
        }
        self.occupied = self.occupied.max(end);
        if end == self.cols {
            self.wrap = Wrap::None;
        }
        end
    }

    /// Turns a wide character that extends over `col`, from the column before it, into blanks.
    #[inline]
    pub(crate) fn split_wide(&mut self, col: usize) {
        if let Some(cell) = self.cells.get(col)
            && cell.flags.contains(CellFlags::SPACER)
        {
            self.blank_half(col);
            self.blank_half(col - 1);
        }
    }

    fn blank_half(&mut self, col: usize) {
        let cell = &mut self.cells[col];
        cell.c = ' ';
        cell.flags.remove(CellFlags::WIDE | CellFlags::SPACER);
        if let Some(extra) = self.extra(col)
            && !extra.marks.is_empty()
        {
            let extra = Extra {
                marks: Box::default(),
                ..Extra::clone(extra)
            };
            self.set_extra(col, extra.stored());
        }
    }

    /// Replaces cells with a blank.
    pub(crate) fn fill(&mut self, cols: Range<usize>, blank: Cell) {
        if cols.is_empty() {
            return;
        }
        self.split_wide(cols.start);
        self.split_wide(cols.end);
        if cols.end == self.cols {
            self.wrap = Wrap::None;
        }
        self.fill_cells(cols, blank);
    }

    /// Replaces cells with a blank, without looking at what they are.
    fn fill_cells(&mut self, cols: Range<usize>, blank: Cell) {
        let end = if blank == Cell::PLAIN {
            let end = cols.end.min(self.occupied);
            if cols.end >= self.occupied {
                self.occupied = self.occupied.min(cols.start);
            }
            end
        } else {
            self.reach(cols.end);
            self.occupied = self.occupied.max(cols.end);
            cols.end
        };
        if cols.start < end {
            self.cells[cols.start..end].fill(blank);
        }
    }

    /// Makes it a new line of blanks.
    #[inline]
    pub(crate) fn clear(&mut self, blank: Cell) {
        if blank == Cell::PLAIN {
            self.cells[..self.occupied].fill(blank);
            self.occupied = 0;
        } else {
            self.reach(self.cols);
            self.cells.fill(blank);
            self.occupied = self.cols;
        }
        self.extras = Vec::new();
        self.wrap = Wrap::None;
        self.dirty = true;
    }

    /// Moves the cells of a range to the right by `count`, within the range, and blanks the cells
    /// at its start.
    pub(crate) fn shift_right(&mut self, cols: Range<usize>, count: usize, blank: Cell) {
        let count = count.min(cols.len());
        self.prepare_shift(&cols, cols.end - count);
        self.cells
            .copy_within(cols.start..cols.end - count, cols.start + count);
        if !self.extras.is_empty() {
            self.extras_mut()[cols.clone()].rotate_right(count);
        }
        self.fill_cells(cols.start..cols.start + count, blank);
    }

    /// Moves the cells of a range to the left by `count`, within the range, and blanks the cells at
    /// its end.
    pub(crate) fn shift_left(&mut self, cols: Range<usize>, count: usize, blank: Cell) {
        let count = count.min(cols.len());
        self.prepare_shift(&cols, cols.start + count);
        self.cells
            .copy_within(cols.start + count..cols.end, cols.start);
        if !self.extras.is_empty() {
            self.extras_mut()[cols.clone()].rotate_left(count);
        }
        self.fill_cells(cols.end - count..cols.end, blank);
    }

    fn prepare_shift(&mut self, cols: &Range<usize>, cut: usize) {
        self.split_wide(cols.start);
        self.split_wide(cols.end);
        self.split_wide(cut);
        self.reach(cols.end);
        self.occupied = self.occupied.max(cols.end);
        if cols.end == self.cols {
            self.wrap = Wrap::None;
        }
    }

    /// Replaces cells with copies of others. Wide characters that are cut leave blanks.
    pub(crate) fn paste(&mut self, col: usize, copied: &CopiedCells) {
        let cols = col..col + copied.cells.len();
        self.overwrite(cols.clone(), None)
            .copy_from_slice(&copied.cells);
        for (offset, extra) in copied.extras.iter().enumerate() {
            if extra.is_some() {
                self.extras_mut()[col + offset].clone_from(extra);
            }
        }
        if self.cells[cols.start].flags.contains(CellFlags::SPACER) {
            self.blank_half(cols.start);
        }
        if self.cells[cols.end - 1].flags.contains(CellFlags::WIDE) {
            self.blank_half(cols.end - 1);
        }
    }

    pub(crate) fn copy(&self, cols: Range<usize>) -> CopiedCells {
        let end = cols.end.min(self.cells.len());
        let mut cells = self.cells[cols.start.min(end)..end].to_vec();
        cells.resize(cols.len(), Cell::PLAIN);
        let extras = if self.extras.is_empty() {
            Vec::new()
        } else {
            cols.map(|col| self.extra(col).cloned()).collect()
        };
        CopiedCells { cells, extras }
    }

    /// Changes every cell of a range in place; `change` keeps wide characters whole.
    pub(crate) fn change(&mut self, cols: Range<usize>, mut change: impl FnMut(&mut Cell)) {
        self.reach(cols.end);
        self.occupied = self.occupied.max(cols.end);
        self.cells[cols].iter_mut().for_each(&mut change);
    }

    /// Blanks the cells of a range that `erases` selects; a wide character is erased as a whole.
    pub(crate) fn erase_if(
        &mut self,
        cols: Range<usize>,
        blank: Cell,
        erases: impl Fn(&Cell) -> bool,
    ) {
        for col in cols {
            if erases(&self.cell(col)) {
                self.fill(col..col + 1, blank);
            }
        }
    }

    /// Makes a line of cells that were unpacked. They end with the content.
    pub(super) fn from_cells(
        cells: Vec<Cell>,
        extras: Vec<Option<Arc<Extra>>>,
        cols: usize,
    ) -> Line {
        Line {
            occupied: cells.len(),
            cells,
            extras,
            ..Line::new(cols)
        }
    }

    #[cfg(test)]
    pub(super) fn stored_cells(&self) -> usize {
        self.cells.capacity()
    }

    /// Panics if an invariant of the line does not hold.
    #[cfg(test)]
    pub(crate) fn check(&self) {
        let is = |col: usize, flag| {
            self.cells
                .get(col)
                .is_some_and(|cell| cell.flags.contains(flag))
        };
        for (col, cell) in self.cells.iter().enumerate() {
            assert_eq!(
                is(col, CellFlags::WIDE),
                is(col + 1, CellFlags::SPACER),
                "column {col}"
            );
            assert!(
                col < self.occupied || *cell == Cell::PLAIN,
                "column {col} is not plain"
            );
            assert_eq!(
                is(col, CellFlags::EXTRA),
                self.extra(col).is_some(),
                "extra of {col}"
            );
        }
        assert!(!is(0, CellFlags::SPACER));
    }

    /// Changes the number of columns without reflow.
    pub(super) fn set_cols(&mut self, cols: usize) {
        self.split_wide(cols);
        self.cols = cols;
        self.cells.truncate(cols);
        self.cells.shrink_to_fit();
        self.extras.truncate(cols);
        self.extras.shrink_to_fit();
        self.occupied = self.occupied.min(cols);
        self.dirty = true;
    }
}

/// Cells taken out of a line.
#[derive(Debug)]
pub(crate) struct CopiedCells {
    pub(crate) cells: Vec<Cell>,
    /// Empty if no cell has an extra.
    pub(crate) extras: Vec<Option<Arc<Extra>>>,
}
