//! Storage of transient screens: screens that the terminal showed between two reads.
//!
//! Before the terminal loses cells that were written since the last read, the screen is read and
//! stored. `undelivered.rs` tracks these cells. Every operation that can lose cells calls a
//! function of this file first.

use std::ops::Range;
use std::sync::Arc;

use super::Terminal;
use super::undelivered::UndeliveredCells;
use crate::emulator::{TransientScreen, TransientScreens};
use crate::screen::Screen;
use crate::screen::image::ImagePlacement;

impl Terminal {
    /// Maximum number of stored screens; the oldest are dropped first. Fewer for large screens, so
    /// that all together hold at most 16 million cells of eight bytes.
    const MAX_TRANSIENT_SCREENS: usize = 1024;
    const MAX_TRANSIENT_CELLS: usize = 16 << 20;
    /// Maximum memory of the images of stored screens.
    const MAX_TRANSIENT_IMAGES: usize = 128 << 20;

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
            let cells = self.cols() * self.rows();
            let most =
                (Terminal::MAX_TRANSIENT_CELLS / cells).clamp(4, Terminal::MAX_TRANSIENT_SCREENS);
            let over = (self.transient_screens.len() + 1).saturating_sub(most);
            let over = over.max(self.screens_over_images(&screen));
            self.transient_screens.drain(..over);
            self.notes.screens_lost += over as u64;
            self.transient_screens.push(TransientScreen {
                screen,
                counts: self.notes.counts,
            });
        }
    }

    /// Returns how many of the oldest screens must be dropped so that the images of the others and
    /// of `next` stay within their bound. Images that neighbouring screens share count once.
    fn screens_over_images(&self, next: &Screen) -> usize {
        if next.images.is_empty() {
            return 0;
        }
        let screens = self.transient_screens.iter().map(|stored| &stored.screen);
        let mut bytes = 0;
        let mut shown = next;
        for (after, screen) in screens.rev().enumerate() {
            let is_new = |image: &&ImagePlacement| {
                let mut others = shown.images.iter();
                !others.any(|other| Arc::ptr_eq(&other.image, &image.image))
            };
            let new = screen.images.iter().filter(is_new);
            bytes += new.map(|image| image.image.bytes()).sum::<usize>();
            if bytes > Terminal::MAX_TRANSIENT_IMAGES {
                return self.transient_screens.len() - after;
            }
            shown = screen;
        }
        0
    }

    pub(crate) fn take_transient_screens(&mut self) -> Vec<TransientScreen> {
        std::mem::take(&mut self.transient_screens)
    }

    /// Call this before rows lose their content.
    pub(super) fn before_loss(&mut self, rows: Range<usize>) {
        self.store_transient_if(|cells| cells.touches_rows(rows.clone()));
    }

    /// Call this before cells of the cursor's row lose their content.
    pub(super) fn before_loss_in_row(&mut self, cols: Range<usize>) {
        let row = self.cursor.row;
        self.store_transient_if(|cells| cells.touches(row, cols.clone()));
    }

    /// Call this before cells of a row are overwritten. Marks the cells as written.
    #[inline]
    pub(super) fn before_print(&mut self, row: usize, cols: Range<usize>) {
        if self.options.transient_screens == TransientScreens::Keep {
            self.store_transient_if(|cells| cells.touches(row, cols.clone()));
            self.undelivered.add(row, cols);
        }
    }

    /// Call this before `count` cells are inserted at the cursor, up to column `end`.
    pub(super) fn before_insert(&mut self, count: usize, end: usize) {
        if self.options.transient_screens == TransientScreens::Keep {
            let (row, col) = (self.cursor.row, self.cursor.col);
            self.store_transient_if(|cells| cells.touches(row, end - count..end));
            self.undelivered.push_right(row, col..col + count, end);
        }
    }

    /// Marks the cell of a combining mark as written.
    pub(super) fn mark_joined(&mut self, row: usize, col: usize) {
        if self.options.transient_screens == TransientScreens::Keep {
            self.undelivered.add(row, col..col + 1);
        }
    }

    /// Marks cells as written.
    pub(super) fn mark_written(&mut self, row: usize, cols: Range<usize>) {
        self.undelivered.add(row, cols);
    }

    /// Marks every cell as read, because none is left.
    pub(super) fn mark_read(&mut self) {
        self.undelivered.clear();
    }

    /// Call this before rows scroll up. `keeps` is whether the lost rows go to the scrollback.
    pub(super) fn before_scroll_up(&mut self, region: Range<usize>, count: usize, keeps: bool) {
        self.add_scroll_work(&region, count);
        if self.options.transient_screens == TransientScreens::Drop {
            return;
        }
        if !keeps || self.is_alternate() || count > self.options.scrollback {
            self.before_loss(region.start..region.start + count);
        }
        if self.margins_span_lines() {
            self.undelivered.scroll_up(region, count);
        } else {
            self.mark_moved(region);
        }
    }

    /// Call this before rows scroll down.
    pub(super) fn before_scroll_down(&mut self, region: Range<usize>, count: usize) {
        self.add_scroll_work(&region, count);
        if self.options.transient_screens == TransientScreens::Drop {
            return;
        }
        self.before_loss(region.end - count..region.end);
        if self.margins_span_lines() {
            self.undelivered.scroll_down(region, count);
        } else {
            self.mark_moved(region);
        }
    }

    /// Between left and right margins, any of the cells may have come from written ones.
    fn mark_moved(&mut self, region: Range<usize>) {
        if self.undelivered.touches_rows(region.clone()) {
            let cols = self.margins.left..self.margins.right;
            for row in region {
                self.undelivered.add(row, cols.clone());
            }
        }
    }

    /// Scrolling clears the new rows, and swaps the others unless they are the whole screen.
    fn add_scroll_work(&mut self, region: &Range<usize>, count: usize) {
        self.add_work_of_rows(count.min(region.len()));
        self.add_work(region.len());
        if !self.margins_span_lines() {
            self.add_work_of_rows(region.len());
        }
    }
}
