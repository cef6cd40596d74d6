//! Rows of the grid with their invisible state.
//!
//! A row may contain state that it does not show: half of a wide character whose other half is
//! gone; the flag that a row is wrapped, moved away from its end; a blank that a tab passed over or
//! that belongs to a zone. Such state becomes visible when cells are deleted or written next to it,
//! or after a resize. So each cell is recreated in the way a program would: a half is a wide
//! character of which the other half is erased, and the wrap flag is set at the end of the row and
//! moved by deleting cells before it.
//!
//! See also: `rows/pencil.rs` (draws a row).

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

/// The character set with line-drawing characters in place of letters.
const LINES: StandardCharset = StandardCharset::SpecialCharacterAndLineDrawing;

/// A character that takes two columns.
const WIDE: char = '\u{754c}';

/// A row, up to the last cell that is not plain.
#[derive(Debug, Clone)]
pub(super) struct Line {
    cells: Box<[Cell]>,
}

/// A part of a row that is drawn at once.
#[derive(Debug, Clone, Copy)]
struct Piece {
    col: usize,
    kind: Kind,
    /// Whether one of its cells has the flag that the row is wrapped.
    goes_on: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Narrow,
    Wide,
    /// The first half of a wide character, without the second.
    First,
    /// The second half of a wide character, without the first.
    Second,
    /// The first half of a wide character and the second half of another one in a different style.
    Mixed,
    /// A blank left because a wide character did not fit and was written in the next row. It is not
    /// text: it disappears after a resize.
    Spared,
}

impl Piece {
    fn end(self) -> usize {
        match self.kind {
            Kind::Wide | Kind::Mixed => self.col + 2,
            _ => self.col + 1,
        }
    }

    /// Returns whether it has the wrap flag although it is not at the end of the row.
    fn is_moved(self, cols: usize) -> bool {
        self.goes_on && self.end() != cols
    }

    fn is_hidden(self, cols: usize) -> bool {
        self.is_moved(cols) || matches!(self.kind, Kind::First | Kind::Second | Kind::Mixed)
    }
}

/// The row below the one that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    /// A blank row.
    Blank,
    /// A row that is already drawn.
    Drawn,
    /// There is none; wrapping scrolls.
    Scrolls,
    /// There is none, and the row is outside of the margins: wrapping continues at the start of the
    /// same row.
    Outside,
}

impl Line {
    pub(super) fn of(cells: &[Cell]) -> Line {
        let kept = cells.iter().rposition(|cell| *cell != PLAIN);
        Line {
            cells: cells[..kept.map_or(0, |last| last + 1)].into(),
        }
    }

    /// Returns all of its cells.
    pub(super) fn whole(&self, cols: usize) -> Vec<Cell> {
        (0..cols).map(|col| self.cell(col).clone()).collect()
    }

    pub(super) fn cell(&self, col: usize) -> &Cell {
        self.cells.get(col).unwrap_or(&PLAIN)
    }

    /// Returns whether writing to a cell and erasing it again leaves it unchanged.
    pub(super) fn is_free(&self, col: usize) -> bool {
        is_erased(self.cell(col))
    }

    /// Returns whether it is wrapped into the next row.
    pub(super) fn goes_on(&self, cols: usize) -> bool {
        self.cell(cols - 1).flags.contains(Flags::WRAPLINE)
    }

    /// Returns the columns where a character can be written again without a change, including cells
    /// that show it as a line-drawing character. For wide characters, returns the first half.
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
                if looks_same(cell, next) {
                    Kind::Wide
                } else {
                    Kind::Mixed
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

/// Draws lines from the top of a blank screen `height` rows high. Excess lines scroll out.
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
                // Drawing it will scroll the screen anyway, so scroll first.
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
    // In two columns, a blank left for a wide character leaves no room to wrap within the same row.
    let is_narrow = cols == 2 && last.is_spared(cols);
    match above {
        [.., above] if height > 1 && goes_on && (height == 2 || is_narrow) => {
            // Drawn one row higher and then pushed down.
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
            if above.goes_on(cols) {
                if above.is_spared(cols) && cols > 2 {
                    spare_over(brush, row, [above, last], cols);
                } else {
                    pencil.go_on();
                }
            }
        }
        // A row that is alone on its screen cannot wrap without scrolling out.
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

/// Leaves the last column of a row blank, as for a wide character that did not fit, while the row
/// below is already drawn. The wide character temporarily needs the first columns of the row below.
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
    /// Returns whether its last column was left blank because a wide character did not fit.
    fn is_spared(&self, cols: usize) -> bool {
        self.cell(cols - 1)
            .flags
            .contains(Flags::LEADING_WIDE_CHAR_SPACER)
    }
}

/// Moves the cursor after the last column without changing that cell: with autowrap off, a wide
/// character that does not fit is not written. It still counts as the character written last.
pub(super) fn wait(brush: &mut Brush, row: usize, cols: usize, wide: Option<char>) {
    brush.text.push_str("\x1b[?7l");
    brush.go(row, cols - 1);
    brush.text.push(wide.unwrap_or(WIDE));
    brush.text.push_str("\x1b[?7h");
}

/// Writes the character of a cell again at the cursor. A wide character is erased first:
/// overwriting it would turn a blank left for it in the row above into text.
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

/// Returns whether erasing the cell would leave it unchanged.
fn is_erased(cell: &Cell) -> bool {
    *cell
        == Cell {
            bg: cell.bg,
            ..PLAIN
        }
}

/// Erases `count` cells from the cursor on, with the background of `cell`.
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

/// Returns the combining marks of a cell.
fn marks(cell: &Cell) -> impl Iterator<Item = char> {
    let marks = cell.zerowidth().unwrap_or_default().iter().copied();
    marks.filter(|mark| !Extra::is_marker(*mark))
}

fn looks_same(one: &Cell, other: &Cell) -> bool {
    view::look(one) == view::look(other) && Extra::of(one) == Extra::of(other)
}

/// Returns whether a cell looks like a plain blank.
fn looks_plain(cell: &Cell) -> bool {
    matches!(cell.c, ' ' | '\t') && marks(cell).next().is_none() && looks_same(cell, &PLAIN)
}
