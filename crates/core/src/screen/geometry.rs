//! Where things are on a screen.
//!
//! Inside, everything counts from 0: row 0 is the top, column 0 the left edge. Protocols and people count from 1; the
//! two meet in [`Position::to_wire`] and [`Position::from_wire`] and nowhere else.

use std::fmt;
use std::ops::{Range, RangeInclusive};

/// How large a screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns, the width.
    pub cols: u16,
    /// Rows, the height.
    pub rows: u16,
}

impl Size {
    /// The columns a screen may have: a wide character needs two, and a screen of the largest size still fits in
    /// memory twice (the main and the alternate one) at about 100 MB each.
    pub const COLS: RangeInclusive<u16> = 2..=2000;
    /// The rows a screen may have.
    pub const ROWS: RangeInclusive<u16> = 1..=2000;

    /// A size from numbers of unknown origin.
    pub fn checked(cols: u64, rows: u64) -> Result<Size, SizeError> {
        let within = |value: u64, range: RangeInclusive<u16>| {
            u16::try_from(value).ok().filter(|v| range.contains(v))
        };
        match (within(cols, Size::COLS), within(rows, Size::ROWS)) {
            (Some(cols), Some(rows)) => Ok(Size { cols, rows }),
            (None, _) => Err(SizeError::Cols(cols)),
            (_, None) => Err(SizeError::Rows(rows)),
        }
    }

    /// The nearest size that a screen may have.
    pub fn clamped(self) -> Size {
        Size {
            cols: self.cols.clamp(*Size::COLS.start(), *Size::COLS.end()),
            rows: self.rows.clamp(*Size::ROWS.start(), *Size::ROWS.end()),
        }
    }

    /// The whole screen as a rectangle.
    pub fn rect(self) -> Rect {
        Rect {
            row: 0,
            col: 0,
            rows: self.rows.into(),
            cols: self.cols.into(),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

/// Why a size cannot be a screen's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// The width is outside [`Size::COLS`].
    #[error("`{0}` columns: a screen has {min} to {max}", min = Size::COLS.start(), max = Size::COLS.end())]
    Cols(u64),
    /// The height is outside [`Size::ROWS`].
    #[error("`{0}` rows: a screen has {min} to {max}", min = Size::ROWS.start(), max = Size::ROWS.end())]
    Rows(u64),
}

/// One cell's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// Counted from the top, from 0.
    pub row: usize,
    /// Counted from the left, from 0.
    pub col: usize,
}

impl Position {
    /// The same place as protocols and people count it.
    pub fn to_wire(self) -> WirePosition {
        WirePosition {
            row: self.row.saturating_add(1),
            col: self.col.saturating_add(1),
        }
    }

    /// The place that a protocol or a person meant; `None` where either number is 0.
    pub fn from_wire(wire: WirePosition) -> Option<Position> {
        Some(Position {
            row: wire.row.checked_sub(1)?,
            col: wire.col.checked_sub(1)?,
        })
    }
}

/// A place counted from 1, as on the wire and in messages to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WirePosition {
    /// Counted from the top, from 1.
    pub row: usize,
    /// Counted from the left, from 1.
    pub col: usize,
}

impl fmt::Display for WirePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.col)
    }
}

/// A block of cells. It may reach beyond the screen; what is outside is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Its first row.
    pub row: usize,
    /// Its first column.
    pub col: usize,
    /// How many rows it covers.
    pub rows: usize,
    /// How many columns it covers.
    pub cols: usize,
}

impl Rect {
    /// Whole rows, however wide the screen is.
    pub fn across(rows: Range<usize>) -> Rect {
        Rect {
            row: rows.start,
            col: 0,
            rows: rows.len(),
            cols: usize::MAX,
        }
    }

    /// What of it lies inside another; without rows or columns where they do not meet.
    pub fn clipped(self, to: Rect) -> Rect {
        let (row, rows) = shared((self.row, self.rows), (to.row, to.rows));
        let (col, cols) = shared((self.col, self.cols), (to.col, to.cols));
        Rect {
            row,
            col,
            rows,
            cols,
        }
    }

    /// The same block counted from the first cell of `outer`, and clipped to it.
    pub(crate) fn inside(self, outer: Rect) -> Rect {
        let moved = Rect {
            row: self.row.saturating_add(outer.row),
            col: self.col.saturating_add(outer.col),
            ..self
        };
        moved.clipped(outer)
    }

