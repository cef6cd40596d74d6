//! A cell's text as someone who sees only the text will measure it.
//!
//! Formats made of text have no cells: a reader finds them again by the columns that each code point takes, where one that
//! takes none joins the character before. A row can hold what that rule would misplace. It is written so that everything
//! after it keeps its column, and reading gives that form back.

use unicode_width::UnicodeWidthChar;

use crate::{CellView, Row, Text, Width};

/// What a reader finds where a cell was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A character of one column.
    Narrow,
    /// A character of two columns.
    Wide,
    /// A character of one column and a blank, where the terminal gave two to a character that the tables give one.
    NarrowAndBlank,
}

/// The columns a code point takes; none for a control.
pub(crate) fn columns(c: char) -> Option<usize> {
    c.width()
}

/// The cells of a row that is `cols` wide, without the second halves of wide characters. A wide character that is cut by
/// the edge is a blank.
pub(crate) fn cells(row: &Row, cols: usize) -> impl Iterator<Item = CellView<'_>> {
    row.cells()
        .take(cols)
        .enumerate()
        .filter(|(_, cell)| cell.width != Width::Spacer)
        .map(move |(col, cell)| match cell.width {
            Width::Wide if col + 1 == cols => CellView {
                text: Text::Char(' '),
                width: Width::Narrow,
                ..cell
            },
            _ => cell,
        })
}

/// Appends a cell's text, without the blank that may follow it, and says what a reader will find.
///
/// A control becomes a space, a character too wide for its cell the replacement character, and marks without a base get a
/// space as theirs. Of what joins the base only marks are kept: anything else would become a cell of its own.
pub(crate) fn push(cell: &CellView<'_>, text: &mut String) -> Found {
    let room = match cell.width {
        Width::Wide => 2,
        Width::Narrow | Width::Spacer => 1,
    };
    let first = cell.char();
    let taken = match columns(first) {
        None => {
            text.push(' ');
            1
        }
        Some(0) => {
            text.push(' ');
            text.push(first);
            1
        }
        Some(taken) if taken > room => {
            text.push(char::REPLACEMENT_CHARACTER);
            1
        }
        Some(taken) => {
            text.push(first);
            taken
        }
    };
    if let Text::Cluster(cluster) = cell.text {
        text.extend(cluster.chars().skip(1).filter(|c| columns(*c) == Some(0)));
    }
    match (room, taken) {
        (2, 1) => Found::NarrowAndBlank,
        (2, _) => Found::Wide,
        _ => Found::Narrow,
    }
}
