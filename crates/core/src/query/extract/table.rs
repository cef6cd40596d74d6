//! Tables: rows of values under a header.
//!
//! The header gives the names of the columns, the rows their alignment: two columns are divided at
//! a gap between their names that is blank in as many rows as possible. Borders, if drawn, take
//! precedence over gaps.
//!
//! See also: column boundaries (`columns.rs`).

use std::ops::Range;
use std::sync::Arc;

use super::cell_line::{CellLine, is_box};
use super::columns::{self, TableSegment};
use crate::{Match, Screen, Selector};

/// Rows of values under a header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Table {
    /// The columns, from the left; if names were given, only those.
    pub columns: Vec<Column>,
    /// The rows, from the top.
    pub rows: Vec<TableRow>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name; empty if there is no text between two borders.
    pub name: String,
    /// The header's cells with the name: where to click to sort.
    pub header: Option<Match>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    cells: Vec<Option<Match>>,
    names: Arc<[String]>,
}

impl Table {
    /// Returns the first row whose text in a column equals `text`.
    pub fn row_where(&self, column: &str, text: &str) -> Option<&TableRow> {
        self.rows.iter().find(|row| row.text(column) == text)
    }

    /// Returns the table whose header has these names, in one line and in this order. Other names
    /// may be between them.
    pub(super) fn named(screen: &Screen, names: &[&str]) -> Option<Table> {
        let lines = CellLine::all(screen, screen.size.rect());
        let (at, named) = lines
            .iter()
            .enumerate()
            .find_map(|(at, line)| Some((at, columns::named(line, names)?)))?;
        let within = named.first()?.start..named.last()?.end;
        Table::read(&lines[at..], &within, &named)
    }

    /// Returns the table whose header is the line of the first match.
    pub(super) fn under(screen: &Screen, header: &Selector) -> Option<Table> {
        let found = header.matches(screen).into_iter().next()?;
        let position = found.position();
        let lines = CellLine::all(screen, screen.size.rect());
        let at = lines.partition_point(|line| line.rows.end <= position.row);
        let cell = lines.get(at)?.index_of(position)?;
        Table::read(&lines[at..], &(cell..cell + 1), &[])
    }

    /// Reads the table whose header is the first line and contains the cells `within`. Only the
    /// columns in `named` are returned; if it is empty, all.
    fn read(
        lines: &[CellLine<'_>],
        within: &Range<usize>,
        named: &[Range<usize>],
    ) -> Option<Table> {
        let (header, below) = lines.split_first()?;
        let segments = columns::segments(header, within);
        let rows = body(header, below, &segments);
        let layouts: Vec<_> = segments
            .iter()
            .map(|segment| segment.layout(header, &rows, named))
            .collect();
        let is_kept = |name: &Range<usize>| named.is_empty() || named.contains(name);
        let names = || layouts.iter().flat_map(|layout| &layout.names);
        let columns: Vec<Column> = names()
            .filter(|name| is_kept(name))
            .map(|name| {
                let header = header.found(name.clone());
                let name = header.as_ref().map_or("", Match::text).to_owned();
                Column { name, header }
            })
            .collect();
        let known: Arc<[String]> = columns.iter().map(|column| column.name.clone()).collect();
        let rows = rows.iter().map(|line| {
            let borders = columns::borders_of(line, header);
            let fields = layouts
                .iter()
                .flat_map(|layout| layout.fields(line, &borders));
            let kept = names().zip(fields).filter(|(name, _)| is_kept(name));
            TableRow {
                cells: kept.map(|(_, field)| line.found(field)).collect(),
                names: Arc::clone(&known),
            }
        });
        let rows = rows.collect();
        Some(Table { columns, rows })
    }
}

impl TableRow {
    /// Returns the cell in a column; `None` if it is empty, or if no column has this name.
    pub fn cell(&self, column: &str) -> Option<&Match> {
        self.at(self.names.iter().position(|name| name == column)?)
    }

    /// Returns the cell in a column, counted from 0; `None` if it is empty.
    pub fn at(&self, column: usize) -> Option<&Match> {
        self.cells.get(column)?.as_ref()
    }

    /// Returns the text in a column; empty if the cell is.
    pub fn text(&self, column: &str) -> &str {
        self.cell(column).map_or("", Match::text)
    }

    /// Returns the cells of all columns.
    pub fn cells(&self) -> &[Option<Match>] {
        &self.cells
    }

    /// Returns the texts of all columns.
    pub fn texts(&self) -> Vec<&str> {
        let cells = self.cells.iter();
        cells
            .map(|cell| cell.as_ref().map_or("", Match::text))
            .collect()
    }
}

/// Returns the lines of values below a header.
fn body<'l, 'a>(
    header: &CellLine<'_>,
    below: &'l [CellLine<'a>],
    segments: &[TableSegment],
) -> Vec<&'l CellLine<'a>> {
    let start = segments.first().map_or(0, |segment| segment.cells.start);
    let end = segments
        .last()
        .map_or(usize::MAX, |segment| segment.cells.end);
    // Includes the borders at its sides.
    let framed = start.saturating_sub(1)..end.saturating_add(1);
    let has_border = |line: &CellLine<'_>| {
        let end = framed.end.min(line.len());
        (framed.start..end).any(|index| columns::is_vertical(line.char(index)))
    };
    let bordered = has_border(header);
    let mut rows = Vec::new();
    for line in below {
        let cells = framed.start..framed.end.min(line.len());
        if cells.clone().any(|index| is_bottom(line.char(index))) {
            break;
        }
        if is_rule(line, cells.clone()) {
            continue;
        }
        let is_empty = !cells
            .clone()
            .any(|index| !line.is_blank(index) && !columns::is_vertical(line.char(index)));
        if is_empty || (bordered && !has_border(line)) {
            break;
        }
        rows.push(line);
    }
    rows
}

/// Returns whether a line is only a separator: `──┼──`, `---+---`, `|:---|---:|`. One or two
/// `-` are a value.
fn is_rule(line: &CellLine<'_>, cells: Range<usize>) -> bool {
    let mut longest = 0;
    let mut stretch = 0;
    for index in cells {
        let c = line.char(index);
        let is_line = matches!(c, '-' | '=') || (is_box(c) && !columns::is_vertical(c));
        if !is_line && !matches!(c, '+' | ':') && !columns::is_vertical(c) && !line.is_blank(index)
        {
            return false;
        }
        stretch = if is_line { stretch + 1 } else { 0 };
        longest = longest.max(stretch);
    }
    longest >= 3
}

/// Returns whether a character is a lower corner of a frame.
fn is_bottom(c: char) -> bool {
    matches!(c, '└'..='┛' | '╘'..='╝' | '╯' | '╰')
}