    /// Whether it covers no cell at all.
    pub fn is_empty(self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    /// Whether the cell at `position` is inside.
    pub fn contains(self, position: Position) -> bool {
        (self.row..self.row.saturating_add(self.rows)).contains(&position.row)
            && (self.col..self.col.saturating_add(self.cols)).contains(&position.col)
    }
}

/// What two stretches of rows or of columns have in common, each with its start and its length.
fn shared(one: (usize, usize), other: (usize, usize)) -> (usize, usize) {
    let start = one.0.max(other.0);
    let end = one
        .0
        .saturating_add(one.1)
        .min(other.0.saturating_add(other.1));
    (start, end.saturating_sub(start))
}

/// As people count: `rows 2–4, columns 1–40`. A side that is longer than any screen is not mentioned.
impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = Position {
            row: self.row,
            col: self.col,
        };
        let last = Position {
            row: self.row.saturating_add(self.rows.saturating_sub(1)),
            col: self.col.saturating_add(self.cols.saturating_sub(1)),
        };
        let most = |range: RangeInclusive<u16>| usize::from(*range.end());
        let all_rows = self.row == 0 && self.rows > most(Size::ROWS);
        let all_cols = self.col == 0 && self.cols > most(Size::COLS);
        let (first, last) = (first.to_wire(), last.to_wire());
        match (all_rows, all_cols) {
            (true, true) => f.write_str("the whole screen"),
            (false, true) => side(f, "row", self.rows, first.row, last.row),
            (true, false) => side(f, "column", self.cols, first.col, last.col),
            (false, false) => {
                side(f, "row", self.rows, first.row, last.row)?;
                f.write_str(", ")?;
                side(f, "column", self.cols, first.col, last.col)
            }
        }
    }
}

fn side(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    count: usize,
    first: usize,
    last: usize,
) -> fmt::Result {
    match count {
        0 => write!(f, "no {name}s"),
        1 => write!(f, "{name} {first}"),
        _ => write!(f, "{name}s {first}–{last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_outside_the_range_names_the_number() {
        assert_eq!(Size::checked(80, 24), Ok(Size { cols: 80, rows: 24 }));
        let message = |cols, rows| Size::checked(cols, rows).unwrap_err().to_string();
        assert_eq!(message(1, 24), "`1` columns: a screen has 2 to 2000");
        assert_eq!(message(80, 0), "`0` rows: a screen has 1 to 2000");
        assert_eq!(
            message(80, 1 << 40),
            "`1099511627776` rows: a screen has 1 to 2000"
        );
    }

    #[test]
    fn the_wire_counts_from_one() {
        let inside = Position { row: 0, col: 4 };
        assert_eq!(inside.to_wire(), WirePosition { row: 1, col: 5 });
        assert_eq!(Position::from_wire(inside.to_wire()), Some(inside));
        assert_eq!(Position::from_wire(WirePosition { row: 0, col: 1 }), None);
    }

    #[test]
    fn a_rectangle_may_reach_beyond_every_screen() {
        let rect = Rect {
            row: 1,
            col: 1,
            rows: usize::MAX,
            cols: 2,
        };
        assert!(rect.contains(Position { row: 1999, col: 2 }));
        assert!(!rect.contains(Position { row: 0, col: 2 }));
        assert!(!rect.contains(Position { row: 1, col: 3 }));
    }

    #[test]
    fn a_rectangle_is_described_as_people_count() {
        let rect = |row, rows, col, cols| Rect {
            row,
            col,
            rows,
            cols,
        };
        for (rect, described) in [
            (rect(1, 3, 0, 40), "rows 2–4, columns 1–40"),
            (rect(1, 1, 9, 1), "row 2, column 10"),
            (rect(1, 0, 9, 1), "no rows, column 10"),
            (Rect::across(1..4), "rows 2–4"),
            (rect(0, usize::MAX, 2, 1), "column 3"),
            (Rect::across(0..usize::MAX), "the whole screen"),
            (
                rect(0, 2, 1, usize::MAX),
                "rows 1–2, columns 2–18446744073709551615",
            ),
        ] {
            assert_eq!(rect.to_string(), described);
        }
    }

    #[test]
    fn a_rectangle_is_clipped_to_what_both_cover() {
        let screen = Size { cols: 8, rows: 3 }.rect();
        let part = Rect {
            row: 1,
            col: 6,
            rows: usize::MAX,
            cols: 5,
        };
        let inside = Rect {
            row: 1,
            col: 6,
            rows: 2,
            cols: 2,
        };
        assert_eq!(part.clipped(screen), inside);
        assert_eq!(screen.clipped(part), inside);
        assert!(Rect::across(3..9).clipped(screen).is_empty());
        assert!(!inside.is_empty());
    }
}
