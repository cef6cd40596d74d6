//! The part of a screen that a selector searches.
//!
//! A rectangle is searched as if it were a whole screen: rows begin and end at its borders,
//! and a character that is only half inside is outside. The positions of matches are those of the
//! whole screen.
//!
//! See also: what is searched for (`literal.rs`, `regex.rs`, `run.rs`).

use std::ops::Range;

use crate::query::match_::MatchSpan;
use crate::{CellView, Changes, Match, Position, Rect, Row, Screen, Text, Width};

/// The part of a screen that a selector searches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Region<'a> {
    pub(super) screen: &'a Screen,
    /// Always inside the screen.
    rect: Rect,
    /// If set, only matches that are new on the screen count.
    changes: Option<&'a Changes<'a>>,
}

/// A place in the text of a region: a byte of one of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextPosition {
    pub(super) row: usize,
    pub(super) byte: usize,
}

impl<'a> Region<'a> {
    pub(super) fn whole(screen: &'a Screen) -> Region<'a> {
        Region {
            screen,
            rect: Rect {
                rows: screen.rows.len(),
                ..screen.size.rect()
            },
            changes: None,
        }
    }

    /// Returns the region of a whole screen, where only new matches count.
    pub(super) fn changed(changes: &'a Changes<'a>) -> Region<'a> {
        Region {
            changes: Some(changes),
            ..Region::whole(changes.screen())
        }
    }

    /// Returns this region with all matches counting.
    pub(super) fn unchanged(self) -> Region<'a> {
        Region {
            changes: None,
            ..self
        }
    }

    /// Returns whether only new matches count.
    pub(super) fn has_changes(self) -> bool {
        self.changes.is_some_and(Changes::excludes)
    }

    /// Returns whether a match counts.
    pub(super) fn counts(self, found: &Match) -> bool {
        self.changes.is_none_or(|changes| changes.has_new(found))
    }

    /// Returns the part that a rectangle covers; the rectangle counts from this region's first
    /// cell.
    pub(super) fn part(self, rect: Rect) -> Region<'a> {
        Region {
            rect: rect.inside(self.rect),
            ..self
        }
    }

    pub(super) fn rows(self) -> Range<usize> {
        self.rect.row..self.rect.row + self.rect.rows
    }

    pub(super) fn cols(self) -> Range<usize> {
        self.rect.col..self.rect.col + self.rect.cols
    }

    pub(super) fn is_empty(self) -> bool {
        self.rect.is_empty()
    }

    /// Returns the start of its text.
    pub(super) fn start(self) -> TextPosition {
        TextPosition {
            row: self.rect.row,
            byte: 0,
        }
    }

    /// Returns its first cell.
    pub(super) fn corner(self) -> Position {
        Position {
            row: self.rect.row,
            col: self.rect.col,
        }
    }

    /// Returns the visible part of a row, which must be one of the region's rows.
    pub(super) fn region_row(self, row: usize) -> RegionRow<'a> {
        let cells = &*self.screen.rows[row];
        let width = usize::from(self.screen.size.cols);
        if self.rect.cols < width {
            return RegionRow::cut(cells, self.cols());
        }
        // The last row of the region has no next row to continue in.
        let wraps_at = self
            .screen
            .wraps_at(row)
            .filter(|_| row + 1 < self.rows().end);
        RegionRow::whole(cells, width, wraps_at)
    }

    /// Returns the match of the character in a cell, counted from the region's first cell; `None`
    /// if the cell is blank.
    pub(super) fn character(self, at: Position) -> Option<Match> {
        let row = at.row.saturating_add(self.rect.row);
        let col = at.col.saturating_add(self.rect.col);
        if !self.rect.contains(Position { row, col }) {
            return None;
        }
        let span = self.span(row, col..col + 1);
        let blank = is_blank(self.screen.rows[row].cell(span.cols.start));
        (!blank && !span.cols.is_empty()).then(|| Match::new(self.screen, vec![span]))
    }

    /// Returns a cell of the region, counted from the screen's first cell; `None` for a wide
    /// character whose second half is outside.
    pub(super) fn cell(self, at: Position) -> Option<CellView<'a>> {
        let cell = self.screen.rows[at.row].cell(at.col);
        let half_outside = cell.width == Width::Wide && at.col + 1 == self.cols().end;
        (!half_outside).then_some(cell)
    }

    /// Returns the match from one cell up to another (exclusive), in reading order. It includes all
    /// text of the rows between.
    pub(super) fn match_between(self, from: Position, to: Position) -> Match {
        let spans = (from.row..=to.row).map(|row| {
            let start = if row == from.row {
                from.col
            } else {
                self.rect.col
            };
            let end = if row == to.row {
                to.col
            } else {
                self.region_row(row).end()
            };
            self.span(row, start..end)
        });
        Match::new(self.screen, spans.collect())
    }

    /// Returns the match of a piece of text. It consists of whole cells: a combining mark includes
    /// its base character.
    pub(super) fn match_of(self, text: &Range<TextPosition>) -> Match {
        let from = Position {
            row: text.start.row,
            col: self.region_row(text.start.row).col(text.start.byte),
        };
        let to = Position {
            row: text.end.row,
            col: match text.end.byte.checked_sub(1) {
                None => self.rect.col,
                Some(last) => self.region_row(text.end.row).col(last) + 1,
            },
        };
        self.match_between(from, to)
    }

    /// Returns the first byte of the next cell, where to continue after a piece of text that ends
    /// before `spot`.
    pub(super) fn next_cell(self, spot: TextPosition) -> TextPosition {
        let Some(last) = spot.byte.checked_sub(1) else {
            return spot;
        };
        let region_row = self.region_row(spot.row);
        let col = region_row.col(last);
        let mut byte = spot.byte;
        while byte < region_row.text.len() && region_row.col(byte) == col {
            byte += 1;
        }
        TextPosition { byte, ..spot }
    }

    /// Returns the span of whole characters that covers some columns, without characters that are
    /// half outside the region.
    fn span(self, row: usize, cols: Range<usize>) -> MatchSpan {
        let is_spacer = |col| self.screen.rows[row].cell(col).width == Width::Spacer;
        let Range { mut start, mut end } = cols;
        if start < end {
            if is_spacer(start) {
                let inside = start > self.rect.col;
                start = if inside { start - 1 } else { start + 1 };
            }
            if is_spacer(end) {
                let inside = end < self.cols().end;
                end = if inside { end + 1 } else { end - 1 };
            }
        }
        if start >= end {
            // An empty span; at the end of a full row, too, it gets a column that is on the screen.
            start = start.min(self.cols().end.saturating_sub(1));
            end = start;
        }
        MatchSpan {
            row,
            cols: start..end,
        }
    }
}

