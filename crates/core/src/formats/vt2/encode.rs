//! Encoder for binary snapshots.
//!
//! The format has several encodings of the same cells. The encoder always chooses the same one, so
//! that equal screens give equal bytes: it always writes blank rows as a count, and its runs have
//! at least three cells and never cross a row.

use std::sync::Arc;

use super::cell::{BLANK_ROWS, RUN, SPACER, WireCell};
use super::{SnapshotWindow, VERSION, scalar};
use crate::{Palette, Row, Screen, Style, Text, Width};

/// Length of the header. The format's description gives 32 bytes, but its fields add up to 28.
/// Writers use both; readers detect which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeaderLength {
    /// 32 bytes: the listed fields and four zeros.
    #[default]
    Full,
    /// 28 bytes: the listed fields.
    Short,
}

/// The bytes of a snapshot, and the number of cells that lost information.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedSnapshot {
    /// The bytes of the snapshot.
    pub bytes: Vec<u8>,
    /// Number of cells that lost combining characters.
    pub cut: usize,
}

/// Shorter runs are written as single cells: the format's own example writes two equal cells
/// singly.
const SHORTEST_RUN: usize = 3;
/// A count has one byte.
const LONGEST_RUN: usize = 255;

/// Encodes a screen. `viewport_y` is the number of its scrollback rows.
pub fn encode(screen: &Screen, header: HeaderLength) -> EncodedSnapshot {
    encode_rows(
        &screen.rows,
        &screen.palette,
        SnapshotWindow::of(screen, screen.scrollback_rows),
        header,
    )
}

/// Encodes any number of rows of a terminal, such as a part of its scrollback. Cells at
/// `window.cols` and beyond are omitted. The colours that `palette` changes are written as RGB.
pub fn encode_rows(
    rows: &[Arc<Row>],
    palette: &Palette,
    window: SnapshotWindow,
    header: HeaderLength,
) -> EncodedSnapshot {
    let cols = usize::from(window.cols);
    // Rows without columns have the same encoding as no rows.
    let rows = if cols == 0 { &[] } else { rows };
    let mut bytes = Vec::with_capacity(64 + rows.len() * 32);
    write_header(&mut bytes, rows.len(), window, header);

    let blank = WireCell::new(' ', &palette.resolve(&Style::default()));
    let mut cut = 0;
    let mut blank_rows = 0;
    let mut cells = Vec::with_capacity(cols);
    for row in rows {
        cut += wire_cells(row, cols, palette, &mut cells);
        cells.resize(cols, blank);
        if cells.iter().all(|cell| *cell == WireCell::BLANK) {
            blank_rows += 1;
            continue;
        }
        write_blank_rows(&mut bytes, std::mem::take(&mut blank_rows));
        for run in cells.chunk_by(|a, b| a == b) {
            write_run(&mut bytes, run[0], run.len());
        }
    }
    write_blank_rows(&mut bytes, blank_rows);
    EncodedSnapshot { bytes, cut }
}

fn write_header(bytes: &mut Vec<u8>, rows: usize, window: SnapshotWindow, header: HeaderLength) {
    bytes.extend(*b"VT");
    // The byte after the version holds flags; none are defined.
    bytes.extend([VERSION, 0]);
    bytes.extend(u32::from(window.cols).to_le_bytes());
    bytes.extend(u32::try_from(rows).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(window.viewport_y.to_le_bytes());
    bytes.extend(window.cursor_x.to_le_bytes());
    bytes.extend(window.cursor_y.to_le_bytes());
    bytes.extend([0; 4]);
    if header == HeaderLength::Full {
        bytes.extend([0; 4]);
    }
}

/// Converts the cells of a row. Returns the number of cells that lost combining characters.
fn wire_cells(row: &Row, cols: usize, palette: &Palette, cells: &mut Vec<WireCell>) -> usize {
    cells.clear();
    let mut cut = 0;
    let mut in_wide = false;
    for (col, cell) in row.cells().enumerate().take(cols) {
        let c = match cell.width {
            Width::Spacer if in_wide => SPACER,
            Width::Spacer => ' ',
            // The row ends in the middle of this character.
            Width::Wide if col + 1 == cols => ' ',
            Width::Narrow | Width::Wide => {
                cut += usize::from(matches!(cell.text, Text::Cluster(_)));
                scalar(&cell)
            }
        };
        in_wide = cell.width == Width::Wide && !c.is_ascii();
        cells.push(WireCell::new(c, &palette.resolve(cell.style)));
    }
    cut
}

fn write_run(bytes: &mut Vec<u8>, cell: WireCell, mut count: usize) {
    while count >= SHORTEST_RUN {
        let written = count.min(LONGEST_RUN);
        bytes.extend([RUN, written as u8]);
        cell.write(bytes);
        count -= written;
    }
    for _ in 0..count {
        cell.write(bytes);
    }
}

fn write_blank_rows(bytes: &mut Vec<u8>, mut count: usize) {
    while count > 0 {
        let written = count.min(LONGEST_RUN);
        bytes.extend([BLANK_ROWS, written as u8]);
        count -= written;
    }
}
