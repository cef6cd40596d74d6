//! The scrolling region: top and bottom margins (DECSTBM), left and right margins (DECSLRM).

use super::Terminal;
use super::modes::Mode;
use crate::screen::geometry::Size;

/// The margins. The ends are exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Margins {
    pub(crate) top: usize,
    pub(crate) bottom: usize,
    pub(crate) left: usize,
    pub(crate) right: usize,
}

impl Margins {
    /// Margins at the edges of the screen.
    pub(crate) fn whole(size: Size) -> Margins {
        Margins {
            top: 0,
            bottom: size.rows.into(),
            left: 0,
            right: size.cols.into(),
        }
    }

    pub(crate) fn contains_row(&self, row: usize) -> bool {
        (self.top..self.bottom).contains(&row)
    }

    pub(crate) fn contains_col(&self, col: usize) -> bool {
        (self.left..self.right).contains(&col)
    }
}

impl Terminal {
    /// DECSTBM: sets the rows from 1 on; 0 is the edge. A region of less than two rows is ignored.
    pub(crate) fn set_rows_of_region(&mut self, top: usize, bottom: usize) {
        let rows = self.rows();
        let top = top.max(1) - 1;
        let bottom = if bottom == 0 { rows } else { bottom.min(rows) };
        if top + 1 < bottom {
            self.margins.top = top;
            self.margins.bottom = bottom;
            self.home();
        }
    }

    /// DECSLRM: sets the columns from 1 on; 0 is the edge.
    pub(crate) fn set_cols_of_region(&mut self, left: usize, right: usize) {
        let cols = self.cols();
        let left = left.max(1) - 1;
        let right = if right == 0 { cols } else { right.min(cols) };
        if left + 1 < right {
            self.margins.left = left;
            self.margins.right = right;
            self.home();
        }
    }

    /// DECLRMM: without left and right margins, they are at the edges.
    pub(crate) fn set_left_right_margin_mode(&mut self, on: bool) {
        self.modes.set(Mode::LEFT_RIGHT_MARGINS, on);
        self.margins.left = 0;
        self.margins.right = self.cols();
    }

    /// Returns whether lines scroll as a whole.
    pub(crate) fn margins_span_lines(&self) -> bool {
        self.margins.left == 0 && self.margins.right == self.cols()
    }

    /// Returns the column after the last one that text at the cursor reaches: the right margin, or
    /// the edge if the cursor is right of the margin.
    #[inline]
    pub(crate) fn right_limit(&self) -> usize {
        if self.cursor.col < self.margins.right {
            self.margins.right
        } else {
            self.cols()
        }
    }

    pub(crate) fn is_inside_margins(&self) -> bool {
        self.margins.contains_row(self.cursor.row) && self.margins.contains_col(self.cursor.col)
    }
}
