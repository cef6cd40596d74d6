//! Rows as the grid holds them, with what nobody sees of them.
//!
//! A row may hold more than it shows: a half of a wide character whose other half is gone, the mark that a row goes on, moved to where it does not
//! end, a blank that a tab went over or that a zone reaches. It shows when something is deleted or written beside it, or in another width. So each
//! cell is brought about as a program would: a half is a whole of which the other half is erased, and a mark is set at the end of the row and
//! moved from there by deleting what is before it.
//!
//! Elsewhere: how one is drawn (`rows/pencil.rs`).

use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor, StandardCharset};

use super::super::pen::Extra;
use super::super::view;
use crate::formats::paint::brush::Brush;
use pencil::Pencil;

mod pencil;

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

/// A row, up to the last cell that is not plain.
#[derive(Debug, Clone)]
pub(super) struct Line {
    cells: Box<[Cell]>,
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
    pub(super) fn of(cells: &[Cell]) -> Line {
        let kept = cells.iter().rposition(|cell| *cell != PLAIN);
        Line {
            cells: cells[..kept.map_or(0, |last| last + 1)].into(),
        }
    }

    /// All of its cells.
    pub(super) fn whole(&self, cols: usize) -> Vec<Cell> {
        (0..cols).map(|col| self.cell(col).clone()).collect()
    }

    pub(super) fn cell(&self, col: usize) -> &Cell {
        self.cells.get(col).unwrap_or(&PLAIN)
    }

    /// Whether a cell can be written and erased again, and nothing is changed.
    pub(super) fn is_free(&self, col: usize) -> bool {
        is_erased(self.cell(col))
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
            pencil.draw();
        }
        _ => {
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
