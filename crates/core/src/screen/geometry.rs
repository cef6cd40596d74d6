//! Sizes, positions and rectangles on a screen.
//!
//! Coordinates are 0-based inside the program: row 0 is the top, column 0 the left edge. Protocols
//! and messages use 1-based coordinates. [`Position::to_wire`] and [`Position::from_wire`] convert
//! between the two.

use std::fmt;
use std::ops::{Range, RangeInclusive};

/// The size of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns, the width.
    pub cols: u16,
    /// Rows, the height.
    pub rows: u16,
}

impl Size {
    /// The allowed number of columns. A wide character needs two. A screen of the largest size
    /// still fits in memory twice (the main and the alternate screen), at about 100 MB each.
    pub const COLS: RangeInclusive<u16> = 2..=2000;
    /// The allowed number of rows.
    pub const ROWS: RangeInclusive<u16> = 1..=2000;

    /// Returns the size with this many columns and rows.
    pub const fn new(cols: u16, rows: u16) -> Size {
        Size { cols, rows }
    }

    /// Returns a size from unchecked numbers, or an error if a screen cannot have that size.
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

    /// Returns the nearest allowed size.
    pub fn clamped(self) -> Size {
        Size {
            cols: self.cols.clamp(*Size::COLS.start(), *Size::COLS.end()),
            rows: self.rows.clamp(*Size::ROWS.start(), *Size::ROWS.end()),
        }
    }

    /// Returns the whole screen as a rectangle.
    pub fn rect(self) -> Rect {
        Rect {
            row: 0,
            col: 0,
            rows: self.rows.into(),
            cols: self.cols.into(),
        }
    }
}

/// Columns and rows.
impl From<(u16, u16)> for Size {
    fn from((cols, rows): (u16, u16)) -> Size {
        Size { cols, rows }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

/// The reason why a screen cannot have a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// The width is outside [`Size::COLS`].
    #[error(
        "`{0}` columns: a screen has {min} to {max}",
        min = Size::COLS.start(),
        max = Size::COLS.end()
    )]
    Cols(u64),
    /// The height is outside [`Size::ROWS`].
    #[error(
        "`{0}` rows: a screen has {min} to {max}",
        min = Size::ROWS.start(),
        max = Size::ROWS.end()
    )]
    Rows(u64),
}

/// The position of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// 0-based, from the top.
    pub row: usize,
    /// 0-based, from the left.
    pub col: usize,
}

impl Position {
    /// Returns the same position with 1-based coordinates.
    pub fn to_wire(self) -> WirePosition {
        WirePosition {
            row: self.row.saturating_add(1),
            col: self.col.saturating_add(1),
        }
    }

    /// Converts a 1-based position. Returns `None` if either coordinate is 0.
    pub fn from_wire(wire: WirePosition) -> Option<Position> {
        Some(Position {
            row: wire.row.checked_sub(1)?,
            col: wire.col.checked_sub(1)?,
        })
    }
}

/// A position with 1-based coordinates, as in protocols and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WirePosition {
    /// 1-based, from the top.
    pub row: usize,
    /// 1-based, from the left.
    pub col: usize,
}

impl fmt::Display for WirePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.col)
    }
}

/// A rectangle of cells. It may extend beyond the screen; it has no cells there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rect {
    /// The first row, 0-based.
    pub row: usize,
    /// The first column, 0-based.
    pub col: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
}

impl Rect {
    /// Returns a rectangle of whole rows, for a screen of any width.
    pub fn across(rows: Range<usize>) -> Rect {
        Rect {
            row: rows.start,
            col: 0,
            rows: rows.len(),
            cols: usize::MAX,
        }
    }

    /// Returns the intersection with another rectangle; empty if they do not overlap.
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

    /// Returns this rectangle moved from coordinates relative to `outer` to absolute ones, and
    /// clipped to `outer`.
    pub(crate) fn inside(self, outer: Rect) -> Rect {
        let moved = Rect {
            row: self.row.saturating_add(outer.row),
            col: self.col.saturating_add(outer.col),
            ..self
        };
        moved.clipped(outer)
    }

    /// Returns whether the rectangle has no cells.
    pub fn is_empty(self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    /// Returns whether the cell at `position` is inside.
    pub fn contains(self, position: Position) -> bool {
        (self.row..self.row.saturating_add(self.rows)).contains(&position.row)
            && (self.col..self.col.saturating_add(self.cols)).contains(&position.col)
    }
}

/// Returns the intersection of two ranges of rows or columns, each given as start and length.
fn shared(one: (usize, usize), other: (usize, usize)) -> (usize, usize) {
    let start = one.0.max(other.0);
    let end = one
        .0
        .saturating_add(one.1)
        .min(other.0.saturating_add(other.1));
    (start, end.saturating_sub(start))
}

/// Writes 1-based coordinates: `rows 2–4, columns 1–40`. A side that begins at the edge and is
/// longer than any screen is left out.
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
    fn a_size_error_names_the_number() {
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
    fn wire_positions_are_1_based() {
        let inside = Position { row: 0, col: 4 };
        assert_eq!(inside.to_wire(), WirePosition { row: 1, col: 5 });
        assert_eq!(Position::from_wire(inside.to_wire()), Some(inside));
        assert_eq!(Position::from_wire(WirePosition { row: 0, col: 1 }), None);
    }

    #[test]
    fn a_rectangle_may_extend_beyond_every_screen() {
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
    fn a_rectangle_is_printed_with_1_based_coordinates() {
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
    fn clipped_returns_the_intersection() {
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
