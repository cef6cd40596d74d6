//! Writing text into the grid.
//!
//! Most of what programs send is runs of plain characters. `Term::input` takes them one at a time and asks every
//! question again for each; here the questions are asked once per run and the cells written in a row, which makes
//! plain text about twice as fast. Whatever is out of the ordinary (insert mode, another character set, a pending
//! wrap, a wide character in the way) goes to `Term::input`, whose result this file must always equal.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Column;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::vte::ansi::{Handler, StandardCharset};
use unicode_width::UnicodeWidthChar;

use super::perform::Machine;
use super::utf8::Piece;

/// How many marks may join one character: more is no text but an attack on memory.
const MOST_MARKS: usize = 16;

const WIDE: Flags = Flags::WIDE_CHAR.union(Flags::WIDE_CHAR_SPACER);

impl Machine {
    /// A stretch of text outside of any sequence.
    pub(super) fn text(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Text(text) => self.print(text),
            Piece::Control(byte) => self.control(byte),
            Piece::Invalid => self.print_char(char::REPLACEMENT_CHARACTER),
        }
    }

    fn print(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        let mut at = 0;
        while let Some(first) = rest.first() {
            let taken = match first {
                0x20..=0x7e => {
                    let run = rest
                        .iter()
                        .position(|byte| !(0x20..=0x7e).contains(byte))
                        .unwrap_or(rest.len());
                    self.print_ascii(&rest[..run]);
                    run
                }
                0x00..=0x1f => {
                    self.control(*first);
                    1
                }
                _ => {
                    let c = text
                        .get(at..)
                        .and_then(|text| text.chars().next())
                        .expect("a character begins here: whole ones were taken before");
                    match c {
                        '\u{80}'..='\u{9f}' => self.control(c as u8),
                        _ => self.print_char(c),
                    }
                    c.len_utf8()
                }
            };
            rest = &rest[taken..];
            at += taken;
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

    /// Writes any character.
    pub(super) fn print_char(&mut self, c: char) {
        self.preceding = Some(c);
        let Some(width) = c.width() else { return };
        if width == 0 {
            return self.join(c);
        }
        let cursor = &self.term.grid().cursor;
        let line = cursor.point.line;
        let col = cursor.point.column.0;
        let cols = self.term.columns();
        if cursor.input_needs_wrap || col + width > cols || !self.is_ordinary() {
            return self.input(c);
        }
        self.before_print(line.0 as usize, col..col + width);
        let grid = self.term.grid_mut();
        let pen = grid.cursor.template.clone();
        let cells = &mut grid[line][Column(col)..Column(col + width)];
        if cells.iter().any(|cell| cell.flags.intersects(WIDE)) {
            return Handler::input(&mut self.term, c);
        }
        if let [cell] = cells {
            *cell = pen;
            cell.c = c;
        } else if let [cell, spacer] = cells {
            *spacer = pen.clone();
            spacer.c = ' ';
            spacer.flags.insert(Flags::WIDE_CHAR_SPACER);
            *cell = pen;
            cell.c = c;
            cell.flags.insert(Flags::WIDE_CHAR);
        }
        let cursor = &mut grid.cursor;
        cursor.point.column = Column((col + width).min(cols - 1));
        cursor.input_needs_wrap = col + width == cols;
    }

    /// Whether a character simply lands on the cursor's cell.
    fn is_ordinary(&self) -> bool {
        !self.term.mode().contains(TermMode::INSERT)
            && self.term.grid().cursor.charsets[self.charset] == StandardCharset::Ascii
    }

    /// Writes a character the long way.
    fn input(&mut self, c: char) {
        self.before_input(c);
        Handler::input(&mut self.term, c);
    }

    /// Adds a mark to the character before the cursor, up to a bound.
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
        if self.additions && marks.len() >= MOST_MARKS {
            return;
        }
        Handler::input(&mut self.term, c);
    }
}
