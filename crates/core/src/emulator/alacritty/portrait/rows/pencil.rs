//! Drawing one row, which is blank.
//!
//! It is drawn from left to right, what nobody sees first: what moves cells moves only those that are not there yet.

use super::{
    Below, Kind, Line, PLAIN, Piece, WIDE, erase, is_erased, look, looks_plain, marks, write,
};
use crate::formats::paint::brush::Brush;

/// From behind the last column a tab goes to the next row, as the next character would.
const GO_ON: char = '\t';

/// Up to so many plain cells are written; more are passed over, which takes fewer bytes.
const FEW: usize = 4;

/// Draws one row, which is blank.
pub(super) struct Pencil<'a> {
    pub(super) brush: &'a mut Brush,
    line: &'a Line,
    pub(super) pieces: Vec<Piece>,
    cols: usize,
    below: Below,
    /// The cursor's column where it is known: behind the last it waits.
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

    /// Inserts a row.
    pub(super) fn insert(&mut self) {
        self.brush.plain();
        self.brush.text.push_str("\x1b[L");
    }

    pub(super) fn draw(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        self.hidden(&pieces);
        if self.line.is_spared(self.cols) && self.below == Below::Outside {
            // What does not fit goes on in this same row, which is still blank there.
            self.spare(self.cols - 1);
        }
        self.seen(&pieces);
        self.brush.plain();
    }

    /// What is not seen.
    fn hidden(&mut self, pieces: &[Piece]) {
        // Halves at the end are drawn one column before their place and pushed there, as it takes two to draw one.
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

    /// What is seen, and plain blanks that are not quite plain.
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
                // A tab leaves a mark in the blank that it begins in.
                self.to(piece.col);
                self.brush.text.push('\t');
                self.at = None;
            } else {
                self.pass(piece.col);
                self.write(piece.col, piece.end());
            }
        }
    }

    /// Goes on below, or begins there.
    pub(super) fn leave(&mut self) {
        if self.line.goes_on(self.cols) {
            if self.line.is_spared(self.cols) {
                return self.spare(self.cols - 1);
            }
            return self.go_on();
        }
        self.brush.text.push_str("\r\n");
    }

    /// Goes on from behind the last column.
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

    /// Leaves the last column to nobody, as a wide character does that goes on below, and erases that.
    pub(super) fn spare(&mut self, looks_like: usize) {
        self.to(self.cols - 1);
        look(self.brush, self.line.cell(looks_like));
        self.brush.text.push(WIDE);
        self.at = None;
        // Erased, not written over, which would make text of the blank above.
        match self.below {
            Below::Outside => self.edit(0, 2, 'X'),
            Below::Drawn => {
                self.brush.plain();
                self.brush.text.push_str("\r\x1b[2X");
            }
            // A row that has scrolled in is in the colour that was on.
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

    /// Goes on to a column over what is plain or there already.
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

    /// Writes the character of a cell, and is behind it then.
    fn write(&mut self, col: usize, end: usize) {
        write(self.brush, self.line.cell(col));
        self.at = self.at.map(|at| at + end - col);
    }

    /// Writes any wide character that looks like a cell.
    fn write_wide(&mut self, looks_like: usize) {
        look(self.brush, self.line.cell(looks_like));
        self.brush.text.push(WIDE);
        self.at = self.at.map(|at| at + 2);
    }

    /// Erases, inserts or deletes where the cursor is.
    pub(super) fn edit(&mut self, col: usize, count: usize, what: char) {
        self.brush.plain();
        self.to(col);
        match count {
            0 => {}
            1 => self.brush.put(format_args!("\x1b[{what}")),
            _ => self.brush.put(format_args!("\x1b[{count}{what}")),
        }
    }

    /// A half, in a row that has nothing to its right yet.
    fn half(&mut self, piece: Piece, at: usize) {
        // Two columns have no room for halves of two, nor has the last for one.
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
                    // Elsewhere they would join what is before it.
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

    /// A mark that the row goes on, in its middle: it is set at the end and moved from there.
    fn moved(&mut self, piece: Piece, at: usize) {
        let width = piece.end() - piece.col;
        let from = self.cols - width;
        if self.below == Below::Scrolls {
            // There it would leave the screen.
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
