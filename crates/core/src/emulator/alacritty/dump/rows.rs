//! Rows of the grid with their invisible state.
//!
//! A row may contain state that it does not show: half of a wide character whose other half was
//! erased, a wrap flag that was moved away from the end of the row, or a blank cell in which a tab
//! started or that belongs to a zone. Such state becomes visible when cells are deleted or
//! written next to it, or after a resize. So each cell is recreated in the way a program would: a
//! half is a wide character of which the other half is erased, and the wrap flag is set at the end
//! of the row and moved by deleting cells before it.
//!
//! See also: `rows/row_drawer.rs` (draws a row).

use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor, StandardCharset};

use super::super::read_grid;
use super::super::terminal::extra_attrs::ExtraAttrs;
use crate::formats::paint::row_writer::RowSequenceWriter;
use row_drawer::RowDrawer;

mod row_drawer;

const PLAIN_CELL: Cell = Cell {
    c: ' ',
    fg: Color::Named(NamedColor::Foreground),
    bg: Color::Named(NamedColor::Background),
    flags: Flags::empty(),
    extra: None,
};

/// The character set with line-drawing characters in place of letters.
const LINE_DRAWING: StandardCharset = StandardCharset::SpecialCharacterAndLineDrawing;

/// A character that takes two columns.
const WIDE_CHAR: char = '\u{754c}';

/// A row, up to the last cell that is not plain.
#[derive(Debug, Clone)]
pub(super) struct DumpedRow {
    cells: Box<[Cell]>,
}

/// A part of a row that is drawn at once.
#[derive(Debug, Clone, Copy)]
struct RowPiece {
    col: usize,
    kind: RowPieceKind,
    /// Whether one of its cells has the flag that the row is wrapped.
    wrapped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowPieceKind {
    Narrow,
    Wide,
    /// The first half of a wide character, without the second.
    FirstHalf,
    /// The second half of a wide character, without the first.
    SecondHalf,
    /// The first half of a wide character and the second half of another one in a different style.
    MixedHalves,
    /// A blank left because a wide character did not fit and was written in the next row. It is not
    /// text: it disappears after a resize.
    LeadingSpacer,
}

impl RowPiece {
    fn end(self) -> usize {
        match self.kind {
            RowPieceKind::Wide | RowPieceKind::MixedHalves => self.col + 2,
            _ => self.col + 1,
        }
    }

    /// Returns whether it has the wrap flag although it is not at the end of the row.
    fn has_moved_wrap_flag(self, cols: usize) -> bool {
        self.wrapped && self.end() != cols
    }

    fn is_hidden(self, cols: usize) -> bool {
        self.has_moved_wrap_flag(cols)
            || matches!(
                self.kind,
                RowPieceKind::FirstHalf | RowPieceKind::SecondHalf | RowPieceKind::MixedHalves
            )
    }
}

/// The row below the one that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowBelow {
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

impl DumpedRow {
    pub(super) fn of(cells: &[Cell]) -> DumpedRow {
        let kept = cells.iter().rposition(|cell| *cell != PLAIN_CELL);
        DumpedRow {
            cells: cells[..kept.map_or(0, |last| last + 1)].into(),
        }
    }

    /// Returns all of its cells.
    pub(super) fn all_cells(&self, cols: usize) -> Vec<Cell> {
        (0..cols).map(|col| self.cell(col).clone()).collect()
    }

    pub(super) fn cell(&self, col: usize) -> &Cell {
        self.cells.get(col).unwrap_or(&PLAIN_CELL)
    }

    /// Returns whether writing to a cell and erasing it again leaves it unchanged.
    pub(super) fn is_erasable(&self, col: usize) -> bool {
        is_erased(self.cell(col))
    }

    /// Returns whether it is wrapped into the next row.
    pub(super) fn is_wrapped(&self, cols: usize) -> bool {
        self.cell(cols - 1).flags.contains(Flags::WRAPLINE)
    }

    /// Returns the columns where a character can be written again without a change, including cells
    /// that show it as a line-drawing character. For wide characters, returns the first half.
    pub(super) fn columns_showing(&self, c: char) -> impl Iterator<Item = usize> {
        self.pieces().into_iter().filter_map(move |piece| {
            let is_whole =
                matches!(piece.kind, RowPieceKind::Narrow | RowPieceKind::Wide) && !piece.wrapped;
            let cell = self.cell(piece.col);
            let is_last = match marks(cell).last() {
                Some(mark) => mark == c,
                None => cell.c == c || cell.c == LINE_DRAWING.map(c),
            };
            let is_marked = looks_plain(cell) && *cell != PLAIN_CELL;
            (is_whole && is_last && !is_marked).then_some(piece.col)
        })
    }

