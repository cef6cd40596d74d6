//! What was written last, and where the cursor is then.
//!
//! The character that was written last may be told to be repeated, wherever it stood and whether it is still there. It is written once more, where
//! that changes nothing or can be erased. And a cursor behind the last column got there by writing: so where it is there, the two are told at once.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::cell::Flags;
use unicode_width::UnicodeWidthChar;

use super::super::machine::Machine;
use super::rows::{self, Line};
use super::{Place, Side};
use crate::formats::paint::brush::Brush;

/// A cell that may be written without leaving anything.
#[derive(Debug, Clone, Copy)]
struct Spot {
    row: usize,
    col: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// What is written there is what stands there.
    Shown,
    /// It is erased again.
    Free,
}

impl Machine {
    /// Puts the cursor where it is, behind what was written last. Where rows are counted from the top margin, `margin` is that.
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
            // Where it does not fit it leaves nothing.
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

    /// Writes a character that takes at most one column where it leaves nothing.
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
                // A mark that joins something is written one column behind it.
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
            // The other screen is blank when it is shown, and what was there is gone when it is not.
            None if !self.is_alternate() => {
                brush.text.push_str("\x1b[?1047h");
                brush.text.push(c);
                brush.text.push_str("\x1b[?1047l");
            }
            None => {}
        }
    }

    /// Waits behind the last column, where a character was written last that takes at most one. It need not be the one that stands there: a
    /// cursor that waits goes on waiting in the rows above and below.
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

    /// A row, and those from which going up or down leads there without scrolling.
    fn rows_that_lead_to(&self, row: usize, margin: usize) -> impl Iterator<Item = usize> {
        let lines = self.term.screen_lines();
        let (top, bottom) = (self.region.start, self.region.end - 1);
        let above = (0..row).rev().take_while(move |row| *row != bottom);
        let below = (row + 1..lines).take_while(move |row| *row != top);
        let region = self.region.clone();
        let known = move |row: &usize| margin == 0 || region.contains(row);
        std::iter::once(row).chain(above).chain(below).filter(known)
    }

    /// Where a character is written to be behind the last column of a row.
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
