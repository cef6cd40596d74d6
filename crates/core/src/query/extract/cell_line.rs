//! A line of a screen, cell by cell.
//!
//! A line is a row together with its wrapped continuation rows. Its cells are numbered from its
//! start across row ends, so that the columns of a table with wrapped rows align again.
//!
//! See also: searching lines for text (`selector`).

use std::ops::Range;

use crate::query::match_::MatchSpan;
use crate::{CellView, Match, Position, Rect, Screen, Text, Width};

/// A row with its wrapped continuation rows.
#[derive(Debug)]
pub(super) struct CellLine<'a> {
    screen: &'a Screen,
    /// The rows of the screen that it occupies.
    pub(super) rows: Range<usize>,
    cells: Vec<(Position, CellView<'a>)>,
}

impl<'a> CellLine<'a> {
    /// Returns the lines of a rectangle, from the top. The rectangle is read as if it were a whole
    /// screen: rows end at its border, and a wide character that is only half inside becomes a
    /// blank.
    pub(super) fn all(screen: &'a Screen, rect: Rect) -> Vec<CellLine<'a>> {
        let whole = Rect {
            rows: screen.rows.len(),
            ..screen.size.rect()
        };
        let rect = rect.clipped(whole);
        if rect.is_empty() {
            return Vec::new();
        }
        let mut rows = rect.row..rect.row + rect.rows;
        let mut lines = Vec::new();
        while let Some(row) = rows.next() {
            let mut line = CellLine {
                screen,
                rows: row..row + 1,
                cells: Vec::new(),
            };
            while let Some(end) = screen
                .wraps_at(line.rows.end - 1)
                .filter(|_| rect.cols == whole.cols && line.rows.end < rect.row + rect.rows)
            {
                line.push(line.rows.end - 1, 0..end);
                line.rows.end += 1;
            }
            let last = line.rows.end - 1;
            let kept = screen.rows[last].len().min(rect.col + rect.cols);
            line.push(last, rect.col..kept);
            rows.start = line.rows.end;
            lines.push(line);
        }
        lines
    }

    fn push(&mut self, row: usize, cols: Range<usize>) {
        let cells = &self.screen.rows[row];
        for col in cols.clone() {
            let cell = cells.cell(col);
            let is_cut = match cell.width {
                Width::Spacer => col == cols.start,
                Width::Wide => col + 1 == cols.end,
                Width::Narrow => false,
            };
            let blank = CellView {
                style: cell.style,
                ..CellView::BLANK
            };
            let cell = if is_cut { blank } else { cell };
            self.cells.push((Position { row, col }, cell));
        }
    }

    /// Returns the number of cells: up to the last one that is not blank.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns a cell; blank after the last one.
    pub(super) fn cell(&self, index: usize) -> CellView<'a> {
        self.cells
            .get(index)
            .map_or(CellView::BLANK, |(_, cell)| *cell)
    }

    /// Returns a cell's position on the screen.
    pub(super) fn position(&self, index: usize) -> Option<Position> {
        self.cells.get(index).map(|(at, _)| *at)
    }

    /// Returns the index of the cell at a position.
    pub(super) fn index_of(&self, position: Position) -> Option<usize> {
        self.cells
            .binary_search_by_key(&position, |(at, _)| *at)
            .ok()
    }

    /// Returns the cell that has the text: for the second half of a wide character, the first half.
    fn base(&self, index: usize) -> CellView<'a> {
        let cell = self.cell(index);
        match index.checked_sub(1) {
            Some(before) if cell.width == Width::Spacer => self.cell(before),
            _ => cell,
        }
    }

    /// Returns the first code point of a cell; the same for both cells of a wide character.
    pub(super) fn char(&self, index: usize) -> char {
        self.base(index).char()
    }

    /// Returns whether a cell shows no text.
    pub(super) fn is_blank(&self, index: usize) -> bool {
        matches!(self.base(index).text, Text::Char(c) if c.is_whitespace())
    }

    /// Returns whether a cell is part of a border. `|` is a border only between two blank cells:
    /// `a|b` is text.
    pub(super) fn is_border(&self, index: usize) -> bool {
        match self.char(index) {
            '|' => {
                index
                    .checked_sub(1)
                    .is_none_or(|before| self.is_blank(before))
                    && self.is_blank(index + 1)
            }
            c => is_box(c),
        }
    }

    /// Returns the first cell at or after `from` for which `holds` is false, at most `end`.
    pub(super) fn skip(&self, from: usize, end: usize, holds: impl Fn(usize) -> bool) -> usize {
        (from..end)
            .find(|index| !holds(*index))
            .unwrap_or(end.max(from))
    }

    /// Returns the first cell at or after `from` that is not blank, at most `end`.
    pub(super) fn skip_blanks(&self, from: usize, end: usize) -> usize {
        self.skip(from, end, |index| self.is_blank(index))
    }

    /// Returns the parts between borders, or between a border and an end of the line.
    pub(super) fn between(&self, is_border: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = 0;
        for index in (0..self.len()).filter(|index| is_border(*index)) {
            parts.push(start..index);
            start = index + 1;
        }
        parts.push(start..self.len());
        parts
    }

    /// Returns where `text` ends if it is at this cell.
    pub(super) fn end_of(&self, text: &str, at: usize) -> Option<usize> {
        let mut rest = text;
        let mut buffer = String::new();
        for index in at..self.len() {
            if rest.is_empty() && self.cell(index).width != Width::Spacer {
                return Some(index);
            }
            buffer.clear();
            self.cell(index).push_to(&mut buffer);
            rest = rest.strip_prefix(buffer.as_str())?;
        }
        rest.is_empty().then_some(self.len())
    }

    /// Returns whether any of the cells shows text.
    pub(super) fn has_text(&self, cells: Range<usize>) -> bool {
        (cells.start..cells.end.min(self.len())).any(|index| !self.is_blank(index))
    }

    /// Returns the match of a range of cells, trimmed of blank cells and extended to whole
    /// characters; `None` if the cells show no text.
    pub(super) fn found(&self, cells: Range<usize>) -> Option<Match> {
        let Range { start, end } = cells.start..cells.end.min(self.len());
        let mut start = self.skip_blanks(start, end);
        let mut end = (start..end).rfind(|index| !self.is_blank(*index))? + 1;
        if self.cell(start).width == Width::Spacer {
            start = start.saturating_sub(1);
        }
        if self.cell(end).width == Width::Spacer {
            end += 1;
        }
        let mut spans: Vec<MatchSpan> = Vec::new();
        for (at, _) in &self.cells[start..end.min(self.len())] {
            match spans.last_mut() {
                Some(span) if span.row == at.row => span.cols.end = at.col + 1,
                _ => spans.push(MatchSpan {
                    row: at.row,
                    cols: at.col..at.col + 1,
                }),
            }
        }
        Some(Match::new(self.screen, spans))
    }
}

/// Returns whether a character draws lines: the block “Box Drawing”, and the two thin bars that
/// some programs use for frames.
pub(super) fn is_box(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{257f}' | '▏' | '▕')
}
