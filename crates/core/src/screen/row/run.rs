//! Runs of adjacent cells with the same appearance.
//!
//! Code that writes or compares rows handles the style once per run: most rows have few styles and
//! many cells.

use super::{Cell, CellView, Hyperlink, Row};
use crate::screen::style::Style;

/// Adjacent cells with the same style and link.
#[derive(Debug, Clone, Copy)]
pub struct StyleRun<'a> {
    row: &'a Row,
    /// Never empty.
    cells: &'a [Cell],
}

impl<'a> StyleRun<'a> {
    /// Returns the style of the cells.
    pub fn style(self) -> &'a Style {
        self.row.style_of(self.cells[0])
    }

    /// Returns the link of the cells.
    pub fn link(self) -> Option<&'a Hyperlink> {
        self.row.link_of(self.cells[0])
    }

    /// Returns the cells from left to right.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = CellView<'a>> + ExactSizeIterator {
        let (row, style, link) = (self.row, self.style(), self.link());
        self.cells.iter().map(move |cell| CellView {
            text: row.text_of(*cell),
            width: cell.width(),
            style,
            link,
        })
    }
}

impl Row {
    /// Returns the stored cells from left to right, grouped into runs with the same style and link.
    ///
    /// ```
    /// use screentest_core::{Backend, Size, emulator};
    ///
    /// let size = Size { cols: 20, rows: 1 };
    /// let mut emulator = Backend::default().emulator(size, emulator::EmulatorOptions::default());
    /// emulator.feed(b"plain \x1b[1mbold\x1b[m.");
    /// let screen = emulator.screen();
    /// let runs = screen.rows[0].runs();
    /// let lengths: Vec<usize> = runs.map(|run| run.cells().len()).collect();
    /// assert_eq!(lengths, [6, 4, 1]);
    /// ```
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = StyleRun<'_>> {
        let alike = |one: &Cell, other: &Cell| (one.style, one.link) == (other.style, other.link);
        let runs = self.cells.chunk_by(alike);
        runs.map(|cells| StyleRun { row: self, cells })
    }
}
