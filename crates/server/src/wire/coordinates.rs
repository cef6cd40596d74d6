//! Converts rows and columns between the 1-based wire and the 0-based rest of the program.

use std::ops::RangeInclusive;

use screentest::core::{Cursor, CursorShape, Match, Position, Rect, Size, WirePosition};
use serde::{Deserialize, Serialize};

use super::RpcError;
use super::number::WholeNumber;

/// A rectangle in a request.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct WireRect {
    pub(crate) col: WholeNumber,
    pub(crate) row: WholeNumber,
    pub(crate) width: WholeNumber,
    pub(crate) height: WholeNumber,
}

impl WireRect {
    /// Returns the rectangle. It may extend beyond the screen.
    pub(crate) fn rect(self, field: &str) -> Result<Rect, RpcError> {
        let (Ok(rows), Ok(cols)) = (
            usize::try_from(self.height.0),
            usize::try_from(self.width.0),
        ) else {
            return Err(sides(field));
        };
        if rows == 0 || cols == 0 {
            return Err(sides(field));
        }
        let origin = position(self.col, self.row).ok_or_else(|| {
            RpcError::invalid_params(format!("{field} uses 1-based col/row coordinates"))
        })?;
        Ok(Rect {
            row: origin.row,
            col: origin.col,
            rows,
            cols,
        })
    }
}

fn sides(field: &str) -> RpcError {
    RpcError::invalid_params(format!("{field} width/height must be >= 1"))
}

/// Returns the position of a cell, or `None` for coordinates below 1.
pub(crate) fn position(col: WholeNumber, row: WholeNumber) -> Option<Position> {
    Position::from_wire(WirePosition {
        row: usize::try_from(row.0).ok()?,
        col: usize::try_from(col.0).ok()?,
    })
}

/// Returns a terminal size from the given parameters. Missing ones are taken from `otherwise`.
pub(crate) fn size(
    cols: Option<WholeNumber>,
    rows: Option<WholeNumber>,
    otherwise: Size,
) -> Result<Size, RpcError> {
    let number = |number: Option<WholeNumber>,
                  otherwise: u16,
                  what: &str,
                  most: RangeInclusive<u16>| {
        let Some(WholeNumber(number)) = number else {
            return Ok(otherwise.into());
        };
        u64::try_from(number).map_err(|_| {
            let (least, most) = most.into_inner();
            RpcError::invalid_params(format!("`{number}` {what}: a screen has {least} to {most}"))
        })
    };
    let cols = number(cols, otherwise.cols, "columns", Size::COLS)?;
    let rows = number(rows, otherwise.rows, "rows", Size::ROWS)?;
    Size::checked(cols, rows).map_err(|error| RpcError::invalid_params(error.to_string()))
}

/// A match in a response.
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

/// A cursor in a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct WireCursor {
    pub(crate) blinking: bool,
    pub(crate) col: usize,
    pub(crate) row: usize,
    pub(crate) shape: &'static str,
    pub(crate) visible: bool,
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

/// The size of an image in cells.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct WireCells {
    pub(crate) cols: u32,
    pub(crate) rows: u32,
}

/// The size of an image in pixels.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct WirePixels {
    pub(crate) width: u32,
    pub(crate) height: u32,
}
