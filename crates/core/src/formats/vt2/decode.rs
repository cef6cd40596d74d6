//! Parser for binary snapshots.
//!
//! The size is checked before any cell is read, and memory grows with the input, so a header that
//! announces more than the input contains allocates nothing. Errors give the offset and the value.

use std::sync::Arc;

use super::cell::{
    BLANK_ROWS, EXTENDED, LENGTH_SHIFT, RESERVED, RGB_BG, RGB_FG, RUN, SPACER, WireCell, WireColor,
};
use super::{MAX_CELLS, MAX_ROWS, SnapshotWindow, VERSION};
use crate::screen::row::LinkId;
use crate::{Cursor, Position, Rgb, Row, RowBuilder, Screen, Size, SizeError};

/// Strictness of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// The bytes must follow the format exactly.
    #[default]
    Strict,
    /// Also accepts the output of the first writers, which gave wrong lengths for short characters
    /// and too few cells in rows with wide characters. The length of a character is taken from its
    /// first byte, and cells missing at the end are blank.
    Lenient,
}

/// Reason why bytes are not a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Vt2Error {
    /// The input ends too early.
    #[error("unexpected end at offset {offset}: at least `{needed}` more bytes are needed")]
    Truncated {
        /// The offset of the end.
        offset: usize,
        /// The least number of bytes that are missing.
        needed: usize,
    },
    /// Not a snapshot.
    #[error(
        "not a snapshot: it starts with `{:02x} {:02x}` instead of `56 54`",
        found[0], found[1]
    )]
    Magic {
        /// The first two bytes.
        found: [u8; 2],
    },
    /// Another version of the format.
    #[error("unsupported version `{version}` (expected `{VERSION}`)")]
    Version {
        /// The version.
        version: u8,
    },
    /// More columns, rows or cells than can be read.
    #[error(
        "`{cols}` columns and `{rows}` rows exceed the limit of {max_cols} columns, \
         {MAX_ROWS} rows or {MAX_CELLS} cells",
        max_cols = Size::COLS.end()
    )]
    TooLarge {
        /// The columns.
        cols: u32,
        /// The rows.
        rows: u32,
    },
    /// Rows without columns.
    #[error("`{rows}` rows have no columns")]
    NoColumns {
        /// The rows.
        rows: u32,
    },
    /// The size is not valid for a screen: no rows, too many, or too few columns.
    #[error("invalid screen size")]
    Size(#[from] SizeError),
    /// A run or a count of blank rows with the length 0.
    #[error("the count at offset {offset} is `0`")]
    ZeroCount {
        /// The offset of the count.
        offset: usize,
    },
    /// More cells or rows than the header announces.
    #[error("the count `{count}` at offset {offset} goes past the last of `{rows}` rows")]
    PastLastRow {
        /// The offset of the count.
        offset: usize,
        /// The count.
        count: u8,
        /// The number of rows of the snapshot.
        rows: u32,
    },
    /// A count of blank rows in the middle of a row.
    #[error("blank rows at offset {offset} start in the middle of a row, at column `{col}`")]
    WithinRow {
        /// The offset of the marker.
        offset: usize,
        /// The number of cells of the row before it.
        col: usize,
    },
    /// A marker inside a run, where only a cell is allowed.
    #[error("`{value:02x}` at offset {offset} is a marker, but a cell is expected")]
    Mark {
        /// Its offset.
        offset: usize,
        /// The marker.
        value: u8,
    },
    /// A byte that cannot start a cell.
    #[error("`{value:02x}` at offset {offset} does not start a cell")]
    FirstByte {
        /// Its offset.
        offset: usize,
        /// The byte.
        value: u8,
    },
    /// A length that differs from the character's.
    #[error(
        "the header `{value:02x}` at offset {offset} gives a length of {header}, but its character has {actual} bytes"
    )]
    Length {
        /// The offset of the header.
        offset: usize,
        /// The header.
        value: u8,
        /// The length that it gives.
        header: usize,
        /// The length according to the character's first byte.
        actual: usize,
    },
    /// Bytes that are not a character.
    #[error("`{value:02x}` at offset {offset} does not start a character")]
    Utf8 {
        /// The offset of the character.
        offset: usize,
        /// Its first byte.
        value: u8,
    },
    /// Bytes after the last cell.
    #[error("`{count}` bytes at offset {offset} follow the last cell")]
    Trailing {
        /// The offset of the first of them.
        offset: usize,
        /// Their number.
        count: usize,
    },
}

/// Parses a screen. The cursor is hidden if it is outside the screen.
pub fn decode(bytes: &[u8], reading: Strictness) -> Result<Screen, Vt2Error> {
    // Check the size first: cells of an invalid screen are not read.
    let (window, rows) = header(bytes)?;
    let size = Size::checked(window.cols.into(), rows.into())?;
    let (window, rows) = decode_rows(bytes, reading)?;
    Ok(Screen {
        rows,
        cursor: cursor(window, size),
        scrollback_rows: usize::try_from(window.viewport_y).unwrap_or(0),
        ..Screen::blank(size)
    })
}

