//! Erasing: ED, EL, ECH, their selective forms, and DECALN.

use std::ops::Range;

use super::Terminal;
use super::margins::Margins;
use super::modes::Mode;
use crate::emulator::vt::grid::cell::{Cell, CellFlags};
use crate::screen::row::Zone;

/// The part of the screen or of a row, relative to the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErasedPart {
    After,
    Before,
    All,
}

impl ErasedPart {
    pub(crate) fn from_number(number: u16) -> Option<ErasedPart> {
        match number {
            0 => Some(ErasedPart::After),
            1 => Some(ErasedPart::Before),
            2 => Some(ErasedPart::All),
            _ => None,
        }
    }
}

/// Which cells are erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Erasing {
    /// All; except those that are protected, if SPA was used after DECSCA.
    Ordinary,
    /// All except those that are protected.
    Selective,
    /// All.
    Unprotected,
}

impl Terminal {
    /// ED.
    pub(crate) fn erase_screen(&mut self, part: ErasedPart, erasing: Erasing) {
        let (row, col) = (self.cursor.row, self.cursor.col);
        let (rows, cols) = (self.rows(), self.cols());
        let touched = match part {
            ErasedPart::After => row..rows,
            ErasedPart::Before => 0..row + 1,
            ErasedPart::All => 0..rows,
        };
        self.before_loss(touched.clone());
        self.add_work_of_rows(touched.len());
        let whole_cursor_row = match part {
            ErasedPart::After => col == 0,
            ErasedPart::Before => col + 1 == cols,
            ErasedPart::All => true,
        };
        if touched == (0..rows) && whole_cursor_row && erasing == Erasing::Ordinary {
            self.record_clear();
        } else {
            touched.clone().for_each(|row| self.record_drawn_row(row));
        }
        if part == ErasedPart::All && erasing == Erasing::Ordinary && self.is_at_prompt() {
            self.keep_text_in_scrollback();
        }
        if touched.start == 0 && (row > 0 || whole_cursor_row) {
            self.grid.end_scrollback_line();
        }
        for touched in touched {
            let erased = match part {
                ErasedPart::After if touched == row => col..cols,
                ErasedPart::Before if touched == row => 0..col + 1,
                _ => 0..cols,
            };
            self.erase_cells(touched, erased, erasing);
        }
        self.cursor.pending_wrap = false;
        if part == ErasedPart::All && erasing == Erasing::Ordinary {
            self.mark_read();
        }
    }

    /// Returns whether a shell reported that it reads a command (OSC 133).
    fn is_at_prompt(&self) -> bool {
        matches!(self.pen.cell.flags.zone(), Zone::Prompt | Zone::Input) && !self.is_alternate()
    }

    /// Moves the rows down to the last one with text into the scrollback, as terminals with shell
    /// integration do when a shell clears the screen. In xterm they are lost, and a program that
    /// repaints with ED 2 would fill the scrollback with its frames.
    fn keep_text_in_scrollback(&mut self) {
        let last = self.grid.lines().rposition(|line| !line.is_plain());
        if let Some(last) = last {
            let (rows, blank) = (self.rows(), self.pen.blank());
            self.grid.scroll_out(rows, last + 1, blank);
        }
    }

    /// ED 3: erases the scrollback of the main screen, also while the alternate one is shown.
    pub(crate) fn erase_scrollback(&mut self) {
        if !self.is_alternate() {
            self.grid.clear_scrollback();
        } else if let Some(main) = &mut self.hidden {
            main.clear_scrollback();
        }
    }

    /// EL.
    pub(crate) fn erase_line(&mut self, part: ErasedPart, erasing: Erasing) {
        let (col, cols) = (self.cursor.col, self.cols());
        let erased = match part {
            ErasedPart::After => col..cols,
            ErasedPart::Before => 0..col + 1,
            ErasedPart::All => 0..cols,
        };
        self.erase_in_row(erased, erasing);
    }

    /// ECH.
    pub(crate) fn erase_chars(&mut self, count: usize) {
        let end = (self.cursor.col + count).min(self.cols());
        self.erase_in_row(self.cursor.col..end, Erasing::Ordinary);
    }

    fn erase_in_row(&mut self, cols: Range<usize>, erasing: Erasing) {
        self.before_loss_in_row(cols.clone());
        self.add_work_of_rows(1);
        self.erase_cells(self.cursor.row, cols, erasing);
        self.cursor.pending_wrap = false;
        self.record_drawn_row(self.cursor.row);
    }

    pub(crate) fn erase_cells(&mut self, row: usize, cols: Range<usize>, erasing: Erasing) {
        let blank = self.pen.blank();
        let respects = match erasing {
            Erasing::Ordinary => self.modes.contains(Mode::ERASING_RESPECTS_PROTECTION),
            Erasing::Selective => true,
            Erasing::Unprotected => false,
        };
        let whole = cols.start == 0 && cols.end == self.cols();
        let line = self.grid.line_mut(row);
        if respects {
            line.erase_if(cols, blank, |cell| {
                !cell.flags.contains(CellFlags::PROTECTED)
            });
        } else if whole {
            line.clear(blank);
        } else {
            line.fill(cols, blank);
        }
    }

    /// DECALN: fills the screen with `E` and resets the margins, the cursor and the attributes, but
    /// not the colours.
    pub(crate) fn align(&mut self) {
        self.before_loss(0..usize::MAX);
        self.add_work_of_rows(2 * self.rows());
        self.modes.remove(Mode::ORIGIN);
        self.margins = Margins::whole(self.size());
        self.pen.cell.flags.remove(CellFlags::STYLE);
        self.go_to(0, 0);
        let (rows, cols) = (self.rows(), self.cols());
        let letter = Cell {
            c: 'E',
            ..Cell::PLAIN
        };
        for row in 0..rows {
            self.grid.line_mut(row).clear(letter);
            self.mark_written(row, 0..cols);
            self.record_drawn_row(row);
        }
    }
}
