//! Rows as the grid holds them, with what nobody sees of them.
//!
//! A row may hold more than it shows: a half of a wide character whose other half is gone, the mark that a row goes on, moved to where it does not
//! end, a blank that a tab went over or that a zone reaches. It shows when something is deleted or written beside it, or in another width. So each
//! cell is brought about as a program would: a half is a whole of which the other half is erased, and a mark is set at the end of the row and
//! moved from there by deleting what is before it.
//!
//! What it takes is drawn from left to right, the hidden first: what moves cells moves only those that are not there yet.

use alacritty_terminal::grid::Row;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor, StandardCharset};

use super::super::pen::Extra;
use super::super::view;
use crate::paint::brush::Brush;

const PLAIN: Cell = Cell {
    c: ' ',
    fg: Color::Named(NamedColor::Foreground),
    bg: Color::Named(NamedColor::Background),
    flags: Flags::empty(),
    extra: None,
};

/// The character set that has lines in place of letters.
const LINES: StandardCharset = StandardCharset::SpecialCharacterAndLineDrawing;

/// Any character that does not fit into one column.
const WIDE: char = '\u{754c}';

/// From behind the last column a tab goes to the next row, as the next character would.
const GO_ON: char = '\t';

/// Up to so many plain cells are written; more are passed over, which takes fewer bytes.
const FEW: usize = 4;

/// A row, up to the last cell that differs from those behind it.
#[derive(Debug, Clone)]
pub(super) struct Line {
    cells: Box<[Cell]>,
    /// What it was made of, before anything was drawn on it: it scrolled in, or was cleared, in some colour.
    base: Cell,
    /// Up to which column anything was done to it since. The terminal clears a row only that far where it is to be as it was made; what a wider
    /// screen adds to a row is not taken into account.
    touched: usize,
}

/// What of a row is drawn at once.
#[derive(Debug, Clone, Copy)]
struct Piece {
    col: usize,
    kind: Kind,
    /// It has the mark that the row goes on behind it.
    goes_on: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Narrow,
    Wide,
    /// The first half of a wide character, without the second.
    First,
    /// The second half, without the first.
    Second,
    /// The first half of one, and the second of another that looks different.
    Mixed,
    /// A blank where a wide character did not fit, which went on below. It is no text: in another width it goes away.
    Spared,
}

impl Piece {
    fn end(self) -> usize {
        match self.kind {
            Kind::Wide | Kind::Mixed => self.col + 2,
            _ => self.col + 1,
        }
    }

    /// Whether it says that a row goes on which does not end there.
    fn is_moved(self, cols: usize) -> bool {
        self.goes_on && self.end() != cols
    }

    fn is_hidden(self, cols: usize) -> bool {
        self.is_moved(cols) || matches!(self.kind, Kind::First | Kind::Second | Kind::Mixed)
    }
}

/// What is below a row while it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    /// A blank row.
    Blank,
    /// A row that is drawn already.
    Drawn,
    /// Nothing, and what goes on there scrolls.
    Scrolls,
    /// Nothing, and it is outside of the margins: what goes on there begins again in the same row.
    Outside,
}

impl Line {
    pub(super) fn of(row: &Row<Cell>) -> Line {
        let cells = &row[..];
        let touched = touched(row);
        let base = match cells.last() {
            Some(last) if touched < cells.len() => last.clone(),
            _ => PLAIN,
        };
        let kept = cells.iter().rposition(|cell| *cell != base);
        Line {
            cells: cells[..kept.map_or(0, |last| last + 1)].into(),
            base,
            touched,
        }
    }

    /// All of its cells.
    pub(super) fn whole(&self, cols: usize) -> Vec<Cell> {
        (0..cols).map(|col| self.cell(col).clone()).collect()
    }

    pub(super) fn cell(&self, col: usize) -> &Cell {
        self.cells.get(col).unwrap_or(&self.base)
    }

    /// Whether a cell can be written and erased again, and nothing is changed.
    pub(super) fn is_free(&self, col: usize) -> bool {
        is_erased(self.cell(col)) && (self.base == PLAIN || col < self.touched)
    }

