//! The grid: the visible lines of a screen, and its scrollback.
//!
//! Lines are in a ring, so that scrolling the whole screen moves no cells. A line that scrolls out
//! is packed at once (`packed.rs`), and its memory is used for the new line at the bottom.

use std::collections::VecDeque;

use crate::emulator::graphics::cells::CellImagePart;
use crate::screen::geometry::Size;
use cell::Cell;
use line::{Line, Wrap};
use packed::{PackedLine, Packer, Unpacked};

pub(crate) mod cell;
pub(crate) mod line;
pub(crate) mod packed;
mod reflow;

pub(crate) use reflow::TrackedCursor;

/// The lines of the main or the alternate screen.
#[derive(Debug)]
pub(crate) struct Grid {
    lines: VecDeque<Line>,
    cols: usize,
    scrollback: VecDeque<PackedLine>,
    /// Maximum number of scrollback lines; 0 for the alternate screen.
    limit: usize,
    packer: Packer,
    /// Rows that a resize moves with their lines; negative ones are in the scrollback. Empty except
    /// during a resize.
    pub(crate) marks: Vec<i64>,
}

impl Grid {
    pub(crate) fn new(size: Size, limit: usize) -> Grid {
        let cols = usize::from(size.cols);
        Grid {
            lines: (0..size.rows).map(|_| Line::new(cols)).collect(),
            cols,
            scrollback: VecDeque::new(),
            limit,
            packer: Packer::default(),
            marks: Vec::new(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    #[inline]
    pub(crate) fn line(&self, row: usize) -> &Line {
        &self.lines[row]
    }

    /// Returns a line that will be changed.
    #[inline]
    pub(crate) fn line_mut(&mut self, row: usize) -> &mut Line {
        let line = &mut self.lines[row];
        line.dirty = true;
        line
    }

    pub(crate) fn lines(&self) -> impl DoubleEndedIterator<Item = &Line> + ExactSizeIterator {
        self.lines.iter()
    }

    /// Returns the lines for reading them into rows, which does not change their content.
    pub(crate) fn lines_to_read(&mut self) -> impl Iterator<Item = &mut Line> {
        self.lines.iter_mut()
    }

    /// Returns the scrollback lines, oldest first.
    pub(crate) fn scrollback(&self) -> &VecDeque<PackedLine> {
        &self.scrollback
    }

    pub(crate) fn clear_scrollback(&mut self) {
        self.scrollback = VecDeque::new();
    }

    /// Moves the lines of a region up by `count`. The new lines at its bottom consist of `blank`.
    pub(crate) fn scroll_up(&mut self, top: usize, bottom: usize, count: usize, blank: Cell) {
        let count = count.min(bottom - top);
        if top == 0 && bottom == self.lines.len() {
            self.lines.rotate_left(count);
        } else {
            // Faster than swapping lines one by one in the ring.
            self.lines.make_contiguous()[top..bottom].rotate_left(count);
        }
        self.clear_lines(bottom - count, bottom, blank);
    }

    /// Scrolls like [`Grid::scroll_up`] from the top of the screen, and adds the lines that leave
    /// it to the scrollback.
    pub(crate) fn scroll_out(&mut self, bottom: usize, count: usize, blank: Cell) {
        if self.limit > 0 {
            for row in 0..count.min(bottom) {
                self.push_scrollback(row);
            }
        }
        self.scroll_up(0, bottom, count, blank);
    }

    /// Moves the lines of a region down by `count`. The new lines at its top consist of `blank`.
    pub(crate) fn scroll_down(&mut self, top: usize, bottom: usize, count: usize, blank: Cell) {
        let count = count.min(bottom - top);
        self.lines.make_contiguous()[top..bottom].rotate_right(count);
        self.clear_lines(top, top + count, blank);
    }

    pub(crate) fn clear_lines(&mut self, from: usize, to: usize, blank: Cell) {
        for row in from..to {
            self.lines[row].clear(blank);
        }
    }

    /// Returns the parts of images in the newest lines of the scrollback: row (negative), column
    /// and part.
    pub(crate) fn images_in_scrollback(&self, lines: usize) -> Vec<(i32, usize, CellImagePart)> {
        let mut parts = Vec::new();
        let mut unpacked = Unpacked::default();
        let all = self.scrollback.len();
        for (index, line) in self
            .scrollback
            .iter()
            .enumerate()
            .skip(all - lines.min(all))
        {
            if !line.has_extras() {
                continue;
            }
            line.unpack(&mut unpacked);
            for (col, extra) in unpacked.extras.iter().enumerate() {
                let part = extra.as_ref().and_then(|extra| extra.image.clone());
                // At most a few million lines.
                parts.extend(part.map(|part| (index as i32 - all as i32, col, part)));
            }
        }
        parts
    }

    /// Changes a line of the scrollback.
    pub(crate) fn change_scrollback_line(&mut self, index: usize, change: impl FnOnce(&mut Line)) {
        let Some(packed) = self.scrollback.get_mut(index) else {
            return;
        };
        let mut unpacked = Unpacked::default();
        packed.unpack(&mut unpacked);
        let mut line = Line::from_cells(unpacked.cells, unpacked.extras, self.cols);
        line.wrap = packed.wrap();
        change(&mut line);
        *packed = self.packer.pack(&line);
    }

    /// Ends the text that continued from the scrollback in the first line, because it was erased.
    pub(crate) fn end_scrollback_line(&mut self) {
        if let Some(last) = self.scrollback.back_mut() {
            last.set_wrap(Wrap::None);
        }
    }

    /// Adds a copy of a line to the scrollback.
    fn push_scrollback(&mut self, row: usize) {
        while self.scrollback.len() >= self.limit {
            self.scrollback.pop_front();
        }
        // Growing by an eighth copies the lines rarely, and does not double the memory.
        if self.scrollback.len() == self.scrollback.capacity() {
            let more = (self.scrollback.len() / 8).max(32);
            self.scrollback.reserve_exact(more);
        }
        let packed = self.packer.pack(&self.lines[row]);
        self.scrollback.push_back(packed);
    }
}

impl Grid {
    /// Marks a line as wrapped. `above` is how far it is above the last visible one.
    pub(crate) fn set_wrap(&mut self, above: usize, wrap: Wrap) {
        let rows = self.lines.len();
        if above < rows {
            self.line_mut(rows - 1 - above).wrap = wrap;
        } else if let Some(index) = (self.scrollback.len() + rows).checked_sub(above + 1) {
            self.scrollback[index].set_wrap(wrap);
        }
    }
}

#[cfg(test)]
impl Grid {
    /// Returns the number of visible cells that take memory.
    pub(crate) fn stored_cells(&self) -> usize {
        self.lines.iter().map(Line::stored_cells).sum()
    }

    /// Makes the next read convert every line.
    pub(crate) fn mark_all_dirty(&mut self) {
        for line in &mut self.lines {
            line.dirty = true;
            line.row = None;
        }
    }
}
