//! Reads the grid as a [`Screen`].
//!
//! A line that did not change since the last read keeps its row, also if it scrolled, so that the
//! cost of a screen depends only on its changes.

use std::sync::Arc;

use super::Terminal;
use crate::emulator::vt::grid::cell::{Cell, CellFlags, Extra};
use crate::emulator::vt::grid::line::Wrap;
use crate::emulator::vt::grid::packed::Unpacked;
use crate::screen::Screen;
use crate::screen::cursor::Cursor;
use crate::screen::geometry::Position;
use crate::screen::row::{LinkId, Row, RowBuilder, StyleId, Width};

impl Terminal {
    /// Returns the visible screen: during a synchronized update, the one from before the update.
    pub(crate) fn screen(&mut self) -> Screen {
        match &self.frozen_screen {
            Some(frozen) => {
                let mut screen = frozen.clone();
                screen.modes.synchronized = true;
                screen
            }
            None => self.read_screen(),
        }
    }

    /// Reads the current content of the grid.
    pub(super) fn read_screen(&mut self) -> Screen {
        self.undelivered.clear();
        let rows = self.read_rows();
        let images = self.read_images(&rows);
        Screen {
            size: self.size(),
            rows,
            cursor: self.screen_cursor(),
            title: Arc::from(self.titles.window.as_str()),
            working_directory: Arc::from(self.working_directory.as_str()),
            modes: self.screen_modes(),
            palette: self.colors.palette().clone(),
            scrollback_rows: self.grid.scrollback().len(),
            images,
        }
    }

    pub(crate) fn screen_cursor(&self) -> Cursor {
        Cursor {
            position: Position {
                row: self.cursor.row,
                col: self.cursor.col,
            },
            visible: self.modes.contains(super::Mode::CURSOR_VISIBLE),
            shape: self.cursor_look.shape,
            blinking: self.cursor_look.blinking,
            pending_wrap: self.cursor.pending_wrap,
        }
    }

    fn read_rows(&mut self) -> Vec<Arc<Row>> {
        let mut updated = 0;
        let mut rows = Vec::with_capacity(self.grid.rows());
        for line in self.grid.lines_to_read() {
            if line.dirty || line.row.is_none() {
                updated += 1;
                let extra = |col| line.extra(col);
                let row = read_cells(&mut self.builder, line.content(), line.wrap, extra);
                // All blank rows share one `Arc`. A row that looks the same as before keeps its.
                if row == *self.blank_row {
                    line.row = Some(self.blank_row.clone());
                } else if line.row.as_deref() != Some(&row) {
                    line.row = Some(Arc::new(row));
                }
                line.dirty = false;
            }
            rows.push(line.row.as_ref().unwrap_or(&self.blank_row).clone());
        }
        self.add_work_of_rows(2 * updated);
        rows
    }

    pub(crate) fn scrollback(&mut self, count: usize) -> Vec<Arc<Row>> {
        // Rows scrolled out by the synchronized update in progress are still on the visible screen.
        let all = self.grid.scrollback().len();
        let hidden = self
            .frozen_screen
            .as_ref()
            .map_or(0, |frozen| all.saturating_sub(frozen.scrollback_rows));
        let shown = all - hidden;
        let mut unpacked = Unpacked::default();
        let kept = self
            .grid
            .scrollback()
            .range(shown - count.min(shown)..shown);
        kept.map(|line| {
            line.unpack(&mut unpacked);
            let extra = |col: usize| unpacked.extra(col);
            let row = read_cells(&mut self.builder, &unpacked.cells, line.wrap(), extra);
            Arc::new(row)
        })
        .collect()
    }
}

/// Converts cells to a row.
pub(crate) fn read_cells<'a>(
    builder: &mut RowBuilder,
    cells: &[Cell],
    wrap: Wrap,
    extra: impl Fn(usize) -> Option<&'a Arc<Extra>>,
) -> Row {
    builder.wrapped(wrap != Wrap::None);
    // Most cells have the look of their neighbour.
    let mut known: Option<(Cell, StyleId)> = None;
    let mut zone = CellFlags::empty();
    for (col, cell) in cells.iter().enumerate() {
        if cell.flags.contains(CellFlags::SPACER) {
            continue;
        }
        if cell.flags & CellFlags::ZONE != zone {
            zone = cell.flags & CellFlags::ZONE;
            builder.zone(zone.zone());
        }
        let is_wide = cell.flags.contains(CellFlags::WIDE);
        if cell.flags.contains(CellFlags::EXTRA)
            && let Some(extra) = extra(col)
        {
            push_with_extra(builder, cell, extra, is_wide);
            continue;
        }
        let style = match known {
            Some((same, id)) if same.is_like(cell) => id,
            _ => {
                let id = builder.style(&cell.style());
                known = Some((*cell, id));
                id
            }
        };
        if is_wide {
            builder.push_wide(cell.c, style, LinkId::NONE);
        } else {
            builder.push(cell.c, style, LinkId::NONE);
        }
    }
    builder.finish()
}

fn push_with_extra(builder: &mut RowBuilder, cell: &Cell, extra: &Extra, is_wide: bool) {
    let mut style = cell.style();
    style.underline_color = extra.underline_color.color();
    let style = builder.style(&style);
    let link = match &extra.link {
        None => LinkId::NONE,
        Some(link) => builder.link(link),
    };
    let width = if is_wide { Width::Wide } else { Width::Narrow };
    let mut cluster = String::with_capacity(4 + extra.marks.len());
    cluster.push(cell.c);
    cluster.push_str(&extra.marks);
    builder.push_cluster(&cluster, width, style, link);
}
