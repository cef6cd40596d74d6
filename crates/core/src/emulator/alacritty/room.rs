//! The room that rows take once they have scrolled out.
//!
//! The bought terminal makes room for a thousand of them when the first leaves the screen: 1.9 MB at 80 columns, and 0.7 of a
//! millisecond before the program's next byte is understood. Most sessions scroll by a few rows. So the first thousand get their
//! room in steps, each before it is needed, by giving the terminal a larger grid with the same rows in it; from there on its own
//! steps are small beside what it has.
//!
//! The one rule: nobody can tell. Where a way to scroll is not announced here, the terminal sees to itself, which takes more room
//! and shows the same.

use alacritty_terminal::grid::{Dimensions, Grid, Row};
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::Cell;

use super::machine::Machine;

/// For how many rows there is room at a time. A step moves the rows that there are and makes the others, so that all steps together
/// cost little more than the last; that is as much as the terminal keeps in store.
const STEPS: [usize; 7] = [16, 32, 64, 128, 256, 512, 1000];

/// For how many rows there is room, as far as is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    /// For at least so many.
    Rows(usize),
    /// The terminal makes its own.
    Left,
}

impl Room {
    /// Nothing is known, at the start and after a change of size.
    pub(super) const UNKNOWN: Room = Room::Rows(0);
}

impl Machine {
    /// So many rows are about to scroll out of the top of the screen.
    #[inline]
    pub(super) fn make_room(&mut self, rows: usize) {
        if Room::Rows(self.term.history_size() + rows) > self.room {
            self.make_more_room(rows);
        }
    }

    #[cold]
    fn make_more_room(&mut self, rows: usize) {
        // There nothing is kept.
        if self.is_alternate() {
            return;
        }
        let most = self.options.scrollback;
        let scrolled = self.term.history_size();
        let wanted = (scrolled + rows).min(most);
        let step = STEPS.into_iter().find(|step| *step >= wanted);
        self.room = match step {
            Some(step) if scrolled < most => {
                let room = step.min(most);
                let older = std::iter::empty();
                fit(self.term.grid_mut(), room, most, scrolled, older);
                Room::Rows(room)
            }
            _ => Room::Left,
        };
    }
}

/// Gives a grid room for so many rows above the screen. Of those that it has there the newest `kept` stay; above them come `older` ones,
/// newest first.
pub(super) fn fit(
    grid: &mut Grid<Cell>,
    room: usize,
    most: usize,
    kept: usize,
    older: impl Iterator<Item = Row<Cell>>,
) {
    let (lines, columns) = (grid.screen_lines(), grid.columns());
    // A screen that becomes smaller keeps the rows it loses in store, and takes from there what scrolls out. They are as short as
    // can be until the known ones have their places, so that none is made to be thrown away.
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
    // Those above what has scrolled out go back to the store.
    other.update_history(scrolled);
    other.update_history(most);
    other.cursor = std::mem::take(&mut grid.cursor);
    other.saved_cursor = std::mem::take(&mut grid.saved_cursor);
    *grid = other;
}
