//! Rows that become wider, and the colour in which they were erased.
//!
//! The bought terminal remembers up to where a row was written since it was made, and when it takes the row for a new line, it erases only so
//! far, unless the last cell has another colour than the new line. A row that was made in a colour and became wider has a last cell without
//! it: the colour stayed, and showed on the line that the row was used for. So all of a row counts as written before it becomes wider.
//!
//! No terminal that people look at shows such stains. And which row is used for which line depends on how many are kept in store, which
//! nothing else tells.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Line;

use super::machine::Machine;

impl Machine {
    /// All rows of the grid that is shown count as written.
    pub(super) fn fix_colours(&mut self) {
        if !self.additions {
            return;
        }
        let grid = self.term.grid_mut();
        for line in (grid.topmost_line().0..grid.screen_lines() as i32).map(Line) {
            // Whoever may write all of it counts as having done so.
            let _ = &mut grid[line][..];
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::emulator::{Backend, Options};
    use crate::{Color, Size};

    /// A row that was erased in a colour is used again once it has become wider.
    #[track_caller]
    fn check(before: &str, after: &str) {
        let (narrow, wide) = (Size { cols: 4, rows: 2 }, Size { cols: 8, rows: 2 });
        let options = Options {
            scrollback: 0,
            ..Options::default()
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
    fn no_colour_comes_back_with_a_row_that_became_wider() {
        check("\x1b[44m\x1b[2J\x1b[m", "\x1b[2H\n\n");
        check("\x1b[44m\x1b[2J\x1b[m\x1b[?1049h", "\x1b[?1049l\x1b[2H\n\n");
    }
}
