//! Rows and columns: the wire counts from 1, everything else from 0, and here is where the two meet.

use std::ops::RangeInclusive;

use screentest::core::{Cursor, CursorShape, Match, Position, Rect, Size, WirePosition};
use serde::{Deserialize, Serialize};

use super::Failure;
use super::number::Whole;

/// A rectangle, as a client gives it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct WireRect {
    pub(crate) col: Whole,
    pub(crate) row: Whole,
    pub(crate) width: Whole,
    pub(crate) height: Whole,
}

impl WireRect {
    /// The rectangle that is meant. What of it lies beyond a screen is not there.
    pub(crate) fn rect(self, field: &str) -> Result<Rect, Failure> {
        let (Ok(rows), Ok(cols)) = (
            usize::try_from(self.height.0),
            usize::try_from(self.width.0),
        ) else {
            return Err(sides(field));
        };
        if rows == 0 || cols == 0 {
            return Err(sides(field));
        }
        let origin = position(self.col, self.row)
            .ok_or_else(|| Failure::params(format!("{field} uses 1-based col/row coordinates")))?;
        Ok(Rect {
            row: origin.row,
            col: origin.col,
            rows,
            cols,
        })
    }
}

fn sides(field: &str) -> Failure {
    Failure::params(format!("{field} width/height must be >= 1"))
}

/// The cell that a client means; `None` where it counts from 0.
pub(crate) fn position(col: Whole, row: Whole) -> Option<Position> {
    Position::from_wire(WirePosition {
        row: usize::try_from(row.0).ok()?,
        col: usize::try_from(col.0).ok()?,
    })
}

/// A terminal's size from what a client gave, or from what it was.
pub(crate) fn size(
    cols: Option<Whole>,
    rows: Option<Whole>,
    otherwise: Size,
) -> Result<Size, Failure> {
    let number = |number: Option<Whole>, otherwise: u16, what: &str, most: RangeInclusive<u16>| {
        let Some(Whole(number)) = number else {
            return Ok(otherwise.into());
        };
        u64::try_from(number).map_err(|_| {
            let (least, most) = most.into_inner();
            Failure::params(format!("`{number}` {what}: a screen has {least} to {most}"))
        })
    };
    let cols = number(cols, otherwise.cols, "columns", Size::COLS)?;
    let rows = number(rows, otherwise.rows, "rows", Size::ROWS)?;
    Size::checked(cols, rows).map_err(|error| Failure::params(error.to_string()))
}

/// What was found, for a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct WireMatch {
    col: usize,
    row: usize,
    text: String,
}

impl From<&Match> for WireMatch {
    fn from(found: &Match) -> WireMatch {
        let at = found.position().to_wire();
        WireMatch {
            col: at.col,
            row: at.row,
            text: found.text().to_owned(),
        }
    }
}

/// A cursor, for a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct WireCursor {
    blinking: bool,
    col: usize,
    row: usize,
    shape: &'static str,
    visible: bool,
}

impl From<&Cursor> for WireCursor {
    fn from(cursor: &Cursor) -> WireCursor {
        let at = cursor.position.to_wire();
        WireCursor {
            blinking: cursor.blinking,
            col: at.col,
            row: at.row,
            shape: match cursor.shape {
                CursorShape::Block => "block",
                CursorShape::Underline => "underline",
                CursorShape::Bar => "bar",
            },
            visible: cursor.visible,
        }
    }
}
