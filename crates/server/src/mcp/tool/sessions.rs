//! `tui_sessions`: lists the open sessions.

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Perform, Reply};
use crate::mcp::error::ToolError;
use crate::mcp::observation::truncate;

/// The most characters of a command line in the list.
const MAX_COMMAND_CHARS: usize = 200;

/// The arguments of `tui_sessions`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct SessionsArgs {}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct SessionsOutput {
    sessions: Vec<SessionEntry>,
    secrets: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct SessionEntry {
    session: String,
    command: String,
    program: String,
    idle_seconds: u64,
}

impl Perform for SessionsArgs {
    type Output = SessionsOutput;

    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError> {
        let sessions = call.sessions.list().into_iter().map(|listed| {
            let outcome = listed
                .session
                .program_session("list")
                .ok()
                .and_then(|program| program.exit_status());
            SessionEntry {
                session: listed.session.name().to_owned(),
                command: truncate(&listed.session.command().join(" "), MAX_COMMAND_CHARS),
                program: outcome
                    .map_or_else(|| "running".to_owned(), |outcome| outcome.to_string()),
                idle_seconds: listed.idle.as_secs(),
            }
        });
        let service = call.sessions.service();
        let list = SessionsOutput {
            sessions: sessions.collect(),
            secrets: service.secrets().names().map(str::to_owned).collect(),
        };
        let mut lines: Vec<String> = list
            .sessions
            .iter()
            .map(|session| {
                format!(
                    "{}: {} ({}), idle for {} s",
                    session.session, session.command, session.program, session.idle_seconds
                )
            })
            .collect();
        if lines.is_empty() {
            lines.push("no session is open: tui_launch starts a program".to_owned());
        }
        if !list.secrets.is_empty() {
            lines.push(format!("secrets: {}", list.secrets.join(", ")));
        }
        Ok(Reply::new(lines.join("\n"), &list))
    }
}
