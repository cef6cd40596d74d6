//! Fix for leftover erase colours in rows that become wider.
//!
//! The wrapped grid records up to which column a row was written since it was created. When it
//! reuses the row for a new line, it erases only up to there, unless the last cell has a different
//! background than the new line. The last cell of a row that was created in a colour and then
//! widened does not have that colour. So the rest of the row would keep the colour and show it on
//! the line that reuses the row. All cells of a row are therefore marked as written before the row
//! becomes wider.
//!
//! Real terminals do not show this artifact. It would also depend on which row is reused for which
//! line, and so on how many rows the grid has in store, which is not observable otherwise.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Line;

use super::Terminal;

impl Terminal {
    /// Marks all cells of the shown grid, including its scrollback, as written.
    pub(super) fn fix_erase_colors(&mut self) {
        if !self.additions {
            return;
        }
        let grid = self.term.grid_mut();
        for line in (grid.topmost_line().0..grid.screen_lines() as i32).map(Line) {
            // A mutable slice of the whole row marks the row as written.
            let _ = &mut grid[line][..];
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::emulator::{Backend, EmulatorOptions};
    use crate::{Color, Size};

    /// Erases rows in a colour, widens them, and lets new lines reuse them.
    #[track_caller]
    fn check(before: &str, after: &str) {
        let (narrow, wide) = (Size { cols: 4, rows: 2 }, Size { cols: 8, rows: 2 });
        let options = EmulatorOptions {
            scrollback: 0,
            ..EmulatorOptions::default()
        };
        let mut emulator = Backend::Alacritty.emulator(narrow, options);
        emulator.feed(before.as_bytes());
        emulator.resize(wide);
        emulator.feed(after.as_bytes());
        for row in &emulator.screen().rows {
            let mut runs = row.runs();
            assert!(runs.all(|run| run.style().bg == Color::Default), "{row:?}");
        }
    }

    #[test]
    fn a_widened_row_does_not_keep_its_erase_colour() {
        check("\x1b[44m\x1b[2J\x1b[m", "\x1b[2H\n\n");
        check("\x1b[44m\x1b[2J\x1b[m\x1b[?1049h", "\x1b[?1049l\x1b[2H\n\n");
    }
}
