//! Encodes and decodes rows, as pieces of text with one style.
//!
//! A row of a delta may keep the first cells of the row that it replaces, and all cells to the
//! right of its last piece. This never splits a wide character. Blank cells at the end of a row are
//! not written.

use std::ops::Range;

use super::bytes::{MessageReader, put_count};
use super::style_table::StyleTable;
use super::{ScreenChanges, StreamError};
use crate::screen::row::ZoneStart;
use crate::{CellView, Row, Size, Text, Width, Zone};

const MAX_COLS: usize = *Size::COLS.end() as usize;
const MAX_ROWS: usize = *Size::ROWS.end() as usize;
/// Upper bound: a row may take 64 KiB, and each zone counts as two bytes (`wire_screen.rs`).
const MAX_ZONES: usize = super::MAX_ROW_BYTES;

/// Bits of a row's head, below the number of its pieces.
const WRAPPED: usize = 1 << 0;
const ZONES: usize = 1 << 1;
const KEEPS: usize = 1 << 2;
const REST: usize = 1 << 3;
const HEAD_SHIFT: usize = 4;

/// Bits of a piece's head, below the number of its style.
const KIND_SHIFT: usize = 3;
const KINDS: [StreamPieceKind; 6] = [
    StreamPieceKind::Narrow,
    StreamPieceKind::Wide,
    StreamPieceKind::Repeated,
    StreamPieceKind::NarrowCluster,
    StreamPieceKind::WideCluster,
    StreamPieceKind::Spacers,
];

const ZONE_SHIFT: usize = 2;
const ZONE_KINDS: [Zone; 4] = [Zone::None, Zone::Prompt, Zone::Input, Zone::Output];

/// Keeping fewer cells than this does not save bytes.
const MIN_KEPT: usize = 2;
/// A repeated character is written as a count if that saves at least this many bytes of text.
const MIN_REPEATED: usize = 6;

/// The kind of content of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamPieceKind {
    /// Characters of one column each.
    Narrow,
    /// Characters of two columns each.
    Wide,
    /// One character of one column, repeated.
    Repeated,
    /// One character of one column with combining characters.
    NarrowCluster,
    /// One character of two columns with combining characters.
    WideCluster,
    /// Second halves of wide characters whose first half was overwritten.
    Spacers,
}

/// A decoded piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StreamPiece {
    /// 0 for the default style, otherwise the number of its style.
    pub(super) style_number: u32,
    pub(super) kind: StreamPieceKind,
    /// Its width in columns.
    pub(super) cols: u16,
    /// Its part of [`ScreenChanges::text`].
    pub(super) text: Range<u32>,
}

/// A decoded row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowChange {
    pub(super) index: usize,
    pub(super) wrapped: bool,
    /// The number of cells at its start that are kept.
    pub(super) kept: usize,
    /// Whether the cells after the last piece are kept too.
    pub(super) rest: bool,
    pub(super) zones: Box<[ZoneStart]>,
    /// Its part of [`ScreenChanges::pieces`].
    pub(super) pieces: Range<usize>,
}

/// Appends a row that replaces another; `scratch` is a buffer for reuse.
pub(super) fn write<'a>(
    bytes: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
    styles: &mut StyleTable<'a>,
    row: &'a Row,
    before: &Row,
) {
    let kept = kept(row, before);
    let end = end(row, before, kept);
    scratch.clear();
    let count = write_pieces(scratch, styles, row, kept..end);
    let mut head = count << HEAD_SHIFT;
    for (flag, on) in [
        (WRAPPED, row.wrapped()),
        (ZONES, !row.zones().is_empty()),
        (KEEPS, kept > 0),
        (REST, end < row.len()),
    ] {
        if on {
            head |= flag;
        }
    }
    put_count(bytes, head);
    if kept > 0 {
        put_count(bytes, kept);
    }
    if !row.zones().is_empty() {
        put_count(bytes, row.zones().len());
        for start in row.zones() {
            let kind = ZONE_KINDS.iter().position(|kind| *kind == start.zone);
            put_count(
                bytes,
                usize::from(start.col) << ZONE_SHIFT | kind.unwrap_or(0),
            );
        }
    }
    bytes.extend_from_slice(scratch);
}

/// Returns the number of equal cells at the start.
fn kept(row: &Row, before: &Row) -> usize {
    let pairs = row.cells().zip(before.cells());
    let mut kept = pairs.take_while(|(new, old)| new == old).count();
    while kept > 0 && on_spacer(row, before, kept) {
        kept -= 1;
    }
    if kept < MIN_KEPT { 0 } else { kept }
}

