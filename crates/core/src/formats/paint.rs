//! Screens as text with escape sequences that a terminal can show.
//!
//! Each row of painted text is self-contained: it begins and ends in the default style, and sets
//! every style in full. The cursor is never moved, so the text can be printed, indented and placed
//! side by side. A cell takes as many columns as it had on the screen, whatever its character;
//! control characters become spaces.
//!
//! See also: `formats/ansi.rs` (reading painted text back) and the crate `screentest-render`
//! (images).

use crate::screen::text_width;
use crate::screen::text_width::WrittenCell;
use crate::{CellView, Row, Screen, Style};

pub(crate) mod row_writer;
pub(crate) mod sgr;

use sgr::ActiveStyle;

/// Whether text contains escape sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Paint {
    /// Characters only, for logs and files.
    #[default]
    Plain,
    /// With escape sequences for colours and attributes.
    Ansi,
}

impl Screen {
    /// Returns the rows up to the last one that is not blank, each with a line feed. With
    /// [`Paint::Plain`], the result equals [`Screen::text`].
    pub fn painted(&self, paint: Paint) -> String {
        if paint == Paint::Plain {
            return self.text();
        }
        let mut text = String::new();
        let mut end = 0;
        for row in &self.rows {
            let start = text.len();
            paint_row(row, self.size.cols.into(), &mut text);
            let blank = text.len() == start;
            text.push('\n');
            if !blank {
                end = text.len();
            }
        }
        text.truncate(end);
        text
    }
}

fn paint_row(row: &Row, cols: usize, text: &mut String) {
    let start = text.len();
    let mut writer = CellWriter::new(Paint::Ansi);
    for (cell, next) in text_width::cells(row, cols) {
        writer.put(&cell, next, text);
    }
    writer.finish(text);
    // Some cells, such as those with a control character, are written as a space. At the end of the
    // row such a space is removed, too.
    text.truncate(text.trim_end_matches(' ').len().max(start));
}

/// Writes cells one after another, with the escape sequences for style changes between them.
#[derive(Debug)]
pub(crate) struct CellWriter {
    paint: Paint,
    active: ActiveStyle,
}

impl CellWriter {
    pub(crate) fn new(paint: Paint) -> CellWriter {
        CellWriter {
            paint,
            active: ActiveStyle::default(),
        }
    }

    /// Writes a cell with all its columns. Must not be called with the second half of a wide
    /// character. `next` is the first character of the next cell.
    pub(crate) fn put(&mut self, cell: &CellView<'_>, next: char, text: &mut String) {
        if self.paint == Paint::Ansi {
            let link = cell.link.filter(|link| sgr::is_writable(link));
            self.active.switch_to(cell.style, link, text);
        }
        if text_width::push(cell, next, text) == WrittenCell::NarrowAndBlank {
            text.push(' ');
        }
    }

    /// Resets the style and link that are still active.
    pub(crate) fn finish(mut self, text: &mut String) {
        self.active.switch_to(&Style::default(), None, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Size, emulator};

    #[track_caller]
    fn check(bytes: &str, plain: &str, painted: &str) {
        let size = Size { cols: 8, rows: 3 };
        let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
        emulator.feed(bytes.as_bytes());
        let screen = emulator.screen();
        assert_eq!(screen.painted(Paint::Plain), plain);
        assert_eq!(screen.painted(Paint::Ansi), painted);
    }

    #[test]
    fn a_row_begins_and_ends_plain() {
        check("ab\r\n\r\n", "ab\n", "ab\n");
        check(
            "\x1b[1ma\x1b[31mb\r\nc",
            "ab\nc\n",
            "\x1b[0;1ma\x1b[0;1;31mb\x1b[0m\n\x1b[0;1;31mc\x1b[0m\n",
        );
        check("\x1b[44m界 ", "界\n", "\x1b[0;44m界 \x1b[0m\n");
    }
}
