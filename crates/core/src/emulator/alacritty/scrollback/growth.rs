//! Grows the grid's scrollback storage in steps.
//!
//! When the first row scrolls out, the wrapped terminal allocates a thousand rows: 1.9 MB at 80
//! columns, and 0.7 ms before the program's next byte is processed. Most sessions scroll by a few
//! rows. So storage for the first thousand rows is allocated in steps, each before it is needed, by
//! replacing the grid by a larger one with the same rows. After that, the terminal's own steps are
//! small compared with its size.
//!
//! Invariant: not observable from outside. If an operation scrolls without calling this file, the
//! terminal allocates by itself, which takes more memory and shows the same.

use alacritty_terminal::grid::{Dimensions, Grid, Row};
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::Cell;

use super::super::terminal::Terminal;

/// Number of rows with storage after each step. A step moves the existing rows and creates the
/// others, so all steps together cost little more than the last one. The last step equals the
/// number of rows that the terminal allocates by itself.
const STEPS: [usize; 7] = [16, 32, 64, 128, 256, 512, 1000];

/// Number of scrollback rows that the grid has storage for, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScrollbackCapacity {
    /// At least this many rows.
    Rows(usize),
    /// The terminal allocates by itself.
    Unmanaged,
}

impl ScrollbackCapacity {
    /// Unknown: at the start and after a resize.
    pub(crate) const UNKNOWN: ScrollbackCapacity = ScrollbackCapacity::Rows(0);
}

impl Terminal {
    /// To be called before `rows` rows scroll out at the top of the screen.
    #[inline]
    pub(crate) fn reserve_scrollback(&mut self, rows: usize) {
        if ScrollbackCapacity::Rows(self.term.history_size() + rows) > self.scrollback_capacity {
            self.grow_scrollback(rows);
        }
    }

    #[cold]
    fn grow_scrollback(&mut self, rows: usize) {
        // The alternate screen has no scrollback.
        if self.is_alternate() {
            return;
        }
        let most = self.options.scrollback;
        let scrolled = self.term.history_size();
        let wanted = (scrolled + rows).min(most);
        let step = STEPS.into_iter().find(|step| *step >= wanted);
        self.scrollback_capacity = match step {
            Some(step) if scrolled < most => {
                let room = step.min(most);
                let older = std::iter::empty();
                rebuild_grid(self.term.grid_mut(), room, most, scrolled, older);
                ScrollbackCapacity::Rows(room)
            }
            _ => ScrollbackCapacity::Unmanaged,
        };
    }
}

/// Replaces a grid by one with storage for `room` scrollback rows. Keeps the newest `kept`
/// scrollback rows; the rows of `older`, newest first, are placed above them.
pub(super) fn rebuild_grid(
    grid: &mut Grid<Cell>,
    room: usize,
    most: usize,
    kept: usize,
    older: impl Iterator<Item = Row<Cell>>,
) {
    let (lines, columns) = (grid.screen_lines(), grid.columns());
    // A screen that becomes smaller keeps the rows it loses in store, and uses them when rows
    // scroll out. The new rows have one column until the known rows are in place, so that no full
    // row is created only to be dropped.
    let mut other = Grid::new(lines + room, 1, most);
    other.resize(false, lines, 1);
    other.scroll_up(&(Line(0)..Line(lines as i32)), room);
    for line in (-(kept as i32)..lines as i32).map(Line) {
        std::mem::swap(&mut other[line], &mut grid[line]);
    }
    let mut scrolled = kept;
    for row in older {
        scrolled += 1;
        other[Line(-(scrolled as i32))] = row;
    }
    other.resize(false, lines, columns);
    // The unused rows above the scrollback return to the store.
    other.update_history(scrolled);
    other.update_history(most);
    other.cursor = std::mem::take(&mut grid.cursor);
    other.saved_cursor = std::mem::take(&mut grid.saved_cursor);
    *grid = other;
}