/// Returns the column after the last different cell; the row's length if no cells after it are
/// kept.
fn end(row: &Row, before: &Row, kept: usize) -> usize {
    // The kept cells reach to the end of the old row, so both must have the same length.
    if row.len() != before.len() {
        return row.len();
    }
    let pairs = row.cells().rev().zip(before.cells().rev());
    let same = pairs.take_while(|(new, old)| new == old).count();
    let mut end = (row.len() - same).max(kept);
    while end < row.len() && on_spacer(row, before, end) {
        end += 1;
    }
    if row.len() - end < MIN_KEPT {
        row.len()
    } else {
        end
    }
}

fn on_spacer(row: &Row, before: &Row, col: usize) -> bool {
    [row, before]
        .iter()
        .any(|row| row.cell(col).width == Width::Spacer)
}

/// Appends the pieces of some columns, and returns their number.
fn write_pieces<'a>(
    bytes: &mut Vec<u8>,
    styles: &mut StyleTable<'a>,
    row: &'a Row,
    cols: Range<usize>,
) -> usize {
    let mut pieces = PieceWriter {
        bytes,
        count: 0,
        style_number: 0,
        kind: StreamPieceKind::Narrow,
        text: String::new(),
    };
    let mut last: Option<(CellView<'a>, usize)> = None;
    let mut col = cols.start;
    while col < cols.end {
        let cell = row.cell(col);
        let style_number = match last {
            Some((last, style_number)) if last.style == cell.style && last.link == cell.link => {
                style_number
            }
            _ => styles.number(&cell),
        };
        last = Some((cell, style_number));
        match (cell.width, cell.text) {
            (Width::Narrow, Text::Char(c)) => {
                let following = (col..cols.end).take_while(|at| row.cell(*at) == cell);
                let count = following.count();
                col += count;
                if (count - 1) * c.len_utf8() >= MIN_REPEATED {
                    pieces.again(style_number, c, count);
                } else {
                    (0..count).for_each(|_| pieces.push(style_number, StreamPieceKind::Narrow, c));
                }
            }
            (Width::Wide, Text::Char(c)) => {
                pieces.push(style_number, StreamPieceKind::Wide, c);
                col += 2;
            }
            (Width::Narrow, Text::Cluster(text)) => {
                pieces.cluster(style_number, StreamPieceKind::NarrowCluster, text);
                col += 1;
            }
            (Width::Wide, Text::Cluster(text)) => {
                pieces.cluster(style_number, StreamPieceKind::WideCluster, text);
                col += 2;
            }
            (Width::Spacer, _) => {
                let following = (col..cols.end).take_while(|at| row.cell(*at) == cell);
                let count = following.count();
                pieces.head(style_number, StreamPieceKind::Spacers);
                put_count(pieces.bytes, count);
                col += count;
            }
        }
    }
    pieces.flush();
    pieces.count
}

/// The pieces so far; the last one may still grow.
#[derive(Debug)]
struct PieceWriter<'b> {
    bytes: &'b mut Vec<u8>,
    count: usize,
    style_number: usize,
    kind: StreamPieceKind,
    /// The text of the last piece while it is not written.
    text: String,
}

impl PieceWriter<'_> {
    fn push(&mut self, style_number: usize, kind: StreamPieceKind, c: char) {
        if (self.style_number, self.kind) != (style_number, kind) {
            self.flush();
            (self.style_number, self.kind) = (style_number, kind);
        }
        self.text.push(c);
    }

    fn again(&mut self, style_number: usize, c: char, count: usize) {
        self.head(style_number, StreamPieceKind::Repeated);
        put_count(self.bytes, count);
        self.bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn cluster(&mut self, style_number: usize, kind: StreamPieceKind, text: &str) {
        self.head(style_number, kind);
        super::bytes::put_text(self.bytes, text);
    }

    fn head(&mut self, style_number: usize, kind: StreamPieceKind) {
        self.flush();
        self.begin(style_number, kind);
    }

    fn begin(&mut self, style_number: usize, kind: StreamPieceKind) {
        let kind = KINDS.iter().position(|known| *known == kind).unwrap_or(0);
        put_count(self.bytes, style_number << KIND_SHIFT | kind);
        self.count += 1;
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.begin(self.style_number, self.kind);
            super::bytes::put_text(self.bytes, &self.text);
            self.text.clear();
        }
    }
}

