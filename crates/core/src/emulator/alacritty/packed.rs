//! Rows that scrolled out, in little room.
//!
//! A cell of the bought grid takes 24 bytes, a blank as much as a letter: 1.9 kB for a row of 80 columns, and most rows that scrolled
//! out are never asked for again. So the older of them leave the grid while nothing comes, for a form of our own that takes about a tenth.
//!
//! The one rule: nobody can tell. The packed rows and those that the grid has are one sequence, of which the newest count, as many as
//! are to be kept: what a flood pushes out of it is not even looked at. Whoever reads packed rows gets their cells as they were. What
//! works on the rows themselves is given them back first, and that is only another size: reflow joins them and cuts them anew, and a
//! screen that becomes taller takes them in again.
//!
//! Elsewhere: what a packed row is made of (`packed/row.rs`), giving the terminal another grid with the same rows (`room.rs`).

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

/// How many of the rows that scrolled out stay in the grid. One must: the terminal clears a blank screen in another way when nothing
/// is above it. With a few more, a screen that becomes a little taller finds them there.
pub(super) const KEPT: usize = 16;

/// For how many rows there is room in the grid once the others are packed. A row that scrolls out costs nothing more until there are
/// so many, and at 80 columns they take 61 kB.
const ROOM: usize = 32;

/// How many rows are packed at a time: less than half a millisecond, and whoever waits for the program's next byte waits
/// no longer than that.
const BATCH: usize = 512;

/// The rows that left the grid.
#[derive(Debug, Default)]
pub(super) struct Packed {
    /// Oldest first.
    rows: VecDeque<PackedRow>,
}

impl Packed {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the cells of a row as they were. It is told how many packed rows are newer.
    pub(super) fn unpack(&self, newer: usize, columns: usize, cells: &mut Vec<Cell>) {
        self.rows[self.rows.len() - 1 - newer].unpack(columns, cells);
    }

    /// The row itself.
    pub(super) fn row(&self, newer: usize, columns: usize) -> Row<Cell> {
        self.rows[self.rows.len() - 1 - newer].to_row(columns)
    }
}

impl Machine {
    /// How many rows have scrolled out, of those that are kept.
    pub(super) fn history(&self) -> usize {
        let packed = if self.is_alternate() {
            // There nothing is kept, and what is packed belongs to the other screen.
            0
        } else {
            self.packed_that_count()
        };
        packed + self.term.history_size()
    }

    /// The oldest packed rows have fallen off if there would be more than are kept. The main screen is shown.
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

    /// Packs rows that scrolled out, oldest first, as many as take little time. The newest `kept` stay in the grid, at least one.
    pub(super) fn pack(&mut self, kept: usize) -> Compacted {
        let scrolled = self.term.history_size();
        // On the alternate screen nothing scrolls out.
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
            // By an eighth at a time rows are seldom moved, and where there are many, there is not room for as many again.
            rows.reserve_exact(packed.len().max(rows.len() / 8));
        }
        rows.extend(packed);
        let room = ROOM.min(most).max(kept);
        if left == kept && (self.room > Room::Rows(room) || self.room == Room::UNKNOWN) {
            room::fit(grid, room, most, kept, std::iter::empty());
            self.room = Room::Rows(room);
        } else {
            // They stay in the grid's store, for those that scroll out next.
            grid.update_history(left);
            grid.update_history(most);
        }
        if left > kept {
            Compacted::Part
        } else {
            Compacted::All
        }
    }

    /// Forgets the packed rows, as everything that scrolled out is forgotten.
    pub(super) fn forget_packed(&mut self) {
        self.packed.rows = VecDeque::new();
    }

    /// Gives the grid back all of the packed rows.
    pub(super) fn unpack_all(&mut self) {
        self.unpack(usize::MAX, 0);
    }

    /// Gives the grid, which is shown, back what it needs of the packed rows to take another size.
    pub(super) fn unpack_for(&mut self, size: Size) {
        if usize::from(size.cols) != self.term.columns() {
            return self.unpack_all();
        }
        let added = usize::from(size.rows).saturating_sub(self.term.screen_lines());
        self.unpack(added + KEPT, added);
    }

    /// Gives rows back until the grid has so many that scrolled out, and room for so many more.
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
