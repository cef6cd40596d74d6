//! Grapheme clusters (?2027): characters that continue the one before the cursor share its cell.
//!
//! A character continues only what was printed last: not if the cursor has moved since. Each
//! character is added when it arrives, so a cluster may change its width afterwards. The result is
//! that of the whole cluster: one that becomes too wide for the last column moves to the next row.

use super::Terminal;
use super::modes::Mode;
use crate::emulator::vt::grid::cell::{Cell, CellFlags, Extra};
use crate::emulator::vt::grid::line::Wrap;
use crate::screen::cluster;
use crate::screen::row::MAX_MARKS;

impl Terminal {
    /// Adds a character of `width` columns to the cluster before the cursor, if it belongs to it.
    pub(super) fn continue_cluster(&mut self, c: char, width: usize) -> bool {
        let Some(col) = self.last_printed_col() else {
            return false;
        };
        let row = self.cursor.row;
        let line = self.grid.line(row);
        let cell = line.cell(col);
        let marks = line.extra(col).map_or("", |extra| &*extra.marks);
        if marks.is_empty()
            && width > 0
            && cluster::stands_alone(c)
            && cluster::stands_alone(cell.c)
        {
            return false;
        }
        if marks.chars().count() >= MAX_MARKS {
            return width == 0;
        }
        let mut text = String::with_capacity(8 + marks.len());
        text.push(cell.c);
        text.push_str(marks);
        let at = text.len();
        text.push(c);
        if !cluster::continues(&text, at) {
            return false;
        }
        let is_wide = cell.flags.contains(CellFlags::WIDE);
        let now_wide = cluster::columns_with(&text, at, 1 + usize::from(is_wide)) == 2;
        match (is_wide, now_wide) {
            (false, true) => self.widen_cluster(row, col, c),
            (true, false) => {
                self.add_mark(row, col, c);
                let blank = Cell {
                    bg: cell.bg,
                    ..Cell::PLAIN
                };
                self.grid.line_mut(row).narrow(col, blank);
                self.mark_joined(row, col + 1);
                self.move_after_text(col + 1, usize::MAX);
            }
            _ => self.add_mark(row, col, c),
        }
        true
    }

    /// Replaces the characters of the cell before the cursor, which keeps its columns.
    pub(crate) fn replace_text(&mut self, mut chars: impl Iterator<Item = char>) {
        let (row, col) = (self.cursor.row, self.col_before_cursor());
        let line = self.grid.line_mut(row);
        let extra = Extra {
            marks: Box::default(),
            ..line
                .extra(col)
                .map(|extra| Extra::clone(extra))
                .unwrap_or_default()
        };
        if let Some(first) = chars.next() {
            line.set_text(col, first, extra.stored());
            chars.for_each(|c| self.add_mark(row, col, c));
        }
    }

    /// Returns the column of the character that was printed last, if the cursor is still after it.
    fn last_printed_col(&self) -> Option<usize> {
        if self.text_end != Some(self.cursor) {
            return None;
        }
        let col = self
            .cursor
            .col
            .checked_sub(usize::from(!self.cursor.pending_wrap))?;
        let is_spacer = self
            .grid
            .line(self.cursor.row)
            .cell(col)
            .flags
            .contains(CellFlags::SPACER);
        Some(col - usize::from(is_spacer))
    }

    /// Adds a character that gives a cluster its second column. Without room for it the cluster moves
    /// to the next row or, without autowrap, the character is dropped.
    fn widen_cluster(&mut self, row: usize, col: usize, c: char) {
        let limit = self.right_limit();
        if col + 2 <= limit {
            self.make_room(1, limit);
            self.add_mark(row, col, c);
            self.grid.line_mut(row).widen(col);
            return self.move_after_text(col + 2, limit);
        }
        let has_room = self.margins.left + 2 <= self.margins.right;
        if !self.modes.contains(Mode::AUTOWRAP) || !has_room {
            return;
        }
        let mut cell = self.grid.line(row).cell(col);
        let extra = self.grid.line(row).extra(col).cloned();
        self.mark_joined(row, col);
        let blank = Extra {
            marks: Box::default(),
            ..extra.as_deref().cloned().unwrap_or_default()
        };
        let line = self.grid.line_mut(row);
        line.overwrite(col..limit, None)[0] = Cell { c: ' ', ..cell };
        line.set_extra(col, blank.stored());
        self.wrap_to_next_row(Wrap::BeforeWide);
        let (row, col, limit) = (self.cursor.row, self.cursor.col, self.right_limit());
        self.cursor.pending_wrap = false;
        self.make_room(2, limit);
        self.record_drawn_row(row);
        cell.flags.remove(CellFlags::EXTRA);
        let line = self.grid.line_mut(row);
        line.overwrite(col..col + 1, None)[0] = cell;
        line.set_extra(col, extra);
        line.widen(col);
        self.move_after_text(col + 2, limit);
        self.add_mark(row, col, c);
    }

    /// Prepares cells at the cursor for being written; in insert mode, they are inserted.
    fn make_room(&mut self, count: usize, limit: usize) {
        let (row, col) = (self.cursor.row, self.cursor.col);
        if self.modes.contains(Mode::INSERT) && col + count < limit {
            self.before_insert(count, limit);
            let blank = self.pen.blank();
            self.add_work(limit - col);
            self.line().shift_right(col..limit, count, blank);
        } else {
            self.before_print(row, col..col + count);
        }
    }
}
