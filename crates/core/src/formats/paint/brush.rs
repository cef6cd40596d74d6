//! Escape sequences that reproduce rows on a terminal, with their positions, links, zones and
//! wraps.
//!
//! Unlike painted text, whose rows are self-contained, this output is only for a terminal: it moves
//! the cursor, and styles stay active until they are changed. The resulting screen has the same
//! rows.
//!
//! See also: `emulator/alacritty/portrait.rs` (all terminal state other than rows).

use std::fmt::Write;
use std::sync::Arc;

use super::sgr::On;
use crate::{Hyperlink, Row, Style, Text, Width, Zone};

/// Writes rows as escape sequences.
#[derive(Debug, Default)]
pub(crate) struct Brush {
    pub(crate) text: String,
    on: On,
    zone: Option<Zone>,
}

/// Written after a row that is filled to its last column to mark it as wrapped: a tab there moves
/// to the next row, as the next character would.
const GO_ON: char = '\t';

impl Brush {
    /// Appends formatted text.
    pub(crate) fn put(&mut self, parts: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(parts);
    }

    /// Moves the cursor to a cell, counted from 0.
    pub(crate) fn go(&mut self, row: usize, col: usize) {
        self.put(format_args!("\x1b[{};{}H", row + 1, col + 1));
    }

    /// Sets the style and link of the text that follows.
    pub(crate) fn turn(&mut self, style: &Style, link: Option<&Hyperlink>) {
        self.on.turn(style, link, &mut self.text);
    }

    /// Sets the zone of the text that follows.
    pub(crate) fn zone(&mut self, zone: Zone) {
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
    pub(crate) fn plain(&mut self) {
        self.turn(&Style::default(), None);
    }

    /// Resets style and link even if they seem to be reset, because the terminal's state is
    /// unknown, as after a switch of screens.
    pub(crate) fn lift(&mut self) {
        self.text.push_str("\x1b[0m\x1b]8;;\x1b\\");
        self.on = On::default();
    }

    /// Writes rows from the top of a blank screen `height` rows high. Excess rows scroll out.
    pub(crate) fn screen(&mut self, rows: &[Arc<Row>], height: usize, cols: usize) {
        self.text.push_str("\x1b[H");
        self.rows(rows, cols);
        if let [.., above, last] = rows
            && last.wrapped()
            && height > 1
        {
            // Wrapping the last row would scroll the screen. So it is drawn one row higher and then
            // pushed down.
            self.go(height - 2, 0);
            self.text.push_str("\x1b[J");
            self.fill(last, cols);
            self.go(height - 2, 0);
            self.text.push_str("\x1b[L");
            if above.wrapped() {
                self.fill(above, cols);
            } else {
                self.row(above);
            }
        }
    }

    /// Writes rows into a blank screen `height` rows high, and scrolls them out. A row that
    /// continued in a row that is still visible continues in a blank row instead.
    pub(crate) fn scrolled_out(&mut self, rows: &[Arc<Row>], cols: usize, height: usize) {
        for row in rows {
            if row.wrapped() {
                self.cells(row, cols);
            } else {
                self.cells(row, row.len());
                self.plain();
                self.text.push_str("\r\n");
            }
        }
        self.plain();
        if rows.last().is_some_and(|row| row.wrapped()) {
            self.text.push_str(" \r");
        }
        self.go(height - 1, 0);
        let still_shown = rows.len().min(height - 1);
        self.text.push_str(&"\n".repeat(still_shown));
        self.go(0, 0);
    }

    /// Writes rows one below the other, from the cursor's row on. The cursor must be in the first
    /// column. The last row is not marked as wrapped.
    fn rows(&mut self, rows: &[Arc<Row>], cols: usize) {
        for (index, row) in rows.iter().enumerate() {
            let is_last = index + 1 == rows.len();
            if row.wrapped() && !is_last {
                self.fill(row, cols);
                continue;
            }
            self.row(row);
            if !is_last {
                self.text.push_str("\r\n");
            }
        }
    }

    /// Writes a row that is not wrapped.
    fn row(&mut self, row: &Row) {
        self.cells(row, end(row));
        self.end_zone(row);
        self.plain();
    }

    /// Writes a row to its last column and wraps into the next row.
    fn fill(&mut self, row: &Row, cols: usize) {
        self.cells(row, cols);
        self.plain();
        self.text.push(GO_ON);
    }

    /// Writes the cells up to a column.
    fn cells(&mut self, row: &Row, end: usize) {
        for col in 0..end {
            self.cell(row, col);
        }
    }

    /// Writes one cell at the cursor; nothing for the second half of a wide character.
    fn cell(&mut self, row: &Row, col: usize) {
        let cell = row.cell(col);
        if cell.width == Width::Spacer {
            let before = col.checked_sub(1).map(|col| row.cell(col).width);
            if before == Some(Width::Wide) {
                return;
            }
        }
        self.look(row, col);
        match (cell.width, cell.text) {
            (Width::Spacer, _) => self.text.push(' '),
            (_, Text::Char(c)) => self.text.push(c),
            (_, Text::Cluster(cluster)) => self.text.push_str(cluster),
        }
    }

    /// Sets the zone, style and link of a cell for the text that follows.
    fn look(&mut self, row: &Row, col: usize) {
        let cell = row.cell(col);
        self.zone(zone_at(row, col));
        self.turn(cell.style, cell.link);
    }

    /// Ends a zone with a tab if only blank cells follow it. The tab leaves a cell that is not
    /// quite blank.
    fn end_zone(&mut self, row: &Row) {
        if let Some(last) = row.zones().last()
            && last.zone == Zone::None
            && usize::from(last.col) >= row.len()
        {
            self.zone(Zone::None);
            self.plain();
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

/// Returns the zone of a cell. Blank cells after the last zone have no zone: a zone would not be
/// visible there.
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
