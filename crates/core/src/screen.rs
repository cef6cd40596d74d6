//! What a terminal shows at one moment.
//!
//! A screen is a value: cheap to keep, since it shares every unchanged row with the screens before it.

use std::sync::Arc;

use crate::cursor::Cursor;
use crate::geometry::{Position, Size};
use crate::modes::Modes;
use crate::row::{CellView, Row};

/// What a terminal shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// How large it is.
    pub size: Size,
    /// Its rows, from the top: always `size.rows` of them.
    pub rows: Vec<Arc<Row>>,
    /// The cursor.
    pub cursor: Cursor,
    /// The window's title (OSC 0 and 2); empty when none was set.
    pub title: Arc<str>,
    /// Where the program says it is (OSC 7): a path for a local `file://` address, else the address; may be empty.
    pub working_directory: Arc<str>,
    /// What the program asked of the terminal.
    pub modes: Modes,
    /// How many rows have scrolled out above and are still kept.
    pub scrollback_rows: usize,
}

impl Screen {
    /// An empty screen.
    pub fn blank(size: Size) -> Screen {
        Screen {
            size,
            rows: vec![Arc::default(); size.rows.into()],
            cursor: Cursor::default(),
            title: Arc::from(""),
            working_directory: Arc::from(""),
            modes: Modes::default(),
            scrollback_rows: 0,
        }
    }

    /// The cell at a place; blank outside the screen.
    pub fn cell(&self, position: Position) -> CellView<'_> {
        self.rows
            .get(position.row)
            .map_or(CellView::BLANK, |row| row.cell(position.col))
    }

    /// A row; `None` below the last.
    pub fn row(&self, row: usize) -> Option<&Row> {
        self.rows.get(row).map(Arc::as_ref)
    }

    /// Whether `text` stands somewhere in one row or, where it has line ends, over several.
    pub fn contains(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// The first place where `text` stands.
    pub fn find(&self, text: &str) -> Option<Position> {
        let mut lines = text.split('\n');
        let first = lines.next().unwrap_or_default();
        let rest: Vec<&str> = lines.collect();
        if rest.is_empty() {
            return self.rows.iter().enumerate().find_map(|(row, cells)| {
                let byte = cells.text().find(first)?;
                Some(Position {
                    row,
                    col: cells.col_of_byte(byte),
                })
            });
        }
        // Text over several rows: the first line ends a row, the last begins one, those between fill theirs.
        (0..self.rows.len()).find_map(|row| {
            let start = self.rows[row].text();
            let continues = start.ends_with(first)
                && rest.iter().enumerate().all(|(index, line)| {
                    self.rows.get(row + 1 + index).is_some_and(|next| {
                        if index + 1 == rest.len() {
                            next.text().starts_with(line)
                        } else {
                            next.text() == *line
                        }
                    })
                });
            continues.then(|| Position {
                row,
                col: self.rows[row].col_of_byte(start.len() - first.len()),
            })
        })
    }
}

/// A screen with what has scrolled out above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// What is shown.
    pub screen: Screen,
    /// What scrolled out, oldest first: the newest `scrollback.len()` of `screen.scrollback_rows` rows.
    pub scrollback: Vec<Arc<Row>>,
}