/// Decodes all rows into `changes`, which must already contain the styles.
pub(super) fn read(
    input: &mut MessageReader<'_>,
    changes: &mut ScreenChanges,
) -> Result<(), StreamError> {
    let count = input.count("rows", 0, MAX_ROWS)?;
    let mut next = 0;
    for _ in 0..count {
        let offset = input.at;
        let gap = input.count("skipped rows", 0, MAX_ROWS - 1)?;
        let index = next + gap;
        if index >= MAX_ROWS {
            return Err(StreamError::Value {
                offset,
                what: "row",
                value: index as u64,
                least: next as u64,
                most: MAX_ROWS as u64 - 1,
            });
        }
        next = index + 1;
        let row = read_row(input, changes, index)?;
        changes.rows.push(row);
    }
    Ok(())
}

fn read_row(
    input: &mut MessageReader<'_>,
    changes: &mut ScreenChanges,
    index: usize,
) -> Result<RowChange, StreamError> {
    let most = ((MAX_COLS + 1) << HEAD_SHIFT) - 1;
    let head = input.count("the head of a row", 0, most)?;
    let kept = if head & KEEPS == 0 {
        0
    } else {
        input.count("kept cells", 1, MAX_COLS)?
    };
    let zones = if head & ZONES == 0 {
        Box::default()
    } else {
        read_zones(input)?
    };
    let first = changes.pieces.len();
    let mut col = kept;
    for _ in 0..head >> HEAD_SHIFT {
        let offset = input.at;
        let piece = read_piece(input, changes)?;
        col += usize::from(piece.cols);
        if col > MAX_COLS {
            return Err(StreamError::Value {
                offset,
                what: "columns of a row",
                value: col as u64,
                least: 0,
                most: MAX_COLS as u64,
            });
        }
        changes.pieces.push(piece);
    }
    Ok(RowChange {
        index,
        wrapped: head & WRAPPED != 0,
        kept,
        rest: head & REST != 0,
        zones,
        pieces: first..changes.pieces.len(),
    })
}

fn read_zones(input: &mut MessageReader<'_>) -> Result<Box<[ZoneStart]>, StreamError> {
    let count = input.count("zones", 1, MAX_ZONES)?;
    let mut zones: Vec<ZoneStart> = Vec::new();
    for _ in 0..count {
        let last = zones.last().copied().unwrap_or(ZoneStart {
            col: 0,
            zone: Zone::None,
        });
        let offset = input.at;
        let least = usize::from(last.col) << ZONE_SHIFT;
        let most = ((MAX_COLS + 1) << ZONE_SHIFT) - 1;
        let value = input.count("zone", least, most)?;
        let zone = ZONE_KINDS[value % ZONE_KINDS.len()];
        if zone == last.zone {
            return Err(StreamError::Head {
                offset,
                what: "zone after one of the same kind",
                value: value as u64,
            });
        }
        zones.push(ZoneStart {
            col: (value >> ZONE_SHIFT) as u16,
            zone,
        });
    }
    Ok(zones.into())
}

fn read_piece(
    input: &mut MessageReader<'_>,
    changes: &mut ScreenChanges,
) -> Result<StreamPiece, StreamError> {
    let offset = input.at;
    let most = ((changes.styles.len() + 1) << KIND_SHIFT) - 1;
    let head = input.count("the head of a piece", 0, most)?;
    let Some(kind) = KINDS.get(head % (1 << KIND_SHIFT)).copied() else {
        return Err(StreamError::Head {
            offset,
            what: "piece",
            value: head as u64,
        });
    };
    let start = changes.text.len();
    let cols = match kind {
        StreamPieceKind::Narrow | StreamPieceKind::Wide => {
            let text = input.text("bytes of a text", 1, MAX_COLS * 4)?;
            changes.text.push_str(text);
            text.chars().count() * if kind == StreamPieceKind::Wide { 2 } else { 1 }
        }
        StreamPieceKind::Repeated => {
            let count = input.count("characters", 1, MAX_COLS)?;
            changes.text.push_str(input.char()?);
            count
        }
        StreamPieceKind::NarrowCluster | StreamPieceKind::WideCluster => {
            let at = input.at;
            let text = input.text("bytes of a character", 2, super::MAX_ROW_BYTES)?;
            if text.chars().nth(1).is_none() {
                return Err(StreamError::Single { offset: at });
            }
            changes.text.push_str(text);
            if kind == StreamPieceKind::WideCluster {
                2
            } else {
                1
            }
        }
        StreamPieceKind::Spacers => input.count("spacers", 1, MAX_COLS)?,
    };
    Ok(StreamPiece {
        style_number: (head >> KIND_SHIFT) as u32,
        kind,
        // At most 8,000 characters of two columns: the text has at most 8,000 bytes.
        cols: cols as u16,
        // A message is not longer than `MAX_MESSAGE`, and its texts are not longer than the
        // message.
        text: start as u32..changes.text.len() as u32,
    })
}