fn cursor(window: SnapshotWindow, size: Size) -> Cursor {
    let within = |at: i32, end: u16| (0..i32::from(end)).contains(&at);
    let clamped = |at: i32, end: u16| at.clamp(0, i32::from(end) - 1) as usize;
    // Some writers store the column after the last one while a wrap is pending.
    let pending_wrap = window.cursor_x == i32::from(size.cols);
    Cursor {
        position: Position {
            row: clamped(window.cursor_y, size.rows),
            col: clamped(window.cursor_x, size.cols),
        },
        visible: within(window.cursor_y, size.rows)
            && (pending_wrap || within(window.cursor_x, size.cols)),
        pending_wrap,
        ..Cursor::default()
    }
}

/// Parses any number of rows of a terminal, such as a part of its scrollback.
pub fn decode_rows(
    bytes: &[u8],
    reading: Strictness,
) -> Result<(SnapshotWindow, Vec<Arc<Row>>), Vt2Error> {
    let (window, rows) = header(bytes)?;
    // No writer starts with the cell `00 00 00 00`, so four zeros belong to the header.
    let long = bytes.get(28..32) == Some(&[0; 4]);
    let input = ByteReader {
        bytes,
        at: if long { 32 } else { 28 },
        reading,
    };
    Ok((window, cells(input, window.cols.into(), rows)?))
}

/// Parses the header and checks the size in it.
fn header(bytes: &[u8]) -> Result<(SnapshotWindow, u32), Vt2Error> {
    let mut input = ByteReader {
        bytes,
        at: 0,
        reading: Strictness::Strict,
    };
    let found = input.take()?;
    if found != *b"VT" && found != *b"TV" {
        return Err(Vt2Error::Magic { found });
    }
    let [version, _flags] = input.take()?;
    if version != VERSION {
        return Err(Vt2Error::Version { version });
    }
    let cols = u32::from_le_bytes(input.take()?);
    let rows = u32::from_le_bytes(input.take()?);
    let viewport_y = i32::from_le_bytes(input.take()?);
    let cursor_x = i32::from_le_bytes(input.take()?);
    let cursor_y = i32::from_le_bytes(input.take()?);
    let _reserved: [u8; 4] = input.take()?;
    if cols == 0 && rows > 0 {
        return Err(Vt2Error::NoColumns { rows });
    }
    match u16::try_from(cols) {
        Ok(cols)
            if cols <= *Size::COLS.end()
                && rows <= MAX_ROWS
                && u64::from(cols) * u64::from(rows) <= MAX_CELLS =>
        {
            let window = SnapshotWindow {
                cols,
                viewport_y,
                cursor_x,
                cursor_y,
            };
            Ok((window, rows))
        }
        _ => Err(Vt2Error::TooLarge { cols, rows }),
    }
}

/// Parses the cells up to the last byte.
fn cells(mut input: ByteReader<'_>, cols: usize, rows: u32) -> Result<Vec<Arc<Row>>, Vt2Error> {
    let mut grid = RowAssembler::new(cols, rows);
    while !grid.is_full() {
        let offset = input.at;
        match input.peek() {
            None if input.reading == Strictness::Lenient => grid.fill(),
            Some(BLANK_ROWS) => {
                let [_, count] = input.take()?;
                if count == 0 {
                    return Err(Vt2Error::ZeroCount { offset: offset + 1 });
                }
                if grid.col() > 0 {
                    let col = grid.col();
                    return Err(Vt2Error::WithinRow { offset, col });
                }
                if usize::from(count) > grid.rows_left() {
                    let offset = offset + 1;
                    return Err(Vt2Error::PastLastRow {
                        offset,
                        count,
                        rows,
                    });
                }
                grid.blank_rows(count.into());
            }
            Some(RUN) => {
                let [_, count] = input.take()?;
                if count == 0 {
                    return Err(Vt2Error::ZeroCount { offset: offset + 1 });
                }
                if usize::from(count) > grid.cells_left() {
                    let offset = offset + 1;
                    return Err(Vt2Error::PastLastRow {
                        offset,
                        count,
                        rows,
                    });
                }
                let cell = input.cell()?;
                for _ in 0..count {
                    grid.push(cell);
                }
            }
            _ => {
                let cell = input.cell()?;
                grid.push(cell);
            }
        }
    }
    match input.bytes.len() - input.at {
        0 => Ok(grid.rows),
        count => Err(Vt2Error::Trailing {
            offset: input.at,
            count,
        }),
    }
}

/// The input, with the current offset.
#[derive(Debug)]
struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
    reading: Strictness,
}

