//! Cell text as measured by a reader of the text alone.
//!
//! Text formats have no cells. A reader reconstructs them from the columns that each code point
//! takes; a code point of width 0 combines with the character before it. A row can contain cells
//! that this rule would misplace. Such cells are written in a form that keeps all later cells in
//! their columns; reading returns that form.

use unicode_width::UnicodeWidthChar;

use crate::{CellView, Row, Text, Width};

/// The result of reading a written cell back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenCell {
    /// A character of one column.
    Narrow,
    /// A character of two columns.
    Wide,
    /// A character of one column and a space: the terminal used two columns for a character that
    /// the width tables give one.
    NarrowAndBlank,
}

/// Returns the number of columns of a code point; `None` for a control.
pub(crate) fn columns(c: char) -> Option<usize> {
    c.width()
}

/// Returns the cells of a row `cols` wide, without the second halves of wide characters. A wide
/// character cut by the right edge becomes a blank cell.
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

/// Appends a cell's text, without the space that may have to follow it. Returns the cell that a
/// reader gets from that text.
///
/// A control becomes a space; a character too wide for its cell becomes the replacement character;
/// marks without a base get a space as their base. After the base only marks are kept: any other
/// code point would become a separate cell.
pub(crate) fn push(cell: &CellView<'_>, text: &mut String) -> WrittenCell {
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
        (2, 1) => WrittenCell::NarrowAndBlank,
        (2, _) => WrittenCell::Wide,
        _ => WrittenCell::Narrow,
    }
}
