//! Writes text into the grid.
//!
//! Most bytes of a program are runs of plain characters, so the checks are made once per run, and
//! the cells of a run are written at once. Insert mode and mapped character sets take one character
//! at a time.
//!
//! Characters are written one code point at a time: a combining mark joins the cell before it. A
//! rule that joins more (grapheme clusters) belongs into `print_char`, before the width is used.

use std::sync::Arc;

use unicode_width::UnicodeWidthChar;

use super::Terminal;
use super::modes::Mode;
use crate::emulator::TransientScreens;
use crate::emulator::vt::grid::cell::{Cell, CellFlags, Extra};
use crate::emulator::vt::grid::line::Wrap;
use crate::emulator::vt::parsing::utf8::TextPiece;
use crate::screen::row::MAX_MARKS;

/// Work of a character on the slow path, besides its bytes.
const SLOW_CHARACTER: usize = 8;

impl Terminal {
    /// Writes text outside of any sequence.
    pub(crate) fn text(&mut self, piece: TextPiece<'_>) {
        match piece {
            TextPiece::Text(text) => self.print(text),
            // C1 controls have no effect, and no width.
            TextPiece::Control => self.preceding = None,
            TextPiece::Invalid => self.print_char(char::REPLACEMENT_CHARACTER),
        }
    }

