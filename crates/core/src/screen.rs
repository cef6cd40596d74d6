//! What a terminal shows at one moment.
//!
//! A screen is a value: cheap to keep, since it shares every unchanged row with the screens before it.

use std::ops::Range;
use std::sync::Arc;

use crate::query::selector;
use crate::screen::cursor::Cursor;
use crate::screen::geometry::{Position, Size};
use crate::screen::modes::Modes;
use crate::screen::row::{CellView, Row, Text, Width};

pub mod cursor;
pub mod frame;
pub mod geometry;
pub mod modes;
pub mod row;
pub mod style;
pub(crate) mod text;
pub(crate) mod text_width;
pub mod theme;

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

    /// Where the text of a row ends that goes on in the next row: behind the last column or, where a wide character
    /// did not fit into that column and left it blank, before it. `None` for a row whose text ends with it.
    pub fn goes_on(&self, row: usize) -> Option<usize> {
        goes_on(
            self.rows.get(row)?,
            self.rows.get(row + 1)?,
            self.size.cols.into(),
        )
    }

    /// The rows of the line to which a row belongs: a row together with the rows in which its text goes on. Texts and
    /// regular expressions match inside one line.
    pub fn line(&self, row: usize) -> Range<usize> {
        let mut first = row;
        while first > 0 && self.goes_on(first - 1).is_some() {
            first -= 1;
        }
        let mut end = row + 1;
        while self.goes_on(end - 1).is_some() {
            end += 1;
        }
        first..end
    }

    /// Whether `text` stands somewhere, as [`Selector::Exact`](crate::Selector::Exact) finds it.
    pub fn contains(&self, text: &str) -> bool {
        selector::stands(self, text)
    }

    /// The first place where `text` stands, as [`Selector::Exact`](crate::Selector::Exact) finds it.
    pub fn find(&self, text: &str) -> Option<Position> {
        selector::first(self, text).map(|found| found.position())
    }
}

/// Where the text of a row ends that goes on in the row below it: see [`Screen::goes_on`].
pub(crate) fn goes_on(row: &Row, below: &Row, width: usize) -> Option<usize> {
    if !row.wrapped() {
        return None;
    }
    let last = row.cell(width.saturating_sub(1));
    // A blank that was written there looks the same, but is rarer than a wide character without room.
    let left_blank = below.cell(0).width == Width::Wide
        && last.width == Width::Narrow
        && last.text == Text::Char(' ');
    Some(width.saturating_sub(left_blank.into()))
}

/// A screen with what has scrolled out above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// What is shown.
    pub screen: Screen,
    /// What scrolled out, oldest first: the newest `scrollback.len()` of `screen.scrollback_rows` rows.
    pub scrollback: Vec<Arc<Row>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::row::{LinkId, RowBuilder, StyleId};

    fn screen(lines: &[&str]) -> Screen {
        let mut screen = Screen::blank(Size { cols: 8, rows: 3 });
        for (row, line) in lines.iter().enumerate() {
            let mut builder = RowBuilder::new();
            for c in line.chars() {
                builder.push(c, StyleId::PLAIN, LinkId::NONE);
            }
            screen.rows[row] = Arc::new(builder.finish());
        }
        screen
    }

    #[track_caller]
    fn check(lines: &[&str], text: &str, place: Option<(usize, usize)>) {
        let found = screen(lines).find(text);
        assert_eq!(found.map(|at| (at.row, at.col)), place, "{text:?}");
    }

    #[test]
    fn text_is_found_where_it_first_stands() {
        check(&["one", "two one"], "one", Some((0, 0)));
        check(&["one", "two one"], "two o", Some((1, 0)));
        check(&["one"], "One", None);
    }

    #[test]
    fn blanks_at_the_end_match_cells_that_were_never_written() {
        check(&["user$"], "$ ", Some((0, 4)));
        check(&["user$"], "$   ", Some((0, 4)));
        check(&["user$"], "$    ", None);
        check(&["12345678"], "8 ", None);
        check(&["a b"], "a ", Some((0, 0)));
        check(&["12345678"], " ", Some((1, 0)));
    }

    #[test]
    fn text_that_went_on_in_the_next_row_is_found_whole() {
        let mut screen = screen(&["12345678", "9 is it"]);
        assert_eq!(screen.find("789"), None);
        screen.rows[0] = Arc::new({
            let mut builder = RowBuilder::new();
            for c in "12345678".chars() {
                builder.push(c, StyleId::PLAIN, LinkId::NONE);
            }
            builder.wrapped(true);
            builder.finish()
        });
        assert_eq!(screen.find("789 is"), Some(Position { row: 0, col: 6 }));
        assert_eq!(screen.find("8 "), None);
    }

    #[test]
    fn text_over_several_rows_ends_one_and_begins_the_next() {
        check(&["a one", "two", "three"], "one\ntwo\nth", Some((0, 2)));
        check(&["a one", "two", "three"], "one\ntw\nth", None);
        check(&["a one", "two"], "one \ntwo ", Some((0, 2)));
    }
}
