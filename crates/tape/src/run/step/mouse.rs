//! Mouse steps of a tape.

use crate::language::{MouseAction, MouseStep};
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest_core::{Condition, Modifiers, Selector};

use super::{MAX_FINISHING, StepError, StepRunner};

impl StepRunner<'_> {
    pub(super) fn mouse_step(&mut self, mouse: MouseStep) -> Result<(), StepError> {
        let kinds: Vec<MouseKind> = match mouse.action {
            MouseAction::Move(position) => {
                let visible = Condition::visible(Selector::at(position));
                self.check_inside(&visible)?;
                self.mouse = position;
                vec![MouseKind::Move(self.held)]
            }
            MouseAction::Down(button) => {
                if self.held.replace(button).is_some() {
                    return Err(StepError::Button(
                        button_name(button),
                        "already down, or another button is",
                    ));
                }
                vec![MouseKind::Press(button)]
            }
            MouseAction::Up(button) => {
                if self.held.take() != Some(button) {
                    return Err(StepError::Button(button_name(button), "not down"));
                }
                vec![MouseKind::Release(button)]
            }
            MouseAction::Scroll(wheel, notches) => {
                vec![MouseKind::Wheel(wheel); notches.into()]
            }
        };
        for kind in kinds {
            self.mouse_event(kind, mouse.modifiers)?;
        }
        Ok(())
    }

    fn mouse_event(&mut self, kind: MouseKind, modifiers: Modifiers) -> Result<(), StepError> {
        let required = kind.tracking();
        // Give a program a moment to enable mouse reporting.
        if self.session.screen().modes.mouse < required {
            self.scheduler.settle(MAX_FINISHING)?;
        }
        // If the program has not enabled motion reporting, a move is not sent; the position is
        // still updated.
        if matches!(kind, MouseKind::Move(_)) && self.session.screen().modes.mouse < required {
            return Ok(());
        }
        self.scroll_to_bottom();
        self.scheduler.input().mouse(MouseEvent {
            kind,
            position: self.mouse,
            modifiers,
        })?;
        Ok(())
    }
}

fn button_name(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}