impl ByteReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Vt2Error> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(taken) = rest.first_chunk::<N>() else {
            return Err(Vt2Error::Truncated {
                offset: self.bytes.len(),
                needed: N - rest.len(),
            });
        };
        self.at += N;
        Ok(*taken)
    }

    fn cell(&mut self) -> Result<WireCell, Vt2Error> {
        let offset = self.at;
        // Check for a marker before reading two bytes: a marker at the end of the input would
        // otherwise be reported as truncated input.
        if let Some(value @ (RUN | BLANK_ROWS)) = self.peek() {
            return Err(Vt2Error::Mark { offset, value });
        }
        let [first, attributes] = self.take()?;
        if attributes & EXTENDED == 0 {
            if !first.is_ascii() {
                return Err(Vt2Error::FirstByte {
                    offset,
                    value: first,
                });
            }
            let [fg, bg] = self.take()?;
            return Ok(WireCell {
                char: first.into(),
                attributes,
                fg: WireColor::Palette(fg),
                bg: WireColor::Palette(bg),
            });
        }
        if first & RESERVED != 0 {
            return Err(Vt2Error::FirstByte {
                offset,
                value: first,
            });
        }
        Ok(WireCell {
            char: self.char(offset, first)?,
            attributes: attributes & !EXTENDED,
            fg: self.color(first & RGB_FG != 0)?,
            bg: self.color(first & RGB_BG != 0)?,
        })
    }

    /// Parses the character of the extended cell whose `header` is at `offset`.
    fn char(&mut self, offset: usize, header: u8) -> Result<char, Vt2Error> {
        let at = self.at;
        let [lead] = self.take()?;
        let broken = Vt2Error::Utf8 {
            offset: at,
            value: lead,
        };
        let actual = match lead {
            0x00..=0x7f => 1,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Err(broken),
        };
        let length = usize::from(header >> LENGTH_SHIFT) + 1;
        if length != actual && self.reading == Strictness::Strict {
            return Err(Vt2Error::Length {
                offset,
                value: header,
                header: length,
                actual,
            });
        }
        let mut utf8 = [lead, 0, 0, 0];
        for byte in &mut utf8[1..actual] {
            [*byte] = self.take()?;
        }
        std::str::from_utf8(&utf8[..actual])
            .ok()
            .and_then(|text| text.chars().next())
            .ok_or(broken)
    }

    fn color(&mut self, exact: bool) -> Result<WireColor, Vt2Error> {
        Ok(if exact {
            let [r, g, b] = self.take()?;
            WireColor::Rgb(Rgb::new(r, g, b))
        } else {
            let [index] = self.take()?;
            WireColor::Palette(index)
        })
    }
}

/// Rows that are filled cell by cell.
#[derive(Debug)]
struct RowAssembler {
    cols: usize,
    /// The final number of rows.
    height: usize,
    rows: Vec<Arc<Row>>,
    row: RowBuilder,
    /// The last cell of the row: the next cell decides whether it is wide.
    held: Option<WireCell>,
    /// Shared by all blank rows.
    blank: Arc<Row>,
}

impl RowAssembler {
    fn new(cols: usize, rows: u32) -> RowAssembler {
        RowAssembler {
            cols,
            // `MAX_ROWS` fits into a `usize`.
            height: rows as usize,
            rows: Vec::new(),
            row: RowBuilder::new(),
            held: None,
            blank: Arc::default(),
        }
    }

    fn is_full(&self) -> bool {
        self.rows.len() == self.height
    }

    fn col(&self) -> usize {
        self.row.col() + usize::from(self.held.is_some())
    }

    fn rows_left(&self) -> usize {
        self.height - self.rows.len()
    }

    fn cells_left(&self) -> usize {
        self.rows_left() * self.cols - self.col()
    }

    fn push(&mut self, cell: WireCell) {
        match self.held {
            Some(held) if cell.is_spacer_of(&held) => {
                let style = self.row.style(&held.style());
                self.row.push_wide(held.char, style, LinkId::NONE);
                self.held = None;
            }
            _ => {
                self.release();
                self.held = Some(WireCell {
                    // A spacer without a wide character is a space, and so is a control character,
                    // which no writer should send.
                    char: match cell.char {
                        SPACER => ' ',
                        c if c.is_control() => ' ',
                        c => c,
                    },
                    ..cell
                });
            }
        }
        if self.col() == self.cols {
            self.end_row();
        }
    }

    fn release(&mut self) {
        if let Some(held) = self.held.take() {
            let style = self.row.style(&held.style());
            self.row.push(held.char, style, LinkId::NONE);
        }
    }

    fn end_row(&mut self) {
        self.release();
        self.rows.push(Arc::new(self.row.finish()));
    }

    fn blank_rows(&mut self, count: usize) {
        let blank = Arc::clone(&self.blank);
        self.rows.extend(std::iter::repeat_n(blank, count));
    }

    /// Fills the remaining cells with blank cells.
    fn fill(&mut self) {
        if self.col() > 0 {
            self.end_row();
        }
        self.blank_rows(self.rows_left());
    }
}
