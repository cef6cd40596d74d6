//! Computes the cells on which the cursor is drawn.

use std::ops::Range;

use screentest_core::{Cursor, CursorShape, Row, Screen, Width};

use crate::CursorVisibility;

/// A cursor that is drawn in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DrawnCursor {
    pub(crate) shape: CursorShape,
    /// Its columns: two if the cursor is on either half of a wide character.
    pub(crate) cols: Range<usize>,
}

impl CursorVisibility {
    /// Returns the cursor of a screen if it is drawn in this row.
    pub(crate) fn in_row(self, screen: &Screen, row: usize) -> Option<DrawnCursor> {
        let Cursor {
            position,
            visible,
            shape,
            ..
        } = screen.cursor;
        let cols = usize::from(screen.size.cols);
        let here = position.row == row && position.col < cols;
        if self == CursorVisibility::Hidden || !visible || !here {
            return None;
        }
        let width = screen
            .row(row)
            .map(|row: &Row| row.cell(position.col).width);
        let col = position.col;
        let cols = match width {
            Some(Width::Wide) => col..(col + 2).min(cols),
            Some(Width::Spacer) => col.saturating_sub(1)..col + 1,
            Some(Width::Narrow) | None => col..col + 1,
        };
        Some(DrawnCursor { shape, cols })
    }
}
