//! State of the mouse between two actions: its position and the pressed button.

use super::{MouseAction, MouseActionKind, MousePlace};
use crate::input::mouse::{Button, MouseEvent, MouseKind};
use crate::{Position, Size};

/// The mouse as earlier actions left it. It begins in the first cell, with no button pressed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pointer {
    position: Position,
    pressed: Option<Button>,
}

impl Pointer {
    /// Returns the cell where the mouse is.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the pressed button.
    pub fn pressed(&self) -> Option<Button> {
        self.pressed
    }

    /// Returns the cell of a place. `size` returns the size of the screen; it is called only if the
    /// place depends on the size.
    pub fn locate<E>(
        &self,
        place: MousePlace,
        size: impl FnOnce() -> Result<Size, E>,
    ) -> Result<Position, E> {
        Ok(match place {
            MousePlace::Cell(position) => position,
            MousePlace::Pointer => self.position,
            MousePlace::Middle => {
                let size = size()?;
                Position {
                    row: usize::from(size.rows) / 2,
                    col: usize::from(size.cols) / 2,
                }
            }
        })
    }

    /// Returns the event of an action on a cell.
    pub fn event(&self, action: &MouseAction, position: Position) -> MouseEvent {
        let kind = match action.kind {
            MouseActionKind::Move => MouseKind::Move(self.pressed),
            MouseActionKind::MoveWith(button) => MouseKind::Move(button),
            MouseActionKind::Press(button) => MouseKind::Press(button),
            MouseActionKind::Release(button) => MouseKind::Release(button),
        };
        MouseEvent {
            kind,
            position,
            modifiers: action.modifiers,
        }
    }

    /// Updates the position and the pressed button after an event.
    pub fn follow(&mut self, event: &MouseEvent) {
        self.position = event.position;
        match event.kind {
            MouseKind::Press(button) => self.pressed = Some(button),
            MouseKind::Release(_) => self.pressed = None,
            MouseKind::Move(_) | MouseKind::Wheel(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::Modifiers;

    const SIZE: Size = Size { cols: 80, rows: 24 };
    const CELL: Position = Position { row: 1, col: 2 };

    #[test]
    fn a_place_is_a_cell_the_pointer_or_the_middle() {
        let mut pointer = Pointer::default();
        let at = |pointer: &Pointer, place| {
            let located = pointer.locate(place, || Ok::<_, Infallible>(SIZE));
            located.unwrap_or_else(|never| match never {})
        };
        assert_eq!(at(&pointer, MousePlace::Cell(CELL)), CELL);
        let middle = Position { row: 12, col: 40 };
        assert_eq!(at(&pointer, MousePlace::Middle), middle);
        assert_eq!(at(&pointer, MousePlace::Pointer), Position::default());
        pointer.follow(&MouseEvent {
            kind: MouseKind::Move(None),
            position: CELL,
            modifiers: Modifiers::empty(),
        });
        assert_eq!(at(&pointer, MousePlace::Pointer), CELL);
    }

    #[test]
    fn a_move_between_press_and_release_is_a_drag() {
        let mut pointer = Pointer::default();
        let mut perform = |kind| {
            let action = MouseAction {
                kind,
                at: MousePlace::Pointer,
                modifiers: Modifiers::empty(),
            };
            let event = pointer.event(&action, CELL);
            pointer.follow(&event);
            event.kind
        };
        let left = Some(Button::Left);
        assert_eq!(perform(MouseActionKind::Move), MouseKind::Move(None));
        perform(MouseActionKind::Press(Button::Left));
        assert_eq!(perform(MouseActionKind::Move), MouseKind::Move(left));
        let hover = MouseActionKind::MoveWith(None);
        assert_eq!(perform(hover), MouseKind::Move(None));
        perform(MouseActionKind::Release(Button::Left));
        assert_eq!(perform(MouseActionKind::Move), MouseKind::Move(None));
    }
}
