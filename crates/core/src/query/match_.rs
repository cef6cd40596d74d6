//! What a selector found.
//!
//! A match knows its cells, row by row, so that it can be clicked, compared with another and read. Its text is the text
//! of these cells and nothing else.

use std::fmt;
use std::ops::Range;

use crate::{Position, Screen};

/// What a selector found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// At least one, from the top, a row each without a gap.
    spans: Vec<Span>,
    text: String,
}

/// The cells of a match in one row. A wide character is in it with both of its cells.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Span {
    /// The row.
    pub row: usize,
    /// The columns; none where a match of several rows has no text in this one.
    pub cols: Range<usize>,
}

impl Match {
    pub(crate) fn new(screen: &Screen, spans: Vec<Span>) -> Match {
        let text = text(screen, &spans);
        Match { spans, text }
    }

    /// Its cells, a row at a time from the top.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The text of its cells. Rows are separated by line ends, except where the text went on because it did not fit.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its first cell. A match without cells, such as that of an empty text, has a place all the same.
    pub fn position(&self) -> Position {
        self.cells().next().unwrap_or(Position {
            row: self.spans[0].row,
            col: self.spans[0].cols.start,
        })
    }

    /// The cell in its middle, in reading order: where to click.
    pub fn centre(&self) -> Position {
        let count: usize = self.spans.iter().map(|span| span.cols.len()).sum();
        let middle = count.saturating_sub(1) / 2;
        self.cells().nth(middle).unwrap_or(self.position())
    }

    /// The cell right behind its last one, in the same row: where a cursor stands that has just written it.
    pub fn end(&self) -> Position {
        self.spans.last().map_or(self.position(), |span| Position {
            row: span.row,
            col: span.cols.end,
        })
    }

    /// Whether a cell belongs to it.
    pub fn contains(&self, position: Position) -> bool {
        self.spans
            .iter()
            .any(|span| span.row == position.row && span.cols.contains(&position.col))
    }

    /// Its cells in reading order.
    pub fn cells(&self) -> impl Iterator<Item = Position> {
        self.spans.iter().flat_map(|span| {
            let row = span.row;
            span.cols.clone().map(move |col| Position { row, col })
        })
    }
}

fn text(screen: &Screen, spans: &[Span]) -> String {
    let mut text = String::new();
    let mut above: Option<&Span> = None;
    for span in spans {
        // Inside a rectangle, a row ends with the rectangle: what stands below its end is not its continuation.
        let goes_on = above.is_none_or(|above| {
            span.cols.start == 0 && screen.goes_on(above.row) == Some(above.cols.end)
        });
        if !goes_on {
            text.push('\n');
        }
        if let Some(row) = screen.row(span.row) {
            for col in span.cols.clone() {
                row.cell(col).push_to(&mut text);
            }
        }
        above = Some(span);
    }
    text
}

/// As messages name it: `"Save" at row 2, column 5`.
impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {}", self.text, self.position().to_wire())
    }
}
