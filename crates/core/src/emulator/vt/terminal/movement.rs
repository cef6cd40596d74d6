//! Movement of the cursor. Except where noted, moving cancels a pending wrap.

use super::Terminal;
use super::modes::Mode;

impl Terminal {
    /// Moves the cursor to a cell of the screen, independent of the origin mode.
    pub(crate) fn go_to(&mut self, row: usize, col: usize) {
        self.cursor.row = row.min(self.rows() - 1);
        self.cursor.col = col.min(self.cols() - 1);
        self.cursor.pending_wrap = false;
    }

    /// CUP: in origin mode, rows and columns count from the margins and end at them.
    pub(crate) fn position(&mut self, row: usize, col: usize) {
        if self.modes.contains(Mode::ORIGIN) {
            let margins = self.margins;
            let row = (margins.top + row).min(margins.bottom - 1);
            let col = (margins.left + col).min(margins.right - 1);
            self.go_to(row, col);
        } else {
            self.go_to(row, col);
        }
    }

    pub(crate) fn home(&mut self) {
        self.position(0, 0);
    }

    /// VPA: the row of CUP, in the same column.
    pub(crate) fn go_to_row(&mut self, row: usize) {
        let col = self.cursor.col;
        if self.modes.contains(Mode::ORIGIN) {
            self.go_to((self.margins.top + row).min(self.margins.bottom - 1), col);
        } else {
            self.go_to(row, col);
        }
    }

    /// CHA: the column of CUP, in the same row.
    pub(crate) fn go_to_col(&mut self, col: usize) {
        let row = self.cursor.row;
        if self.modes.contains(Mode::ORIGIN) {
            self.go_to(row, (self.margins.left + col).min(self.margins.right - 1));
        } else {
            self.go_to(row, col);
        }
    }

    /// HPR and VPR: moves right and down. Only the origin mode keeps the cursor inside the margins.
    pub(crate) fn move_by(&mut self, rows: usize, cols: usize) {
        let (mut row, mut col) = (self.cursor.row + rows, self.cursor.col + cols);
        if self.modes.contains(Mode::ORIGIN) {
            row = row.min(self.margins.bottom - 1);
            col = col.min(self.margins.right - 1);
        }
        self.go_to(row, col);
    }

    /// CUU: moves up to the top margin, or to the top if the cursor is above the margin.
    pub(crate) fn up(&mut self, rows: usize) {
        let row = self.cursor.row;
        let top = if row >= self.margins.top {
            self.margins.top
        } else {
            0
        };
        self.go_to(row.saturating_sub(rows).max(top), self.cursor.col);
    }

    /// CUD: moves down to the bottom margin, or to the bottom if the cursor is below the margin.
    pub(crate) fn down(&mut self, rows: usize) {
        let row = self.cursor.row;
        let end = if row < self.margins.bottom {
            self.margins.bottom
        } else {
            self.rows()
        };
        self.go_to((row + rows).min(end - 1), self.cursor.col);
    }

    /// CUF: moves right to the right margin, or to the edge if the cursor is right of the margin.
    pub(crate) fn forward(&mut self, cols: usize) {
        let col = (self.cursor.col + cols).min(self.right_limit() - 1);
        self.go_to(self.cursor.row, col);
    }

    /// CUB and BS: moves left to the left margin, or to the edge if the cursor is left of the
    /// margin. With reverse wrap, continues in the row above.
    pub(crate) fn back(&mut self, cols: usize) {
        let wraps = self.modes.contains(Mode::AUTOWRAP)
            && self
                .modes
                .intersects(Mode::REVERSE_WRAP | Mode::EXTENDED_REVERSE_WRAP);
        let left = if self.cursor.col >= self.margins.left {
            self.margins.left
        } else {
            0
        };
        let mut count = cols;
        if wraps && self.cursor.pending_wrap {
            count -= 1;
        }
        let (mut row, mut col) = (self.cursor.row, self.cursor.col);
        if wraps {
            // Beyond a screen, the cursor is back where it was or does not move any more.
            count = count.min(2 * self.rows() * self.cols());
            self.add_work(count / self.cols());
        }
        loop {
            let here = col - left;
            if count <= here || !wraps {
                col -= count.min(here);
                break;
            }
            let Some(above) = self.row_before(row) else {
                col = left;
                break;
            };
            count -= here + 1;
            row = above;
            col = self.margins.right - 1;
            if col < left {
                break;
            }
        }
        self.go_to(row, col);
    }

    /// Returns the row that reverse wrap continues in.
    fn row_before(&self, row: usize) -> Option<usize> {
        if row == self.margins.top || row == 0 {
            return self
                .modes
                .contains(Mode::EXTENDED_REVERSE_WRAP)
                .then(|| self.margins.bottom - 1);
        }
        Some(row - 1)
    }

    /// CR: moves to the left margin, or to the edge if the cursor is left of the margin.
    pub(crate) fn carriage_return(&mut self) {
        let is_right = self.cursor.col >= self.margins.left || self.modes.contains(Mode::ORIGIN);
        self.cursor.col = if is_right { self.margins.left } else { 0 };
        self.cursor.pending_wrap = false;
    }

    /// HT: moves to the next tab stop, at most to the right margin; from beyond it, back to it, as
    /// in xterm. A pending wrap stays.
    pub(crate) fn tab(&mut self) {
        let col = self.cursor.col;
        let limit = self.margins.right - 1;
        let stop = (col + 1..limit)
            .find(|col| self.tabs[*col])
            .unwrap_or(limit);
        self.cursor.col = stop;
        self.add_work(stop.saturating_sub(col));
    }

    /// CHT: moves over tab stops. A pending wrap stays.
    pub(crate) fn tabs_forward(&mut self, count: usize) {
        self.add_work_of_rows(1);
        for _ in 0..count.min(self.cols()) {
            self.tab();
        }
    }

    /// CBT: moves back over tab stops, at most to the left margin. A pending wrap stays, as in
    /// xterm.
    pub(crate) fn tabs_back(&mut self, count: usize) {
        self.add_work_of_rows(1);
        let left = if self.modes.contains(Mode::ORIGIN) {
            self.margins.left
        } else {
            0
        };
        let mut col = self.cursor.col;
        for _ in 0..count.min(self.cols()) {
            col = (left..col)
                .rev()
                .find(|col| self.tabs[*col])
                .unwrap_or(left.min(col));
        }
        self.cursor.col = col;
    }
}
