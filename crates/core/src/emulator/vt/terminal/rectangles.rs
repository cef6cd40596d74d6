//! Rectangular areas: copying, filling, erasing, changing attributes, checksums.

use std::ops::Range;

use bitflags::bitflags;

use super::Terminal;
use super::erasing::Erasing;
use super::modes::Mode;
use super::print::ordinary_width;
use crate::emulator::vt::grid::cell::{Cell, CellFlags};
use crate::emulator::vt::grid::line::{CopiedCells, Line};

/// A rectangle of cells. The ends are exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rectangle {
    pub(crate) rows: Range<usize>,
    pub(crate) cols: Range<usize>,
}

bitflags! {
    /// What the checksum of DECRQCRA includes, by the bits of XTCHECKSUM.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) struct Checksum: u16 {
        /// The sum is not negated.
        const POSITIVE = 1;
        /// Attributes do not count.
        const NO_ATTRIBUTES = 1 << 1;
        /// Blanks at the end of a row count.
        const TRAILING_BLANKS = 1 << 2;
        /// Characters count with all bits.
        const WIDE_CHARACTERS = 1 << 4;
    }
}

impl Terminal {
    /// Reads `top;left;bottom;right`, from 1 on; missing numbers are the edges. In origin mode they
    /// count from the margins and end at them. Returns `None` if there is no cell in it.
    pub(crate) fn rectangle(&self, numbers: &[u16]) -> Option<Rectangle> {
        let number = |index: usize| usize::from(numbers.get(index).copied().unwrap_or(0));
        let (rows, cols) = if self.modes.contains(Mode::ORIGIN) {
            let margins = self.margins;
            (margins.top..margins.bottom, margins.left..margins.right)
        } else {
            (0..self.rows(), 0..self.cols())
        };
        let range = |within: &Range<usize>, first: usize, last: usize| {
            let start = within.start + first.max(1) - 1;
            let end = match last {
                0 => within.end,
                last => (within.start + last).min(within.end),
            };
            (start < end).then_some(start..end)
        };
        Some(Rectangle {
            rows: range(&rows, number(0), number(2))?,
            cols: range(&cols, number(1), number(3))?,
        })
    }

    fn before_change(&mut self, rectangle: &Rectangle) {
        self.before_loss(rectangle.rows.clone());
        self.add_work((rectangle.cols.len() + 8) * rectangle.rows.len());
    }

    fn after_change(&mut self, rectangle: &Rectangle) {
        for row in rectangle.rows.clone() {
            self.mark_written(row, rectangle.cols.clone());
            self.record_drawn_row(row);
        }
    }

    /// Returns the character of DECFRA: printable, and of one column.
    pub(crate) fn fill_character(&mut self, code: u16) -> Option<char> {
        match code {
            0 => Some(' '),
            32..=126 | 160..=255 => Some(self.mapped(char::from(code as u8))),
            // The largest number stands for all larger ones.
            256..=65534 => char::from_u32(code.into()).filter(|c| ordinary_width(*c) == Some(1)),
            _ => None,
        }
    }

    /// DECFRA: fills a rectangle with a character in the current pen.
    pub(crate) fn fill_rectangle(&mut self, rectangle: &Rectangle, c: char) {
        self.before_change(rectangle);
        let cell = Cell { c, ..self.pen.cell };
        for row in rectangle.rows.clone() {
            let line = self.grid.line_mut(row);
            let cells = line.overwrite(rectangle.cols.clone(), self.pen.extra.as_ref());
            cells.fill(cell);
        }
        self.after_change(rectangle);
    }

    /// DECERA: erases a rectangle.
    pub(crate) fn erase_rectangle(&mut self, rectangle: &Rectangle) {
        self.before_change(rectangle);
        for row in rectangle.rows.clone() {
            self.erase_cells(row, rectangle.cols.clone(), Erasing::Unprotected);
            self.record_drawn_row(row);
        }
    }

    /// DECSERA: blanks the unprotected characters of a rectangle. Colours and attributes stay.
    pub(crate) fn erase_characters_of_rectangle(&mut self, rectangle: &Rectangle) {
        // Protection by SPA is ignored, as in xterm.
        let ignored = self.modes.contains(Mode::ERASING_RESPECTS_PROTECTION);
        self.before_change(rectangle);
        for row in rectangle.rows.clone() {
            let line = self.grid.line_mut(row);
            for col in rectangle.cols.clone() {
                let cell = line.cell(col);
                let blank = Cell {
                    c: ' ',
                    flags: cell.flags & CellFlags::STYLE,
                    ..cell
                };
                line.erase_if(col..col + 1, blank, |cell| {
                    ignored || !cell.flags.contains(CellFlags::PROTECTED)
                });
            }
        }
        self.after_change(rectangle);
    }

