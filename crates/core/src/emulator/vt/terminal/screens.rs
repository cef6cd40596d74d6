//! The main and the alternate screen, and synchronized updates.

use super::Terminal;
use super::modes::Mode;
use crate::emulator::TransientScreens;
use crate::emulator::vt::grid::Grid;
use crate::emulator::vt::grid::cell::Cell;

impl Terminal {
    /// ?1047, ?1048 and ?1049.
    pub(super) fn set_alternate_mode(&mut self, number: u16, on: bool) {
        match (number, on) {
            (1047, true) => self.show_alternate(true, None),
            (1047, false) => {
                // It is cleared when it is left, which ends a pending wrap.
                self.cursor.pending_wrap &= !self.is_alternate();
                self.show_alternate(false, None);
                self.forget_alternate();
            }
            (1048, true) => self.save_cursor(),
            (1048, false) => self.restore_cursor(),
            (_, true) => {
                self.save_cursor();
                let blank = self.pen.blank();
                self.show_alternate(true, Some(blank));
            }
            (_, false) => {
                self.show_alternate(false, None);
                self.forget_alternate();
                self.restore_cursor();
            }
        }
    }

    /// The alternate screen is cleared when it is left, so its memory is freed then.
    fn forget_alternate(&mut self) {
        if !self.is_alternate() {
            self.hidden = None;
            self.graphics.clear_alternate();
        }
    }

    /// Shows the alternate or the main screen. The cursor and the pen stay as they are. With
    /// `clear`, the alternate screen is filled with that cell, even if it is already shown.
    pub(crate) fn show_alternate(&mut self, on: bool, clear: Option<Cell>) {
        if self.is_alternate() == on && clear.is_none() {
            return;
        }
        self.before_loss(0..usize::MAX);
        self.before_placements_change();
        self.add_work_of_rows(2 * self.rows());
        if self.is_alternate() != on {
            self.swap_grids();
        }
        let (rows, blank) = (self.rows(), clear.unwrap_or(Cell::PLAIN));
        if clear.is_some() {
            self.grid.clear_lines(0, rows, blank);
            self.graphics.clear_alternate();
            self.cursor.pending_wrap = false;
        }
        if on {
            self.record_clear();
        } else {
            self.repaint_detector.forget();
        }
        self.mark_read();
    }

    fn swap_grids(&mut self) {
        let size = self.size();
        let entered = self.hidden.take().unwrap_or_else(|| Grid::new(size, 0));
        self.hidden = Some(std::mem::replace(&mut self.grid, entered));
        self.modes.toggle(Mode::ALTERNATE);
        if self.is_alternate() {
            self.main_cursor = self.cursor;
        }
    }

    /// ?2026.
    pub(super) fn set_synchronized(&mut self, on: bool) {
        if on {
            self.notes.unfinished_update = true;
            self.begin_synchronized();
        } else {
            // An update that took too long is already shown, but ends only here.
            self.notes.counts.updates += u64::from(self.notes.unfinished_update);
            self.notes.unfinished_update = false;
            self.end_synchronized();
        }
    }

    fn begin_synchronized(&mut self) {
        if self.frozen_screen.is_some() {
            return;
        }
        let mut screen = self.read_screen();
        let restored = self.graphics.take_frozen();
        if !restored.is_empty() {
            screen.images = restored.into();
        }
        if self.options.transient_screens == TransientScreens::Keep {
            self.store_screen(screen.clone());
        }
        self.frozen_screen = Some(screen);
    }

    pub(crate) fn end_synchronized(&mut self) {
        if self.frozen_screen.take().is_some()
            && self.options.transient_screens == TransientScreens::Keep
        {
            self.store_transient();
        }
    }
}
