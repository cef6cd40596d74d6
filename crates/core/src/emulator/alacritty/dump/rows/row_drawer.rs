//! Recreates one row, starting from a blank row.
//!
//! Two passes from left to right: invisible state, then visible cells. The first pass inserts and
//! deletes cells, which would shift visible cells.

use super::{
    DumpedRow, PLAIN_CELL, RowBelow, RowPiece, RowPieceKind, WIDE_CHAR, erase_cells, is_erased,
    looks_plain, marks, set_cell_style, write,
};
use crate::formats::paint::row_writer::RowSequenceWriter;

/// After the last column, a tab moves to the next row, as the next character would.
const WRAP: char = '\t';

/// Up to this many plain cells are written as spaces; for more, moving the cursor takes fewer
/// bytes.
const MAX_SPACES: usize = 4;

/// Draws one row on a blank row.
pub(super) struct RowDrawer<'a> {
    pub(super) out: &'a mut RowSequenceWriter,
    row: &'a DumpedRow,
    pub(super) pieces: Vec<RowPiece>,
    cols: usize,
    below: RowBelow,
    /// The cursor's column if known; `cols` means after the last column, with a wrap pending.
    at: Option<usize>,
}

impl RowDrawer<'_> {
    pub(super) fn new<'a>(
        out: &'a mut RowSequenceWriter,
        row: &'a DumpedRow,
        cols: usize,
        below: RowBelow,
    ) -> RowDrawer<'a> {
        RowDrawer {
            out,
            row,
            pieces: row.pieces(),
            cols,
            below,
            at: Some(0),
        }
    }

    /// Inserts a blank row.
    pub(super) fn insert(&mut self) {
        self.out.reset_style();
        self.out.text.push_str("\x1b[L");
    }

    pub(super) fn draw(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        self.draw_hidden(&pieces);
        if self.row.ends_with_leading_spacer(self.cols) && self.below == RowBelow::Outside {
            // The wide character wraps to the start of this same row, which is still blank.
            self.leave_leading_spacer(self.cols - 1);
        }
        self.draw_visible(&pieces);
        self.out.reset_style();
    }

    /// Draws the invisible state.
    fn draw_hidden(&mut self, pieces: &[RowPiece]) {
        // Halves at the end of the row are drawn one column to the left and shifted right with ICH:
        // drawing a half takes two columns.
        let ends_hidden = pieces
            .last()
            .is_some_and(|last| last.end() == self.cols && last.is_hidden(self.cols));
        let last_visible = pieces
            .iter()
            .rposition(|piece| !piece.is_hidden(self.cols))
            .filter(|_| ends_hidden);
        for (index, piece) in pieces.iter().enumerate() {
            let is_pushed = last_visible.is_some_and(|last| index > last);
            let at = piece.col - usize::from(is_pushed);
            if piece.has_moved_wrap_flag(self.cols) {
                self.draw_moved_wrap_flag(*piece, at);
            } else if piece.is_hidden(self.cols) {
                self.draw_half(*piece, at);
            }
        }
        if let Some(last) = last_visible {
            self.edit(pieces[last].end() - 1, 1, '@');
        }
    }

    /// Draws the visible cells, and blank cells that look plain but carry state.
    pub(super) fn draw_visible(&mut self, pieces: &[RowPiece]) {
        let mut index = 0;
        while let Some(piece) = pieces.get(index) {
            index += 1;
            if piece.is_hidden(self.cols) || piece.kind == RowPieceKind::LeadingSpacer {
                continue;
            }
            let cell = self.row.cell(piece.col);
            if *cell == PLAIN_CELL {
                continue;
            }
            if is_erased(cell) {
                let same = pieces[index..].iter();
                let more = same
                    .take_while(|next| self.row.cell(next.col) == cell)
                    .count();
                index += more;
                self.move_to(piece.col);
                erase_cells(self.out, cell, 1 + more);
            } else if looks_plain(cell) && !piece.wrapped {
                // The grid stores `\t` in the blank cell where a tab starts.
                self.move_to(piece.col);
                self.out.text.push('\t');
                self.at = None;
            } else {
                self.move_over_plain(piece.col);
                self.write(piece.col, piece.end());
            }
        }
    }

    /// Moves to the next row, by wrapping if the row is wrapped.
    pub(super) fn end_row(&mut self) {
        if self.row.is_wrapped(self.cols) {
            if self.row.ends_with_leading_spacer(self.cols) {
                return self.leave_leading_spacer(self.cols - 1);
            }
            return self.wrap();
        }
        self.out.text.push_str("\r\n");
    }

    /// Wraps from after the last column.
    pub(super) fn wrap(&mut self) {
        self.out.reset_style();
        if self.at != Some(self.cols) {
            self.set_pending_wrap();
        }
        self.out.text.push(WRAP);
        self.at = Some(0);
    }

    fn set_pending_wrap(&mut self) {
        self.out.text.push_str("\x1b[?7l");
        self.move_to(self.cols - 1);
        self.out.text.push(WIDE_CHAR);
        self.out.text.push_str("\x1b[?7h");
        self.at = Some(self.cols);
    }

    /// Writes a wide character that does not fit, which leaves a leading spacer, and erases it in
    /// the next row.
    pub(super) fn leave_leading_spacer(&mut self, style_col: usize) {
        self.move_to(self.cols - 1);
        set_cell_style(self.out, self.row.cell(style_col));
        self.out.text.push(WIDE_CHAR);
        self.at = None;
        // Erased, not overwritten: overwriting would turn the blank above into text.
        match self.below {
            RowBelow::Outside => self.edit(0, 2, 'X'),
            RowBelow::Drawn => {
                self.out.reset_style();
                self.out.text.push_str("\r\x1b[2X");
            }
            // A row that has scrolled in has the background colour that was active.
            RowBelow::Blank | RowBelow::Scrolls => {
                self.out.reset_style();
                self.out.text.push_str("\r\x1b[K");
            }
        }
        self.at = Some(0);
        let mut marks = marks(self.row.cell(style_col)).peekable();
        if marks.peek().is_some() {
            if self.below != RowBelow::Outside {
                self.out.text.push_str("\x1b[A");
            }
            self.set_pending_wrap();
            self.out.text.extend(marks);
            self.wrap();
        }
    }

    fn move_to(&mut self, col: usize) {
        if self.at != Some(col) {
            match col {
                0 => self.out.text.push('\r'),
                _ => self.out.put(format_args!("\x1b[{}G", col + 1)),
            }
            self.at = Some(col);
        }
    }

    /// Moves to a column over cells that are plain or already drawn.
    fn move_over_plain(&mut self, col: usize) {
        if let Some(at) = self.at
            && (1..=MAX_SPACES).contains(&(at..col).len())
            && (at..col).all(|col| *self.row.cell(col) == PLAIN_CELL)
        {
            set_cell_style(self.out, &PLAIN_CELL);
            self.out.text.extend((at..col).map(|_| ' '));
            self.at = Some(col);
        }
        self.move_to(col);
    }

    /// Writes the character of a cell, and moves the cursor after it.
    fn write(&mut self, col: usize, end: usize) {
        write(self.out, self.row.cell(col));
        self.at = self.at.map(|at| at + end - col);
    }

    /// Writes a wide character in the style of a cell.
    fn write_wide(&mut self, style_col: usize) {
        set_cell_style(self.out, self.row.cell(style_col));
        self.out.text.push(WIDE_CHAR);
        self.at = self.at.map(|at| at + 2);
    }

    /// Erases, inserts or deletes cells at a column.
    pub(super) fn edit(&mut self, col: usize, count: usize, final_byte: char) {
        self.out.reset_style();
        self.move_to(col);
        match count {
            0 => {}
            1 => self.out.put(format_args!("\x1b[{final_byte}")),
            _ => self.out.put(format_args!("\x1b[{count}{final_byte}")),
        }
    }

    /// Draws a half of a wide character, in a row that is still blank to the right.
    fn draw_half(&mut self, piece: RowPiece, at: usize) {
        // A half needs two columns to draw; two halves need three.
        let room = self.cols.saturating_sub(at);
        match piece.kind {
            RowPieceKind::FirstHalf if room > 1 => {
                self.move_to(at);
                self.write(piece.col, piece.col + 2);
                self.edit(at + 1, 1, 'X');
            }
            RowPieceKind::SecondHalf if room > 1 => {
                self.move_to(at);
                self.write_wide(piece.col);
                self.edit(at, 1, 'P');
                if at == 0 {
                    // In other columns, the marks would join the character before.
                    self.out.text.extend(marks(self.row.cell(piece.col)));
                }
            }
            RowPieceKind::MixedHalves if room > 2 => {
                self.move_to(at);
                self.write(piece.col, piece.col + 2);
                self.edit(at + 1, 1, 'X');
                self.write_wide(piece.col + 1);
                self.edit(at + 1, 1, 'P');
            }
            RowPieceKind::MixedHalves if room > 1 => {
                self.move_to(at);
                self.write(piece.col, piece.col + 2);
            }
            _ => {}
        }
    }

    /// Draws a wrap flag in the middle of the row: sets it at the end and moves it from there.
    fn draw_moved_wrap_flag(&mut self, piece: RowPiece, at: usize) {
        let width = piece.end() - piece.col;
        let from = self.cols - width;
        if self.below == RowBelow::Scrolls {
            // Setting the flag at the end would scroll the row off the screen.
            match piece.kind {
                RowPieceKind::LeadingSpacer => {}
                RowPieceKind::FirstHalf | RowPieceKind::SecondHalf | RowPieceKind::MixedHalves => {
                    self.draw_half(piece, at);
                }
                RowPieceKind::Narrow | RowPieceKind::Wide => {
                    self.move_to(at);
                    self.write(piece.col, piece.end());
                }
            }
            return;
        }
        match piece.kind {
            RowPieceKind::LeadingSpacer if self.below == RowBelow::Drawn => return,
            RowPieceKind::LeadingSpacer => self.leave_leading_spacer(piece.col),
            RowPieceKind::FirstHalf => {
                self.move_to(from - 1);
                self.write(piece.col, piece.col + 2);
                self.edit(from - 1, 1, '@');
                self.wrap();
            }
            RowPieceKind::SecondHalf => {
                self.move_to(from - 1);
                self.write_wide(piece.col);
                self.at = Some(self.cols);
                self.wrap();
            }
            RowPieceKind::Narrow | RowPieceKind::Wide | RowPieceKind::MixedHalves => {
                self.move_to(from);
                self.write(piece.col, piece.end());
                self.at = Some(self.cols);
                self.wrap();
            }
        }
        if matches!(self.below, RowBelow::Blank | RowBelow::Drawn) {
            self.out.text.push_str("\x1b[A");
        }
        self.edit(at, from - at, 'P');
    }
}
