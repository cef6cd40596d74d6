//! Images on the grid.
//!
//! Sixels and inline files are written into cells like text: each cell refers to its part of the
//! image, so that everything that moves, replaces or erases cells does the same with the image.
//! Placements of the kitty protocol are beside the cells. They scroll with the screen, and are
//! removed by commands of their own and when the screen is cleared.

use std::ops::Range;
use std::sync::Arc;

use super::Terminal;
use crate::emulator::graphics::cells::{CellGeometry, CellImage, CellImagePart, CellImages};
use crate::emulator::graphics::dump::{self, PartRect};
use crate::emulator::graphics::kitty::KittyScreen;
use crate::emulator::vt::grid::Grid;
use crate::emulator::vt::grid::cell::Extra;
use crate::emulator::vt::grid::line::Line;
use crate::screen::image::{ImageContent, ImageKind, ImagePlacement};
use crate::screen::row::Row;

/// Work of writing a part of an image into a cell: it takes memory of its own.
const WORK_OF_CELL: usize = 16;

/// What happens to the text that an image covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CoveredText {
    Erased,
    /// It is visible where the image is transparent.
    Kept,
}

/// What happens to an image that reaches below the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageScrolling {
    /// The region scrolls, and the cursor ends in the image's last row.
    Scrolls,
    /// The rest is not shown.
    Clipped,
}

/// Images in cells.
impl Terminal {
    /// Writes an image into cells, from the cursor on. Columns right of the screen are not shown.
    pub(crate) fn place_in_cells(
        &mut self,
        content: Arc<ImageContent>,
        kind: ImageKind,
        geometry: CellGeometry,
        covered: CoveredText,
        scrolling: ImageScrolling,
    ) {
        let image = self.graphics.place_in_cells(content, kind, geometry);
        self.cursor.pending_wrap = false;
        let col = self.cursor.col;
        let cols = col..(col + geometry.cols as usize).min(self.cols());
        let rows = u16::try_from(geometry.rows).unwrap_or(u16::MAX);
        for part_row in 0..rows {
            if part_row > 0 && !self.next_row_of_image(scrolling) {
                break;
            }
            let row = self.cursor.row;
            self.before_print(row, cols.clone());
            self.record_drawn_row(row);
            if covered == CoveredText::Erased {
                let blank = self.pen.blank();
                self.line().overwrite(cols.clone(), None).fill(blank);
            }
            self.set_image_parts(&image, row, cols.clone(), (part_row, 0));
        }
    }

    /// Moves to the next row. Returns false if there is none.
    fn next_row_of_image(&mut self, scrolling: ImageScrolling) -> bool {
        let row = self.cursor.row;
        let scrolls = row + 1 == self.margins.bottom
            && self.margins.contains_col(self.cursor.col)
            && scrolling == ImageScrolling::Scrolls;
        if scrolls {
            self.index();
        } else if row + 1 < self.rows() {
            self.cursor.row += 1;
        } else {
            return false;
        }
        true
    }

    /// Sets the parts of an image that cells of a row show, like [`write_parts`].
    fn set_image_parts(
        &mut self,
        image: &Arc<CellImage>,
        row: usize,
        cols: Range<usize>,
        first: (u16, u16),
    ) {
        self.add_work(cols.len() * WORK_OF_CELL);
        write_parts(self.grid.line_mut(row), image, cols, first);
    }

    /// Restores parts of an image in a dump. Text and cursor stay as they are.
    pub(crate) fn restore_cells(&mut self, image: &Arc<CellImage>, rects: &[PartRect]) {
        let above = self.grid.scrollback().len();
        // A dump has each cell once.
        let mut left = (above + self.rows()) * self.cols();
        for rect in rects {
            self.add_work(WORK_OF_CELL);
            let cells = rect.rows.max(1) * rect.cols.max(1);
            let Some(rest) = left.checked_sub(cells) else {
                return;
            };
            left = rest;
            let fits = rect.cols > 0
                && rect.col + rect.cols <= self.cols()
                && usize::from(rect.part_row) + rect.rows <= image.geometry.rows as usize
                && usize::from(rect.part_col) + rect.cols <= image.geometry.cols as usize;
            for offset in 0..rect.rows as u16 {
                let row = i64::from(rect.row) + i64::from(offset);
                let part = (rect.part_row.saturating_add(offset), rect.part_col);
                let cols = rect.col..rect.col + rect.cols;
                if !fits || row >= self.rows() as i64 {
                    break;
                }
                match usize::try_from(row) {
                    Ok(row) => self.set_image_parts(image, row, cols, part),
                    Err(_) => {
                        self.add_work(cols.len() * WORK_OF_CELL);
                        let line = above as i64 + row;
                        if let Ok(line) = usize::try_from(line) {
                            self.grid.change_scrollback_line(line, |line| {
                                write_parts(line, image, cols, part);
                            });
                        }
                    }
                }
            }
        }
    }
}