    /// Whether it is as it was made, in a colour.
    pub(super) fn is_bare(&self) -> bool {
        self.base != PLAIN && self.cells.is_empty() && self.touched == 0
    }

    /// Whether it goes on in the next row.
    pub(super) fn goes_on(&self, cols: usize) -> bool {
        self.cell(cols - 1).flags.contains(Flags::WRAPLINE)
    }

    /// Where a character stands that can be written once more and nothing is changed, maybe as the line that is drawn instead of it. A wide one
    /// is found by its first half.
    pub(super) fn shows(&self, c: char) -> impl Iterator<Item = usize> {
        self.pieces().into_iter().filter_map(move |piece| {
            let is_whole = matches!(piece.kind, Kind::Narrow | Kind::Wide) && !piece.goes_on;
            let cell = self.cell(piece.col);
            let is_last = match marks(cell).last() {
                Some(mark) => mark == c,
                None => cell.c == c || cell.c == LINES.map(c),
            };
            let is_marked = looks_plain(cell) && *cell != PLAIN;
            (is_whole && is_last && !is_marked).then_some(piece.col)
        })
    }

    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut col = 0;
        while col < self.cells.len() {
            let (cell, next) = (self.cell(col), self.cell(col + 1));
            let is_first = cell.flags.contains(Flags::WIDE_CHAR);
            let kind = if is_first && next.flags.contains(Flags::WIDE_CHAR_SPACER) {
                match looks_same(cell, next) {
                    true => Kind::Wide,
                    false => Kind::Mixed,
                }
            } else if is_first {
                Kind::First
            } else if cell.flags.contains(Flags::WIDE_CHAR_SPACER) {
                Kind::Second
            } else if cell.flags.contains(Flags::LEADING_WIDE_CHAR_SPACER)
                && cell.flags.contains(Flags::WRAPLINE)
            {
                Kind::Spared
            } else {
                Kind::Narrow
            };
            let mut piece = Piece {
                col,
                kind,
                goes_on: false,
            };
            let cells = (col..piece.end()).map(|col| self.cell(col));
            piece.goes_on = cells
                .into_iter()
                .any(|cell| cell.flags.contains(Flags::WRAPLINE));
            col = piece.end();
            pieces.push(piece);
        }
        pieces
    }
}

/// Draws lines from the top of a blank screen on, which is so high: what is more scrolls out.
pub(super) fn screen(brush: &mut Brush, lines: &[Line], height: usize, cols: usize) {
    brush.text.push_str("\x1b[H");
    let Some((last, above)) = lines.split_last() else {
        return;
    };
    for (index, line) in above.iter().enumerate() {
        let mut below = Below::Blank;
        if index + 1 >= height {
            below = Below::Scrolls;
            if height > 1 && line.pieces().iter().any(|piece| piece.is_moved(cols)) {
                // It will scroll once it is drawn, and may as well before.
                brush.text.push_str("\n\x1b[A");
                below = Below::Blank;
            }
        }
        let mut pencil = Pencil::new(brush, line, cols, below);
        pencil.prime();
        pencil.draw();
        pencil.leave();
    }
    let is_moved = last.pieces().iter().any(|piece| piece.is_moved(cols));
    let goes_on = last.goes_on(cols) || is_moved;
    // What is spared in two columns leaves no room for what goes on in the same row.
    let is_narrow = cols == 2 && last.is_spared(cols);
    match above {
        [.., above] if height > 1 && goes_on && (height == 2 || is_narrow) => {
            // Drawn one higher, and pushed down.
            let row = height - 2;
            brush.go(row, 0);
            brush.text.push_str("\x1b[J");
            let mut pencil = Pencil::new(brush, last, cols, Below::Blank);
            pencil.prime();
            pencil.draw();
            pencil.leave();
            brush.go(row, 0);
            let mut pencil = Pencil::new(brush, above, cols, Below::Drawn);
            pencil.insert();
            pencil.draw();
            match above.goes_on(cols) {
                true if above.is_spared(cols) && cols > 2 => {
                    spare_over(brush, row, [above, last], cols);
                }
                true => pencil.go_on(),
                false => {}
            }
        }
        // A row that is alone on its screen cannot go on without leaving it.
        _ if !goes_on || height == 1 => {
            let mut pencil = Pencil::new(brush, last, cols, Below::Scrolls);
            pencil.prime();
            pencil.draw();
        }
        _ => {
            Pencil::new(brush, last, cols, Below::Outside).prime();
            brush.text.push_str("\x1b[1;2r");
            brush.go(height - 1, 0);
            let mut pencil = Pencil::new(brush, last, cols, Below::Outside);
            pencil.draw();
            if last.goes_on(cols) && !last.is_spared(cols) {
                pencil.go_on();
            }
            brush.text.push_str("\x1b[r");
        }
    }
}

