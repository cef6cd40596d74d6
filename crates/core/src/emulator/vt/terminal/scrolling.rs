//! Scrolling, and inserting and deleting lines, within the margins.

use super::Terminal;

/// Whether lines that leave the top of the main screen are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaving {
    ToScrollback,
    Dropped,
}

impl Terminal {
    /// IND and LF: moves down one row; at the bottom margin, scrolls instead.
    #[inline]
    pub(crate) fn index(&mut self) {
        self.cursor.pending_wrap = false;
        if self.cursor.row + 1 == self.margins.bottom {
            if self.margins.contains_col(self.cursor.col) {
                self.scroll_up(1);
            }
        } else if self.cursor.row + 1 < self.rows() {
            self.cursor.row += 1;
        }
    }

    /// RI: moves up one row; at the top margin, scrolls instead.
    pub(crate) fn reverse_index(&mut self) {
        self.cursor.pending_wrap = false;
        if self.cursor.row == self.margins.top {
            if self.margins.contains_col(self.cursor.col) {
                self.scroll_down(1);
            }
        } else {
            self.cursor.row = self.cursor.row.saturating_sub(1);
        }
    }

    /// SU: moves the region up.
    pub(crate) fn scroll_up(&mut self, count: usize) {
        self.move_up(self.margins.top, count, Leaving::ToScrollback);
        self.scroll_placements(count.min(self.margins.bottom - self.margins.top) as i64);
    }

    /// SD: moves the region down.
    pub(crate) fn scroll_down(&mut self, count: usize) {
        self.move_down(self.margins.top, count);
        self.scroll_placements(-(count.min(self.margins.bottom - self.margins.top) as i64));
    }

    /// IL: inserts lines at the cursor, which moves to the left margin.
    pub(crate) fn insert_lines(&mut self, count: usize) {
        if self.is_inside_margins() {
            self.move_down(self.cursor.row, count);
            self.go_to(self.cursor.row, self.margins.left);
        }
    }

    /// DL: deletes lines at the cursor, which moves to the left margin.
    pub(crate) fn delete_lines(&mut self, count: usize) {
        if self.is_inside_margins() {
            self.move_up(self.cursor.row, count, Leaving::Dropped);
            self.go_to(self.cursor.row, self.margins.left);
        }
    }

    /// Moves the lines from `top` to the bottom margin up.
    fn move_up(&mut self, top: usize, count: usize, leaving: Leaving) {
        let bottom = self.margins.bottom;
        let count = count.min(bottom - top);
        let blank = self.pen.blank();
        let keeps = leaving == Leaving::ToScrollback && top == 0 && self.margins_span_lines();
        self.before_scroll_up(top..bottom, count, keeps);
        if keeps {
            self.grid.scroll_out(bottom, count, blank);
        } else if self.margins_span_lines() {
            self.grid.scroll_up(top, bottom, count, blank);
        } else {
            for row in top..bottom {
                self.copy_within_margins(row + count, row);
            }
        }
    }

    /// Moves the lines from `top` to the bottom margin down.
    fn move_down(&mut self, top: usize, count: usize) {
        let bottom = self.margins.bottom;
        let count = count.min(bottom - top);
        self.before_scroll_down(top..bottom, count);
        if self.margins_span_lines() {
            self.grid.scroll_down(top, bottom, count, self.pen.blank());
        } else {
            for row in (top..bottom).rev() {
                match row.checked_sub(count).filter(|from| *from >= top) {
                    Some(from) => self.copy_within_margins(from, row),
                    None => self.copy_within_margins(bottom, row),
                }
            }
        }
    }

    /// Copies the cells between the left and right margin from one row to another; from a row below
    /// the bottom margin, blanks.
    fn copy_within_margins(&mut self, from: usize, to: usize) {
        let cols = self.margins.left..self.margins.right;
        if from < self.margins.bottom {
            let copied = self.grid.line(from).copy(cols);
            self.grid.line_mut(to).paste(self.margins.left, &copied);
        } else {
            let blank = self.pen.blank();
            self.grid.line_mut(to).fill(cols, blank);
        }
    }

    /// SL and SR, DECIC and DECDC: shifts the columns from `col` to the right margin, in all rows
    /// of the region. A pending wrap stays.
    pub(crate) fn shift_cols(&mut self, col: usize, count: usize, to_right: bool) {
        let (top, bottom) = (self.margins.top, self.margins.bottom);
        self.before_loss(top..bottom);
        self.add_work_of_rows(bottom - top);
        let cols = col..self.margins.right;
        let blank = self.pen.blank();
        for row in top..bottom {
            let line = self.grid.line_mut(row);
            if to_right {
                line.shift_right(cols.clone(), count, blank);
            } else {
                line.shift_left(cols.clone(), count, blank);
            }
        }
    }

    /// DECFI: moves right; at the right margin, shifts the region to the left instead.
    pub(crate) fn forward_index(&mut self) {
        if self.cursor.col + 1 == self.margins.right {
            if self.margins.contains_row(self.cursor.row) {
                self.shift_cols(self.margins.left, 1, false);
            }
        } else {
            self.go_to(self.cursor.row, self.cursor.col + 1);
        }
    }

    /// DECBI: moves left; at the left margin, shifts the region to the right instead.
    pub(crate) fn back_index(&mut self) {
        if self.cursor.col == self.margins.left {
            if self.margins.contains_row(self.cursor.row) {
                self.shift_cols(self.margins.left, 1, true);
            }
        } else {
            self.go_to(self.cursor.row, self.cursor.col.saturating_sub(1));
        }
    }
}
