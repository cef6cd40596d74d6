//! A match of a selector on a screen.
//!
//! A match has its cells, row by row, so that it can be clicked, compared with another match and
//! read. Its text is the text of exactly these cells.

use std::fmt;
use std::ops::Range;

use crate::{ImagePlacement, Position, Screen};

/// A match of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// At least one, from the top, one per row without gaps.
    spans: Vec<MatchSpan>,
    text: String,
    image: Option<Box<ImagePlacement>>,
}

/// The cells of a match in one row. A wide character is included with both of its cells.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MatchSpan {
    /// The row.
    pub row: usize,
    /// The columns; empty if a match of several rows has no text in this one.
    pub cols: Range<usize>,
}

impl Match {
    pub(crate) fn new(screen: &Screen, spans: Vec<MatchSpan>) -> Match {
        let text = text(screen, &spans);
        Match {
            spans,
            text,
            image: None,
        }
    }

    pub(crate) fn of_image(
        screen: &Screen,
        spans: Vec<MatchSpan>,
        image: &ImagePlacement,
    ) -> Match {
        Match {
            image: Some(Box::new(image.clone())),
            ..Match::new(screen, spans)
        }
    }

    /// Returns the image, if it is the match of an image.
    pub fn image(&self) -> Option<&ImagePlacement> {
        self.image.as_deref()
    }

    /// Returns its cells, one span per row, from the top.
    pub fn spans(&self) -> &[MatchSpan] {
        &self.spans
    }

    /// Returns the text of its cells. Rows are separated by line ends, except where a line is
    /// wrapped.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns its first cell. A match without cells, such as that of an empty text, has a position
    /// too.
    pub fn position(&self) -> Position {
        self.cells().next().unwrap_or(Position {
            row: self.spans[0].row,
            col: self.spans[0].cols.start,
        })
    }

    /// Returns the middle cell in reading order: where to click.
    pub fn centre(&self) -> Position {
        let count: usize = self.spans.iter().map(|span| span.cols.len()).sum();
        let middle = count.saturating_sub(1) / 2;
        self.cells().nth(middle).unwrap_or(self.position())
    }

    /// Returns the cell right after its last one, in the same row: the cursor's position right
    /// after this text was written.
    pub fn end(&self) -> Position {
        self.spans.last().map_or(self.position(), |span| Position {
            row: span.row,
            col: span.cols.end,
        })
    }

    /// Returns whether a cell belongs to the match.
    pub fn contains(&self, position: Position) -> bool {
        self.spans
            .iter()
            .any(|span| span.row == position.row && span.cols.contains(&position.col))
    }

    /// Returns its cells in reading order.
    pub fn cells(&self) -> impl Iterator<Item = Position> {
        self.spans.iter().flat_map(|span| {
            let row = span.row;
            span.cols.clone().map(move |col| Position { row, col })
        })
    }
}

fn text(screen: &Screen, spans: &[MatchSpan]) -> String {
    let mut text = String::new();
    let mut above: Option<&MatchSpan> = None;
    for span in spans {
        // Inside a rectangle, rows end at its border: the text below is not their continuation.
        let continues = above.is_none_or(|above| {
            span.cols.start == 0 && screen.wraps_at(above.row) == Some(above.cols.end)
        });
        if !continues {
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

/// The form in messages: `"Save" at row 2, column 5`. An image is described by its hash and size.
impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(image) = &self.image {
            return write!(f, "{image}");
        }
        write!(f, "{:?} at {}", self.text, self.position().to_wire())
    }
}
