//! Escape sequences that reproduce rows on a terminal, with their positions, links, zones and
//! wraps.
//!
//! Unlike painted text, whose rows are self-contained, this output is only for a terminal: it moves
//! the cursor, and styles stay active until they are changed. The resulting screen has the same
//! rows.
//!
//! See also: `emulator/alacritty/dump.rs` (all state of a terminal).

use std::fmt::Write;
use std::sync::Arc;

use super::sgr::ActiveStyle;
use crate::{Hyperlink, Row, Style, Text, Width, Zone};

/// Writes rows as escape sequences.
#[derive(Debug, Default)]
pub(crate) struct RowSequenceWriter {
    pub(crate) text: String,
    active: ActiveStyle,
    zone: Option<Zone>,
}

/// Written after a row that is filled to its last column to mark it as wrapped: a tab there moves
/// to the next row, as the next character would.
const WRAP: char = '\t';

impl RowSequenceWriter {
    /// Appends formatted text.
    pub(crate) fn put(&mut self, parts: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(parts);
    }

    /// Moves the cursor to a cell, counted from 0.
    pub(crate) fn move_to(&mut self, row: usize, col: usize) {
        self.put(format_args!("\x1b[{};{}H", row + 1, col + 1));
    }

    /// Sets the style and link of the text that follows.
    pub(crate) fn set_style(&mut self, style: &Style, link: Option<&Hyperlink>) {
        self.active.switch_to(style, link, &mut self.text);
    }

    /// Sets the zone of the text that follows.
    pub(crate) fn set_zone(&mut self, zone: Zone) {
        if self.zone.unwrap_or(Zone::None) != zone {
            self.zone = Some(zone);
            let mark = match zone {
                Zone::None => 'D',
                Zone::Prompt => 'A',
                Zone::Input => 'B',
                Zone::Output => 'C',
            };
            self.put(format_args!("\x1b]133;{mark}\x07"));
        }
    }

    /// Resets style and link, because a terminal erases with the current background colour.
    pub(crate) fn reset_style(&mut self) {
        self.set_style(&Style::default(), None);
    }

    /// Resets style and link even if they seem to be reset, because the terminal's state is
    /// unknown, as after a switch of screens.
    pub(crate) fn force_reset_style(&mut self) {
        self.text.push_str("\x1b[0m\x1b]8;;\x1b\\");
        self.active = ActiveStyle::default();
    }

    /// Writes rows from the top of a blank screen `height` rows high. Excess rows scroll out.
    pub(crate) fn write_screen(&mut self, rows: &[Arc<Row>], height: usize, cols: usize) {
        self.text.push_str("\x1b[H");
        self.write_rows(rows, cols);
        if let [.., above, last] = rows
            && last.wrapped()
            && height > 1
        {
            // Wrapping the last row would scroll the screen. So it is drawn one row higher and then
            // pushed down.
            self.move_to(height - 2, 0);
            self.text.push_str("\x1b[J");
            self.write_wrapped_row(last, cols);
            self.move_to(height - 2, 0);
            self.text.push_str("\x1b[L");
            if above.wrapped() {
                self.write_wrapped_row(above, cols);
            } else {
                self.write_row(above);
            }
        }
    }

    /// Writes rows into a blank screen `height` rows high, and scrolls them out. If the last row is
    /// wrapped, a blank row replaces the visible row in which it continued.
    #[cfg(feature = "avt")]
    pub(crate) fn write_scrolled_out(&mut self, rows: &[Arc<Row>], cols: usize, height: usize) {
        for row in rows {
            if row.wrapped() {
                self.write_cells(row, cols);
            } else {
                self.write_cells(row, row.len());
                self.reset_style();
                self.text.push_str("\r\n");
            }
        }
        self.reset_style();
        if rows.last().is_some_and(|row| row.wrapped()) {
            self.text.push_str(" \r");
        }
        self.move_to(height - 1, 0);
        let still_shown = rows.len().min(height - 1);
        self.text.push_str(&"\n".repeat(still_shown));
        self.move_to(0, 0);
    }

    /// Writes rows one below the other, from the cursor's row on. The cursor must be in the first
    /// column. The last row is not marked as wrapped.
    fn write_rows(&mut self, rows: &[Arc<Row>], cols: usize) {
        for (index, row) in rows.iter().enumerate() {
            let is_last = index + 1 == rows.len();
            if row.wrapped() && !is_last {
                self.write_wrapped_row(row, cols);
                continue;
            }
            self.write_row(row);
            if !is_last {
                self.text.push_str("\r\n");
            }
        }
    }

    /// Writes a row that is not wrapped.
    fn write_row(&mut self, row: &Row) {
        self.write_cells(row, end(row));
        self.end_zone(row);
        self.reset_style();
    }

    /// Writes a row to its last column and wraps into the next row.
    fn write_wrapped_row(&mut self, row: &Row, cols: usize) {
        self.write_cells(row, cols);
        self.reset_style();
        self.text.push(WRAP);
    }

    /// Writes the cells up to a column.
    fn write_cells(&mut self, row: &Row, end: usize) {
        for col in 0..end {
            self.write_cell(row, col);
        }
    }

    /// Writes one cell at the cursor; nothing for the second half of a wide character.
    fn write_cell(&mut self, row: &Row, col: usize) {
        let cell = row.cell(col);
        if cell.width == Width::Spacer {
            let before = col.checked_sub(1).map(|col| row.cell(col).width);
            if before == Some(Width::Wide) {
                return;
            }
        }
        self.set_cell_style(row, col);
        match (cell.width, cell.text) {
            (Width::Spacer, _) => self.text.push(' '),
            (_, Text::Char(c)) => self.text.push(c),
            (_, Text::Cluster(cluster)) => self.text.push_str(cluster),
        }
    }

    /// Sets the zone, style and link of a cell for the text that follows.
    fn set_cell_style(&mut self, row: &Row, col: usize) {
        let cell = row.cell(col);
        self.set_zone(zone_at(row, col));
        self.set_style(cell.style, cell.link);
    }

    /// Ends a zone with a tab if only blank cells follow it. The terminal stores the tab in a cell,
    /// which looks blank.
    fn end_zone(&mut self, row: &Row) {
        if let Some(last) = row.zones().last()
            && last.zone == Zone::None
            && usize::from(last.col) >= row.len()
        {
            self.set_zone(Zone::None);
            self.reset_style();
            self.text.push('\t');
        }
    }
}

/// Returns the column up to which a row is written: to its last cell, and to the start of its last
/// zone.
fn end(row: &Row) -> usize {
    let zone = row.zones().last().map_or(0, |last| {
        usize::from(last.col) + usize::from(last.zone != Zone::None)
    });
    row.len().max(zone)
}

/// Returns the zone of a cell. Blank cells at the end of a row that is not wrapped have no zone: a
/// zone would not be visible there.
fn zone_at(row: &Row, col: usize) -> Zone {
    if !row.wrapped() && col >= end(row) {
        return Zone::None;
    }
    let zones = row.zones();
    let after = zones.partition_point(|start| usize::from(start.col) <= col);
    match after.checked_sub(1) {
        Some(index) => zones[index].zone,
        None => Zone::None,
    }
}
