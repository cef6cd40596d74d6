//! Draws one row on a blank row.
//!
//! It is drawn from left to right, invisible state first: operations that move cells must only move
//! cells that are not drawn yet.

use super::{
    Below, Kind, Line, PLAIN, Piece, WIDE, erase, is_erased, look, looks_plain, marks, write,
};
use crate::formats::paint::brush::Brush;

/// After the last column, a tab moves to the next row, as the next character would.
const GO_ON: char = '\t';

/// Up to this many plain cells are written as spaces; for more, moving the cursor takes fewer
/// bytes.
const FEW: usize = 4;

/// Draws one row on a blank row.
pub(super) struct Pencil<'a> {
    pub(super) brush: &'a mut Brush,
    line: &'a Line,
    pub(super) pieces: Vec<Piece>,
    cols: usize,
    below: Below,
    /// The cursor's column if known; `cols` means after the last column, with a wrap pending.
    at: Option<usize>,
}

impl Pencil<'_> {
    pub(super) fn new<'a>(
        brush: &'a mut Brush,
        line: &'a Line,
        cols: usize,
        below: Below,
    ) -> Pencil<'a> {
        Pencil {
            brush,
            line,
            pieces: line.pieces(),
            cols,
            below,
            at: Some(0),
        }
    }

    /// Inserts a blank row.
    pub(super) fn insert(&mut self) {
        self.brush.plain();
        self.brush.text.push_str("\x1b[L");
    }

    pub(super) fn draw(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        self.hidden(&pieces);
        if self.line.is_spared(self.cols) && self.below == Below::Outside {
            // The wide character wraps into this same row, which is still blank there.
            self.spare(self.cols - 1);
        }
        self.seen(&pieces);
        self.brush.plain();
    }

    /// Draws the invisible state.
    fn hidden(&mut self, pieces: &[Piece]) {
        // Halves at the end of the row are drawn one column before their place and pushed there,
        // because drawing one takes two columns.
        let ends_hidden = pieces
            .last()
            .is_some_and(|last| last.end() == self.cols && last.is_hidden(self.cols));
        let seen = pieces
            .iter()
            .rposition(|piece| !piece.is_hidden(self.cols))
            .filter(|_| ends_hidden);
        for (index, piece) in pieces.iter().enumerate() {
            let is_pushed = seen.is_some_and(|seen| index > seen);
            let at = piece.col - usize::from(is_pushed);
            if piece.is_moved(self.cols) {
                self.moved(*piece, at);
            } else if piece.is_hidden(self.cols) {
                self.half(*piece, at);
            }
        }
        if let Some(seen) = seen {
            self.edit(pieces[seen].end() - 1, 1, '@');
        }
    }

    /// Draws the visible cells, and blanks that only look plain.
    pub(super) fn seen(&mut self, pieces: &[Piece]) {
        let mut index = 0;
        while let Some(piece) = pieces.get(index) {
            index += 1;
            if piece.is_hidden(self.cols) || piece.kind == Kind::Spared {
                continue;
            }
            let cell = self.line.cell(piece.col);
            if *cell == PLAIN {
                continue;
            }
            if is_erased(cell) {
                let same = pieces[index..].iter();
                let more = same
                    .take_while(|next| self.line.cell(next.col) == cell)
                    .count();
                index += more;
                self.to(piece.col);
                erase(self.brush, cell, 1 + more);
            } else if looks_plain(cell) && !piece.goes_on {
                // A tab marks the blank cell where it starts.
                self.to(piece.col);
                self.brush.text.push('\t');
                self.at = None;
            } else {
                self.pass(piece.col);
                self.write(piece.col, piece.end());
            }
        }
    }

    /// Moves to the next row, by wrapping if the row is wrapped.
    pub(super) fn leave(&mut self) {
        if self.line.goes_on(self.cols) {
            if self.line.is_spared(self.cols) {
                return self.spare(self.cols - 1);
            }
            return self.go_on();
        }
        self.brush.text.push_str("\r\n");
    }

    /// Wraps from after the last column.
    pub(super) fn go_on(&mut self) {
        self.brush.plain();
        if self.at != Some(self.cols) {
            self.wait();
        }
        self.brush.text.push(GO_ON);
        self.at = Some(0);
    }

    fn wait(&mut self) {
        self.brush.text.push_str("\x1b[?7l");
        self.to(self.cols - 1);
        self.brush.text.push(WIDE);
        self.brush.text.push_str("\x1b[?7h");
        self.at = Some(self.cols);
    }

    /// Leaves the last column blank, as a wide character does that did not fit, and erases that
    /// character in the next row.
    pub(super) fn spare(&mut self, looks_like: usize) {
        self.to(self.cols - 1);
        look(self.brush, self.line.cell(looks_like));
        self.brush.text.push(WIDE);
        self.at = None;
        // Erased, not overwritten: overwriting would turn the blank above into text.
        match self.below {
            Below::Outside => self.edit(0, 2, 'X'),
            Below::Drawn => {
                self.brush.plain();
                self.brush.text.push_str("\r\x1b[2X");
            }
            // A row that has scrolled in has the background colour that was active.
            Below::Blank | Below::Scrolls => {
                self.brush.plain();
                self.brush.text.push_str("\r\x1b[K");
            }
        }
        self.at = Some(0);
        let mut marks = marks(self.line.cell(looks_like)).peekable();
        if marks.peek().is_some() {
            if self.below != Below::Outside {
                self.brush.text.push_str("\x1b[A");
            }
            self.wait();
            self.brush.text.extend(marks);
            self.go_on();
        }
    }

    fn to(&mut self, col: usize) {
        if self.at != Some(col) {
            match col {
                0 => self.brush.text.push('\r'),
                _ => self.brush.put(format_args!("\x1b[{}G", col + 1)),
            }
            self.at = Some(col);
        }
    }

    /// Moves to a column over cells that are plain or already drawn.
    fn pass(&mut self, col: usize) {
        if let Some(at) = self.at
            && (1..=FEW).contains(&(at..col).len())
            && (at..col).all(|col| *self.line.cell(col) == PLAIN)
        {
            look(self.brush, &PLAIN);
            self.brush.text.extend((at..col).map(|_| ' '));
            self.at = Some(col);
        }
        self.to(col);
    }

    /// Writes the character of a cell; the cursor is after it then.
    fn write(&mut self, col: usize, end: usize) {
        write(self.brush, self.line.cell(col));
        self.at = self.at.map(|at| at + end - col);
    }

    /// Writes a wide character in the style of a cell.
    fn write_wide(&mut self, looks_like: usize) {
        look(self.brush, self.line.cell(looks_like));
        self.brush.text.push(WIDE);
        self.at = self.at.map(|at| at + 2);
    }

    /// Erases, inserts or deletes cells at a column.
    pub(super) fn edit(&mut self, col: usize, count: usize, what: char) {
        self.brush.plain();
        self.to(col);
        match count {
            0 => {}
            1 => self.brush.put(format_args!("\x1b[{what}")),
            _ => self.brush.put(format_args!("\x1b[{count}{what}")),
        }
    }

    /// Draws a half of a wide character, in a row that is still blank to the right.
    fn half(&mut self, piece: Piece, at: usize) {
        // Two columns have no room for halves of two characters, and the last column has none for
        // one half.
        let room = self.cols.saturating_sub(at);
        match piece.kind {
            Kind::First if room > 1 => {
                self.to(at);
                self.write(piece.col, piece.col + 2);
                self.edit(at + 1, 1, 'X');
            }
            Kind::Second if room > 1 => {
                self.to(at);
                self.write_wide(piece.col);
                self.edit(at, 1, 'P');
                if at == 0 {
                    // In other columns, the marks would join the character before.
                    self.brush.text.extend(marks(self.line.cell(piece.col)));
                }
            }
            Kind::Mixed if room > 2 => {
                self.to(at);
                self.write(piece.col, piece.col + 2);
                self.edit(at + 1, 1, 'X');
                self.write_wide(piece.col + 1);
                self.edit(at + 1, 1, 'P');
            }
            Kind::Mixed if room > 1 => {
                self.to(at);
                self.write(piece.col, piece.col + 2);
            }
            _ => {}
        }
    }

    /// Draws a wrap flag in the middle of the row: sets it at the end and moves it from there.
    fn moved(&mut self, piece: Piece, at: usize) {
        let width = piece.end() - piece.col;
        let from = self.cols - width;
        if self.below == Below::Scrolls {
            // It would leave the screen there.
            match piece.kind {
                Kind::Spared => {}
                Kind::First | Kind::Second | Kind::Mixed => self.half(piece, at),
                Kind::Narrow | Kind::Wide => {
                    self.to(at);
                    self.write(piece.col, piece.end());
                }
            }
            return;
        }
        match piece.kind {
            Kind::Spared if self.below == Below::Drawn => return,
            Kind::Spared => self.spare(piece.col),
            Kind::First => {
                self.to(from - 1);
                self.write(piece.col, piece.col + 2);
                self.edit(from - 1, 1, '@');
                self.go_on();
            }
            Kind::Second => {
                self.to(from - 1);
                self.write_wide(piece.col);
                self.at = Some(self.cols);
                self.go_on();
            }
            Kind::Narrow | Kind::Wide | Kind::Mixed => {
                self.to(from);
                self.write(piece.col, piece.end());
                self.at = Some(self.cols);
                self.go_on();
            }
        }
        if matches!(self.below, Below::Blank | Below::Drawn) {
            self.brush.text.push_str("\x1b[A");
        }
        self.edit(at, from - at, 'P');
    }
}
