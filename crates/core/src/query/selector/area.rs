//! The part of a screen in which a selector looks.
//!
//! A rectangle is searched as if it were a screen of its own: a row begins and ends with it, and a character that is only
//! half inside is outside. What is found has the places of the whole screen.
//!
//! Elsewhere: what is looked for (`literal.rs`, `regex.rs`, `run.rs`).

use std::ops::Range;

use crate::query::match_::Span;
use crate::{CellView, Changes, Match, Position, Rect, Row, Screen, Text, Width};

/// The part of a screen in which a selector looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area<'a> {
    pub(super) screen: &'a Screen,
    /// Always inside the screen.
    rect: Rect,
    /// What of the screen is new, where old matches do not count.
    changes: Option<&'a Changes<'a>>,
}

/// A place in the text of an area: a byte of one of its strips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) row: usize,
    pub(super) byte: usize,
}

impl<'a> Area<'a> {
    pub(super) fn whole(screen: &'a Screen) -> Area<'a> {
        Area {
            screen,
            rect: Rect {
                rows: screen.rows.len(),
                ..screen.size.rect()
            },
            changes: None,
        }
    }

    /// A screen on which only what is new counts.
    pub(super) fn changed(changes: &'a Changes<'a>) -> Area<'a> {
        Area {
            changes: Some(changes),
            ..Area::whole(changes.screen())
        }
    }

    /// The same, on which everything counts.
    pub(super) fn unchanged(self) -> Area<'a> {
        Area {
            changes: None,
            ..self
        }
    }

    /// Whether only what is new counts.
    pub(super) fn has_changes(self) -> bool {
        self.changes.is_some_and(Changes::excludes)
    }

    /// Whether a match counts.
    pub(super) fn counts(self, found: &Match) -> bool {
        self.changes.is_none_or(|changes| changes.has_new(found))
    }

    /// The part that a rectangle covers, which is counted from the area's first cell.
    pub(super) fn part(self, rect: Rect) -> Area<'a> {
        Area {
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

    /// Where its text starts.
    pub(super) fn start(self) -> Spot {
        Spot {
            row: self.rect.row,
            byte: 0,
        }
    }

    /// Its first cell.
    pub(super) fn corner(self) -> Position {
        Position {
            row: self.rect.row,
            col: self.rect.col,
        }
    }

    /// What it shows of a row, which must be one of its own.
    pub(super) fn strip(self, row: usize) -> Strip<'a> {
        let cells = &*self.screen.rows[row];
        let width = usize::from(self.screen.size.cols);
        if self.rect.cols < width {
            return Strip::cut(cells, self.cols());
        }
        // The last row of the area has nothing to go on in.
        let goes_on = self
            .screen
            .goes_on(row)
            .filter(|_| row + 1 < self.rows().end);
        Strip::whole(cells, width, goes_on)
    }

    /// The match of the character in a cell, which is counted from the area's first; none where it is blank.
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

    /// A cell of the area, counted as on the screen; `None` for a wide character whose second half is outside.
    pub(super) fn cell(self, at: Position) -> Option<CellView<'a>> {
        let cell = self.screen.rows[at.row].cell(at.col);
        let half_outside = cell.width == Width::Wide && at.col + 1 == self.cols().end;
        (!half_outside).then_some(cell)
    }

    /// The match from one cell to before another, in reading order: rows between are in it with all their text.
    pub(super) fn stretch(self, from: Position, to: Position) -> Match {
        let spans = (from.row..=to.row).map(|row| {
            let start = if row == from.row {
                from.col
            } else {
                self.rect.col
            };
            let end = if row == to.row {
                to.col
            } else {
                self.strip(row).end()
            };
            self.span(row, start..end)
        });
        Match::new(self.screen, spans.collect())
    }

    /// The match of a piece of text. It has whole cells: a mark that joins a character stands for both.
    pub(super) fn between(self, text: &Range<Spot>) -> Match {
        let from = Position {
            row: text.start.row,
            col: self.strip(text.start.row).col(text.start.byte),
        };
        let to = Position {
            row: text.end.row,
            col: match text.end.byte.checked_sub(1) {
                None => self.rect.col,
                Some(last) => self.strip(text.end.row).col(last) + 1,
            },
        };
        self.stretch(from, to)
    }

    /// The next cell's first byte: where to go on after a piece of text that ends before `spot`.
    pub(super) fn next_cell(self, spot: Spot) -> Spot {
        let Some(last) = spot.byte.checked_sub(1) else {
            return spot;
        };
        let strip = self.strip(spot.row);
        let col = strip.col(last);
        let mut byte = spot.byte;
        while byte < strip.text.len() && strip.col(byte) == col {
            byte += 1;
        }
        Spot { byte, ..spot }
    }

    /// The span of whole characters that covers some columns; those that are half outside are left out.
    fn span(self, row: usize, cols: Range<usize>) -> Span {
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
            // Nothing stands there; but even the end of a full row has a place on the screen.
            start = start.min(self.cols().end.saturating_sub(1));
            end = start;
        }
        Span {
            row,
            cols: start..end,
        }
    }
}

