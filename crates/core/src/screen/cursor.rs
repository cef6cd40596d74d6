//! Where the program will write next, and what that place looks like.

use crate::Position;

/// The cursor of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// Its cell.
    pub position: Position,
    /// Whether it is shown (DECTCEM).
    pub visible: bool,
    /// Its form (DECSCUSR).
    pub shape: CursorShape,
    /// Whether it blinks.
    pub blinking: bool,
    /// Whether the last column has just been written, so that the next character goes to the next row.
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

/// The form of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CursorShape {
    /// The whole cell.
    Block,
    /// A line under it.
    Underline,
    /// A line at its left.
    Bar,
}
