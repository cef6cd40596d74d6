//! Storage of transient screens.
//!
//! Before cells that were written since the last read (tracked in `fresh.rs`) are lost, the screen
//! is read and stored. Every operation that can lose cells calls a function of this file first.

use std::ops::Range;

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::TermMode;

use super::fresh::Fresh;
use super::machine::Machine;
use crate::emulator::{Passed, PassedScreen};
use crate::screen::Screen;

impl Machine {
    /// Maximum number of stored screens; the oldest are dropped first. Fewer for large screens, so
    /// that all together hold at most 16 million cells of eight bytes.
    const MOST_PASSED: usize = 1024;
    const MOST_PASSED_CELLS: usize = 16 << 20;

    fn is_keeping(&self) -> bool {
        self.options.passed == Passed::Kept && self.frozen.is_none()
    }

    pub(super) fn keep_screen_if(&mut self, lost: impl Fn(&Fresh) -> bool) {
        if self.is_keeping() && lost(&self.fresh) {
            self.keep_screen();
        }
    }

    pub(super) fn keep_screen(&mut self) {
        let screen = self.look();
        self.keep(screen);
    }

    pub(super) fn keep(&mut self, screen: Screen) {
        if self.passed.last().map(|last| &last.screen) != Some(&screen) {
            let cells = self.term.columns() * self.term.screen_lines();
            let most = (Machine::MOST_PASSED_CELLS / cells).clamp(4, Machine::MOST_PASSED);
            let over = (self.passed.len() + 1).saturating_sub(most);
            self.passed.drain(..over);
            self.notes.screens_lost += over as u64;
            self.passed.push(PassedScreen {
                screen,
                counts: self.notes.counts,
            });
        }
    }

    pub(super) fn take_passed(&mut self) -> Vec<PassedScreen> {
        std::mem::take(&mut self.passed)
    }

    /// To be called before rows lose their content.
    pub(super) fn before_loss(&mut self, rows: Range<usize>) {
        self.keep_screen_if(|fresh| fresh.touches_rows(rows.clone()));
    }

    /// To be called before cells of the cursor's row lose their content.
    pub(super) fn before_loss_in_row(&mut self, cols: Range<usize>) {
        let row = self.row();
        self.keep_screen_if(|fresh| fresh.touches(row, cols.clone()));
    }

    /// To be called before cells of a row are overwritten.
    #[inline]
    pub(super) fn before_print(&mut self, row: usize, cols: Range<usize>) {
        if self.options.passed == Passed::Kept {
            self.keep_screen_if(|fresh| fresh.touches(row, cols.clone()));
            self.fresh.add(row, cols);
        }
    }

    /// To be called before a character is written, which may wrap first.
    #[inline]
    pub(super) fn before_input(&mut self, c: char) {
        if self.options.passed == Passed::Dropped {
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
            // A wide character leaves the last column blank and wraps.
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
            self.keep_screen_if(|fresh| fresh.touches(row, cols - width..cols));
            self.fresh.push_right(row, col..col + width, cols);
        } else {
            self.before_print(row, col..col + width);
        }
    }

    /// Returns whether the next character wraps.
    pub(super) fn wraps_next(&self) -> bool {
        self.term.grid().cursor.input_needs_wrap && self.term.mode().contains(TermMode::LINE_WRAP)
    }

    /// To be called before the cursor moves down one row, or the region scrolls up by one row.
    pub(super) fn before_line_feed(&mut self) {
        if self.row() + 1 == self.region.end {
            self.before_scroll_up(self.region.clone(), 1);
        }
    }

    pub(super) fn before_scroll_up(&mut self, region: Range<usize>, lines: usize) {
        if region.start == 0 {
            self.make_room(lines.min(region.len()));
        }
        if self.options.passed == Passed::Dropped {
            return;
        }
        // Rows that leave the top of the main screen are not lost: they are in the scrollback.
        let lost = region.start > 0 || self.term.mode().contains(TermMode::ALT_SCREEN);
        if lost {
            self.before_loss(region.start..(region.start + lines).min(region.end));
        }
        self.fresh.scroll_up(region, lines);
    }

    pub(super) fn before_scroll_down(&mut self, region: Range<usize>, lines: usize) {
        if self.options.passed == Passed::Dropped {
            return;
        }
        self.before_loss(region.end.saturating_sub(lines).max(region.start)..region.end);
        self.fresh.scroll_down(region, lines);
    }

    /// Returns the part of the scrolling region from the cursor on; `None` if the cursor is
    /// outside.
    pub(super) fn region_below(&self) -> Option<Range<usize>> {
        self.region
            .contains(&self.row())
            .then(|| self.row()..self.region.end)
    }
}
