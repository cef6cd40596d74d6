//! Resizing of a grid.
//!
//! On the main screen, text that wraps is laid out again for the new width. The lines, including
//! the scrollback, are read from top to bottom as a stream of cells and written again line by line,
//! so that no more than a few lines are unpacked at a time. The bottom of the screen stays at the
//! bottom, as in alacritty; only if fewer lines remain than fit, they begin at the top. If more
//! remain than fit, blank ones below the cursor are removed first, then lines scroll out at the
//! top.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Grid;
use super::cell::{Cell, CellFlags, Extra};
use super::line::{Line, Wrap};
use super::packed::{PackedLine, Packer, Unpacked};
use crate::screen::geometry::Size;

/// A position that moves with the text when a grid is resized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TrackedCursor {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) pending_wrap: bool,
}

impl TrackedCursor {
    /// Keeps the cursor inside the screen, and a pending wrap only in the last column.
    pub(crate) fn limit(&mut self, size: Size) {
        self.row = self.row.min(usize::from(size.rows) - 1);
        self.pending_wrap &= self.col + 1 == usize::from(size.cols);
        self.col = self.col.min(usize::from(size.cols) - 1);
    }
}

impl Grid {
    /// Resizes the grid, and moves the cursors with it. The first one decides which lines a lower
    /// screen keeps.
    pub(crate) fn resize(&mut self, size: Size, reflow: bool, cursors: &mut [&mut TrackedCursor]) {
        let (rows, cols) = (usize::from(size.rows), usize::from(size.cols));
        if rows > self.rows() {
            self.add_rows(rows - self.rows(), cursors);
        } else {
            self.remove_rows(rows, reflow, cursors);
        }
        if cols != self.cols {
            if reflow {
                self.reflow(cols, cursors);
            } else {
                self.lines.iter_mut().for_each(|line| {
                    line.set_cols(cols);
                    line.wrap = Wrap::None;
                });
                self.cols = cols;
            }
        }
        for cursor in cursors {
            cursor.limit(size);
        }
    }

    /// Adds rows from the scrollback at the top, and blank ones at the bottom if it has too few.
    fn add_rows(&mut self, count: usize, cursors: &mut [&mut TrackedCursor]) {
        let from_scrollback = count.min(self.scrollback.len());
        for _ in 0..from_scrollback {
            if let Some(packed) = self.scrollback.pop_back() {
                self.lines.push_front(unpacked_line(&packed, self.cols));
            }
        }
        for _ in from_scrollback..count {
            self.lines.push_back(Line::new(self.cols));
        }
        for cursor in cursors {
            cursor.row += from_scrollback;
        }
        self.move_marks(from_scrollback as i64);
    }

    /// Removes rows: blank ones below the cursor first, then those at the top, down to the one of
    /// the cursor. A screen whose program redraws it keeps its top if the cursor is there.
    fn remove_rows(&mut self, rows: usize, reflow: bool, cursors: &mut [&mut TrackedCursor]) {
        let row = cursors.first().map_or(0, |cursor| cursor.row);
        let above = if reflow {
            let used = self.rows() - self.blank_rows_below(row);
            used.saturating_sub(rows).min(row)
        } else {
            (row + 1).saturating_sub(rows)
        };
        if above > 0 {
            self.scroll_out(self.rows(), above, Cell::PLAIN);
            for cursor in cursors {
                cursor.row = cursor.row.saturating_sub(above);
            }
            self.move_marks(-(above as i64));
        }
        self.lines.truncate(rows);
        // The ring is as large as the largest screen so far.
        self.lines.shrink_to_fit();
    }

    fn move_marks(&mut self, rows: i64) {
        self.marks.iter_mut().for_each(|row| *row += rows);
    }

    /// Returns the number of blank rows at the bottom that are below a row. No text continues in
    /// them.
    fn blank_rows_below(&self, row: usize) -> usize {
        let is_blank = |row: &usize| {
            let [above, line] = [&self.lines[row - 1], &self.lines[*row]];
            line.is_plain() && line.wrap == Wrap::None && above.wrap == Wrap::None
        };
        let below = (row + 1..self.rows()).rev();
        below.take_while(is_blank).count()
    }

