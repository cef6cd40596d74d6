//! Compressed scrollback rows.
//!
//! A cell of the wrapped grid takes 24 bytes, blank or not: 1.9 kB for a row of 80 columns, and
//! most scrollback rows are never read. While no input arrives, the older rows therefore move from
//! the grid to our own form, which takes about a tenth.
//!
//! Invariant: not observable from outside. The compressed rows and the scrollback rows in the grid
//! form one sequence. Its newest rows, up to the scrollback limit, are the scrollback; older rows
//! are dropped without being read. Reading compressed rows returns their cells unchanged. Only a
//! resize needs the rows in the grid, so they are decompressed before it: reflow joins and splits
//! rows, and a taller screen takes rows back from the scrollback.
//!
//! See also: `compressed/row.rs` (the form of a compressed row), `growth.rs` (replaces the grid by
//! another one with the same rows).

use std::collections::VecDeque;

use alacritty_terminal::grid::{Dimensions, Row};
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::Cell;

use super::super::terminal::Terminal;
use super::growth::{self, ScrollbackCapacity};
use crate::emulator::Compaction;
use crate::screen::geometry::Size;
use row::{CompressedRow, RowCompressor};

mod row;

/// Number of scrollback rows that stay in the grid. At least one must: the terminal clears a blank
/// screen differently if the scrollback is empty. With a few more, a screen that becomes slightly
/// taller finds its rows in the grid.
pub(crate) const UNCOMPRESSED_ROWS: usize = 16;

/// Number of scrollback rows that the grid has room for after the others were compressed. Until
/// they are used up, a row that scrolls out allocates nothing. At 80 columns they take 61 kB.
const SPARE_ROWS: usize = 32;

/// Number of rows compressed at a time. Takes less than half a millisecond, which bounds the delay
/// for the program's next byte.
const BATCH: usize = 512;

/// The rows that were moved out of the grid.
#[derive(Debug, Default)]
pub(crate) struct CompressedScrollback {
    /// Oldest first.
    rows: VecDeque<CompressedRow>,
}

impl CompressedScrollback {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the original cells of a row. `newer` is the number of newer compressed rows.
    pub(crate) fn decompress(&self, newer: usize, columns: usize, cells: &mut Vec<Cell>) {
        self.rows[self.rows.len() - 1 - newer].decompress(columns, cells);
    }

    /// Returns a row in the form of the grid. `newer` is the number of newer compressed rows.
    pub(crate) fn row(&self, newer: usize, columns: usize) -> Row<Cell> {
        self.rows[self.rows.len() - 1 - newer].to_row(columns)
    }
}

impl Terminal {
    /// Returns the number of rows in the scrollback.
    pub(crate) fn history(&self) -> usize {
        let compressed = if self.is_alternate() {
            // The alternate screen has no scrollback; the compressed rows belong to the main
            // screen.
            0
        } else {
            self.compressed_rows_in_limit()
        };
        compressed + self.term.history_size()
    }

    /// Returns the number of compressed rows within the scrollback limit. The main screen must be
    /// shown.
    fn compressed_rows_in_limit(&self) -> usize {
        let scrolled = self.term.history_size();
        debug_assert!(scrolled > 0 || self.compressed.is_empty());
        let most = self.options.scrollback.saturating_sub(scrolled);
        self.compressed.rows.len().min(most)
    }

    fn drop_rows_over_limit(&mut self) {
        let over = self.compressed.rows.len() - self.compressed_rows_in_limit();
        self.compressed.rows.drain(..over);
    }

    /// Compresses scrollback rows, oldest first, at most [`BATCH`] of them. The newest `kept` rows
    /// stay in the grid; `kept` must be at least 1.
    pub(crate) fn compress(&mut self, kept: usize) -> Compaction {
        let scrolled = self.term.history_size();
        // The alternate screen has no scrollback.
        if scrolled <= kept {
            return Compaction::Complete;
        }
        self.drop_rows_over_limit();
        let most = self.options.scrollback;
        let left = kept.max(scrolled.saturating_sub(BATCH));
        let mut compressor = RowCompressor::default();
        let grid = self.term.grid_mut();
        let leaving = (-(scrolled as i32)..-(left as i32)).map(Line);
        let compressed = leaving.map(|line| compressor.compress(&grid[line]));
        let rows = &mut self.compressed.rows;
        if rows.capacity() < rows.len() + compressed.len() {
            // Growing by an eighth copies the rows rarely, and does not double the memory if there
            // are many.
            rows.reserve_exact(compressed.len().max(rows.len() / 8));
        }
        rows.extend(compressed);
        let room = SPARE_ROWS.min(most).max(kept);
        if left == kept
            && (self.scrollback_capacity > ScrollbackCapacity::Rows(room)
                || self.scrollback_capacity == ScrollbackCapacity::UNKNOWN)
        {
            growth::rebuild_grid(grid, room, most, kept, std::iter::empty());
            self.scrollback_capacity = ScrollbackCapacity::Rows(room);
        } else {
            // The freed rows stay in the grid's store for the next rows that scroll out.
            grid.update_history(left);
            grid.update_history(most);
        }
        if left > kept {
            Compaction::Partial
        } else {
            Compaction::Complete
        }
    }

    /// Drops the compressed rows, because the scrollback is erased.
    pub(crate) fn drop_compressed(&mut self) {
        self.compressed.rows = VecDeque::new();
    }

    /// Moves all compressed rows back to the grid.
    pub(crate) fn decompress_all(&mut self) {
        self.decompress(usize::MAX, 0);
    }

    /// Moves the compressed rows that a resize needs back to the grid. The main screen must be
    /// shown.
    pub(crate) fn decompress_for_resize(&mut self, size: Size) {
        if usize::from(size.cols) != self.term.columns() {
            return self.decompress_all();
        }
        let added = usize::from(size.rows).saturating_sub(self.term.screen_lines());
        self.decompress(added + UNCOMPRESSED_ROWS, added);
    }

    /// Moves rows back until the grid has `wanted` scrollback rows, with room for `more`.
    fn decompress(&mut self, wanted: usize, more: usize) {
        if self.compressed.is_empty() {
            return;
        }
        self.drop_rows_over_limit();
        let most = self.options.scrollback;
        let scrolled = self.term.history_size();
        let count = wanted
            .saturating_sub(scrolled)
            .min(self.compressed.rows.len());
        if count == 0 {
            return;
        }
        let columns = self.term.columns();
        let from = self.compressed.rows.len() - count;
        let left = self.compressed.rows.drain(from..);
        let older = left.rev().map(|compressed| compressed.to_row(columns));
        let room = (scrolled + count + more).min(most);
        growth::rebuild_grid(self.term.grid_mut(), room, most, scrolled, older);
    }
}
