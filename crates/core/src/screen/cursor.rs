//! The cursor: its position and appearance.

use crate::Position;

/// The cursor of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The cell of the cursor.
    pub position: Position,
    /// Whether the cursor is shown (DECTCEM).
    pub visible: bool,
    /// The cursor's shape (DECSCUSR).
    pub shape: CursorShape,
    /// Whether the cursor blinks.
    pub blinking: bool,
    /// Whether the last column has just been written, so that the next character wraps.
    pub pending_wrap: bool,
}

impl Default for Cursor {
    fn default() -> Cursor {
        Cursor {
            position: Position::default(),
            visible: true,
            shape: CursorShape::Block,
            blinking: false,
            pending_wrap: false,
        }
    }
}

/// The shape of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CursorShape {
    /// The whole cell.
    Block,
    /// A line below the cell's text.
    Underline,
    /// A vertical line at the left of the cell.
    Bar,
}
