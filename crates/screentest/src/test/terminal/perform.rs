//! Performs an [`Action`]: the one place where the actions of JSON-RPC and MCP get their meaning.

use screentest_core::action::{Action, Click, ClickTarget};
use screentest_core::{Condition, Match};

use super::{Terminal, TuiError, WaitOptions};
use crate::pty::signal::Signal;

impl Terminal {
    /// Performs an action, with the options of this terminal.
    pub fn perform(&self, action: &Action) -> Result<(), TuiError> {
        match action {
            Action::Type(text) => self.type_text(text),
            Action::Send(bytes) => self.send_bytes(bytes),
            Action::Press(chord) => self.press(*chord),
            Action::Paste(text) => self.paste(text),
            Action::Click(click) => self.perform_click(click),
            Action::Mouse(events) => self.mouse_events(events),
            Action::Wheel(turn) => self.mouse_events(&turn.events(self.screen()?.size)),
            Action::Resize(size) => self.resize(*size),
            Action::Signal(name) => {
                let signal = name.trim().parse::<Signal>();
                self.signal(signal?)
            }
            Action::Wait(selector, appeared) => {
                let waits = WaitOptions {
                    appeared: *appeared,
                    ..self.waits.clone()
                };
                let condition = Condition::visible(selector);
                self.with(waits).wait_for(condition).map(drop)
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
}
