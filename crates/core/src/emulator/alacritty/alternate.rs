//! The room that the alternate screen takes.
//!
//! The bought terminal keeps a second grid as large as the first from the beginning, 46 kB for 80×24, and most sessions never
//! show it. Here a grid of one cell stands in its place for as long as it is not shown: nothing of it is seen again but the cursor
//! that was saved there, as it is blank whenever it is entered.
//!
//! The one rule: nobody can tell. The differential test goes there and back, and changes the size meanwhile.

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::term::{Term, TermMode};

/// Shows the other screen.
pub(super) fn swap(term: &mut Term<VoidListener>) {
    if term.mode().contains(TermMode::ALT_SCREEN) {
        leave_room(term);
        term.swap_alt();
    } else {
        let (lines, columns) = (term.screen_lines(), term.columns());
        term.swap_alt();
        let entered = term.grid_mut();
        let mut grid = Grid::new(lines, columns, 0);
        grid.cursor = std::mem::take(&mut entered.cursor);
        grid.saved_cursor = std::mem::take(&mut entered.saved_cursor);
        // Blank is what the pen erases with.
        grid.reset_region(..);
        *entered = grid;
    }
}

/// Gives back the room of an alternate screen that is not shown: at the start, and after each change of size. The terminal forgets its
/// keyboard flags with it.
pub(super) fn give_back(term: &mut Term<VoidListener>) {
    if term.mode().contains(TermMode::ALT_SCREEN) {
        return;
    }
    // The terminal shows its other screen only by going there, and forgets this on the way.
    let saved = term.grid().saved_cursor.clone();
    let (line, column) = (term.bottommost_line(), term.last_column());
    term.swap_alt();
    leave_room(term);
    // What was saved there stays on the screen, which the one cell knows nothing of.
    let below = &mut term.grid_mut().saved_cursor.point;
    below.line = below.line.min(line);
    below.column = below.column.min(column);
    term.swap_alt();
    term.grid_mut().saved_cursor = saved;
}

/// Keeps of the alternate screen, which is shown, nothing but its saved cursor.
pub(super) fn leave_room(term: &mut Term<VoidListener>) {
    let grid = term.grid_mut();
    let saved_cursor = std::mem::take(&mut grid.saved_cursor);
    *grid = Grid::new(1, 1, 0);
    grid.saved_cursor = saved_cursor;
}
