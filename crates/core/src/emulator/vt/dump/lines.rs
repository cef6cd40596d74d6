//! Draws the lines of a grid.

use super::super::grid::Grid;
use super::super::grid::cell::{Cell, CellFlags, Extra, Pen};
use super::super::grid::packed::Unpacked;
use super::{state, write_pen, write_protection};
use crate::formats::paint::row_writer::RowSequenceWriter;

/// Up to this many plain cells are written as spaces; for more, moving the cursor takes fewer
/// bytes.
const MAX_SPACES: usize = 4;

/// Draws the newest `scrollback` lines of the scrollback and the visible lines, on a blank screen.
pub(super) fn write(out: &mut RowSequenceWriter, grid: &Grid, scrollback: usize) {
    out.move_to(0, 0);
    let mut wraps = Vec::new();
    let all = grid.scrollback().len();
    let mut unpacked = Unpacked::default();
    for line in grid.scrollback().range(all - scrollback.min(all)..) {
        line.unpack(&mut unpacked);
        write_line(out, &unpacked);
        end_line(out);
        wraps.push(line.wrap());
    }
    let last = grid.rows() - 1;
    let filled = grid
        .lines()
        .rposition(|line| !line.is_plain())
        .map_or(0, |last| last + 1);
    for (row, line) in grid.lines().enumerate() {
        if row < filled {
            let content = line.copy(0..line.content().len());
            let unpacked = Unpacked {
                cells: content.cells,
                extras: content.extras,
            };
            write_line(out, &unpacked);
        }
        // Blank lines are needed only if lines have to scroll out.
        if row < last && (row + 1 < filled || !wraps.is_empty()) {
            end_line(out);
        }
    }
    wraps.extend(grid.lines().map(|line| line.wrap));
    write_pen(out, &Pen::default());
    state::write_wraps(out, &wraps);
}

fn end_line(out: &mut RowSequenceWriter) {
    out.reset_style();
    out.text.push_str("\r\n");
    out.cursor_moved();
}

fn write_line(out: &mut RowSequenceWriter, line: &Unpacked) {
    let cells = &line.cells;
    let mut col = 0;
    while let Some(cell) = cells.get(col) {
        let same =
            |like: &dyn Fn(&Cell) -> bool| cells[col..].iter().take_while(|c| like(c)).count();
        if *cell == Cell::PLAIN {
            let count = same(&|other| *other == Cell::PLAIN);
            if count <= MAX_SPACES {
                write_pen(out, &Pen::default());
                out.put_spaces(count);
            } else {
                out.put(format_args!("\x1b[{count}C"));
                out.cursor_moved();
            }
            col += count;
        } else if cell.is_erased() {
            let count = same(&|other| other == cell);
            write_protection(out, CellFlags::empty());
            out.set_style(&cell.style(), None);
            out.put(format_args!("\x1b[{count}X"));
            if col + count < cells.len() {
                out.put(format_args!("\x1b[{count}C"));
                out.cursor_moved();
            }
            col += count;
        } else {
            write_cell(out, cell, line.extra(col).map(|extra| &**extra));
            col += if cell.flags.contains(CellFlags::WIDE) {
                2
            } else {
                1
            };
        }
    }
}

fn write_cell(out: &mut RowSequenceWriter, cell: &Cell, extra: Option<&Extra>) {
    let mut style = cell.style();
    let mut link = None;
    let mut marks = "";
    if let Some(extra) = extra {
        style.underline_color = extra.underline_color.color();
        link = extra.link.as_deref();
        marks = &extra.marks;
    }
    write_protection(out, cell.flags);
    out.set_zone(cell.flags.zone());
    out.set_style(&style, link);
    let columns = 1 + usize::from(cell.flags.contains(CellFlags::WIDE));
    if marks.is_empty() {
        out.put_cell(cell.c.encode_utf8(&mut [0; 4]), columns);
    } else {
        out.put_cell(&format!("{}{marks}", cell.c), columns);
    }
}
