//! `tui_launch`: a program, and its first screen.

use std::collections::BTreeMap;

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::desk::DEFAULT_NAME;
use super::observation::{Observation, Show};
use super::tool::{Call, Perform, Reply};
use super::trouble::Trouble;
use super::until::{Before, Deadline, Until};
use crate::program::Program;

/// Starts a program.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Launch {
    /// Program alone, such as vim
    command: String,
    args: Option<Vec<String>>,
    cwd: Option<String>,
    /// null unsets
    env: Option<BTreeMap<String, Option<String>>>,
    /// Without the user's environment, settings and home
    hermetic: Option<bool>,
    cols: Option<u16>,
    rows: Option<u16>,
    /// As in tui_act
    auto_wait: Option<bool>,
    delay_ms: Option<u64>,
    /// Name (main)
    session: Option<String>,
    /// As in tui_act
    until: Option<Until>,
    timeout_ms: Option<u64>,
}

impl Perform for Launch {
    type Answer = Observation;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let service = call.desk.service();
        let usual = service.settings.timeout;
        let deadline = Deadline::new(&service.clock, self.timeout_ms, usual)?;
        if self.command.is_empty() {
            return Err(Trouble::new(
                "`command` is empty",
                "name the program to start",
            ));
        }
        if self
            .session
            .as_ref()
            .is_some_and(|name| name.trim().is_empty())
        {
            return Err(Trouble::new(
                "`session` is empty",
                "name the session, or leave it out for `main`",
            ));
        }
        let args = self.args.unwrap_or_default();
        let name = self.session.as_deref().unwrap_or(DEFAULT_NAME);
        let settings = json!({
            "terminalCols": self.cols,
            "terminalRows": self.rows,
            "autoWait": self.auto_wait,
            "delayMs": self.delay_ms,
        });
        let held = call.desk.open(name, settings)?;
        let wait = self.until.unwrap_or_default().read();
        let program = Program {
            command: self.command,
            args: Some(args),
            env: self.env,
            inherit: None,
            cwd: self.cwd,
            hermetic: self.hermetic,
        };
        let launched = wait.and_then(|wait| match held.stage.launch(program.app()) {
            Ok(()) => Ok(wait),
            Err(error) => Err(Trouble::of(&error)),
        });

        let wait = match launched {
            Ok(wait) => wait,
            Err(trouble) => {
                // A session without a program is of no use, and its name should be free.
                call.desk.close(&held.stage)?;
                return Err(trouble);
            }
        };
        let running = held.stage.tui().session();
        let running = running.map_err(|error| Trouble::of(&error))?;
        let waited = wait.wait(&running, &Before::Launched, &deadline, call.interrupt);
        let note = waited.map_err(|error| {
            let trouble = Trouble::of_wait(&deadline.of_wait(error));
            trouble.during(&format!("session `{name}` was started"))
        })?;
        Show::default().observe(call, &held, note)
    }
}
