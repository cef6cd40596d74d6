//! `tui_act`: does actions, waits, and reports the changes.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use super::action::{self, ActionArgs};
use super::{Call, Perform, Reply};
use crate::mcp::error::ToolError;
use crate::mcp::observation::{Observation, ObserveOptions, ViewMode};
use crate::mcp::wait::{BeforeWait, Deadline, Until};
use crate::wire::send_options::SendOptions;

/// Maximum number of actions in one call: enough for a form.
const MAX_ACTIONS: usize = 100;

/// The arguments of `tui_act`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ActArgs {
    /// Needed if several are open
    session: Option<String>,
    /// Each has one of: type, press, paste, secret (name), click (text), click_at, wheel, resize,
    /// signal, wait (for text)
    actions: Option<Vec<ActionArgs>>,
    /// All must hold: text or regex visible, text gone, exit, still_ms unchanged. After Enter only
    /// new text counts, unless anytime
    until: Option<Until>,
    /// For the whole call (5000)
    timeout_ms: Option<u64>,
    /// false: send at once
    auto_wait: Option<bool>,
    /// Between keys
    delay_ms: Option<u64>,
    view: Option<ViewMode>,
    /// Revision to compare with; default: last reported
    since: Option<u64>,
}

impl Perform for ActArgs {
    type Output = Observation;

    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError> {
        let guard = call.sessions.find(self.session.as_deref())?;
        let service = call.sessions.service();
        // Report invalid arguments before any action is done.
        let wait = self.until.unwrap_or_default().parse()?;
        let default = service.settings.timeout;
        let deadline = Deadline::new(&service.clock, self.timeout_ms, default)?;
        let actions = self.actions.unwrap_or_default();
        if actions.len() > MAX_ACTIONS {
            return Err(ToolError::new(
                format!("{} actions in one call", actions.len()),
                format!("give at most {MAX_ACTIONS}; one `paste` or `type` can hold a long text"),
            ));
        }
        if !actions.is_empty() {
            call.check_control(&guard.session)?;
        }
        let send = SendOptions::of(self.auto_wait, self.delay_ms);
        let send = send.ok_or_else(|| {
            let delay = self.delay_ms.unwrap_or_default();
            ToolError::new(format!("delay_ms is {delay}"), "give at most 1000")
        })?;
        let mut parsed = Vec::new();
        for (number, action) in actions.iter().enumerate() {
            let action = action.parse(&guard.session);
            parsed.push(action.map_err(|error| error.with_context(&format!("actions[{number}]")))?);
        }
        let running = guard.session.tui().session();
        let running = running.map_err(|error| ToolError::from_tui(&error))?;
        let frame = running.frame();
        for (number, actions) in parsed.iter().enumerate() {
            let done = call.check_cancelled();
            let done = done.and_then(|()| {
                let mut actions = actions.iter();
                actions.try_for_each(|action| {
                    action::perform(action, &guard.session, &deadline, send, call.interrupt)
                })
            });
            done.map_err(|error| {
                let before = match number {
                    0 if actions.len() == 1 => "nothing was done",
                    0 => "it may be partly done",
                    _ => "the actions before it were done",
                };
                error.with_context(&format!("actions[{number}] failed, {before}"))
            })?;
        }
        let before = if parsed.is_empty() {
            BeforeWait::Nothing
        } else {
            BeforeWait::Acted(&frame)
        };
        let waited = wait.wait(&running, &before, &deadline, call.interrupt);
        let note = waited.map_err(|error| {
            let tool_error = ToolError::from_wait(&deadline.of_wait(error));
            if parsed.is_empty() {
                tool_error
            } else {
                tool_error.with_context("the actions were done")
            }
        })?;
        let late = running.take_auto_wait_timeout();
        let late = late.map(|late| format!("input was sent after {late}"));
        let note = match (note, late) {
            (Some(note), Some(late)) => Some(format!("{late}; {note}")),
            (note, late) => note.or(late),
        };
        let options = ObserveOptions {
            view: self.view,
            since: self.since,
            ..ObserveOptions::default()
        };
        options.observe(call, &guard, note)
    }
}
