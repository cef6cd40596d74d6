//! Lines of the scrollback, packed.
//!
//! Most lines of a scrollback are never read, so they are stored in as few bytes as can be packed
//! quickly: the text, and the runs of cells that differ only in their character. A line of plain
//! text takes its text, one byte, and the 24 bytes of [`PackedLine`].
//!
//! Layout: a byte with the kind of wrap and [`PLAIN`]; unless plain, the runs
//! and a 0; then the text, one character for each cell except spacers. A run is its number of
//! characters, its flags, and its two colours if [`COLORED`]. Numbers are LEB128.
//!
//! Invariant: unpacking gives the packed cells, without trailing plain ones.

use std::ops::Range;
use std::sync::Arc;

use super::cell::{Cell, CellFlags, Extra, PackedColor};
use super::line::{Line, Wrap};
use crate::emulator::graphics::cells::CellImagePart;

const WRAP: u8 = 3;
/// All cells are plain except for their character.
const PLAIN: u8 = 4;
/// Bit of a run's flags: colours follow. The flags of a cell use no bit as high as this one.
const COLORED: u32 = 1 << 19;

/// Columns with the same extra, or with neighbouring parts of an image: then the extra of the first
/// one.
type ExtraRun = (Range<u16>, Arc<Extra>);

/// A line without trailing plain cells.
#[derive(Debug, Clone)]
pub(crate) struct PackedLine {
    data: Box<[u8]>,
    #[expect(
        clippy::box_collection,
        reason = "few lines have any, and a box takes 8 bytes"
    )]
    extras: Option<Box<Vec<ExtraRun>>>,
}

/// The cells of a line, unpacked.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    pub(crate) cells: Vec<Cell>,
    /// Empty if no cell has an extra; otherwise one entry for each cell.
    pub(crate) extras: Vec<Option<Arc<Extra>>>,
}

impl Unpacked {
    pub(crate) fn extra(&self, col: usize) -> Option<&Arc<Extra>> {
        self.extras.get(col)?.as_ref()
    }
}

/// Packs lines one after another, reusing its buffer.
#[derive(Debug, Default)]
pub(crate) struct Packer {
    buffer: Vec<u8>,
}

impl Packer {
    pub(crate) fn pack(&mut self, line: &Line) -> PackedLine {
        self.pack_cells(line.content(), line.wrap, |col| line.extra(col))
    }

    pub(crate) fn pack_cells<'a>(
        &mut self,
        cells: &[Cell],
        wrap: Wrap,
        extra: impl Fn(usize) -> Option<&'a Arc<Extra>>,
    ) -> PackedLine {
        let (mut look, mut chars) = (0, 0);
        for cell in cells {
            look |= cell.fg.0 | cell.bg.0 | cell.flags.bits();
            chars |= cell.c as u32;
        }
        if look == 0 && chars < 0x80 {
            let mut data = Vec::with_capacity(1 + cells.len());
            data.push(wrap as u8 | PLAIN);
            data.extend(cells.iter().map(|cell| cell.c as u8));
            return PackedLine {
                data: data.into(),
                extras: None,
            };
        }
        self.buffer.clear();
        if look == 0 {
            self.buffer.push(wrap as u8 | PLAIN);
        } else {
            self.buffer.push(wrap as u8);
            self.write_runs(cells);
        }
        self.buffer.reserve(4 * cells.len());
        for cell in cells {
            if !cell.flags.contains(CellFlags::SPACER) {
                push_char(&mut self.buffer, cell.c);
            }
        }
        PackedLine {
            data: self.buffer.as_slice().into(),
            extras: CellFlags::from_bits_retain(look)
                .contains(CellFlags::EXTRA)
                .then(|| Box::new(extra_runs(cells.len(), extra))),
        }
    }

    /// Writes the runs, and 0 after the last one.
    fn write_runs(&mut self, cells: &[Cell]) {
        let mut rest = cells;
        while let Some(first) = rest.first() {
            // A wide character takes two cells; the second one has the same look.
            let width = 1 + usize::from(first.flags.contains(CellFlags::WIDE));
            let chars = 1 + rest[width.min(rest.len())..]
                .iter()
                .step_by(width)
                .take_while(|cell| cell.is_like(first))
                .count();
            self.write(chars as u32);
            let is_colored = first.fg.0 | first.bg.0 != 0;
            self.write(first.flags.bits() | if is_colored { COLORED } else { 0 });
            if is_colored {
                self.write(first.fg.0);
                self.write(first.bg.0);
            }
            rest = &rest[(chars * width).min(rest.len())..];
        }
        self.write(0);
    }

    fn write(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.buffer.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.buffer.push(number as u8);
    }
}

