//! Dump of the character written last, and of the cursor's position.
//!
//! The last character may be repeated by REP, independent of where it was written and whether it is
//! still there. The dump writes it once more, where that changes nothing or can be erased. Only
//! printing causes a pending wrap, so one print restores both.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::cell::Flags;
use unicode_width::UnicodeWidthChar;

use super::super::terminal::Terminal;
use super::rows::{self, DumpedRow};
use super::{CursorPosition, DumpedScreen};
use crate::formats::paint::row_writer::RowSequenceWriter;

/// A cell where a character can be written without leaving a change.
#[derive(Debug, Clone, Copy)]
struct WritableCell {
    row: usize,
    col: usize,
    kind: WritableKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WritableKind {
    /// The cell already shows the character.
    Shown,
    /// The cell can be erased to its current content.
    Erasable,
}

impl Terminal {
    /// Writes the last character and moves the cursor to its position. `margin` is the top margin
    /// in origin mode (DECOM), otherwise 0.
    pub(super) fn write_last_char(
        &self,
        out: &mut RowSequenceWriter,
        screen: &DumpedScreen,
        margin: usize,
    ) {
        let cols = self.term.columns();
        let position = CursorPosition::of(&screen.cursor);
        let row = position.row.saturating_sub(margin);
        let Some(c) = self.preceding else {
            return position.move_cursor(out, cols, margin);
        };
        match (c.width(), position.has_pending_wrap(cols)) {
            (None, _) => {
                position.move_cursor(out, cols, margin);
                out.text.push(c);
            }
            // With autowrap off, the terminal does not draw a wide character in the last column,
            // but REP still repeats it.
            (Some(2..), true) => rows::set_pending_wrap(out, row, cols, Some(c)),
            (Some(2..), false) => {
                rows::set_pending_wrap(out, 0, cols, Some(c));
                position.move_cursor(out, cols, margin);
            }
            (_, false) => {
                self.write_char_without_change(out, screen, c, margin);
                position.move_cursor(out, cols, margin);
            }
            (_, true) => self.write_char_with_pending_wrap(out, screen, c, margin),
        }
    }

    /// Writes a character of at most one column where it leaves no change.
    fn write_char_without_change(
        &self,
        out: &mut RowSequenceWriter,
        screen: &DumpedScreen,
        c: char,
        margin: usize,
    ) {
        let cols = self.term.columns();
        let rows = || {
            let lines = screen.visible_rows().iter().enumerate();
            lines.filter(|(row, _)| margin == 0 || self.region.contains(row))
        };
        let shown = rows().find_map(|(row, line)| {
            let col = line.columns_showing(c).next()?;
            let kind = WritableKind::Shown;
            Some(WritableCell { row, col, kind })
        });
        let free = || {
            rows().find_map(|(row, line)| {
                // A combining mark is written one column after the cell that it joins.
                let col = (0..cols - 1).find(|col| line.is_erasable(*col))?;
                let kind = WritableKind::Erasable;
                Some(WritableCell { row, col, kind })
            })
        };
        match shown.or_else(free) {
            Some(cell) => {
                let line = &screen.visible_rows()[cell.row];
                let row = cell.row - margin;
                if cell.kind == WritableKind::Shown {
                    out.move_to(row, cell.col);
                    return rows::rewrite_cell(out, line.cell(cell.col), c);
                }
                let joins = c.width() == Some(0);
                out.move_to(row, cell.col + usize::from(joins));
                out.text.push(c);
                out.move_to(row, cell.col);
                rows::erase_cells(out, line.cell(cell.col), 1);
            }
            // Written on the alternate screen: that is blank when it is entered, and its content is
            // dropped when it is left.
            None if !self.is_alternate() => {
                out.text.push_str("\x1b[?1047h");
                out.text.push(c);
                out.text.push_str("\x1b[?1047l");
            }
            None => {}
        }
    }

    /// Sets a pending wrap with `c`, of at most one column, as the last printed character. If `c`
    /// cannot be written at the end of the cursor's row, it is written at the end of another row: a
    /// pending wrap survives IND and RI, which then move the cursor to its row.
    fn write_char_with_pending_wrap(
        &self,
        out: &mut RowSequenceWriter,
        screen: &DumpedScreen,
        c: char,
        margin: usize,
    ) {
        let cols = self.term.columns();
        let position = CursorPosition::of(&screen.cursor);
        let cell = self
            .rows_that_lead_to(position.row, margin)
            .find_map(|row| {
                self.cell_that_leaves_pending_wrap(&screen.visible_rows()[row], row, c)
            });
        let Some(cell) = cell else {
            return position.move_cursor(out, cols, margin);
        };
        let line = &screen.visible_rows()[cell.row];
        let row = cell.row - margin;
        out.move_to(row, cell.col);
        if cell.kind == WritableKind::Shown {
            rows::rewrite_cell(out, line.cell(cell.col), c);
        } else {
            if c.width() == Some(0) {
                rows::set_pending_wrap(out, row, cols, None);
            }
            out.text.push(c);
            rows::erase_cells(out, line.cell(cell.col), 1);
        }
        for _ in cell.row..position.row {
            out.text.push_str("\x1bD");
        }
        for _ in position.row..cell.row {
            out.text.push_str("\x1bM");
        }
    }

    /// Returns `row`, then the rows from which IND or RI reaches it without scrolling.
    fn rows_that_lead_to(&self, row: usize, margin: usize) -> impl Iterator<Item = usize> {
        let lines = self.term.screen_lines();
        let (top, bottom) = (self.region.start, self.region.end - 1);
        let above = (0..row).rev().take_while(move |row| *row != bottom);
        let below = (row + 1..lines).take_while(move |row| *row != top);
        let region = self.region.clone();
        let known = move |row: &usize| margin == 0 || region.contains(row);
        std::iter::once(row).chain(above).chain(below).filter(known)
    }

    /// Returns the cell of a row in which writing `c` leaves a pending wrap.
    fn cell_that_leaves_pending_wrap(
        &self,
        line: &DumpedRow,
        row: usize,
        c: char,
    ) -> Option<WritableCell> {
        let last = self.term.columns() - 1;
        let is_wide = |col: usize| line.cell(col).flags.contains(Flags::WIDE_CHAR);
        let shown = line
            .columns_showing(c)
            .find(|col| col + usize::from(is_wide(*col)) == last);
        let kind = match shown {
            Some(_) => WritableKind::Shown,
            None if line.is_erasable(last) => WritableKind::Erasable,
            None => return None,
        };
        let col = shown.unwrap_or(last);
        Some(WritableCell { row, col, kind })
    }
}
