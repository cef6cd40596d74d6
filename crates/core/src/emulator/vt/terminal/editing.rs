//! Inserting and deleting characters in the cursor's row.

use super::Terminal;

impl Terminal {
    /// ICH: inserts blanks at the cursor. Text is pushed off at the right margin.
    pub(crate) fn insert_chars(&mut self, count: usize) {
        self.edit(count, true);
    }

    /// DCH: deletes characters at the cursor. Text moves left from the right margin.
    pub(crate) fn delete_chars(&mut self, count: usize) {
        self.edit(count, false);
    }

    fn edit(&mut self, count: usize, inserts: bool) {
        self.cursor.pending_wrap = false;
        if self.cursor.col < self.margins.left || self.cursor.col >= self.margins.right {
            return;
        }
        let cols = self.cols_right_of_cursor();
        self.add_work(cols.len());
        self.before_loss_in_row(cols.clone());
        let blank = self.pen.blank();
        if inserts {
            self.line().shift_right(cols, count, blank);
        } else {
            self.line().shift_left(cols, count, blank);
        }
    }
}
