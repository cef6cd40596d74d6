//! The room that rows take once they have scrolled out.
//!
//! The bought terminal makes room for a thousand of them when the first leaves the screen: 1.9 MB at 80 columns, and 0.7 of a
//! millisecond before the program's next byte is understood. Most sessions scroll by a few rows. So the first thousand get their
//! room in steps, each before it is needed, by giving the terminal a larger grid with the same rows in it; from there on its own
//! steps are small beside what it has.
//!
//! The one rule: nobody can tell. Where a way to scroll is not announced here, the terminal sees to itself, which takes more room
//! and shows the same.

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::index::Line;
use alacritty_terminal::term::Term;

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
                enlarge(&mut self.term, room, most);
                Room::Rows(room)
            }
            _ => Room::Left,
        };
    }
}

/// Gives the terminal a grid with room for so many rows above the screen.
fn enlarge(term: &mut Term<VoidListener>, room: usize, most: usize) {
    let (lines, columns, scrolled) = (term.screen_lines(), term.columns(), term.history_size());
    // A screen that becomes smaller keeps the rows it loses in store, and takes from there what scrolls out. They are as short as
    // can be until the known ones have their places, so that none is made to be thrown away.
    let mut grid = Grid::new(lines + room, 1, most);
    grid.resize(false, lines, 1);
    grid.scroll_up(&(Line(0)..Line(lines as i32)), room);
    let smaller = term.grid_mut();
    for line in (-(scrolled as i32)..lines as i32).map(Line) {
        std::mem::swap(&mut grid[line], &mut smaller[line]);
    }
    grid.resize(false, lines, columns);
    // Those above what has scrolled out go back to the store.
    grid.update_history(scrolled);
    grid.update_history(most);
    grid.cursor = std::mem::take(&mut smaller.cursor);
    grid.saved_cursor = std::mem::take(&mut smaller.saved_cursor);
    *smaller = grid;
}
