//! Performs an [`Action`]. JSON-RPC, HTTP and MCP perform all their actions here.

use screentest_core::action::{Action, Click, ClickTarget, MousePlace};
use screentest_core::{Match, Position};

use super::{Terminal, TuiError, WaitOptions};
use crate::pty::signal::Signal;

impl Terminal {
    /// Performs an action, with the options of this terminal.
    pub fn perform(&self, action: &Action) -> Result<(), TuiError> {
        match action {
            Action::Type(text) => self.type_text(text),
            Action::SendLine(text) => self.send_line(text),
            Action::Send(bytes) => self.send_bytes(bytes),
            Action::Press(chord) => self.press(*chord),
            Action::Paste(text) => self.paste(text),
            Action::Click(click) => self.perform_click(click),
            Action::Mouse(mouse) => {
                let position = self.locate(mouse.at)?;
                let event = self.running().pointer.event(mouse, position);
                self.mouse(event)
            }
            Action::Wheel(turn) => self.mouse_events(&turn.events(self.locate(turn.at)?)),
            Action::Resize(size) => self.resize(*size),
            Action::Signal(name) => {
                let signal = name.trim().parse::<Signal>();
                self.signal(signal?)
            }
            Action::Wait(target, appeared) => {
                let waits = WaitOptions {
                    appeared: *appeared,
                    ..self.waits.clone()
                };
                self.with(waits).wait_for(target.condition()).map(drop)
            }
            Action::WaitStable(time) => self.wait_for_stable(*time).map(drop),
        }
    }

    fn perform_click(&self, click: &Click) -> Result<(), TuiError> {
        let Click {
            button, modifiers, ..
        } = *click;
        match &click.target {
            ClickTarget::Cell(position) => self.mouse_events(&click.events(*position)),
            ClickTarget::Match(selector) => {
                self.click_match(selector, Match::centre, button, modifiers)
            }
            ClickTarget::MatchStart(selector) => {
                self.click_match(selector, Match::position, button, modifiers)
            }
        }
    }

    /// Returns the cell of a place.
    fn locate(&self, place: MousePlace) -> Result<Position, TuiError> {
        let pointer = self.running().pointer;
        pointer.locate(place, || Ok(self.screen()?.size))
    }
}
