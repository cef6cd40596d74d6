//! `tui_act`: doing, waiting and looking in one call.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use super::action::Action;
use super::observation::{Observation, Show, View};
use super::tool::{Call, Perform, Reply};
use super::trouble::Trouble;
use super::until::{Before, Deadline, Until};
use crate::wire::input::SendOptions;

/// How many actions one call has at most: a form, not a novel.
const MOST_ACTIONS: usize = 100;

/// Does actions, waits, and tells what changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Act {
    /// If several are open
    session: Option<String>,
    /// Each has one of: type, press, paste, secret (name), click (text), click_at, wheel, resize, signal, wait (for a text)
    actions: Option<Vec<Action>>,
    /// All must hold: text or regex visible, text gone, exit, still_ms unchanged. After Enter only new text counts, unless anytime
    until: Option<Until>,
    /// For the whole call (5000)
    timeout_ms: Option<u64>,
    /// false: send at once
    auto_wait: Option<bool>,
    /// Between keys
    delay_ms: Option<u64>,
    view: Option<View>,
    /// Revision to compare with; default: last told
    since: Option<u64>,
}

impl Perform for Act {
    type Answer = Observation;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let held = call.desk.hold(self.session.as_deref())?;
        let service = call.desk.service();
        // All that can be wrong with the words is said before anything is done.
        let wait = self.until.unwrap_or_default().read()?;
        let usual = service.settings.timeout;
        let deadline = Deadline::new(&service.clock, self.timeout_ms, usual)?;
        let actions = self.actions.unwrap_or_default();
        if actions.len() > MOST_ACTIONS {
            return Err(Trouble::new(
                format!("{} actions in one call", actions.len()),
                format!("give at most {MOST_ACTIONS}; `paste` or `type` takes long texts in one"),
            ));
        }
        if !actions.is_empty() {
            call.check_wheel(&held.stage)?;
        }
        let send = SendOptions::of(self.auto_wait, self.delay_ms);
        let send = send.ok_or_else(|| {
            let delay = self.delay_ms.unwrap_or_default();
            Trouble::new(format!("delay_ms is {delay}"), "give at most 1000")
        })?;
        let mut deeds = Vec::new();
        for (number, action) in actions.iter().enumerate() {
            let read = action.read(&held.stage);
            deeds.push(read.map_err(|trouble| trouble.during(&format!("actions[{number}]")))?);
        }
        let running = held.stage.tui().session();
        let running = running.map_err(|error| Trouble::of(&error))?;
        let frame = running.frame();
        for (number, deed) in deeds.iter().enumerate() {
            let done = call.check();
            let done =
                done.and_then(|()| deed.perform(&held.stage, &deadline, send, call.interrupt));
            done.map_err(|trouble| {
                let before = match number {
                    0 => "nothing was done",
                    _ => "the actions before it were done",
                };
                trouble.during(&format!("actions[{number}] failed, {before}"))
            })?;
        }
        let before = match deeds.is_empty() {
            true => Before::Nothing,
            false => Before::Acted(&frame),
        };
        let waited = wait.wait(&running, &before, &deadline, call.interrupt);
        let note = waited.map_err(|error| {
            let trouble = Trouble::of_wait(&deadline.of_wait(error));
            match deeds.is_empty() {
                true => trouble,
                false => trouble.during("the actions were done"),
            }
        })?;
        let late = running.take_auto_wait_timeout();
        let late = late.map(|late| format!("input was sent after {late}"));
        let note = match (note, late) {
            (Some(note), Some(late)) => Some(format!("{late}; {note}")),
            (note, late) => note.or(late),
        };
        let show = Show {
            view: self.view,
            since: self.since,
            ..Show::default()
        };
        show.observe(call, &held, note)
    }
}