    fn reflow(&mut self, cols: usize, cursors: &mut [&mut TrackedCursor]) {
        let rows = self.rows();
        let above = self.scrollback.len();
        let scrollback = std::mem::take(&mut self.scrollback);
        let targets = cursors
            .iter()
            .map(|cursor| (above + cursor.row, Target::Ahead));
        let mut reflow = Reflow {
            cols,
            cells: VecDeque::new(),
            extras: VecDeque::new(),
            targets: targets.collect(),
            marks: Marks::new(&self.marks, above),
            out: VecDeque::with_capacity(above + rows),
            written: 0,
            limit: self.limit + rows,
            packer: std::mem::take(&mut self.packer),
        };
        let lowest = cursors.iter().map(|cursor| cursor.row).max().unwrap_or(0);
        let blank = self.blank_rows_below(lowest);
        let lines = std::mem::take(&mut self.lines);
        let mut unpacked = Unpacked::default();
        for (index, packed) in scrollback.into_iter().enumerate() {
            // Most lines neither continue nor have to.
            if reflow.cells.is_empty() && packed.wrap() == Wrap::None && packed.width() <= cols {
                reflow.marks.read(index, 0);
                reflow.push(packed);
                reflow.marks.write(0, true, reflow.written - 1);
                continue;
            }
            packed.unpack(&mut unpacked);
            reflow.add(index, &unpacked, packed.wrap(), self.cols, cursors);
        }
        let scrolled_out = reflow.written + reflow.cells.len() / cols;
        for (row, line) in lines.iter().take(rows - blank).enumerate() {
            let copied = line.copy(0..line.content().len());
            let unpacked = Unpacked {
                cells: copied.cells,
                extras: copied.extras,
            };
            let wrap = if row + 1 == rows {
                Wrap::None
            } else {
                line.wrap
            };
            reflow.add(above + row, &unpacked, wrap, self.cols, cursors);
        }
        let used = reflow.written - scrolled_out;
        // Blank lines stay as far as there is room for them, or count as text if there is more.
        for _ in 0..blank.min(rows.saturating_sub(used)) {
            reflow.write_line(0, Wrap::None);
        }
        // A last line that continued below the screen keeps its mark if it is still full.
        let was_wrapped = lines.back().is_some_and(|line| line.wrap != Wrap::None);
        self.finish(reflow, rows, cursors);
        if was_wrapped
            && let Some(last) = self.lines.back_mut()
            && last.content().len() == cols
        {
            last.wrap = Wrap::Wrapped;
        }
    }

    /// Takes over the lines that were laid out.
    fn finish(&mut self, reflow: Reflow, rows: usize, cursors: &mut [&mut TrackedCursor]) {
        self.cols = reflow.cols;
        self.packer = reflow.packer;
        let first = reflow.written.saturating_sub(rows);
        self.marks = reflow.marks.rows(first);
        for (cursor, (_, target)) in cursors.iter_mut().zip(&reflow.targets) {
            if let Target::At(at) = target {
                **cursor = TrackedCursor {
                    row: at.row.saturating_sub(first),
                    ..*at
                };
            }
        }
        let mut out = reflow.out;
        let shown = out.split_off(out.len().saturating_sub(rows));
        self.lines = shown
            .iter()
            .map(|packed| unpacked_line(packed, self.cols))
            .collect();
        while self.lines.len() < rows {
            self.lines.push_back(Line::new(self.cols));
        }
        while out.len() > self.limit {
            out.pop_front();
        }
        out.shrink_to_fit();
        self.scrollback = out;
    }
}

fn unpacked_line(packed: &PackedLine, cols: usize) -> Line {
    let mut unpacked = Unpacked::default();
    packed.unpack(&mut unpacked);
    let mut line = Line::from_cells(unpacked.cells, unpacked.extras, cols);
    line.wrap = packed.wrap();
    line
}

/// Returns the number of cells of a line without the blank ones after `cols` that show an image: a
/// picture that is too wide is cut off, because its rows would be torn apart otherwise.
fn without_image_end(line: &Unpacked, cols: usize) -> usize {
    let is_image = |col: &usize| {
        let part = line.extra(*col).and_then(|extra| extra.image.as_ref());
        line.cells[*col].c == ' ' && part.is_some()
    };
    let end = (cols..line.cells.len()).rev().take_while(is_image).count();
    line.cells.len() - end
}

/// Where a cursor is while lines are laid out.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// In a line that was not read yet.
    Ahead,
    /// So many cells after the first cell that was not written yet.
    InLine(usize),
    At(TrackedCursor),
}

/// Lines whose places are followed while they are laid out.
#[derive(Debug)]
struct Marks {
    /// The index of the line of each mark, ascending, and the index of the mark.
    lines: Vec<(i64, usize)>,
    /// How many of them were read.
    read: usize,
    /// Cells before the first cell of each line that was read and not yet written.
    offsets: VecDeque<usize>,
    /// The new index of each line, for those that were written.
    places: Vec<i64>,
    /// Index and new index of the last line, and whether it is not yet written completely.
    last: (i64, i64),
    is_open: bool,
}

impl Marks {
    /// Creates the marks of rows, with `above` lines before the first row.
    fn new(rows: &[i64], above: usize) -> Marks {
        let lines = rows.iter().map(|row| row + above as i64);
        let mut lines: Vec<(i64, usize)> = lines.zip(0..).collect();
        lines.sort_unstable();
        // Those that were above the scrollback stay above it.
        let read = lines.partition_point(|(line, _)| *line < 0);
        Marks {
            places: lines[..read].iter().map(|(line, _)| *line).collect(),
            lines,
            read,
            offsets: VecDeque::new(),
            last: (0, 0),
            is_open: false,
        }
    }

    /// A line is read whose first cell is `offset` cells after those that were written.
    #[inline]
    fn read(&mut self, index: usize, offset: usize) {
        self.last.0 = index as i64;
        self.is_open = true;
        while self
            .lines
            .get(self.read)
            .is_some_and(|(line, _)| *line == index as i64)
        {
            self.read += 1;
            self.offsets.push_back(offset);
        }
    }

