//! Rows as a terminal must be told to draw them: each in its place, with its links, zones and wraps.
//!
//! Unlike painted text, which stands for itself, this is for a terminal alone: it moves the cursor, and what is on stays on
//! until something else is said. The screen that comes of it has the same rows.
//!
//! Elsewhere: everything of a terminal that is not in its rows (`emulator/alacritty/portrait.rs`).

use std::fmt::Write;
use std::sync::Arc;

use super::sgr::On;
use crate::{CellView, Color, Hyperlink, Row, Style, Text, Width, Zone};

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
    pub(crate) fn screen(&mut self, rows: &[Row], height: usize, cols: usize) {
        self.text.push_str("\x1b[H");
        self.rows(rows, cols);
        if let [.., above, last] = rows
            && last.wrapped()
            && height > 1
        {
            // What would go on below the last row would scroll; so it is drawn one higher, and pushed down.
            self.go(height - 2, 0);
            self.fill(last, cols);
            self.go(height - 2, 0);
            self.text.push_str("\x1b[L");
            match above.wrapped() {
                true => self.fill(above, cols),
                false => self.line(above),
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
    fn rows(&mut self, rows: &[Row], cols: usize) {
        for (index, row) in rows.iter().enumerate() {
            let next = rows.get(index + 1);
            let goes_on = row.wrapped() && next.is_some();
            let by_itself = next.is_some_and(|next| wraps_by_itself(row, next, cols));
            match (goes_on, by_itself) {
                // The next character does not fit into what is left.
                (true, true) => self.cells(row, cols - 1),
                (true, false) => self.fill(row, cols),
                _ => {
                    self.line(row);
                    if next.is_some() {
                        self.text.push_str("\r\n");
                    }
                }
            }
        }
    }

    /// Writes a row that ends by itself.
    fn line(&mut self, row: &Row) {
        self.cells(row, end(row));
        self.end_zone(row);
        self.plain();
    }

    /// Writes a row to its last column, and goes on in the next as text does.
    fn fill(&mut self, row: &Row, cols: usize) {
        self.cells(row, cols);
        self.go_on();
    }

    /// Goes on from behind the last column.
    pub(crate) fn go_on(&mut self) {
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
    pub(crate) fn cell(&mut self, row: &Row, col: usize) {
        let cell = row.cell(col);
        if cell.width == Width::Spacer {
            let before = col.checked_sub(1).map(|col| row.cell(col).width);
            if before == Some(Width::Wide) {
                return;
            }
        }
        self.zone(zone_at(row, col));
        self.turn(cell.style, cell.link);
        match (cell.width, cell.text) {
            (Width::Spacer, _) => self.text.push(' '),
            (_, Text::Char(c)) => self.text.push(c),
            (_, Text::Cluster(cluster)) => self.text.push_str(cluster),
        }
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

/// Whether the last column was left blank because a wide character did not fit, and that character does the same again. The
/// blank then looks as the character does, and so does what a terminal scrolls in below.
fn wraps_by_itself(row: &Row, next: &Row, cols: usize) -> bool {
    let (last, first) = (row.cell(cols - 1), next.cell(0));
    let blank = CellView {
        text: Text::Char(' '),
        width: Width::Narrow,
        ..first
    };
    first.width == Width::Wide
        && last == blank
        && first.style.bg == Color::Default
        && zone_at(row, cols - 1) == zone_at(next, 0)
}
