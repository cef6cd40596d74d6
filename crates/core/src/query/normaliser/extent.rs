//! How far a normaliser covers cells around a match.
//!
//! A number that gains a digit moves the text after it, or takes a space before it. If only its own
//! cells are covered, that stays visible. How far the change extends depends on the layout, so the
//! user chooses. In wrapped text, the extent continues in the next row.

use std::fmt;
use std::ops::Range;

use crate::query::match_::MatchSpan;
use crate::{Match, Position, Rect, Screen, Text, Width};

/// How far to cover cells around a match. Nothing is covered outside the screen, or outside the
/// rectangle of [`Normaliser::Within`](crate::Normaliser::Within).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Extent {
    /// Only the match. Two texts of different widths stay different.
    #[default]
    Match,
    /// Also the spaces before and after it, up to the next text: for columns, aligned to either
    /// side, whose neighbours do not move.
    Blanks,
    /// Also the spaces before it, and after it the rest of its field: up to a border (a line of a
    /// box, or `|`) or, past two spaces in a row, up to the next text. For words after it that move
    /// along.
    Field,
    /// Also the spaces before it, and after it the rest of the row.
    Row,
}

impl Extent {
    /// Returns the cells of a match and those around it that are covered too, all inside `rect`.
    pub(super) fn spans(self, screen: &Screen, rect: Rect, found: &Match) -> Vec<MatchSpan> {
        let mut spans = found.spans().to_vec();
        spans.retain(|span| !span.cols.is_empty());
        if self == Extent::Match {
            return spans;
        }
        let field = |row| RowInRect { screen, rect, row };
        if let Some(first) = spans.first_mut() {
            first.cols.start = field(first.row).blanks_before(first.cols.start);
        }
        let Some(last) = spans.last_mut() else {
            return spans;
        };
        last.cols.end = field(last.row).end(self, last.cols.end);
        // Text that moves in a wrapped line moves on into the rows below.
        let mut last = last.clone();
        while field(last.row).wraps_at(last.cols.end) {
            let row = last.row + 1;
            last = MatchSpan {
                row,
                cols: rect.col..field(row).end(self, rect.col),
            };
            spans.push(last.clone());
        }
        spans
    }
}

/// A row inside a rectangle, read as a row of a table.
struct RowInRect<'a> {
    screen: &'a Screen,
    rect: Rect,
    row: usize,
}

impl RowInRect<'_> {
    fn cols(&self) -> Range<usize> {
        self.rect.col..self.rect.col.saturating_add(self.rect.cols)
    }

    fn end(&self, extent: Extent, behind: usize) -> usize {
        match extent {
            Extent::Match => behind,
            Extent::Blanks => self.blanks_behind(behind),
            Extent::Field => {
                let ends =
                    |col| self.is_border(col) || self.is_blank(col) && self.is_blank(col + 1);
                let end = (behind..self.cols().end).find(|col| ends(*col));
                end.map_or(self.cols().end, |end| self.blanks_behind(end))
            }
            Extent::Row => self.cols().end,
        }
    }

    /// Returns whether a column is after the last one of a row whose text continues in the next.
    fn wraps_at(&self, behind: usize) -> bool {
        let is_whole = self.cols() == (0..usize::from(self.screen.size.cols));
        is_whole
            && behind == self.cols().end
            && self.row + 1 < self.rect.row.saturating_add(self.rect.rows)
            && self.screen.wraps_at(self.row).is_some()
    }

    /// Returns the start of the spaces that end before a column.
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

/// The words after the name of a normaliser: `with the spaces around`.
impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Extent::Match => "alone",
            Extent::Blanks => "with the spaces around",
            Extent::Field => "with the rest of the field",
            Extent::Row => "with the rest of the row",
        })
    }
}
