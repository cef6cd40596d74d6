//! Frees the memory of the alternate screen while it is not shown.
//!
//! The wrapped terminal allocates a second grid as large as the first from the start, 46 kB for
//! 80×24, and most sessions never show it. While it is not shown, it is replaced by a grid of one
//! cell. Nothing is lost: the alternate screen is blank whenever it is entered, and the cursor
//! saved there is kept.
//!
//! Invariant: not observable from outside. The differential test switches screens and resizes in
//! between.

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::term::{Term, TermMode};

/// Switches to the other screen.
pub(crate) fn swap(term: &mut Term<VoidListener>) {
    if term.mode().contains(TermMode::ALT_SCREEN) {
        free_grid(term);
        term.swap_alt();
    } else {
        let (lines, columns) = (term.screen_lines(), term.columns());
        term.swap_alt();
        let entered = term.grid_mut();
        let mut grid = Grid::new(lines, columns, 0);
        grid.cursor = std::mem::take(&mut entered.cursor);
        grid.saved_cursor = std::mem::take(&mut entered.saved_cursor);
        // The pen's background is the colour of erased cells.
        grid.reset_region(..);
        *entered = grid;
    }
}

/// Frees the memory of the alternate screen while it is not shown: at the start, and after each
/// resize. This clears the terminal's keyboard flags; `apply_keyboard` sets them again.
pub(super) fn free_while_hidden(term: &mut Term<VoidListener>) {
    if term.mode().contains(TermMode::ALT_SCREEN) {
        return;
    }
    // The terminal gives access to its other screen only by switching to it, and loses this cursor
    // when switching.
    let saved = term.grid().saved_cursor.clone();
    let (line, column) = (term.bottommost_line(), term.last_column());
    term.swap_alt();
    free_grid(term);
    // The cursor saved there must stay inside the screen; the grid of one cell does not ensure
    // this.
    let below = &mut term.grid_mut().saved_cursor.point;
    below.line = below.line.min(line);
    below.column = below.column.min(column);
    term.swap_alt();
    term.grid_mut().saved_cursor = saved;
}

/// Replaces the alternate screen, which must be shown, with a grid of one cell. Keeps its saved
/// cursor.
pub(super) fn free_grid(term: &mut Term<VoidListener>) {
    let grid = term.grid_mut();
    let saved_cursor = std::mem::take(&mut grid.saved_cursor);
    *grid = Grid::new(1, 1, 0);
    grid.saved_cursor = saved_cursor;
}