/// Spares the last column of a row, while the one below is drawn already: what goes on there for a moment needs its first columns.
fn spare_over(brush: &mut Brush, row: usize, [line, below]: [&Line; 2], cols: usize) {
    let mut over = Pencil::new(brush, below, cols, Below::Scrolls);
    let pieces = std::mem::take(&mut over.pieces);
    let begin = pieces.iter().take_while(|piece| piece.col < 2);
    let pieces = &pieces[..begin.count()];
    over.brush.go(row + 1, 0);
    over.edit(0, pieces.last().map_or(2, |last| last.end()), 'X');
    brush.go(row, 0);
    Pencil::new(brush, line, cols, Below::Drawn).spare(cols - 1);
    Pencil::new(brush, below, cols, Below::Scrolls).seen(pieces);
    brush.plain();
}

impl Line {
    /// Whether its last column was spared.
    fn is_spared(&self, cols: usize) -> bool {
        self.cell(cols - 1)
            .flags
            .contains(Flags::LEADING_WIDE_CHAR_SPACER)
    }
}

/// Up to which column anything was done to a row since it was made, where that matters: where it was made in a colour. The row tells by what is left
/// of that colour when it is wider and then cleared.
fn touched(row: &Row<Cell>) -> usize {
    let cols = row.len();
    if row.last().is_none_or(|last| last.bg == PLAIN.bg) {
        return cols;
    }
    let mut wider = row.clone();
    wider.grow(cols + 1);
    wider.reset(&PLAIN);
    let cleared = wider[..]
        .iter()
        .take(cols)
        .rposition(|cell| cell.bg == PLAIN.bg);
    cleared.map_or(0, |last| last + 1)
}

/// Waits behind the last column, whatever stands there: without wrapping, a character that does not fit is not written. It is the last that was
/// written nevertheless.
pub(super) fn wait(brush: &mut Brush, row: usize, cols: usize, wide: Option<char>) {
    brush.text.push_str("\x1b[?7l");
    brush.go(row, cols - 1);
    brush.text.push(wide.unwrap_or(WIDE));
    brush.text.push_str("\x1b[?7h");
}

/// Writes a character that a cell shows, where the cursor is. A wide one that is written over would make text of a blank that was left for it
/// above.
pub(super) fn again(brush: &mut Brush, cell: &Cell, c: char) {
    if cell.flags.contains(Flags::WIDE_CHAR) {
        brush.text.push_str("\x1b[2X");
    }
    if cell.c != c && cell.c == LINES.map(c) && marks(cell).next().is_none() {
        look(brush, cell);
        brush.put(format_args!("\x1b(0{c}\x1b(B"));
    } else {
        write(brush, cell);
    }
    brush.plain();
}

/// Whether erasing would leave the same.
fn is_erased(cell: &Cell) -> bool {
    *cell
        == Cell {
            bg: cell.bg,
            ..PLAIN
        }
}

/// Erases as many cells from the cursor on, to this.
pub(super) fn erase(brush: &mut Brush, cell: &Cell, count: usize) {
    let (style, _) = view::look(&Cell {
        bg: cell.bg,
        ..PLAIN
    });
    brush.turn(&style, None);
    match count {
        1 => brush.text.push_str("\x1b[X"),
        _ => brush.put(format_args!("\x1b[{count}X")),
    }
    brush.plain();
}