/// Returns whether a cell shows no text.
pub(super) fn is_blank(cell: CellView<'_>) -> bool {
    cell.text == Text::Char(' ')
}

/// The visible part of a row in a region.
#[derive(Debug, Clone, Copy)]
pub(super) struct RegionRow<'a> {
    row: &'a Row,
    /// Start of `text` in the row's text.
    base: usize,
    /// The text; with trailing spaces only where the row continues to the right of the region.
    pub(super) text: &'a str,
    /// The columns of the blank cells after the text, up to where the text continues in the next
    /// row or the region ends.
    trailing_blanks: (usize, usize),
    /// Number of these blank cells that belong to a wrapped line; 0 where the text does not
    /// continue.
    blanks: usize,
    /// Whether the text continues in the next row.
    pub(super) wraps: bool,
}

impl<'a> RegionRow<'a> {
    fn whole(row: &'a Row, width: usize, wraps_at: Option<usize>) -> RegionRow<'a> {
        let text = row.text();
        let text_end = row.col_of_byte(text.len()).min(width);
        let trailing_blanks = (text_end, wraps_at.unwrap_or(width));
        let part_of_line = wraps_at.map(|_| blanks(row, trailing_blanks).count());
        RegionRow {
            row,
            base: 0,
            text,
            trailing_blanks,
            blanks: part_of_line.unwrap_or(0),
            wraps: wraps_at.is_some(),
        }
    }

    fn cut(row: &'a Row, cols: Range<usize>) -> RegionRow<'a> {
        let half_out = cols.end.checked_sub(1);
        let end = match half_out {
            Some(last) if row.cell(last).width == Width::Wide => last,
            _ => cols.end,
        };
        let base = row.byte_of_col(cols.start);
        let text = row
            .text()
            .get(base..row.byte_of_col(end).max(base))
            .unwrap_or_default();
        let end = end.max(cols.start);
        let text_end = row.col_of_byte(base + text.len()).clamp(cols.start, end);
        RegionRow {
            row,
            base,
            text,
            trailing_blanks: (text_end, end),
            blanks: 0,
            wraps: false,
        }
    }

    /// Returns the text without trailing spaces.
    pub(super) fn trimmed(&self) -> &'a str {
        self.text.trim_end_matches(' ')
    }

    /// Returns the number of bytes that a search steps over: the text and, in a wrapped line, the
    /// blank cells after it.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.blanks
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        let blank = || (at < self.len()).then_some(b' ');
        self.text.as_bytes().get(at).copied().or_else(blank)
    }

    /// Returns whether a byte after the text is a blank cell.
    pub(super) fn is_room(&self, at: usize) -> bool {
        at.checked_sub(self.text.len())
            .is_some_and(|index| blanks(self.row, self.trailing_blanks).nth(index).is_some())
    }

    /// Returns whether a character may start at a byte.
    pub(super) fn is_boundary(&self, at: usize) -> bool {
        at > self.text.len() || self.text.is_char_boundary(at)
    }

    /// Returns the column of the cell that contains a byte.
    pub(super) fn col(&self, byte: usize) -> usize {
        match byte.checked_sub(self.text.len()) {
            None => self.row.col_of_byte(self.base + byte),
            Some(index) => blanks(self.row, self.trailing_blanks)
                .nth(index)
                .unwrap_or(self.trailing_blanks.1),
        }
    }

    /// Returns the column after its content: its text or, if that continues in the next row, the
    /// whole row.
    pub(super) fn end(&self) -> usize {
        if self.wraps {
            self.col(self.len())
        } else {
            self.col(self.trimmed().len())
        }
    }
}

/// Returns the columns of blank cells; a wide one only once, with its first column.
fn blanks(row: &Row, (start, end): (usize, usize)) -> impl Iterator<Item = usize> {
    (start..end).filter(|col| row.cell(*col).width != Width::Spacer)
}
