//! `tui_close`: closes a session.

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Perform, Reply};
use crate::mcp::error::ToolError;

/// The arguments of `tui_close`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct CloseArgs {
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct CloseOutput {
    closed: String,
    /// Status before the call
    program: String,
}

impl Perform for CloseArgs {
    type Output = CloseOutput;

    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError> {
        let guard = call.sessions.find(self.session.as_deref())?;
        call.check_control(&guard.session)?;
        let outcome = guard
            .session
            .program_session("close")
            .ok()
            .and_then(|program| program.exit_status());
        call.sessions.close(&guard.session)?;
        let closed = CloseOutput {
            closed: guard.session.name().to_owned(),
            program: outcome.map_or_else(|| "running".to_owned(), |outcome| outcome.to_string()),
        };
        let text = format!(
            "closed {}; its program was: {}",
            closed.closed, closed.program
        );
        Ok(Reply::new(text, &closed))
    }
}
