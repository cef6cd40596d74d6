//! Rows as a terminal must be told to draw them: each in its place, with its links, zones and wraps.
//!
//! Unlike painted text, which stands for itself, this is for a terminal alone: it moves the cursor, and what is on stays on
//! until something else is said. The screen that comes of it has the same rows.
//!
//! Elsewhere: everything of a terminal that is not in its rows (`emulator/alacritty/portrait.rs`).

use std::fmt::Write;
use std::sync::Arc;

use super::sgr::On;
use crate::{Hyperlink, Row, Style, Text, Width, Zone};

/// Writes what a terminal draws.
#[derive(Debug, Default)]
pub(crate) struct Brush {
    pub(crate) text: String,
    on: On,
    zone: Option<Zone>,
}

/// A row that goes on in the next is filled to its last column, and a tab there goes to the next row as the next character
/// would.
const GO_ON: char = '\t';

impl Brush {
    /// Something that has parts.
    pub(crate) fn put(&mut self, parts: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(parts);
    }

    /// Goes to a cell, counted from 0.
    pub(crate) fn go(&mut self, row: usize, col: usize) {
        self.put(format_args!("\x1b[{};{}H", row + 1, col + 1));
    }

    /// What is written from here on looks like this.
    pub(crate) fn turn(&mut self, style: &Style, link: Option<&Hyperlink>) {
        self.on.turn(style, link, &mut self.text);
    }

    /// What is written from here on belongs to this zone.
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

    /// Plain from here on: what a terminal blanks gets the colour that is on.
    pub(crate) fn plain(&mut self) {
        self.turn(&Style::default(), None);
    }

    /// The terminal has its own idea of what is on, as after a switch of screens.
    pub(crate) fn lift(&mut self) {
        self.text.push_str("\x1b[0m\x1b]8;;\x1b\\");
        self.on = On::default();
    }

    /// Writes rows from the top of a blank screen on, which is so high: what is more scrolls out.
    pub(crate) fn screen(&mut self, rows: &[Arc<Row>], height: usize, cols: usize) {
        self.text.push_str("\x1b[H");
        self.rows(rows, cols);
        if let [.., above, last] = rows
            && last.wrapped()
            && height > 1
        {
            // What would go on below the last row would scroll; so it is drawn one higher, and pushed down.
            self.go(height - 2, 0);
            self.text.push_str("\x1b[J");
            self.fill(last, cols);
            self.go(height - 2, 0);
            self.text.push_str("\x1b[L");
            match above.wrapped() {
                true => self.fill(above, cols),
                false => self.row(above),
            }
        }
    }

    /// Writes rows into a blank screen that is so high, and pushes them out above it. What went on in a row that is still shown goes on in a
    /// blank one.
    pub(crate) fn scrolled_out(&mut self, rows: &[Arc<Row>], cols: usize, height: usize) {
        for row in rows {
            match row.wrapped() {
                true => self.cells(row, cols),
                false => {
                    self.cells(row, row.len());
                    self.plain();
                    self.text.push_str("\r\n");
                }
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

    /// Writes rows below each other from where the cursor is, in the first column. The last one stays unwrapped.
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

    /// Writes a row that ends by itself.
    fn row(&mut self, row: &Row) {
        self.cells(row, end(row));
        self.end_zone(row);
        self.plain();
    }

    /// Writes a row to its last column, and goes on in the next, whatever that holds.
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

    /// Writes one cell where the cursor is; nothing for the second half of a wide character.
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

    /// What is written from here on looks as a cell does.
    fn look(&mut self, row: &Row, col: usize) {
        let cell = row.cell(col);
        self.zone(zone_at(row, col));
        self.turn(cell.style, cell.link);
    }

    /// A zone that ended where nothing but blanks follow ended with a tab, which leaves a cell that is not quite blank.
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

/// How far a row is written: to its last cell, and to where its last zone begins.
fn end(row: &Row) -> usize {
    let zone = row.zones().last().map_or(0, |last| {
        usize::from(last.col) + usize::from(last.zone != Zone::None)
    });
    row.len().max(zone)
}

/// The zone of a cell. Of blanks behind the last zone nothing is known, and nothing is seen.
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