    fn pieces(&self) -> Vec<RowPiece> {
        let mut pieces = Vec::new();
        let mut col = 0;
        while col < self.cells.len() {
            let (cell, next) = (self.cell(col), self.cell(col + 1));
            let is_first = cell.flags.contains(Flags::WIDE_CHAR);
            let kind = if is_first && next.flags.contains(Flags::WIDE_CHAR_SPACER) {
                if looks_same(cell, next) {
                    RowPieceKind::Wide
                } else {
                    RowPieceKind::MixedHalves
                }
            } else if is_first {
                RowPieceKind::FirstHalf
            } else if cell.flags.contains(Flags::WIDE_CHAR_SPACER) {
                RowPieceKind::SecondHalf
            } else if cell.flags.contains(Flags::LEADING_WIDE_CHAR_SPACER)
                && cell.flags.contains(Flags::WRAPLINE)
            {
                RowPieceKind::LeadingSpacer
            } else {
                RowPieceKind::Narrow
            };
            let mut piece = RowPiece {
                col,
                kind,
                wrapped: false,
            };
            let cells = (col..piece.end()).map(|col| self.cell(col));
            piece.wrapped = cells
                .into_iter()
                .any(|cell| cell.flags.contains(Flags::WRAPLINE));
            col = piece.end();
            pieces.push(piece);
        }
        pieces
    }
}

/// Draws lines from the top of a blank screen `height` rows high. Excess lines scroll out.
pub(super) fn write_rows(
    out: &mut RowSequenceWriter,
    lines: &[DumpedRow],
    height: usize,
    cols: usize,
) {
    out.text.push_str("\x1b[H");
    let Some((last, above)) = lines.split_last() else {
        return;
    };
    for (index, line) in above.iter().enumerate() {
        let mut below = RowBelow::Blank;
        if index + 1 >= height {
            below = RowBelow::Scrolls;
            if height > 1
                && line
                    .pieces()
                    .iter()
                    .any(|piece| piece.has_moved_wrap_flag(cols))
            {
                // Drawing it will scroll the screen anyway, so scroll first.
                out.text.push_str("\n\x1b[A");
                below = RowBelow::Blank;
            }
        }
        let mut drawer = RowDrawer::new(out, line, cols, below);
        drawer.draw();
        drawer.end_row();
    }
    let has_moved_flag = last
        .pieces()
        .iter()
        .any(|piece| piece.has_moved_wrap_flag(cols));
    let must_wrap = last.is_wrapped(cols) || has_moved_flag;
    // In two columns, a blank left for a wide character leaves no room to wrap within the same row.
    let is_narrow = cols == 2 && last.ends_with_leading_spacer(cols);
    match above {
        [.., above] if height > 1 && must_wrap && (height == 2 || is_narrow) => {
            // Drawn one row higher and then pushed down.
            let row = height - 2;
            out.move_to(row, 0);
            out.text.push_str("\x1b[J");
            let mut drawer = RowDrawer::new(out, last, cols, RowBelow::Blank);
            drawer.draw();
            drawer.end_row();
            out.move_to(row, 0);
            let mut drawer = RowDrawer::new(out, above, cols, RowBelow::Drawn);
            drawer.insert();
            drawer.draw();
            if above.is_wrapped(cols) {
                if above.ends_with_leading_spacer(cols) && cols > 2 {
                    leave_spacer_over_drawn_row(out, row, [above, last], cols);
                } else {
                    drawer.wrap();
                }
            }
        }
        // A row that is alone on its screen cannot wrap without scrolling out.
        _ if !must_wrap || height == 1 => {
            let mut drawer = RowDrawer::new(out, last, cols, RowBelow::Scrolls);
            drawer.draw();
        }
        _ => {
            out.text.push_str("\x1b[1;2r");
            out.move_to(height - 1, 0);
            let mut drawer = RowDrawer::new(out, last, cols, RowBelow::Outside);
            drawer.draw();
            if last.is_wrapped(cols) && !last.ends_with_leading_spacer(cols) {
                drawer.wrap();
            }
            out.text.push_str("\x1b[r");
        }
    }
}

/// Leaves the last column of a row blank, as for a wide character that did not fit, while the row
/// below is already drawn. The wide character temporarily needs the first columns of the row below.
fn leave_spacer_over_drawn_row(
    out: &mut RowSequenceWriter,
    row: usize,
    [line, below]: [&DumpedRow; 2],
    cols: usize,
) {
    let mut below_drawer = RowDrawer::new(out, below, cols, RowBelow::Scrolls);
    let pieces = std::mem::take(&mut below_drawer.pieces);
    let begin = pieces.iter().take_while(|piece| piece.col < 2);
    let pieces = &pieces[..begin.count()];
    below_drawer.out.move_to(row + 1, 0);
    below_drawer.edit(0, pieces.last().map_or(2, |last| last.end()), 'X');
    out.move_to(row, 0);
    RowDrawer::new(out, line, cols, RowBelow::Drawn).leave_leading_spacer(cols - 1);
    RowDrawer::new(out, below, cols, RowBelow::Scrolls).draw_visible(pieces);
    out.reset_style();
}

impl DumpedRow {
    /// Returns whether its last column was left blank because a wide character did not fit.
    fn ends_with_leading_spacer(&self, cols: usize) -> bool {
        self.cell(cols - 1)
            .flags
            .contains(Flags::LEADING_WIDE_CHAR_SPACER)
    }
}

/// Moves the cursor after the last column without changing that cell: with autowrap off, a wide
/// character that does not fit is not written. It still counts as the character written last.
pub(super) fn set_pending_wrap(
    out: &mut RowSequenceWriter,
    row: usize,
    cols: usize,
    wide: Option<char>,
) {
    out.text.push_str("\x1b[?7l");
    out.move_to(row, cols - 1);
    out.text.push(wide.unwrap_or(WIDE_CHAR));
    out.text.push_str("\x1b[?7h");
}

/// Writes the character of a cell again at the cursor. A wide character is erased first:
/// overwriting it would turn a blank left for it in the row above into text.
pub(super) fn rewrite_cell(out: &mut RowSequenceWriter, cell: &Cell, c: char) {
    if cell.flags.contains(Flags::WIDE_CHAR) {
        out.text.push_str("\x1b[2X");
    }
    if cell.c != c && cell.c == LINE_DRAWING.map(c) && marks(cell).next().is_none() {
        set_cell_style(out, cell);
        out.put(format_args!("\x1b(0{c}\x1b(B"));
    } else {
        write(out, cell);
    }
    out.reset_style();
}

/// Returns whether erasing the cell would leave it unchanged.
fn is_erased(cell: &Cell) -> bool {
    *cell
        == Cell {
            bg: cell.bg,
            ..PLAIN_CELL
        }
}

/// Erases `count` cells from the cursor on, with the background of `cell`.
pub(super) fn erase_cells(out: &mut RowSequenceWriter, cell: &Cell, count: usize) {
    let (style, _) = read_grid::style_and_link(&Cell {
        bg: cell.bg,
        ..PLAIN_CELL
    });
    out.set_style(&style, None);
    match count {
        1 => out.text.push_str("\x1b[X"),
        _ => out.put(format_args!("\x1b[{count}X")),
    }
    out.reset_style();
}

fn set_cell_style(out: &mut RowSequenceWriter, cell: &Cell) {
    out.set_zone(ExtraAttrs::of(cell).zone);
    let (style, link) = read_grid::style_and_link(cell);
    out.set_style(&style, link.as_ref());
}

fn write(out: &mut RowSequenceWriter, cell: &Cell) {
    set_cell_style(out, cell);
    out.text.push(match cell.c {
        '\t' => ' ',
        c => c,
    });
    out.text.extend(marks(cell));
}

/// Returns the combining marks of a cell.
fn marks(cell: &Cell) -> impl Iterator<Item = char> {
    let marks = cell.zerowidth().unwrap_or_default().iter().copied();
    marks.filter(|mark| !ExtraAttrs::is_marker(*mark))
}

fn looks_same(one: &Cell, other: &Cell) -> bool {
    read_grid::style_and_link(one) == read_grid::style_and_link(other)
        && ExtraAttrs::of(one) == ExtraAttrs::of(other)
}

/// Returns whether a cell looks like a plain blank.
fn looks_plain(cell: &Cell) -> bool {
    matches!(cell.c, ' ' | '\t') && marks(cell).next().is_none() && looks_same(cell, &PLAIN_CELL)
}
