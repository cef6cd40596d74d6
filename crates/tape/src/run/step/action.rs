//! Performs the actions of a tape, in the tape's timing.
//!
//! Text is typed character by character, with a pause after each. Every input first scrolls the
//! view down to the current screen, as most terminals do.

use std::time::Duration;

use crate::language::{ActionStep, KeyboardOverlay, NotInTape};
use screentest_core::action::{Action, MouseAction, MouseActionKind, WheelTurn};
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest_core::{Chord, Condition, Key, Selector};

use super::{MAX_FINISHING, StepError, StepRunner};
use crate::run::annotations::Annotation;

impl StepRunner<'_> {
    pub(super) fn act(&mut self, step: &ActionStep) -> Result<(), StepError> {
        for _ in 0..step.times {
            for action in &step.actions {
                self.perform_action(action, step.time)?;
            }
        }
        Ok(())
    }

    /// Performs an action. `time` is the time per key, or the timeout of a wait, if it differs from
    /// the setting.
    pub(super) fn perform_action(
        &mut self,
        action: &Action,
        time: Option<Duration>,
    ) -> Result<(), StepError> {
        let speed = time.unwrap_or(self.typing_speed);
        let timeout = time.unwrap_or(self.settings().wait_timeout);
        match action {
            Action::Type(text) => self.type_text(text, speed)?,
            Action::SendLine(text) => {
                self.type_text(text, speed)?;
                self.press(Key::Enter.into(), speed)?;
            }
            Action::Press(chord) => self.press(*chord, speed)?,
            Action::Paste(text) => {
                self.scroll_to_bottom();
                self.scheduler.input().paste(text)?;
            }
            Action::Mouse(mouse) => self.mouse(mouse)?,
            Action::Wheel(turn) => self.wheel(turn)?,
            Action::Resize(size) => self.session.resize(*size)?,
            Action::Wait(target, appeared) => self.wait(target, *appeared, timeout)?,
            Action::WaitStable(quiet) => {
                let limits = self.scheduler.wait_limits(timeout);
                self.session.wait_for_stable(*quiet, limits)?;
                self.scheduler.resync();
            }
            Action::Send(_) | Action::Click(_) | Action::Signal(_) => {
                return Err(NotInTape::NoCommand(action.name()).into());
            }
        }
        Ok(())
    }

    fn type_text(&mut self, text: &str, speed: Duration) -> Result<(), StepError> {
        // The scrubbed text has the same number of characters: each character of a secret is
        // replaced by one character.
        let rules = self.ready.options.run.secrets.rules();
        let (shown, _) = rules.scrub(text.as_bytes());
        let shown = String::from_utf8_lossy(&shown);
        for (c, shown) in text.chars().zip(shown.chars()) {
            self.scroll_to_bottom();
            if self.shows_overlay(KeyboardOverlay::Input) {
                Annotation::Typed(shown.to_string()).record(self.session);
            }
            self.scheduler
                .input()
                .type_text(c.encode_utf8(&mut [0; 4]))?;
            self.scheduler.pause(speed)?;
        }
        Ok(())
    }

    fn press(&mut self, chord: Chord, speed: Duration) -> Result<(), StepError> {
        self.scroll_to_bottom();
        if self.shows_overlay(KeyboardOverlay::Keys) {
            Annotation::Key(chord.to_string()).record(self.session);
        }
        self.scheduler.input().press(chord)?;
        self.scheduler.pause(speed)?;
        Ok(())
    }

    fn shows_overlay(&self, what: KeyboardOverlay) -> bool {
        let overlay = self.settings().keyboard_overlay;
        overlay == what || overlay == KeyboardOverlay::All
    }
}

/// The mouse.
impl StepRunner<'_> {
    fn mouse(&mut self, mouse: &MouseAction) -> Result<(), StepError> {
        let size = || Ok::<_, StepError>(self.session.screen().size);
        let position = self.pointer.locate(mouse.at, size)?;
        match (mouse.kind, self.pointer.pressed()) {
            (MouseActionKind::Move | MouseActionKind::MoveWith(_), _) => {
                self.check_inside(&Condition::visible(Selector::at(position)))?;
            }
            (MouseActionKind::Press(button), Some(_)) => {
                return Err(StepError::Button(
                    button_name(button),
                    "already down, or another button is",
                ));
            }
            (MouseActionKind::Release(button), pressed) if pressed != Some(button) => {
                return Err(StepError::Button(button_name(button), "not down"));
            }
            (MouseActionKind::Press(_) | MouseActionKind::Release(_), _) => {}
        }
        let event = self.pointer.event(mouse, position);
        self.mouse_event(event)
    }

    fn wheel(&mut self, turn: &WheelTurn) -> Result<(), StepError> {
        let size = || Ok::<_, StepError>(self.session.screen().size);
        let position = self.pointer.locate(turn.at, size)?;
        let mut events = turn.events(position).into_iter();
        events.try_for_each(|event| self.mouse_event(event))
    }

    fn mouse_event(&mut self, event: MouseEvent) -> Result<(), StepError> {
        self.pointer.follow(&event);
        let required = event.kind.tracking();
        // Give a program a moment to enable mouse reporting.
        if self.session.screen().modes.mouse < required {
            self.scheduler.settle(MAX_FINISHING)?;
        }
        // If the program has not enabled motion reporting, a move is not sent; the position is
        // still updated.
        if matches!(event.kind, MouseKind::Move(_)) && self.session.screen().modes.mouse < required
        {
            return Ok(());
        }
        self.scroll_to_bottom();
        self.scheduler.input().mouse(event)?;
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