/// Appends a character as UTF-8. Faster than copying a slice of unknown length.
#[inline]
fn push_char(bytes: &mut Vec<u8>, c: char) {
    let code = c as u32;
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    match code {
        0..0x80 => bytes.push(code as u8),
        0x80..0x800 => bytes.extend_from_slice(&[0xc0 | (code >> 6) as u8, tail(0)]),
        0x800..0x1_0000 => {
            bytes.extend_from_slice(&[0xe0 | (code >> 12) as u8, tail(6), tail(0)]);
        }
        _ => bytes.extend_from_slice(&[0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

fn extra_runs<'a>(len: usize, extra: impl Fn(usize) -> Option<&'a Arc<Extra>>) -> Vec<ExtraRun> {
    let mut runs: Vec<ExtraRun> = Vec::new();
    for col in 0..len as u16 {
        let Some(extra) = extra(col.into()) else {
            continue;
        };
        match runs.last_mut() {
            Some((cols, first)) if cols.end == col && continues(first, extra, cols.len()) => {
                cols.end += 1;
            }
            _ => runs.push((col..col + 1, extra.clone())),
        }
    }
    runs.shrink_to_fit();
    runs
}

/// Returns whether an extra belongs to the run of another one that is `distance` columns before.
fn continues(first: &Arc<Extra>, extra: &Arc<Extra>, distance: usize) -> bool {
    if Arc::ptr_eq(first, extra) {
        // The same part again, in the cells of a copied image.
        return first.image.is_none();
    }
    let (Some(one), Some(other)) = (&first.image, &extra.image) else {
        return false;
    };
    Arc::ptr_eq(&one.image, &other.image)
        && one.row == other.row
        && usize::from(one.col) + distance == usize::from(other.col)
        && (&first.marks, first.underline_color, &first.link)
            == (&extra.marks, extra.underline_color, &extra.link)
}

/// Returns the extra of a cell that is `distance` columns after the first one of its run.
fn extra_in_run(first: &Arc<Extra>, distance: usize) -> Arc<Extra> {
    match &first.image {
        Some(part) if distance > 0 => Arc::new(Extra {
            image: Some(CellImagePart {
                col: part.col + distance as u16,
                ..part.clone()
            }),
            ..Extra::clone(first)
        }),
        _ => first.clone(),
    }
}

impl PackedLine {
    pub(crate) fn wrap(&self) -> Wrap {
        match self.data[0] & WRAP {
            0 => Wrap::None,
            1 => Wrap::Wrapped,
            _ => Wrap::BeforeWide,
        }
    }

    /// Returns whether any cell has an extra.
    pub(crate) fn has_extras(&self) -> bool {
        self.extras.is_some()
    }

    /// Returns the size of its data.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.data.len()
    }

    pub(super) fn set_wrap(&mut self, wrap: Wrap) {
        self.data[0] = self.data[0] & !WRAP | wrap as u8;
    }

    /// Returns the number of its cells, without trailing plain ones.
    pub(crate) fn width(&self) -> usize {
        let mut reader = Reader(&self.data[1..]);
        if self.data[0] & PLAIN != 0 {
            // Plain cells are narrow. All bytes of a character except the first are 10xxxxxx.
            return reader.0.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        }
        let mut width = 0;
        while let Some((count, cell)) = reader.run() {
            width += count * (1 + usize::from(cell.flags.contains(CellFlags::WIDE)));
        }
        width
    }

    /// Writes the cells into `unpacked`, replacing its content.
    pub(crate) fn unpack(&self, unpacked: &mut Unpacked) {
        unpacked.cells.clear();
        unpacked.extras.clear();
        let mut reader = Reader(&self.data[1..]);
        if self.data[0] & PLAIN != 0 {
            let cells = reader.text().chars().map(|c| Cell { c, ..Cell::PLAIN });
            unpacked.cells.extend(cells);
            return;
        }
        let mut runs = Vec::new();
        while let Some(run) = reader.run() {
            runs.push(run);
        }
        let mut chars = reader.text().chars();
        for (count, run) in runs {
            let is_wide = run.flags.contains(CellFlags::WIDE);
            for c in chars.by_ref().take(count) {
                unpacked.cells.push(Cell { c, ..run });
                if is_wide {
                    unpacked.cells.push(Cell {
                        flags: (run.flags - CellFlags::WIDE) | CellFlags::SPACER,
                        ..run
                    });
                }
            }
        }
        if let Some(runs) = &self.extras {
            unpacked.extras.resize(unpacked.cells.len(), None);
            for (cols, extra) in runs.iter() {
                let cols = usize::from(cols.start)..usize::from(cols.end);
                for (distance, unpacked) in unpacked.extras[cols].iter_mut().enumerate() {
                    *unpacked = Some(extra_in_run(extra, distance));
                }
            }
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> u32 {
        let mut number = 0;
        let mut shift = 0;
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if *byte < 0x80 {
                break;
            }
        }
        number
    }

    /// Reads a run: its number of characters and their look.
    fn run(&mut self) -> Option<(usize, Cell)> {
        let count = self.number();
        if count == 0 {
            return None;
        }
        let flags = self.number();
        let mut cell = Cell {
            flags: CellFlags::from_bits_retain(flags & !COLORED),
            ..Cell::PLAIN
        };
        if flags & COLORED != 0 {
            cell.fg = PackedColor(self.number());
            cell.bg = PackedColor(self.number());
        }
        Some((count as usize, cell))
    }

    fn text(&self) -> &'a str {
        std::str::from_utf8(self.0).unwrap_or_default()
    }
}
