//! Writes text into the grid.
//!
//! Most bytes of a program are runs of plain characters. `Term::input` takes one character at a
//! time and repeats all checks for each. This file makes the checks once per run and writes the
//! cells directly, which makes plain text about twice as fast. Unusual cases (insert mode, another
//! character set, a pending wrap, overwritten wide characters) go to `Term::input`. The result must
//! always equal that of `Term::input`.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Column;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::vte::ansi::{Handler, StandardCharset};
use unicode_width::UnicodeWidthChar;

use super::parsing::utf8::TextPiece;
use super::terminal::Terminal;
use crate::emulator::TransientScreens;
use crate::screen::row::MAX_MARKS;

/// Work of a character on the slow path, besides its bytes.
const SLOW_CHARACTER: usize = 8;

const WIDE: Flags = Flags::WIDE_CHAR.union(Flags::WIDE_CHAR_SPACER);

impl Terminal {
    /// Writes text outside of any sequence.
    pub(super) fn text(&mut self, piece: TextPiece<'_>) {
        match piece {
            TextPiece::Text(text) => self.print(text),
            TextPiece::Control(byte) => self.control(byte),
            TextPiece::Invalid => self.print_char(char::REPLACEMENT_CHARACTER),
        }
    }

    pub(super) fn print(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.as_bytes().first() {
            let taken = match first {
                0x20..=0x7e => {
                    let run = printable_ascii(rest.as_bytes());
                    self.print_ascii(run);
                    run.len()
                }
                0x00..=0x1f => {
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
        self.preceding = run.last().map(|byte| char::from(*byte));
        while let Some(first) = run.first() {
            let cursor = &self.term.grid().cursor;
            if cursor.input_needs_wrap || !self.is_ordinary() {
                self.input(char::from(*first));
                run = &run[1..];
                continue;
            }
            let line = cursor.point.line;
            let col = cursor.point.column.0;
            let cols = self.term.columns();
            let taken = run.len().min(cols - col);
            let end = col + taken;
            self.before_print(line.0 as usize, col..end);
            self.record_drawn_row(line.0 as usize);

            let pen = &self.term.grid().cursor.template;
            let (fg, bg, flags, extra) = (pen.fg, pen.bg, pen.flags, pen.extra.clone());
            let grid = self.term.grid_mut();
            let cells = &mut grid[line][Column(col)..Column(end)];
            if cells.iter().any(|cell| cell.flags.intersects(WIDE)) {
                for byte in &run[..taken] {
                    Handler::input(&mut self.term, char::from(*byte));
                }
            } else {
                for (cell, byte) in cells.iter_mut().zip(run) {
                    cell.c = char::from(*byte);
                    cell.fg = fg;
                    cell.bg = bg;
                    cell.flags = flags;
                    if extra.is_some() || cell.extra.is_some() {
                        cell.extra.clone_from(&extra);
                    }
                }
                let cursor = &mut grid.cursor;
                cursor.point.column = Column(end.min(cols - 1));
                cursor.input_needs_wrap = end == cols;
            }
            run = &run[taken..];
        }
    }

    /// Writes characters of any script up to the end of the row, a control, or a character that
    /// needs the slow path. Returns the number of bytes written: at least one character.
    fn print_mixed(&mut self, text: &str) -> usize {
        let cursor = &self.term.grid().cursor;
        let (line, col) = (cursor.point.line, cursor.point.column.0);
        let cols = self.term.columns();
        let mut done = 0;
        if !cursor.input_needs_wrap && self.is_ordinary() {
            if self.options.transient_screens == TransientScreens::Keep {
                let end = text
                    .chars()
                    .map_while(ordinary_width)
                    .fold(
                        col,
                        |end, width| {
                            if end + width > cols { end } else { end + width }
                        },
                    );
                self.before_print(line.0 as usize, col..end);
            }
            let grid = self.term.grid_mut();
            let pen = grid.cursor.template.clone();
            let row = &mut grid[line];
            let mut at = col;
            let mut last = None;
            for c in text.chars() {
                let Some(width) = ordinary_width(c).filter(|width| at + width <= cols) else {
                    break;
                };
                if row[Column(at)..Column(at + width)]
                    .iter()
                    .any(|cell| cell.flags.intersects(WIDE))
                {
                    break;
                }
                let cell = &mut row[Column(at)];
                cell.clone_from(&pen);
                cell.c = c;
                if width == 2 {
                    cell.flags.insert(Flags::WIDE_CHAR);
                    let spacer = &mut row[Column(at + 1)];
                    spacer.clone_from(&pen);
                    spacer.c = ' ';
                    spacer.flags.insert(Flags::WIDE_CHAR_SPACER);
                }
                at += width;
                done += c.len_utf8();
                last = Some(c);
            }
            if let Some(last) = last {
                let cursor = &mut grid.cursor;
                cursor.point.column = Column(at.min(cols - 1));
                cursor.input_needs_wrap = at == cols;
                self.preceding = Some(last);
                self.record_drawn_row(line.0 as usize);
            }
        }
        if done == 0
            && let Some(c) = text.chars().next()
        {
            match c {
                '\u{80}'..='\u{9f}' => self.control(c as u8),
                _ => self.print_char(c),
            }
            done = c.len_utf8();
        }
        done
    }

    /// Writes any character on the slow path.
    pub(super) fn print_char(&mut self, c: char) {
        self.preceding = Some(c);
        match c.width() {
            None => {}
            Some(0) => self.join(c),
            Some(_) => self.input(c),
        }
    }

    /// Returns whether characters are simply written to the cursor's cell.
    fn is_ordinary(&self) -> bool {
        !self.term.mode().contains(TermMode::INSERT)
            && self.term.grid().cursor.charsets[self.charset] == StandardCharset::Ascii
    }

    fn input(&mut self, c: char) {
        self.add_work(SLOW_CHARACTER);
        self.before_input(c);
        Handler::input(&mut self.term, c);
        self.record_drawn_row(self.row());
    }

    /// Adds a combining mark to the character before the cursor, up to a limit.
    fn join(&mut self, c: char) {
        let grid = self.term.grid();
        let point = grid.cursor.point;
        let mut col = point.column.0;
        if !grid.cursor.input_needs_wrap {
            col = col.saturating_sub(1);
        }
        if grid[point.line][Column(col)]
            .flags
            .contains(Flags::WIDE_CHAR_SPACER)
        {
            col = col.saturating_sub(1);
        }
        let marks = grid[point.line][Column(col)]
            .zerowidth()
            .unwrap_or_default();
        if self.additions && marks.len() >= MAX_MARKS {
            return;
        }
        Handler::input(&mut self.term, c);
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