    /// DECCRA: copies a rectangle to another place; what does not fit there is cut off.
    pub(crate) fn copy_rectangle(&mut self, from: &Rectangle, row: usize, col: usize) {
        let (row, col, bottom, right) = if self.modes.contains(Mode::ORIGIN) {
            let margins = self.margins;
            (
                row + margins.top,
                col + margins.left,
                margins.bottom,
                margins.right,
            )
        } else {
            (row, col, self.rows(), self.cols())
        };
        if row >= bottom || col >= right {
            return;
        }
        let to = Rectangle {
            rows: row..(row + from.rows.len()).min(bottom),
            cols: col..(col + from.cols.len()).min(right),
        };
        self.before_change(&to);
        self.add_work(to.rows.len() * to.cols.len());
        let width = to.cols.len();
        let copied: Vec<CopiedCells> = from
            .rows
            .clone()
            .take(to.rows.len())
            .map(|row| {
                self.grid
                    .line(row)
                    .copy(from.cols.start..from.cols.start + width)
            })
            .collect();
        for (row, copied) in to.rows.clone().zip(&copied) {
            self.grid.line_mut(row).paste(to.cols.start, copied);
        }
        self.after_change(&to);
    }

    /// DECCARA and DECRARA: changes the attributes of the cells between two positions, or of a
    /// rectangle (DECSACE). `change` gets the attributes of each cell.
    pub(crate) fn change_attributes(
        &mut self,
        rectangle: &Rectangle,
        change: impl Fn(CellFlags) -> CellFlags,
    ) {
        self.before_change(rectangle);
        let (first, last) = (rectangle.rows.start, rectangle.rows.end - 1);
        for row in rectangle.rows.clone() {
            let mut cols = rectangle.cols.clone();
            if !self.change_rectangles {
                cols = if row == first { cols.start } else { 0 }..if row == last {
                    cols.end
                } else {
                    self.cols()
                };
            }
            let line = self.grid.line_mut(row);
            widen_to_whole_characters(line, &mut cols);
            line.change(cols, |cell| {
                let kept = cell.flags - CellFlags::STYLE;
                cell.flags = kept | change(cell.flags) & CellFlags::STYLE;
            });
        }
        self.after_change(rectangle);
    }

    /// DECRQCRA: the checksum of xterm. The blanks at the end of a row do not count.
    pub(crate) fn rectangle_checksum(&mut self, rectangle: &Rectangle) -> u16 {
        self.add_work((rectangle.cols.len() + 8) * rectangle.rows.len());
        let mut sum = 0_u32;
        let mut is_first = true;
        for row in rectangle.rows.clone() {
            // The blanks since the last character.
            let mut blanks = 0_u32;
            for col in rectangle.cols.clone() {
                let value = self.cell_checksum(row, col);
                if value == 0x20 && !is_first {
                    blanks += value;
                } else {
                    sum = sum.wrapping_add(value + blanks);
                    blanks = 0;
                }
                is_first = false;
            }
            if self.checksum.contains(Checksum::TRAILING_BLANKS) {
                sum = sum.wrapping_add(blanks);
            }
        }
        if self.checksum.contains(Checksum::POSITIVE) {
            sum as u16
        } else {
            (sum as u16).wrapping_neg()
        }
    }

    fn cell_checksum(&self, row: usize, col: usize) -> u32 {
        let line = self.grid.line(row);
        let cell = line.cell(col);
        let mask = if self.checksum.contains(Checksum::WIDE_CHARACTERS) {
            u32::MAX
        } else {
            0xff
        };
        // A spacer is 255.
        let is_spacer = cell.flags.contains(CellFlags::SPACER);
        let mut sum = if is_spacer {
            0xff
        } else {
            cell.c as u32 & mask
        };
        let marks = line.extra(col).map_or("", |extra| &*extra.marks);
        sum += marks.chars().map(|c| c as u32 & mask).sum::<u32>();
        if self.checksum.contains(Checksum::NO_ATTRIBUTES) {
            return sum;
        }
        for (flag, value) in [
            (CellFlags::INVISIBLE, 0x08),
            (CellFlags::UNDERLINE, 0x10),
            (CellFlags::INVERSE, 0x20),
            (CellFlags::BLINK, 0x40),
            (CellFlags::BOLD, 0x80),
        ] {
            if cell.flags.intersects(flag) {
                sum += value;
            }
        }
        sum
    }
}

/// Attributes apply to both halves of a wide character.
fn widen_to_whole_characters(line: &Line, cols: &mut Range<usize>) {
    if line.cell(cols.start).flags.contains(CellFlags::SPACER) {
        cols.start -= 1;
    }
    if line.cell(cols.end - 1).flags.contains(CellFlags::WIDE) {
        cols.end += 1;
    }
}
