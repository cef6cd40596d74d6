//! Escape sequences that reproduce rows on a terminal, with their positions, links, zones and
//! wraps.
//!
//! Unlike painted text, whose rows are self-contained, this output is only for a terminal: it moves
//! the cursor, and styles stay active until they are changed. The resulting screen has the same
//! rows.
//!
//! See also: `emulator/vt/dump.rs` (all state of a terminal).

use std::fmt::Write;
use std::sync::Arc;

use super::sgr::ActiveStyle;
use crate::screen::cluster::{self, Cluster};
use crate::{Hyperlink, Row, Style, Text, Width, Zone};

/// Makes the default emulator begin a new cell with the next character.
const SEPARATE: &str = "\x1bP1$pt=\x1b\\";

/// Writes rows as escape sequences.
#[derive(Debug, Default)]
pub(crate) struct RowSequenceWriter {
    pub(crate) text: String,
    active: ActiveStyle,
    zone: Option<Zone>,
    /// Whether the text that follows is protected by DECSCA.
    pub(crate) is_protected: bool,
    /// The text of the cell before the cursor, if the cursor has not moved since it was written.
    last_cell: String,
    /// Whether character sets other than the initial ones are selected.
    pub(crate) charsets_changed: bool,
}

impl RowSequenceWriter {
    /// Appends formatted text.
    pub(crate) fn put(&mut self, parts: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(parts);
    }

    /// Moves the cursor to a cell, counted from 0.
    pub(crate) fn move_to(&mut self, row: usize, col: usize) {
        self.put(format_args!("\x1b[{};{}H", row + 1, col + 1));
        self.last_cell.clear();
    }

    /// Writes blanks.
    pub(crate) fn put_spaces(&mut self, count: usize) {
        self.separate(' ');
        self.text.extend(std::iter::repeat_n(' ', count));
        self.set_last_cell(" ");
    }

    /// Records that the cursor moved since the last cell was written.
    pub(crate) fn cursor_moved(&mut self) {
        self.last_cell.clear();
    }

    /// Makes the next character begin a new cell.
    fn separate(&mut self, next: char) {
        let at = self.last_cell.len();
        self.last_cell.push(next);
        if cluster::continues(&self.last_cell, at) {
            self.text.push_str(SEPARATE);
        }
    }

    fn set_last_cell(&mut self, text: &str) {
        self.last_cell.clear();
        self.last_cell.push_str(text);
    }

    /// Writes the text of a cell that takes this number of columns. What a terminal with grapheme
    /// clusters would show differently is written with the sequences of the default emulator for it.
    pub(crate) fn put_cell(&mut self, text: &str, columns: usize) {
        if text.len() == 1 && self.last_cell.is_ascii() {
            self.text.push_str(text);
            return self.set_last_cell(text);
        }
        let mut cluster = Cluster::default();
        let mut chars = text.chars();
        let Some(first) = chars.next() else { return };
        self.separate(first);
        cluster.begin(first);
        if cluster.text.len() == first.len_utf8()
            // A character that is narrowed afterwards may not fit before.
            && cluster.columns <= columns
            && chars.all(|c| cluster.add(c))
            && cluster.text == text
            && cluster.columns == columns
        {
            self.text.push_str(text);
        } else {
            let is_as_wide = cluster::columns(first) == Some(columns);
            self.text.push(if is_as_wide { first } else { 'x' });
            self.text.push_str("\x1bP1$pk=");
            for c in text.chars() {
                self.put(format_args!("{:x}.", u32::from(c)));
            }
            self.text.push_str("\x1b\\");
        }
        self.set_last_cell(text);
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

    /// Writes rows from the top of a blank screen. Excess rows scroll out. Does not mark rows as
    /// wrapped.
    pub(crate) fn write_screen(&mut self, rows: &[Arc<Row>]) {
        self.text.push_str("\x1b[H");
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                self.text.push_str("\r\n");
            }
            self.cursor_moved();
            self.write_cells(row, end(row));
            self.reset_style();
        }
    }

    /// Writes rows into a blank screen `height` rows high, and scrolls them out. If the last row is
    /// wrapped, a blank row replaces the visible row in which it continued.
    #[cfg(feature = "avt")]
    pub(crate) fn write_scrolled_out(&mut self, rows: &[Arc<Row>], cols: usize, height: usize) {
        for row in rows {
            self.cursor_moved();
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
        let columns = if cell.width == Width::Wide { 2 } else { 1 };
        match (cell.width, cell.text) {
            (Width::Spacer, _) => self.put_spaces(1),
            (_, Text::Char(c)) => self.put_cell(c.encode_utf8(&mut [0; 4]), columns),
            (_, Text::Cluster(cluster)) => self.put_cell(cluster, columns),
        }
    }

    /// Sets the zone, style and link of a cell for the text that follows.
    fn set_cell_style(&mut self, row: &Row, col: usize) {
        let cell = row.cell(col);
        self.set_zone(zone_at(row, col));
        self.set_style(cell.style, cell.link);
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
