//! How much more to cover than what was found.
//!
//! A number that grows by a digit pushes what stands behind it, or takes a blank before it. Covering only its own cells
//! leaves that to be seen. How far the change is felt depends on the layout, so it is for the user to say. Where text went
//! on in the next row because it did not fit, so does the reach.

use std::fmt;
use std::ops::Range;

use crate::query::match_::Span;
use crate::{Match, Position, Rect, Screen, Text, Width};

/// How much more to cover than what was found. Nothing is covered outside the screen, or outside the rectangle of
/// [`Normaliser::Within`](crate::Normaliser::Within).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Reach {
    /// Nothing more. Two texts of different widths stay different.
    #[default]
    Match,
    /// Also the blanks before and behind it, up to whatever else stands there: for columns, aligned to either side, whose
    /// neighbours do not move.
    Blanks,
    /// Also the blanks before it, and behind it the rest of its field: up to a border (a line of a box, or `|`) or, past
    /// two blanks in a row, to what comes next. For words behind it that move along.
    Field,
    /// Also the blanks before it, and behind it the rest of the row.
    Row,
}

impl Reach {
    /// The cells of a match and those that are reached from it, both inside `rect`.
    pub(super) fn spans(self, screen: &Screen, rect: Rect, found: &Match) -> Vec<Span> {
        let mut spans = found.spans().to_vec();
        spans.retain(|span| !span.cols.is_empty());
        if self == Reach::Match {
            return spans;
        }
        let field = |row| Field { screen, rect, row };
        if let Some(first) = spans.first_mut() {
            first.cols.start = field(first.row).blanks_before(first.cols.start);
        }
        let Some(last) = spans.last_mut() else {
            return spans;
        };
        last.cols.end = field(last.row).end(self, last.cols.end);
        // What moves in a text that did not fit moves on into the rows below.
        let mut last = last.clone();
        while field(last.row).goes_on(last.cols.end) {
            let row = last.row + 1;
            last = Span {
                row,
                cols: rect.col..field(row).end(self, rect.col),
            };
            spans.push(last.clone());
        }
        spans
    }
}

/// A row inside a rectangle, as a table's row is read.
struct Field<'a> {
    screen: &'a Screen,
    rect: Rect,
    row: usize,
}

impl Field<'_> {
    fn cols(&self) -> Range<usize> {
        self.rect.col..self.rect.col.saturating_add(self.rect.cols)
    }

    fn end(&self, reach: Reach, behind: usize) -> usize {
        match reach {
            Reach::Match => behind,
            Reach::Blanks => self.blanks_behind(behind),
            Reach::Field => {
                let ends =
                    |col| self.is_border(col) || self.is_blank(col) && self.is_blank(col + 1);
                let end = (behind..self.cols().end).find(|col| ends(*col));
                end.map_or(self.cols().end, |end| self.blanks_behind(end))
            }
            Reach::Row => self.cols().end,
        }
    }

    /// Whether a column is behind the last of a row whose text goes on in the next.
    fn goes_on(&self, behind: usize) -> bool {
        let is_whole = self.cols() == (0..usize::from(self.screen.size.cols));
        is_whole
            && behind == self.cols().end
            && self.row + 1 < self.rect.row.saturating_add(self.rect.rows)
            && self.screen.goes_on(self.row).is_some()
    }

    /// Where the blanks start that end before a column.
    fn blanks_before(&self, col: usize) -> usize {
        let blanks = (self.cols().start..col).rev();
        col - blanks.take_while(|col| self.is_blank(*col)).count()
    }

    fn blanks_behind(&self, col: usize) -> usize {
        let blanks = col..self.cols().end;
        col + blanks.take_while(|col| self.is_blank(*col)).count()
    }

    fn char(&self, col: usize) -> Option<char> {
        let cell = self.screen.cell(Position { row: self.row, col });
        match (cell.text, cell.width) {
            (Text::Char(c), Width::Narrow | Width::Wide) => Some(c),
            // The second half of a wide character is not blank, although it has no text.
            (_, Width::Spacer) | (Text::Cluster(_), _) => None,
        }
    }

    fn is_blank(&self, col: usize) -> bool {
        self.char(col) == Some(' ')
    }

    fn is_border(&self, col: usize) -> bool {
        matches!(self.char(col), Some('|' | '\u{2500}'..='\u{257f}'))
    }
}

/// As it follows the name of what is found: `with the blanks around`.
impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reach::Match => "alone",
            Reach::Blanks => "with the blanks around",
            Reach::Field => "with the rest of the field",
            Reach::Row => "with the rest of the row",
        })
    }
}
