//! Dump of the character written last, and of the cursor's position.
//!
//! The last character may be repeated by REP, independent of where it was written and whether it is
//! still there. The dump writes it once more, where that changes nothing or can be erased. A cursor
//! after the last column got there by writing, so in that case one write sets both.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::cell::Flags;
use unicode_width::UnicodeWidthChar;

use super::super::machine::Machine;
use super::rows::{self, Line};
use super::{Place, Side};
use crate::formats::paint::brush::Brush;

/// A cell where a character can be written without leaving a change.
#[derive(Debug, Clone, Copy)]
struct Spot {
    row: usize,
    col: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The cell already shows the character.
    Shown,
    /// The cell can be erased to its current content.
    Free,
}

impl Machine {
    /// Writes the last character and moves the cursor to its position. `margin` is the top margin
    /// if rows are counted from it, otherwise 0.
    pub(super) fn tell_last(&self, brush: &mut Brush, side: &Side, margin: usize) {
        let cols = self.term.columns();
        let place = Place::of(&side.cursor);
        let row = place.row.saturating_sub(margin);
        let Some(c) = self.preceding else {
            return place.tell(brush, cols, margin);
        };
        match (c.width(), place.waits(cols)) {
            (None, _) => {
                place.tell(brush, cols, margin);
                brush.text.push(c);
            }
            // A wide character is not written where it does not fit.
            (Some(2..), true) => rows::wait(brush, row, cols, Some(c)),
            (Some(2..), false) => {
                rows::wait(brush, 0, cols, Some(c));
                place.tell(brush, cols, margin);
            }
            (_, false) => {
                self.tell_written(brush, side, c, margin);
                place.tell(brush, cols, margin);
            }
            (_, true) => self.tell_waiting(brush, side, c, margin),
        }
    }

    /// Writes a character of at most one column where it leaves no change.
    fn tell_written(&self, brush: &mut Brush, side: &Side, c: char, margin: usize) {
        let cols = self.term.columns();
        let spots = || {
            let lines = side.shown().iter().enumerate();
            lines.filter(|(row, _)| margin == 0 || self.region.contains(row))
        };
        let shown = spots().find_map(|(row, line)| {
            let col = line.shows(c).next()?;
            let kind = Kind::Shown;
            Some(Spot { row, col, kind })
        });
        let free = || {
            spots().find_map(|(row, line)| {
                // A combining mark is written one column after the cell that it joins.
                let col = (0..cols - 1).find(|col| line.is_free(*col))?;
                let kind = Kind::Free;
                Some(Spot { row, col, kind })
            })
        };
        match shown.or_else(free) {
            Some(spot) => {
                let line = &side.shown()[spot.row];
                let row = spot.row - margin;
                if spot.kind == Kind::Shown {
                    brush.go(row, spot.col);
                    return rows::again(brush, line.cell(spot.col), c);
                }
                let joins = c.width() == Some(0);
                brush.go(row, spot.col + usize::from(joins));
                brush.text.push(c);
                brush.go(row, spot.col);
                rows::erase(brush, line.cell(spot.col), 1);
            }
            // The alternate screen is blank when it is entered, and its content is dropped when it
            // is left.
            None if !self.is_alternate() => {
                brush.text.push_str("\x1b[?1047h");
                brush.text.push(c);
                brush.text.push_str("\x1b[?1047l");
            }
            None => {}
        }
    }

    /// Moves the cursor after the last column, with a character of at most one column as the one
    /// written last. It need not be the character in that cell: a cursor with a pending wrap keeps
    /// it when it moves to rows above or below.
    fn tell_waiting(&self, brush: &mut Brush, side: &Side, c: char, margin: usize) {
        let cols = self.term.columns();
        let place = Place::of(&side.cursor);
        let spot = self
            .rows_that_lead_to(place.row, margin)
            .find_map(|row| self.last_spot(&side.shown()[row], row, c));
        let Some(spot) = spot else {
            return place.tell(brush, cols, margin);
        };
        let line = &side.shown()[spot.row];
        let row = spot.row - margin;
        brush.go(row, spot.col);
        if spot.kind == Kind::Shown {
            rows::again(brush, line.cell(spot.col), c);
        } else {
            if c.width() == Some(0) {
                rows::wait(brush, row, cols, None);
            }
            brush.text.push(c);
            rows::erase(brush, line.cell(spot.col), 1);
        }
        for _ in spot.row..place.row {
            brush.text.push_str("\x1bD");
        }
        for _ in place.row..spot.row {
            brush.text.push_str("\x1bM");
        }
    }

    /// Returns a row, and the rows from which IND or RI moves the cursor there without scrolling.
    fn rows_that_lead_to(&self, row: usize, margin: usize) -> impl Iterator<Item = usize> {
        let lines = self.term.screen_lines();
        let (top, bottom) = (self.region.start, self.region.end - 1);
        let above = (0..row).rev().take_while(move |row| *row != bottom);
        let below = (row + 1..lines).take_while(move |row| *row != top);
        let region = self.region.clone();
        let known = move |row: &usize| margin == 0 || region.contains(row);
        std::iter::once(row).chain(above).chain(below).filter(known)
    }

    /// Returns where to write a character so that the cursor ends after the last column of a row.
    fn last_spot(&self, line: &Line, row: usize, c: char) -> Option<Spot> {
        let last = self.term.columns() - 1;
        let is_wide = |col: usize| line.cell(col).flags.contains(Flags::WIDE_CHAR);
        let shown = line
            .shows(c)
            .find(|col| col + usize::from(is_wide(*col)) == last);
        let kind = match shown {
            Some(_) => Kind::Shown,
            None if line.is_free(last) => Kind::Free,
            None => return None,
        };
        let col = shown.unwrap_or(last);
        Some(Spot { row, col, kind })
    }
}
