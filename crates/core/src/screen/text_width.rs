//! Cell text as measured by a reader of the text alone.
//!
//! Text formats have no cells. A reader reconstructs them as a terminal does: it joins the code
//! points of a grapheme cluster (`cluster.rs`), and adds code points of width 0 to the character
//! before them. A row can contain cells that these rules would misplace. Such cells are written in a
//! form that keeps all later cells in their columns; reading returns that form.

use crate::screen::cluster::{self, Cluster};
use crate::{CellView, Row, Text, Width};

pub(crate) use cluster::columns;

/// Written after a cell whose cluster the next cell would continue. It has no width, and no cluster
/// continues after it (a zero-width space).
const SEPARATOR: char = '\u{200b}';

/// The result of reading a written cell back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenCell {
    /// A character of one column.
    Narrow,
    /// A character of two columns.
    Wide,
    /// A character of one column and a space: the terminal used two columns for a character that
    /// takes one according to the rules.
    NarrowAndBlank,
}

/// Returns the cells of a row `cols` wide, without the second halves of wide characters. A wide
/// character cut by the right edge becomes a blank cell. Each cell is followed by the character with
/// which the next one begins.
pub(crate) fn cells(row: &Row, cols: usize) -> impl Iterator<Item = (CellView<'_>, char)> {
    let mut cells = row
        .cells()
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
        .peekable();
    std::iter::from_fn(move || {
        let cell = cells.next()?;
        Some((cell, cells.peek().map_or(' ', written_first)))
    })
}

/// Returns the first character that is written for a cell.
fn written_first(cell: &CellView<'_>) -> char {
    let first = cell.char();
    match columns(first) {
        None => ' ',
        Some(0) if !cluster::is_prepended(first) => ' ',
        Some(2) if cell.width != Width::Wide && !is_narrowed(cell) => char::REPLACEMENT_CHARACTER,
        Some(_) => first,
    }
}

/// Returns whether the cell has one column although its first character has two.
fn is_narrowed(cell: &CellView<'_>) -> bool {
    match cell.text {
        Text::Char(_) => false,
        Text::Cluster(text) => {
            let mut cluster = Cluster::default();
            read(text, &mut cluster) && cluster.columns == 1
        }
    }
}

/// Reads the text of a cell. Returns whether it is one cluster.
fn read(text: &str, cluster: &mut Cluster) -> bool {
    let mut chars = text.chars();
    if let Some(first) = chars.next() {
        cluster.begin(first);
    }
    chars.all(|c| cluster.add(c))
}

/// Returns what must be written between a character and a cell, so that the cell does not join it.
pub(crate) fn separator(before: char, cell: &CellView<'_>) -> &'static str {
    let mut cluster = Cluster::default();
    cluster.begin(before);
    if cluster.add(written_first(cell)) {
        "\u{200b}"
    } else {
        ""
    }
}

/// Appends a cell's text, without the space that may have to follow it. Returns the cell that a
/// reader gets from that text. `next` is the first character of the next cell.
///
/// A control becomes a space; a character too wide for its cell becomes the replacement character;
/// marks without a base get a space as their base. Code points that would become a separate cell, or
/// would make the character too wide, are left out. A character that would continue the cluster of
/// the cell before it is separated from it by a zero-width space.
pub(crate) fn push(cell: &CellView<'_>, next: char, text: &mut String) -> WrittenCell {
    let room = match cell.width {
        Width::Wide => 2,
        Width::Narrow | Width::Spacer => 1,
    };
    if let Text::Char(c) = cell.text
        && c.is_ascii()
        && next.is_ascii()
    {
        text.push(if c.is_control() { ' ' } else { c });
        return if room == 2 {
            WrittenCell::NarrowAndBlank
        } else {
            WrittenCell::Narrow
        };
    }
    let mut cluster = Cluster::default();
    cluster.begin(written_first(cell));
    if cluster.text == " " && columns(cell.char()) == Some(0) {
        cluster.add(cell.char());
    }
    if let Text::Cluster(all) = cell.text {
        let is_narrowed = cluster.columns > room;
        for c in all.chars().skip(1) {
            let before = cluster.clone();
            let added = !c.is_control() && cluster.add(c);
            if !added || cluster.columns > room && !is_narrowed {
                cluster = before;
            }
        }
    }
    let written = match (room, cluster.columns) {
        (2, 1) => WrittenCell::NarrowAndBlank,
        (2, _) => WrittenCell::Wide,
        _ => WrittenCell::Narrow,
    };
    if written != WrittenCell::NarrowAndBlank && cluster.clone().add(next) {
        cluster.text.push(SEPARATOR);
    }
    text.push_str(&cluster.text);
    written
}