/// Whether nothing can be read in a cell.
pub(super) fn is_blank(cell: CellView<'_>) -> bool {
    cell.text == Text::Char(' ')
}

/// What an area shows of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strip<'a> {
    row: &'a Row,
    /// Where `text` starts in the row's.
    base: usize,
    /// The text; blanks at its end only where the row goes on beside the area.
    pub(super) text: &'a str,
    /// The columns of the blanks behind the text, up to where the next row's text goes on or the area ends.
    behind: (usize, usize),
    /// How many of these blanks are part of a line that did not fit: none where the text does not go on.
    blanks: usize,
    /// Whether the text goes on in the next row.
    pub(super) goes_on: bool,
}

impl<'a> Strip<'a> {
    fn whole(row: &'a Row, width: usize, goes_on: Option<usize>) -> Strip<'a> {
        let text = row.text();
        let text_end = row.col_of_byte(text.len()).min(width);
        let behind = (text_end, goes_on.unwrap_or(width));
        let part_of_line = goes_on.map(|_| blanks(row, behind).count());
        Strip {
            row,
            base: 0,
            text,
            behind,
            blanks: part_of_line.unwrap_or(0),
            goes_on: goes_on.is_some(),
        }
    }

    fn cut(row: &'a Row, cols: Range<usize>) -> Strip<'a> {
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
        Strip {
            row,
            base,
            text,
            behind: (text_end, end),
            blanks: 0,
            goes_on: false,
        }
    }

    /// The text without blanks at its end.
    pub(super) fn trimmed(&self) -> &'a str {
        self.text.trim_end_matches(' ')
    }

    /// How many bytes a search can step over: those of the text and of the blanks behind it.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.blanks
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        let blank = || (at < self.len()).then_some(b' ');
        self.text.as_bytes().get(at).copied().or_else(blank)
    }

    /// Whether a byte behind the text is a cell on which nothing stands.
    pub(super) fn is_room(&self, at: usize) -> bool {
        at.checked_sub(self.text.len())
            .is_some_and(|index| blanks(self.row, self.behind).nth(index).is_some())
    }

    /// Whether a character may start at a byte.
    pub(super) fn is_boundary(&self, at: usize) -> bool {
        at > self.text.len() || self.text.is_char_boundary(at)
    }

    /// The column of the cell that a byte is in.
    pub(super) fn col(&self, byte: usize) -> usize {
        match byte.checked_sub(self.text.len()) {
            None => self.row.col_of_byte(self.base + byte),
            Some(index) => blanks(self.row, self.behind)
                .nth(index)
                .unwrap_or(self.behind.1),
        }
    }

    /// The column behind what belongs to it: its text or, where that goes on in the next row, everything.
    pub(super) fn end(&self) -> usize {
        if self.goes_on {
            self.col(self.len())
        } else {
            self.col(self.trimmed().len())
        }
    }
}

/// The columns of blanks, of which one may be wide.
fn blanks(row: &Row, (start, end): (usize, usize)) -> impl Iterator<Item = usize> {
    (start..end).filter(|col| row.cell(*col).width != Width::Spacer)
}