/// Makes the cursor's row, which is bare, once more. Those below go up and come back.
pub(super) fn make_again(brush: &mut Brush, line: &Line, is_last: bool) {
    if !is_last {
        brush.text.push_str("\x1b[M");
    }
    brush.turn(&view::look(&line.base).0, None);
    brush.text.push_str("\x1b[L");
    brush.plain();
}

fn look(brush: &mut Brush, cell: &Cell) {
    brush.zone(Extra::of(cell).zone);
    let (style, link) = view::look(cell);
    brush.turn(&style, link.as_ref());
}

fn write(brush: &mut Brush, cell: &Cell) {
    look(brush, cell);
    brush.text.push(match cell.c {
        '\t' => ' ',
        c => c,
    });
    brush.text.extend(marks(cell));
}

/// What joins the character of a cell.
fn marks(cell: &Cell) -> impl Iterator<Item = char> {
    let marks = cell.zerowidth().unwrap_or_default().iter().copied();
    marks.filter(|mark| !Extra::is_marker(*mark))
}

fn looks_same(one: &Cell, other: &Cell) -> bool {
    view::look(one) == view::look(other) && Extra::of(one) == Extra::of(other)
}

/// Whether a cell looks plain, whatever it is.
fn looks_plain(cell: &Cell) -> bool {
    matches!(cell.c, ' ' | '\t') && marks(cell).next().is_none() && looks_same(cell, &PLAIN)
}

/// Draws one row, which is blank.
struct Pencil<'a> {
    brush: &'a mut Brush,
    line: &'a Line,
    pieces: Vec<Piece>,
    cols: usize,
    below: Below,
    /// The cursor's column where it is known: behind the last it waits.
    at: Option<usize>,
}

impl Pencil<'_> {
    fn new<'a>(brush: &'a mut Brush, line: &'a Line, cols: usize, below: Below) -> Pencil<'a> {
        Pencil {
            brush,
            line,
            pieces: line.pieces(),
            cols,
            below,
            at: Some(0),
        }
    }

    /// Makes the row what it is made of: it is drawn on one that is plain.
    fn prime(&mut self) {
        if self.line.base != PLAIN {
            self.insert();
        }
    }

    /// Inserts a row that is made of the same.
    fn insert(&mut self) {
        self.brush.turn(&view::look(&self.line.base).0, None);
        self.brush.text.push_str("\x1b[L");
        self.brush.plain();
    }

    fn draw(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        self.hidden(&pieces);
        if self.line.is_spared(self.cols) && self.below == Below::Outside {
            // What does not fit goes on in this same row, which is still blank there.
            self.spare(self.cols - 1);
        }
        self.seen(&pieces);
        let line = self.line;
        if line.base != PLAIN && line.touched > 0 && is_erased(line.cell(line.touched - 1)) {
            self.to(line.touched - 1);
            erase(self.brush, line.cell(line.touched - 1), 1);
        }
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
    fn seen(&mut self, pieces: &[Piece]) {
        let mut index = 0;
        while let Some(piece) = pieces.get(index) {
            index += 1;
            if piece.is_hidden(self.cols) || piece.kind == Kind::Spared {
                continue;
            }
            let cell = self.line.cell(piece.col);
            if *cell == self.line.base {
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
                if self.line.base != PLAIN {
                    erase(self.brush, &PLAIN, 1);
                }
                self.brush.text.push('\t');
                self.at = None;
            } else {
                self.pass(piece.col);
                self.write(piece.col, piece.end());
            }
        }
    }

    /// Goes on below, or begins there.
    fn leave(&mut self) {
        if self.line.goes_on(self.cols) {
            if self.line.is_spared(self.cols) {
                return self.spare(self.cols - 1);
            }
            return self.go_on();
        }
        self.brush.text.push_str("\r\n");
    }

    /// Goes on from behind the last column.
    fn go_on(&mut self) {
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
    fn spare(&mut self, looks_like: usize) {
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
            && self.line.base == PLAIN
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
    fn edit(&mut self, col: usize, count: usize, what: char) {
        self.brush.turn(&view::look(&self.line.base).0, None);
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
