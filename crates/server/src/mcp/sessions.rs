//! `tui_sessions`: what is open.

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::{Call, Perform, Reply};
use super::trouble::Trouble;

/// Lists the sessions.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Sessions {}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct List {
    sessions: Vec<Session>,
    secrets: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Session {
    session: String,
    command: String,
    program: String,
    idle_seconds: u64,
}

impl Perform for Sessions {
    type Answer = List;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let sessions = call.desk.list().into_iter().map(|listed| {
            let outcome = listed
                .stage
                .session("list")
                .ok()
                .and_then(|session| session.outcome());
            Session {
                session: listed.stage.name().to_owned(),
                command: listed.stage.command().join(" "),
                program: outcome
                    .map_or_else(|| "running".to_owned(), |outcome| outcome.to_string()),
                idle_seconds: listed.idle.as_secs(),
            }
        });
        let service = call.desk.service();
        let list = List {
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
