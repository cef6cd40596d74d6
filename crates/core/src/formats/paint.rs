//! Screens as text with escape sequences that a terminal can show.
//!
//! Each row of painted text is self-contained: it begins and ends in the default style, and sets
//! every style in full. The cursor is never moved, so the text can be printed, indented and placed
//! side by side. A cell takes as many columns as it had on the screen, whatever its character;
//! control characters become spaces.
//!
//! See also: `formats/ansi.rs` (reading painted text back) and the crate `screentest-render`
//! (images).

use std::sync::Arc;

use crate::screen::text_width;
use crate::screen::text_width::WrittenCell;
use crate::{CellView, Palette, PaletteEntry, Row, Screen, Style, Width};

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
    ///
    /// Colours that the program has changed are written as RGB, so that a terminal shows them
    /// without being changed itself. If the background is one of them, rows are as wide as the
    /// screen.
    pub fn painted(&self, paint: Paint) -> String {
        if paint == Paint::Plain {
            return self.text();
        }
        written_rows(&self.rows, |row, text| self.paint_row(row, text))
    }

    /// Returns one row like [`Screen::painted`], without a line feed; empty below the last row.
    pub fn painted_row(&self, row: usize) -> String {
        let mut text = String::new();
        if let Some(row) = self.row(row) {
            self.paint_row(row, &mut text);
        }
        text
    }

    fn paint_row(&self, row: &Row, text: &mut String) -> RowContent {
        let cols = self.size.cols.into();
        if self.palette.get(PaletteEntry::Background).is_none() {
            return write_row(row, cols, &self.palette, text);
        }
        let mut writer = CellWriter::new(Paint::Ansi, &self.palette);
        let mut content = RowContent::Blank;
        let mut blanks = cols;
        for cell in text_width::cells(row, cols) {
            writer.put(&cell, text);
            if cell.char() != ' ' || cell.style.shows_on_blank() {
                content = RowContent::Visible;
            }
            let width = if cell.width == Width::Wide { 2 } else { 1 };
            blanks = blanks.saturating_sub(width);
        }
        (0..blanks).for_each(|_| writer.put(&CellView::BLANK, text));
        writer.finish(text);
        content
    }
}

/// Whether a row shows anything but the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowContent {
    Blank,
    Visible,
}

/// Returns the rows up to the last one that is not blank, each with a line feed.
pub(crate) fn written_rows(
    rows: &[Arc<Row>],
    write: impl Fn(&Row, &mut String) -> RowContent,
) -> String {
    let mut text = String::new();
    let mut end = 0;
    for row in rows {
        let content = write(row, &mut text);
        text.push('\n');
        if content == RowContent::Visible {
            end = text.len();
        }
    }
    text.truncate(end);
    text
}

/// Writes the cells of a row, without blank cells at its end.
pub(crate) fn write_row(
    row: &Row,
    cols: usize,
    palette: &Palette,
    text: &mut String,
) -> RowContent {
    let start = text.len();
    let mut writer = CellWriter::new(Paint::Ansi, palette);
    for cell in text_width::cells(row, cols) {
        writer.put(&cell, text);
    }
    writer.finish(text);
    // Some cells, such as those with a control character, are written as a space. At the end of the
    // row such a space is removed, too.
    text.truncate(text.trim_end_matches(' ').len().max(start));
    if text.len() == start {
        RowContent::Blank
    } else {
        RowContent::Visible
    }
}

/// Writes cells one after another, with the escape sequences for style changes between them.
#[derive(Debug)]
pub(crate) struct CellWriter<'a> {
    paint: Paint,
    palette: &'a Palette,
    active: ActiveStyle,
}

impl<'a> CellWriter<'a> {
    /// Creates a writer. The colours that `palette` changes are written as RGB.
    pub(crate) fn new(paint: Paint, palette: &'a Palette) -> CellWriter<'a> {
        CellWriter {
            paint,
            palette,
            active: ActiveStyle::default(),
        }
    }

    /// Writes a cell with all its columns. Must not be called with the second half of a wide
    /// character.
    pub(crate) fn put(&mut self, cell: &CellView<'_>, text: &mut String) {
        if self.paint == Paint::Ansi {
            let link = cell.link.filter(|link| sgr::is_writable(link));
            let style = self.palette.resolve(cell.style);
            self.active.switch_to(&style, link, text);
        }
        if text_width::push(cell, text) == WrittenCell::NarrowAndBlank {
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

    #[test]
    fn changed_colours_are_painted_as_rgb() {
        check(
            "\x1b]4;1;#aabbcc\x07a\x1b[31mb",
            "ab\n",
            "a\x1b[0;38;2;170;187;204mb\x1b[0m\n",
        );
    }

    #[test]
    fn rows_on_a_changed_background_are_as_wide_as_the_screen() {
        check(
            "\x1b]11;#102040\x07a\x1b[31m界\r\n",
            "a界\n",
            "\x1b[0;48;2;16;32;64ma\x1b[0;31;48;2;16;32;64m界\x1b[0;48;2;16;32;64m     \x1b[0m\n",
        );
    }
}
