//! Binary buffer snapshots, version 2: a screen in a few hundred bytes.
//!
//! The header gives the number of columns and rows, the position of the first row in the terminal,
//! and the cursor position. The cells follow, row by row; repeated cells and blank rows are
//! run-length encoded. `docs/formats/vt2.md` gives the bytes.
//!
//! A cell holds one code point, so combining characters are dropped; [`EncodedSnapshot::cut`]
//! counts the cells concerned.
//!
//! See also: `cell.rs` (the bytes of one cell), `encode.rs`, `decode.rs`.

use std::sync::Arc;

use crate::screen::row::LinkId;
use crate::{
    Attributes, CellView, Color, Cursor, Palette, Row, RowBuilder, Screen, Style, Underline, Width,
};

mod cell;
mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub use decode::{Strictness, Vt2Error, decode, decode_rows};
pub use encode::{EncodedSnapshot, HeaderLength, encode, encode_rows};

/// The version that is written, and the only one that can be read.
pub const VERSION: u8 = 2;
/// Limit on rows when reading: more than the 65,535 that version 1 could count, and about
/// 30 MB if every row is different and short.
pub const MAX_ROWS: u32 = 1 << 17;
/// Limit on cells when reading: 128 MB in memory, four times the largest screen.
pub const MAX_CELLS: u64 = 1 << 24;

/// The part of a terminal that a snapshot shows, as in its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotWindow {
    /// Number of cells in each row.
    pub cols: u16,
    /// The first row, counted from the oldest row of the scrollback.
    pub viewport_y: i32,
    /// The cursor's column.
    pub cursor_x: i32,
    /// The cursor's row, counted from the first row of the snapshot: negative if it is above,
    /// `rows` or more if it is below.
    pub cursor_y: i32,
}

impl SnapshotWindow {
    /// Returns the part of a screen and its scrollback that starts at row `first`, counted from the
    /// oldest row of the scrollback.
    pub fn of(screen: &Screen, first: usize) -> SnapshotWindow {
        let number = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let cursor = screen.cursor.position;
        SnapshotWindow {
            cols: screen.size.cols,
            viewport_y: number(first),
            // While a wrap is pending, the cursor is still on the last column.
            cursor_x: number(
                cursor
                    .col
                    .min(usize::from(screen.size.cols).saturating_sub(1)),
            ),
            cursor_y: number(screen.scrollback_rows.saturating_add(cursor.row))
                .saturating_sub(number(first)),
        }
    }
}

/// Returns the part of a screen that this format can store.
///
/// These are lost:
///
/// - combining characters, and the second column of a character whose base is ASCII;
/// - the kind and colour of an underline, blinking, overlines, and links;
/// - the difference between the default colours and palette entries 7 (text) and 0 (background);
/// - the kind of a colour that the program has changed: it is written as RGB;
/// - wrap flags and zones;
/// - the cursor's visibility, shape and pending wrap;
/// - title, working directory and modes.
///
/// Control characters, which should not occur in cells, become spaces.
pub fn reduce(screen: &Screen) -> Screen {
    let mut builder = RowBuilder::new();
    let cols = usize::from(screen.size.cols);
    let rows = screen.rows.iter();
    Screen {
        rows: rows
            .map(|row| Arc::new(reduce_row(row, cols, &screen.palette, &mut builder)))
            .collect(),
        cursor: Cursor {
            position: screen.cursor.position,
            ..Cursor::default()
        },
        scrollback_rows: screen.scrollback_rows,
        ..Screen::blank(screen.size)
    }
}

fn reduce_row(row: &Row, cols: usize, palette: &Palette, builder: &mut RowBuilder) -> Row {
    // Blank cells at the end of the row are written as well if they have a changed colour.
    let blanks = std::iter::repeat_n(CellView::BLANK, cols.saturating_sub(row.len()));
    let cells = row.cells().take(cols).chain(blanks);
    for (col, cell) in cells.enumerate() {
        let style = builder.style(&reduce_style(&palette.resolve(cell.style)));
        let c = scalar(&cell);
        match cell.width {
            // Already written together with its character.
            Width::Spacer if builder.col() > col => {}
            Width::Wide if col + 1 == cols => builder.push(' ', style, LinkId::NONE),
            Width::Wide if !c.is_ascii() => builder.push_wide(c, style, LinkId::NONE),
            Width::Spacer => builder.push(' ', style, LinkId::NONE),
            Width::Narrow | Width::Wide => builder.push(c, style, LinkId::NONE),
        }
    }
    builder.finish()
}

fn reduce_style(style: &Style) -> Style {
    Style {
        fg: match style.fg {
            Color::Indexed(7) => Color::Default,
            fg => fg,
        },
        bg: match style.bg {
            Color::Indexed(0) => Color::Default,
            bg => bg,
        },
        underline: match style.underline {
            Underline::None => Underline::None,
            _ => Underline::Single,
        },
        underline_color: Color::Default,
        attributes: style.attributes
            - (Attributes::BLINK | Attributes::RAPID_BLINK | Attributes::OVERLINE),
    }
}

/// Returns the one code point of a cell that the format can store.
fn scalar(cell: &CellView<'_>) -> char {
    match cell.char() {
        c if c.is_control() => ' ',
        c => c,
    }
}