/// Sets the parts of an image that cells of a line show. `first` is the row and column of the first
/// one within the image.
fn write_parts(line: &mut Line, image: &Arc<CellImage>, cols: Range<usize>, first: (u16, u16)) {
    line.split_wide(cols.start);
    line.split_wide(cols.end);
    line.touch(cols.end - 1);
    for (col, part_col) in cols.zip(first.1..) {
        let known = line.extra(col).map(|extra| Extra::clone(extra));
        let extra = Extra {
            image: Some(CellImagePart {
                image: Arc::clone(image),
                row: first.0,
                col: part_col,
            }),
            ..known.unwrap_or_default()
        };
        line.set_extra(col, Some(Arc::new(extra)));
    }
}

/// Placements of the kitty protocol.
impl Terminal {
    /// Call this before placements may be removed or moved.
    pub(crate) fn before_placements_change(&mut self) {
        if self.graphics.has_placements(self.is_alternate()) {
            let is_undelivered = self.placements_undelivered;
            self.store_transient_if(|_| is_undelivered);
        }
        self.placements_undelivered = true;
    }

    /// Changes the placements of the shown screen, if there are any.
    pub(super) fn change_placements(&mut self, change: impl FnOnce(&mut KittyScreen)) {
        let is_alternate = self.is_alternate();
        if self.graphics.has_placements(is_alternate) {
            self.add_work(self.graphics.records());
            self.graphics.change(is_alternate, change);
        }
    }

    /// Moves placements up with the region; down by a negative number of rows. Between left and
    /// right margins they stay.
    #[inline]
    pub(super) fn scroll_placements(&mut self, rows: i64) {
        if self.graphics.has_placements(self.is_alternate()) && self.margins_span_lines() {
            self.scroll_placements_within(self.margins.top..self.margins.bottom, rows);
        }
    }

    /// Moves placements like [`Terminal::scroll_placements`], within these rows of the screen.
    pub(super) fn scroll_placements_within(&mut self, part: Range<usize>, rows: i64) {
        let scrollback = if self.is_alternate() {
            0
        } else {
            self.options.scrollback
        };
        if part == (0..self.rows()) {
            // Does not visit the placements.
            let is_alternate = self.is_alternate();
            self.graphics
                .change(is_alternate, |screen| screen.scroll(rows, scrollback));
        } else {
            self.change_placements(|screen| screen.scroll_part(part, rows));
        }
    }

    /// ED 2: removes the placements on the screen.
    pub(super) fn clear_placements(&mut self) {
        let size = self.size();
        self.change_placements(|screen| screen.clear_visible(size));
    }

    /// Returns the rows of the placements of a screen, in their order.
    pub(super) fn placement_rows(&mut self, is_alternate: bool) -> Vec<i64> {
        let mut rows = Vec::new();
        if self.graphics.has_placements(is_alternate) {
            self.graphics.change(is_alternate, |screen| {
                screen.move_each(|row, _| rows.push(*row));
            });
        }
        rows
    }

    /// Moves the placements of a screen to these rows, in their order.
    pub(super) fn move_placements(&mut self, is_alternate: bool, rows: &[i64]) {
        if !rows.is_empty() {
            let mut rows = rows.iter();
            self.graphics.change(is_alternate, |screen| {
                screen.move_each(|row, _| *row = rows.next().copied().unwrap_or(*row));
            });
        }
    }
}

/// Reading.
impl Terminal {
    /// Returns the images on the shown screen, which has these rows.
    pub(super) fn read_images(&mut self, rows: &[Arc<Row>]) -> Arc<[ImagePlacement]> {
        self.placements_undelivered = false;
        let is_alternate = self.is_alternate();
        let has_cells = self.graphics.has_cells();
        if !has_cells && !self.graphics.has_placements(is_alternate) {
            self.shown_images = Arc::default();
            return Arc::default();
        }
        self.add_work_of_rows(self.rows());
        let mut in_cells = CellImages::default();
        if has_cells {
            for (row, col, part) in parts(&self.grid) {
                in_cells.add(row, col, part);
            }
        }
        let size = self.size();
        let images = self.graphics.visible(is_alternate, size, rows, in_cells);
        // Equal lists share their memory.
        if *images != *self.shown_images {
            self.shown_images = images;
        }
        Arc::clone(&self.shown_images)
    }

    /// Writes the images of a screen and of the newest rows of its scrollback, for a dump. The grid
    /// must be that of the screen.
    pub(crate) fn dump_images(
        &self,
        grid: &Grid,
        is_alternate: bool,
        scrollback: usize,
        out: &mut String,
    ) {
        let above = grid.images_in_scrollback(scrollback).into_iter();
        let shown = parts(grid).map(|(row, col, part)| (row as i32, col, part.clone()));
        let images = dump::group(above.chain(shown));
        self.graphics.dump_cells(&images, out);
        self.graphics.dump_kitty(is_alternate, out);
    }
}

/// Returns the parts of images in the cells of a grid, in reading order.
fn parts(grid: &Grid) -> impl Iterator<Item = (usize, usize, &CellImagePart)> {
    let lines = grid.lines().enumerate();
    lines.flat_map(|(row, line)| line.images().map(move |(col, part)| (row, col, part)))
}