    /// A line of `len` cells is written.
    #[inline]
    fn write(&mut self, len: usize, is_end: bool, written: usize) {
        if self.is_open {
            self.last.1 = written as i64;
            self.is_open = !is_end;
        }
        while self
            .offsets
            .front()
            .is_some_and(|offset| *offset < len || is_end)
        {
            self.offsets.pop_front();
            self.places.push(written as i64);
        }
        self.offsets.iter_mut().for_each(|offset| *offset -= len);
    }

    /// Returns the new rows, in the order of the old ones.
    fn rows(self, first: usize) -> Vec<i64> {
        let mut rows = vec![0; self.lines.len()];
        for (place, (line, mark)) in self.lines.iter().enumerate() {
            // Lines below the last one that was read keep their distance to it.
            let new = self.places.get(place).copied();
            let new = new.unwrap_or(self.last.1 + line - self.last.0);
            rows[*mark] = new - first as i64;
        }
        rows
    }
}

/// A layout in progress.
#[derive(Debug)]
struct Reflow {
    cols: usize,
    /// Cells that were read and not yet written.
    cells: VecDeque<Cell>,
    extras: VecDeque<Option<Arc<Extra>>>,
    /// The line of each cursor, and where the cursor is.
    targets: Vec<(usize, Target)>,
    marks: Marks,
    out: VecDeque<PackedLine>,
    /// Number of lines written, including those that were dropped.
    written: usize,
    limit: usize,
    packer: Packer,
}

impl Reflow {
    /// Reads one line of `old_cols` columns.
    fn add(
        &mut self,
        index: usize,
        line: &Unpacked,
        wrap: Wrap,
        old_cols: usize,
        cursors: &[&mut TrackedCursor],
    ) {
        let before = self.cells.len();
        self.marks.read(index, before);
        for (target, cursor) in self.targets.iter_mut().zip(cursors) {
            if target.0 == index {
                let col = cursor.col + usize::from(cursor.pending_wrap);
                target.1 = Target::InLine(before + col);
            }
        }
        let width = match wrap {
            Wrap::None => without_image_end(line, self.cols.saturating_sub(before)),
            Wrap::Wrapped => old_cols,
            Wrap::BeforeWide => old_cols - 1,
        };
        let kept = width.min(line.cells.len());
        self.cells.extend(&line.cells[..kept]);
        self.cells.resize(before + width, Cell::PLAIN);
        if !line.extras.is_empty() {
            self.extras.resize(before, None);
            self.extras.extend(line.extras[..kept].iter().cloned());
        }
        while self.cells.len() > self.cols {
            self.write_full_line();
        }
        if wrap == Wrap::None {
            self.end_line();
        }
    }

    /// Writes the last line of a text.
    fn end_line(&mut self) {
        // Blank cells before a cursor count as text.
        loop {
            let farthest = self.targets.iter().filter_map(|(_, target)| match target {
                Target::InLine(offset) => Some(*offset),
                _ => None,
            });
            let Some(farthest) = farthest.max() else {
                break;
            };
            if farthest <= self.cols {
                break;
            }
            self.cells
                .resize(self.cells.len().max(farthest), Cell::PLAIN);
            self.write_full_line();
        }
        let len = self.cells.len();
        self.write_line(len, Wrap::None);
    }

    /// Writes as many cells as fit into a line that continues.
    fn write_full_line(&mut self) {
        let cols = self.cols;
        if self.cells[cols - 1].flags.contains(CellFlags::WIDE) {
            self.write_line(cols - 1, Wrap::BeforeWide);
        } else {
            self.write_line(cols, Wrap::Wrapped);
        }
    }

    fn write_line(&mut self, len: usize, wrap: Wrap) {
        for (_, target) in &mut self.targets {
            let Target::InLine(offset) = *target else {
                continue;
            };
            *target = if offset < len || wrap == Wrap::None {
                Target::At(TrackedCursor {
                    row: self.written,
                    col: offset.min(self.cols - 1),
                    pending_wrap: offset == self.cols,
                })
            } else {
                Target::InLine(offset - len)
            };
        }
        self.marks.write(len, wrap == Wrap::None, self.written);
        let mut cells: Vec<Cell> = self.cells.drain(..len).collect();
        let kept = cells.iter().rposition(|cell| *cell != Cell::PLAIN);
        cells.truncate(kept.map_or(0, |last| last + 1));
        let with_extras = len.min(self.extras.len());
        let extras: Vec<Option<Arc<Extra>>> = self.extras.drain(..with_extras).collect();
        let extra = |col: usize| extras.get(col)?.as_ref();
        let packed = self.packer.pack_cells(&cells, wrap, extra);
        self.push(packed);
    }

    fn push(&mut self, packed: PackedLine) {
        if self.out.len() == self.limit {
            self.out.pop_front();
        }
        self.out.push_back(packed);
        self.written += 1;
    }
}
