//! Compressed scrollback rows.
//!
//! A cell of the wrapped grid takes 24 bytes, blank or not: 1.9 kB for a row of 80 columns, and
//! most scrollback rows are never read. While no input arrives, the older rows therefore move from
//! the grid to our own form, which takes about a tenth.
//!
//! Invariant: not observable from outside. The packed rows and the scrollback rows in the grid form
//! one sequence, of which the newest count, up to the scrollback limit; rows beyond the limit are
//! dropped without being read. Reading packed rows returns their cells unchanged. Only a resize
//! needs the rows in the grid, so they are unpacked before it: reflow joins and splits rows, and a
//! taller screen takes rows back from the scrollback.
//!
//! See also: `packed/row.rs` (the form of a packed row), `room.rs` (replaces the grid by another
//! one with the same rows).

use std::collections::VecDeque;

use alacritty_terminal::grid::{Dimensions, Row};
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::Cell;

use super::machine::Machine;
use super::room::{self, Room};
use crate::emulator::Compacted;
use crate::screen::geometry::Size;
use row::{PackedRow, Packer};

mod row;

/// Number of scrollback rows that stay in the grid. At least one must: the terminal clears a blank
/// screen differently if the scrollback is empty. With a few more, a screen that becomes slightly
/// taller finds its rows in the grid.
pub(super) const KEPT: usize = 16;

/// Number of scrollback rows that the grid has room for after the others were packed. Until they
/// are used up, a row that scrolls out allocates nothing. At 80 columns they take 61 kB.
const ROOM: usize = 32;

/// Number of rows packed at a time. Takes less than half a millisecond, which bounds the delay for
/// the program's next byte.
const BATCH: usize = 512;

/// The rows that were moved out of the grid.
#[derive(Debug, Default)]
pub(super) struct Packed {
    /// Oldest first.
    rows: VecDeque<PackedRow>,
}

impl Packed {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the original cells of a row. `newer` is the number of newer packed rows.
    pub(super) fn unpack(&self, newer: usize, columns: usize, cells: &mut Vec<Cell>) {
        self.rows[self.rows.len() - 1 - newer].unpack(columns, cells);
    }

    /// Returns a row in the form of the grid. `newer` is the number of newer packed rows.
    pub(super) fn row(&self, newer: usize, columns: usize) -> Row<Cell> {
        self.rows[self.rows.len() - 1 - newer].to_row(columns)
    }
}

impl Machine {
    /// Returns the number of rows in the scrollback.
    pub(super) fn history(&self) -> usize {
        let packed = if self.is_alternate() {
            // The alternate screen has no scrollback; the packed rows belong to the main screen.
            0
        } else {
            self.packed_that_count()
        };
        packed + self.term.history_size()
    }

    /// Returns the number of packed rows within the scrollback limit. The main screen must be
    /// shown.
    fn packed_that_count(&self) -> usize {
        let scrolled = self.term.history_size();
        debug_assert!(scrolled > 0 || self.packed.is_empty());
        let most = self.options.scrollback.saturating_sub(scrolled);
        self.packed.rows.len().min(most)
    }

    fn drop_what_fell_off(&mut self) {
        let over = self.packed.rows.len() - self.packed_that_count();
        self.packed.rows.drain(..over);
    }

    /// Packs scrollback rows, oldest first, as many as take little time. The newest `kept` rows, at
    /// least one, stay in the grid.
    pub(super) fn pack(&mut self, kept: usize) -> Compacted {
        let scrolled = self.term.history_size();
        // The alternate screen has no scrollback.
        if scrolled <= kept {
            return Compacted::All;
        }
        self.drop_what_fell_off();
        let most = self.options.scrollback;
        let left = kept.max(scrolled.saturating_sub(BATCH));
        let mut packer = Packer::default();
        let grid = self.term.grid_mut();
        let leaving = (-(scrolled as i32)..-(left as i32)).map(Line);
        let packed = leaving.map(|line| packer.pack(&grid[line]));
        let rows = &mut self.packed.rows;
        if rows.capacity() < rows.len() + packed.len() {
            // Growing by an eighth copies the rows rarely, and does not double the memory if there
            // are many.
            rows.reserve_exact(packed.len().max(rows.len() / 8));
        }
        rows.extend(packed);
        let room = ROOM.min(most).max(kept);
        if left == kept && (self.room > Room::Rows(room) || self.room == Room::UNKNOWN) {
            room::fit(grid, room, most, kept, std::iter::empty());
            self.room = Room::Rows(room);
        } else {
            // The freed rows stay in the grid's store for the next rows that scroll out.
            grid.update_history(left);
            grid.update_history(most);
        }
        if left > kept {
            Compacted::Part
        } else {
            Compacted::All
        }
    }

    /// Drops the packed rows, because the scrollback is erased.
    pub(super) fn forget_packed(&mut self) {
        self.packed.rows = VecDeque::new();
    }

    /// Moves all packed rows back to the grid.
    pub(super) fn unpack_all(&mut self) {
        self.unpack(usize::MAX, 0);
    }

    /// Moves the packed rows that a resize needs back to the grid, which must be shown.
    pub(super) fn unpack_for(&mut self, size: Size) {
        if usize::from(size.cols) != self.term.columns() {
            return self.unpack_all();
        }
        let added = usize::from(size.rows).saturating_sub(self.term.screen_lines());
        self.unpack(added + KEPT, added);
    }

    /// Moves rows back until the grid has `wanted` scrollback rows, with room for `more`.
    fn unpack(&mut self, wanted: usize, more: usize) {
        if self.packed.is_empty() {
            return;
        }
        self.drop_what_fell_off();
        let most = self.options.scrollback;
        let scrolled = self.term.history_size();
        let count = wanted.saturating_sub(scrolled).min(self.packed.rows.len());
        if count == 0 {
            return;
        }
        let columns = self.term.columns();
        let from = self.packed.rows.len() - count;
        let left = self.packed.rows.drain(from..);
        let older = left.rev().map(|packed| packed.to_row(columns));
        let room = (scrolled + count + more).min(most);
        room::fit(self.term.grid_mut(), room, most, scrolled, older);
    }
}
