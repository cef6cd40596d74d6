//! The content of a terminal at one moment.
//!
//! A screen is a value. It shares every unchanged row with earlier screens, so keeping many screens
//! is cheap.

use std::ops::Range;
use std::sync::Arc;

use crate::query::selector;
use crate::screen::cursor::Cursor;
use crate::screen::geometry::{Position, Size};
use crate::screen::image::ImagePlacement;
use crate::screen::modes::Modes;
use crate::screen::palette::Palette;
use crate::screen::row::{CellView, Row, Text, Width};

pub mod colors;
pub mod cursor;
pub mod frame;
pub mod geometry;
pub mod image;
pub mod modes;
pub mod palette;
pub mod row;
pub mod style;
pub(crate) mod text;
pub(crate) mod text_width;
pub mod theme;

/// The visible content of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// Number of columns and rows.
    pub size: Size,
    /// Rows from top to bottom; always `size.rows` of them.
    pub rows: Vec<Arc<Row>>,
    /// Cursor position and appearance.
    pub cursor: Cursor,
    /// Window title (OSC 0 and 2); empty if none was set.
    pub title: Arc<str>,
    /// Working directory reported by the program (OSC 7): the path of a local `file` URI, otherwise
    /// the whole URI. May be empty.
    pub working_directory: Arc<str>,
    /// Modes set by the program.
    pub modes: Modes,
    /// Colours changed by the program.
    pub palette: Palette,
    /// Number of rows in the scrollback.
    pub scrollback_rows: usize,
    /// The images, in drawing order: those that come later are drawn over earlier ones. Each has at
    /// least one visible cell.
    pub images: Arc<[ImagePlacement]>,
}

impl Screen {
    /// Returns an empty screen.
    pub fn blank(size: Size) -> Screen {
        Screen {
            size,
            rows: vec![Arc::default(); size.rows.into()],
            cursor: Cursor::default(),
            title: Arc::from(""),
            working_directory: Arc::from(""),
            modes: Modes::default(),
            palette: Palette::default(),
            scrollback_rows: 0,
            images: Arc::default(),
        }
    }

    /// Returns the cell at `position`; a blank cell if the position is outside the screen.
    pub fn cell(&self, position: Position) -> CellView<'_> {
        self.rows
            .get(position.row)
            .map_or(CellView::BLANK, |row| row.cell(position.col))
    }

    /// Returns a row, or `None` below the last row.
    pub fn row(&self, row: usize) -> Option<&Row> {
        self.rows.get(row).map(Arc::as_ref)
    }

    /// Returns the column where the text of a row ends if it continues in the next row, otherwise
    /// `None`.
    ///
    /// That is the column after the last one, or the last one itself if it was left blank because a
    /// wide character did not fit.
    pub fn wraps_at(&self, row: usize) -> Option<usize> {
        wraps_at(
            self.rows.get(row)?,
            self.rows.get(row + 1)?,
            self.size.cols.into(),
        )
    }

    /// Returns the rows of the logical line that contains `row`: all rows joined by wrapping. Texts
    /// and regular expressions match within one logical line.
    pub fn line(&self, row: usize) -> Range<usize> {
        let mut first = row;
        while first > 0 && self.wraps_at(first - 1).is_some() {
            first -= 1;
        }
        let mut end = row + 1;
        while self.wraps_at(end - 1).is_some() {
            end += 1;
        }
        first..end
    }

    /// Returns whether `text` is on the screen, as found by
    /// [`Selector::Exact`](crate::Selector::Exact).
    pub fn contains(&self, text: &str) -> bool {
        selector::is_on_screen(self, text)
    }

    /// Returns the first position of `text`, as found by
    /// [`Selector::Exact`](crate::Selector::Exact).
    pub fn find(&self, text: &str) -> Option<Position> {
        selector::first(self, text).map(|found| found.position())
    }
}

/// Returns the column where the text of `row` ends if it continues in `below`. See
/// [`Screen::wraps_at`].
pub(crate) fn wraps_at(row: &Row, below: &Row, width: usize) -> Option<usize> {
    if !row.wrapped() {
        return None;
    }
    let last = row.cell(width.saturating_sub(1));
    // A written space looks the same as a cell left blank for a wide character that did not fit.
    // The second case is more common, so it is assumed.
    let left_blank = below.cell(0).width == Width::Wide
        && last.width == Width::Narrow
        && last.text == Text::Char(' ');
    Some(width.saturating_sub(left_blank.into()))
}

/// A screen with its scrollback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The visible screen.
    pub screen: Screen,
    /// Rows that scrolled out, oldest first: the newest `scrollback.len()` of
    /// `screen.scrollback_rows` rows.
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
    fn find_returns_the_first_position_of_the_text() {
        check(&["one", "two one"], "one", Some((0, 0)));
        check(&["one", "two one"], "two o", Some((1, 0)));
        check(&["one"], "One", None);
    }

    #[test]
    fn trailing_spaces_match_cells_that_were_never_written() {
        check(&["user$"], "$ ", Some((0, 4)));
        check(&["user$"], "$   ", Some((0, 4)));
        check(&["user$"], "$    ", None);
        check(&["12345678"], "8 ", None);
        check(&["a b"], "a ", Some((0, 0)));
        check(&["12345678"], " ", Some((1, 0)));
    }

    #[test]
    fn wrapped_text_is_found_as_one_line() {
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
    fn multi_row_text_matches_the_end_and_start_of_rows() {
        check(&["a one", "two", "three"], "one\ntwo\nth", Some((0, 2)));
        check(&["a one", "two", "three"], "one\ntw\nth", None);
        check(&["a one", "two"], "one \ntwo ", Some((0, 2)));
    }
}
