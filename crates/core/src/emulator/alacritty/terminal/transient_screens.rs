//! Storage of transient screens: screens that the terminal showed between two reads.
//!
//! Before the terminal loses cells that were written since the last read, the screen is read and
//! stored. `undelivered.rs` tracks these cells. Every operation that can lose cells calls a
//! function of this file first.

use std::ops::Range;

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::TermMode;

use super::Terminal;
use super::undelivered::UndeliveredCells;
use crate::emulator::{TransientScreen, TransientScreens};
use crate::screen::Screen;

impl Terminal {
    /// Maximum number of stored screens; the oldest are dropped first. Fewer for large screens, so
    /// that all together hold at most 16 million cells of eight bytes.
    const MAX_TRANSIENT_SCREENS: usize = 1024;
    const MAX_TRANSIENT_CELLS: usize = 16 << 20;

    fn stores_transient_screens(&self) -> bool {
        self.options.transient_screens == TransientScreens::Keep && self.frozen_screen.is_none()
    }

    pub(super) fn store_transient_if(&mut self, lost: impl Fn(&UndeliveredCells) -> bool) {
        if self.stores_transient_screens() && lost(&self.undelivered) {
            self.store_transient();
        }
    }

    pub(super) fn store_transient(&mut self) {
        let screen = self.read_screen();
        self.store_screen(screen);
    }

    pub(super) fn store_screen(&mut self, screen: Screen) {
        if self.transient_screens.last().map(|last| &last.screen) != Some(&screen) {
            let cells = self.term.columns() * self.term.screen_lines();
            let most =
                (Terminal::MAX_TRANSIENT_CELLS / cells).clamp(4, Terminal::MAX_TRANSIENT_SCREENS);
            let over = (self.transient_screens.len() + 1).saturating_sub(most);
            self.transient_screens.drain(..over);
            self.notes.screens_lost += over as u64;
            self.transient_screens.push(TransientScreen {
                screen,
                counts: self.notes.counts,
            });
        }
    }

    pub(crate) fn take_transient_screens(&mut self) -> Vec<TransientScreen> {
        std::mem::take(&mut self.transient_screens)
    }

    /// Call this before rows lose their content.
    pub(super) fn before_loss(&mut self, rows: Range<usize>) {
        self.store_transient_if(|cells| cells.touches_rows(rows.clone()));
    }

    /// Call this before cells of the cursor's row lose their content.
    pub(crate) fn before_loss_in_row(&mut self, cols: Range<usize>) {
        let row = self.row();
        self.store_transient_if(|cells| cells.touches(row, cols.clone()));
    }

    /// Call this before cells of a row are overwritten. Marks the cells as written.
    #[inline]
    pub(crate) fn before_print(&mut self, row: usize, cols: Range<usize>) {
        if self.options.transient_screens == TransientScreens::Keep {
            self.store_transient_if(|cells| cells.touches(row, cols.clone()));
            self.undelivered.add(row, cols);
        }
    }

    /// Call this before a character is written. Takes a wrap before the character into account.
    #[inline]
    pub(crate) fn before_input(&mut self, c: char) {
        if self.options.transient_screens == TransientScreens::Drop {
            if self.wraps_next() {
                self.before_line_feed();
            }
            return;
        }
        let width = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        let (mut row, mut col) = (self.row(), self.col());
        let cols = self.term.columns();
        let does_not_fit = col + width > cols && self.term.mode().contains(TermMode::LINE_WRAP);
        if does_not_fit && !self.wraps_next() {
            // A wide character does not fit into the last column, leaves it blank and wraps.
            self.before_print(row, col..cols);
        }
        if does_not_fit || self.wraps_next() {
            self.before_line_feed();
            if row + 1 != self.region.end {
                row = (row + 1).min(self.term.screen_lines() - 1);
            }
            col = 0;
        }
        if self.term.mode().contains(TermMode::INSERT) && col + width < cols {
            self.store_transient_if(|cells| cells.touches(row, cols - width..cols));
            self.undelivered.push_right(row, col..col + width, cols);
        } else {
            self.before_print(row, col..col + width);
        }
    }

    /// Returns whether the next character wraps.
    pub(super) fn wraps_next(&self) -> bool {
        self.term.grid().cursor.input_needs_wrap && self.term.mode().contains(TermMode::LINE_WRAP)
    }

    /// Call this before a line feed: the cursor moves down one row, or the region scrolls up by
    /// one.
    pub(super) fn before_line_feed(&mut self) {
        if self.row() + 1 == self.region.end {
            self.before_scroll_up(self.region.clone(), 1);
        }
    }

    pub(crate) fn before_scroll_up(&mut self, region: Range<usize>, lines: usize) {
        self.add_scroll_work(&region, lines);
        if region.start == 0 {
            self.reserve_scrollback(lines.min(region.len()));
        }
        if self.options.transient_screens == TransientScreens::Drop {
            return;
        }
        // Rows that leave the top of the main screen are in the scrollback, if they fit into it.
        let lost = region.start > 0
            || lines.min(region.len()) > self.options.scrollback
            || self.term.mode().contains(TermMode::ALT_SCREEN);
        if lost {
            self.before_loss(region.start..(region.start + lines).min(region.end));
        }
        self.undelivered.scroll_up(region, lines);
    }

    pub(crate) fn before_scroll_down(&mut self, region: Range<usize>, lines: usize) {
        self.add_scroll_work(&region, lines);
        if self.options.transient_screens == TransientScreens::Drop {
            return;
        }
        self.before_loss(region.end.saturating_sub(lines).max(region.start)..region.end);
        self.undelivered.scroll_down(region, lines);
    }

    /// Scrolling clears the new rows, and swaps the others unless they are the whole screen.
    fn add_scroll_work(&mut self, region: &Range<usize>, lines: usize) {
        self.add_work_of_rows(lines.min(region.len()));
        self.add_work(region.len());
    }

    /// Returns the rows of the scrolling region from the cursor's row on; `None` if the cursor is
    /// outside the region.
    pub(crate) fn region_below(&self) -> Option<Range<usize>> {
        self.region
            .contains(&self.row())
            .then(|| self.row()..self.region.end)
    }
}
