//! `tui_close`: the end of a session.

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::{Call, Perform, Reply};
use super::trouble::Trouble;

/// Ends a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Close {
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Closed {
    closed: String,
    /// As it was before
    program: String,
}

impl Perform for Close {
    type Answer = Closed;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let held = call.desk.hold(self.session.as_deref())?;
        call.check_wheel(&held.stage)?;
        let outcome = held
            .stage
            .session("close")
            .ok()
            .and_then(|session| session.outcome());
        call.desk.close(&held.stage)?;
        let closed = Closed {
            closed: held.stage.name().to_owned(),
            program: outcome.map_or_else(|| "running".to_owned(), |outcome| outcome.to_string()),
        };
        let text = format!(
            "closed {}, whose program was: {}",
            closed.closed, closed.program
        );
        Ok(Reply::new(text, &closed))
    }
}