    pub(crate) fn print(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.as_bytes().first() {
            let taken = match first {
                0x20..=0x7e => {
                    let run = printable_ascii(rest.as_bytes());
                    self.print_ascii(run);
                    run.len()
                }
                0x00..=0x1f => {
                    self.preceding = None;
                    self.control(*first);
                    1
                }
                _ => self.print_mixed(rest),
            };
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Writes printable ASCII.
    fn print_ascii(&mut self, mut run: &[u8]) {
        let Some(last) = run.last() else { return };
        if !self.is_ordinary() {
            return run
                .iter()
                .for_each(|byte| self.print_char(char::from(*byte)));
        }
        self.preceding = Some(char::from(*last));
        while !run.is_empty() {
            self.wrap_if_pending();
            let (row, col, limit) = (self.cursor.row, self.cursor.col, self.right_limit());
            let taken = run.len().min(limit - col);
            let end = col + taken;
            self.before_print(row, col..end);
            self.record_drawn_row(row);
            let pen = self.pen.cell;
            let line = self.grid.line_mut(row);
            let cells = line.overwrite(col..end, self.pen.extra.as_ref());
            for (cell, byte) in cells.iter_mut().zip(run) {
                *cell = Cell {
                    c: char::from(*byte),
                    ..pen
                };
            }
            self.move_after_text(end, limit);
            run = &run[taken..];
        }
    }

    /// Writes characters of any script up to the end of the row, a control, or a character that
    /// needs the slow path. Returns the number of bytes written: at least one character.
    fn print_mixed(&mut self, text: &str) -> usize {
        let mut done = 0;
        if self.is_ordinary() && text.chars().next().and_then(ordinary_width).is_some() {
            self.wrap_if_pending();
            let (row, col, limit) = (self.cursor.row, self.cursor.col, self.right_limit());
            if self.options.transient_screens == TransientScreens::Keep {
                let end = text
                    .chars()
                    .map_while(ordinary_width)
                    .fold(col, |end, width| {
                        if end + width > limit {
                            end
                        } else {
                            end + width
                        }
                    });
                self.before_print(row, col..end);
            }
            let pen = self.pen.cell;
            let mut last = None;
            let line = self.grid.line_mut(row);
            // A character takes at least as many bytes as columns.
            let reached = limit.min(col + text.len());
            let end = line.write(col..reached, self.pen.extra.as_ref(), |cells| {
                let mut end = col;
                for c in text.chars() {
                    let Some(width) = ordinary_width(c).filter(|width| end + width <= limit) else {
                        break;
                    };
                    write_char(&mut cells[end..], c, width, pen);
                    end += width;
                    done += c.len_utf8();
                    last = Some(c);
                }
                end
            });
            if let Some(last) = last {
                self.record_drawn_row(row);
                self.preceding = Some(last);
                self.move_after_text(end, limit);
            }
        }
        if done == 0
            && let Some(c) = text.chars().next()
        {
            if matches!(c, '\u{7f}'..='\u{9f}') {
                self.preceding = None;
            } else {
                self.print_char(c);
            }
            done = c.len_utf8();
        }
        done
    }

    /// Writes any character on the slow path.
    pub(crate) fn print_char(&mut self, c: char) {
        self.add_work(SLOW_CHARACTER);
        let shown = self.mapped(c);
        match shown.width() {
            None => {}
            Some(0) => self.join(shown),
            Some(width) => {
                self.preceding = Some(c);
                self.input(shown, width);
            }
        }
    }

    /// Returns a character in the current character set.
    pub(crate) fn mapped(&mut self, c: char) -> char {
        let national_sets = self.modes.contains(Mode::NATIONAL_SETS);
        self.charsets.map(c, national_sets)
    }

    /// Returns whether characters are simply written to the cursor's cell.
    fn is_ordinary(&self) -> bool {
        !self.modes.contains(Mode::INSERT) && self.charsets.is_ascii()
    }

    fn input(&mut self, c: char, width: usize) {
        self.wrap_if_pending();
        let mut limit = self.right_limit();
        if self.cursor.col + width > limit {
            // A wide character that does not fit leaves the last column blank and wraps.
            if !self.modes.contains(Mode::AUTOWRAP) {
                return;
            }
            let (row, col) = (self.cursor.row, self.cursor.col);
            self.before_print(row, col..limit);
            let pen = self.pen.cell;
            let extra = self.pen.extra.clone();
            let line = self.line();
            line.overwrite(col..limit, extra.as_ref()).fill(pen);
            self.cursor.pending_wrap = true;
            self.wrap_to_next_row(Wrap::BeforeWide);
            limit = self.right_limit();
            if self.cursor.col + width > limit {
                return;
            }
        }
        let (row, col) = (self.cursor.row, self.cursor.col);
        let end = col + width;
        if self.modes.contains(Mode::INSERT) && end < limit {
            self.before_insert(width, limit);
            let blank = self.pen.blank();
            self.add_work(limit - col);
            self.line().shift_right(col..limit, width, blank);
        } else {
            self.before_print(row, col..end);
        }
        self.record_drawn_row(row);
        let pen = self.pen.cell;
        let line = self.grid.line_mut(row);
        let cells = line.overwrite(col..end, self.pen.extra.as_ref());
        write_char(cells, c, width, pen);
        self.move_after_text(end, limit);
    }

    #[inline]
    fn move_after_text(&mut self, end: usize, limit: usize) {
        self.cursor.pending_wrap = end == limit;
        self.cursor.col = if end == limit { limit - 1 } else { end };
    }

    #[inline]
    fn wrap_if_pending(&mut self) {
        if self.cursor.pending_wrap {
            if self.modes.contains(Mode::AUTOWRAP) {
                self.wrap_to_next_row(Wrap::Wrapped);
            }
            self.cursor.pending_wrap = false;
        }
    }

    /// Moves to the start of the next row for the text that follows.
    fn wrap_to_next_row(&mut self, wrap: Wrap) {
        // Text that wraps at a margin is not joined when the screen becomes wider.
        if self.cursor.col + 1 == self.cols() {
            self.line().wrap = wrap;
        }
        self.index();
        self.cursor.col = self.margins.left;
    }

    /// Adds a combining mark to the character before the cursor, up to a limit.
    fn join(&mut self, c: char) {
        let (row, mut col) = (self.cursor.row, self.cursor.col);
        if !self.cursor.pending_wrap {
            col = col.saturating_sub(1);
        }
        let line = self.grid.line_mut(row);
        if line.cell(col).flags.contains(CellFlags::SPACER) {
            col = col.saturating_sub(1);
        }
        let mut extra = line
            .extra(col)
            .map(|extra| Extra::clone(extra))
            .unwrap_or_default();
        if extra.marks.chars().count() >= MAX_MARKS {
            return;
        }
        let mut marks = std::mem::take(&mut extra.marks).into_string();
        marks.push(c);
        extra.marks = marks.into();
        // Text replaces an image.
        extra.image = None;
        line.touch(col);
        let extra = Some(Arc::new(extra));
        // A spacer has the look of its character.
        if line.cell(col).flags.contains(CellFlags::WIDE) {
            line.set_extra(col + 1, extra.clone());
        }
        line.set_extra(col, extra);
        self.mark_joined(row, col);
    }

    pub(crate) fn repeat(&mut self, count: usize) {
        let Some(c) = self.preceding else { return };
        // After a full screen, all further rows are the same; the remainder decides the column.
        let cols = self.margins.right - self.margins.left;
        let most = cols * (self.rows() + 1);
        let count = if count > most {
            most + (count - most) % cols
        } else {
            count
        };
        self.add_work(count);
        if ordinary_width(c).is_none() || !self.is_ordinary() {
            return (0..count).for_each(|_| self.print_char(c));
        }
        // Print whole rows at a time, like text.
        let run = String::from_iter(std::iter::repeat_n(c, count.min(cols)));
        let mut left = count;
        while left > 0 {
            let chars = left.min(cols);
            let (part, _) = run.split_at(chars * c.len_utf8());
            self.print(part);
            left -= chars;
        }
    }
}

/// Writes a character into the first cells.
#[inline]
fn write_char(cells: &mut [Cell], c: char, width: usize, pen: Cell) {
    cells[0] = Cell { c, ..pen };
    if width == 2 {
        cells[0].flags |= CellFlags::WIDE;
        cells[1] = pen;
        cells[1].flags |= CellFlags::SPACER;
    }
}

/// Returns the printable ASCII at the start of `bytes`.
fn printable_ascii(bytes: &[u8]) -> &[u8] {
    const ONES: u64 = u64::MAX / 255;
    let mut len = 0;
    // Eight bytes at a time: the top bit of a byte is set if it is below space, DEL, or not ASCII.
    for chunk in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("a chunk of eight"));
        let outside =
            (word.wrapping_sub(ONES * 0x20) | word.wrapping_add(ONES) | word) & (ONES * 0x80);
        if outside != 0 {
            break;
        }
        len += 8;
    }
    let tail = bytes[len..]
        .iter()
        .position(|byte| !(0x20..=0x7e).contains(byte));
    &bytes[..tail.map_or(bytes.len(), |tail| len + tail)]
}

/// Returns the columns of a character that is written on its own; `None` for controls and combining
/// marks.
pub(super) fn ordinary_width(c: char) -> Option<usize> {
    match c {
        ' '..='~' => Some(1),
        '\u{a0}'.. => Some(width_of(c)).filter(|width| *width > 0),
        _ => None,
    }
}

/// Returns the columns of a character. The most frequent scripts are handled here; a test compares
/// them with the width table that the grid uses.
fn width_of(c: char) -> usize {
    match c {
        '\u{ae}'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{2500}'..='\u{259f}' => 1,
        '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => 2,
        _ => c.width().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_equal_those_of_the_grid() {
        for c in '\u{a0}'..=char::MAX {
            assert_eq!(width_of(c), c.width().unwrap_or(0), "{:x}", c as u32);
        }
    }

    #[test]
    fn printable_ascii_ends_at_the_first_other_byte() {
        for end in 0..40 {
            for byte in [0x00, 0x1f, 0x7f, 0x80, 0xff] {
                let mut bytes = [b'~'; 40];
                bytes[end] = byte;
                assert_eq!(printable_ascii(&bytes).len(), end, "{byte:x}");
            }
        }
        assert_eq!(printable_ascii(b"ab ~").len(), 4);
    }
}
