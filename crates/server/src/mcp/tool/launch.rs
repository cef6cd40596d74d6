//! `tui_launch`: starts a program and reports its first screen.

use std::collections::BTreeMap;

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Call, Perform, Reply};
use crate::mcp::agent_sessions::DEFAULT_NAME;
use crate::mcp::error::ToolError;
use crate::mcp::observation::{Observation, ObserveOptions};
use crate::mcp::wait::{BeforeWait, Deadline, Until};
use crate::service::app_spec::AppSpec;

/// The arguments of `tui_launch`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct LaunchArgs {
    /// Program without arguments, such as vim
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

impl Perform for LaunchArgs {
    type Output = Observation;

    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError> {
        let service = call.sessions.service();
        let default = service.settings.timeout;
        let deadline = Deadline::new(&service.clock, self.timeout_ms, default)?;
        if self.command.is_empty() {
            return Err(ToolError::new(
                "`command` is empty",
                "name the program to start",
            ));
        }
        if self
            .session
            .as_ref()
            .is_some_and(|name| name.trim().is_empty())
        {
            return Err(ToolError::new(
                "`session` is empty",
                "name the session, or omit it for `main`",
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
        let guard = call.sessions.open(name, settings)?;
        let wait = self.until.unwrap_or_default().parse();
        let app = AppSpec {
            command: self.command,
            args: Some(args),
            env: self.env,
            inherit: None,
            cwd: self.cwd,
            hermetic: self.hermetic,
        };
        let launched = wait.and_then(|wait| match guard.session.launch(app.into_app()) {
            Ok(()) => Ok(wait),
            Err(error) => Err(ToolError::from_tui(&error)),
        });

        let wait = match launched {
            Ok(wait) => wait,
            Err(error) => {
                // A session without a program is useless; free its name.
                call.sessions.close(&guard.session)?;
                return Err(error);
            }
        };
        let running = guard.session.tui().session();
        let running = running.map_err(|error| ToolError::from_tui(&error))?;
        let waited = wait.wait(&running, &BeforeWait::Launched, &deadline, call.interrupt);
        let note = waited.map_err(|error| {
            let tool_error = ToolError::from_wait(&deadline.of_wait(error));
            tool_error.with_context(&format!("session `{name}` was started"))
        })?;
        ObserveOptions::default().observe(call, &guard, note)
    }
}
