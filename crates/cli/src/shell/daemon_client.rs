//! Client of the daemon: sends requests, and converts errors to messages in the terms of the shell
//! commands.

use std::io;
use std::time::Duration;

use anyhow::{Context, anyhow};
use serde_json::{Value, json};

use super::http_client::{HttpClient, HttpResponse, connect};
use super::runtime_dir::RuntimeDir;
use crate::failure::{Exit, Failure};

/// Timeout of a response; added to the wait's own timeout if the request waits.
pub(super) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of a request; the server rejects larger ones.
pub(super) const MAX_REQUEST: usize = 1 << 20;

/// Error codes of the protocol; see docs/formats/json-rpc.md.
const INVALID_PARAMS: i64 = -32602;
const NO_SESSION: i64 = -32001;
const INTERNAL: i64 = -32603;

/// A connection to the daemon, and the selected session.
#[derive(Debug)]
pub(super) struct DaemonClient {
    client: HttpClient,
    session: Option<String>,
}

impl DaemonClient {
    /// Connects to the running daemon.
    pub(super) fn find(session: Option<String>) -> Result<DaemonClient, Failure> {
        let none = || no_session(session.as_deref(), &[]);
        let runtime_dir = RuntimeDir::find()?.ok_or_else(none)?;
        let stream = connect(&runtime_dir.socket())
            .with_context(|| format!("could not connect to `{}`", runtime_dir.socket().display()))
            .map_err(|error| Failure::new(Exit::Transport, error))?;
        let client = HttpClient::new(stream.ok_or_else(none)?);
        Ok(DaemonClient { client, session })
    }

    /// Calls a method that returns at once.
    pub(super) fn call(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.call_within(method, params, Duration::ZERO)
    }

    /// Calls a method that may wait this long.
    pub(super) fn call_within(
        &mut self,
        method: &str,
        mut params: Value,
        wait: Duration,
    ) -> Result<Value, Failure> {
        if let Some(session) = &self.session {
            params["session"] = session.as_str().into();
        }
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        if request.to_string().len() > MAX_REQUEST {
            return Err(Failure::usage(anyhow!("the request is larger than 1 MiB")));
        }
        let result = self.request("POST", "/rpc", Some(&request), wait);
        let mut response = parse_json(&result?)?;
        if response.get("error").is_none() {
            return Ok(response["result"].take());
        }
        let error = &response["error"];
        let details = error["data"]["details"].as_str();
        let details = details.or(error["message"].as_str()).unwrap_or_default();
        let exit = match error["code"].as_i64() {
            Some(NO_SESSION) => {
                let names = self.names()?;
                return Err(no_session(self.session.as_deref(), &names));
            }
            Some(INVALID_PARAMS) => Exit::Usage,
            Some(INTERNAL) => Exit::Internal,
            _ => Exit::Failed,
        };
        let report = error["data"]["report"].as_str().map(str::to_owned);
        Err(Failure::new(exit, anyhow!(for_shell(details))).report_text(report))
    }

    /// Returns all sessions, as the daemon lists them.
    pub(super) fn sessions(&mut self) -> Result<Vec<Value>, Failure> {
        let response = self.request("GET", "/api/sessions", None, Duration::ZERO)?;
        match parse_json(&response)?["sessions"].take() {
            Value::Array(sessions) => Ok(sessions),
            _ => Err(invalid_response("the list has no sessions")),
        }
    }

    fn names(&mut self) -> Result<Vec<String>, Failure> {
        let sessions = self.sessions()?;
        let names = sessions.iter().filter_map(|session| session["id"].as_str());
        Ok(names.map(str::to_owned).collect())
    }

    /// Returns the name of the selected session, which must be open.
    pub(super) fn session_name(&mut self) -> Result<String, Failure> {
        let names = self.names()?;
        match (&self.session, names.as_slice()) {
            (Some(session), names) if names.contains(session) => Ok(session.clone()),
            (None, [only]) => Ok(only.clone()),
            (session, names) => Err(no_session(session.as_deref(), names)),
        }
    }

    /// Sends an HTTP request whose handler may wait this long.
    pub(super) fn request(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        wait: Duration,
    ) -> Result<HttpResponse, Failure> {
        let timeout = RESPONSE_TIMEOUT.saturating_add(wait);
        let result = self.client.send(method, path, body, timeout);
        result.map_err(|error| request_failed(error, timeout))
    }
}

/// Parses the JSON of a response.
pub(super) fn parse_json(response: &HttpResponse) -> Result<Value, Failure> {
    serde_json::from_slice(&response.body)
        .map_err(|error| invalid_response(&format!("status {}, {error}", response.status)))
}

fn invalid_response(message: &str) -> Failure {
    Failure::new(
        Exit::Transport,
        anyhow!("unexpected response of the session daemon: {message}"),
    )
    .hint("the daemon may be of another version; `screentest close --all` closes its sessions, and it exits soon after")
}

/// Returns the failure for a request without a response.
pub(super) fn request_failed(error: io::Error, timeout: Duration) -> Failure {
    let message = match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("the session daemon did not respond within {timeout:?}")
        }
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::BrokenPipe => {
            "the session daemon exited, and its sessions are closed".to_owned()
        }
        _ => {
            return Failure::new(
                Exit::Transport,
                anyhow!(error).context("could not reach the session daemon"),
            );
        }
    };
    Failure::new(Exit::Transport, anyhow!(message))
        .hint("`screentest sessions` lists open sessions; the daemon's errors are in the file `log` next to its socket")
}

/// Returns the failure for a command without a session: none is open, the selected one is not open,
/// or several are open and none is selected.
fn no_session(session: Option<&str>, names: &[String]) -> Failure {
    let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let list = list.join(", ");
    let (message, hint) = match (session, names) {
        (None, []) => (
            "no session is open".to_owned(),
            "open one with `screentest open -- CMD`",
        ),
        (Some(name), []) => (
            format!("session `{name}` not found: no session is open"),
            "open one with `screentest open --name NAME -- CMD`",
        ),
        (Some(name), _) => (
            format!("session `{name}` not found; open sessions: {list}"),
            "select one with `-s NAME` or SCREENTEST_SESSION",
        ),
        (None, _) => (
            format!("several sessions are open: {list}"),
            "select one with `-s NAME` or SCREENTEST_SESSION",
        ),
    };
    Failure::new(Exit::NoSession, anyhow!(message)).hint(hint)
}

/// Commands whose name differs from the protocol's name for the same action.
const COMMAND_NAMES: [(&str, &str); 7] = [
    ("clickSelector", "click"),
    ("exitStatus", "wait"),
    ("sendKey", "press"),
    ("typeText", "type"),
    ("waitFor", "wait"),
    ("waitForStable", "wait"),
    ("waitUntil", "wait"),
];

/// Strips prefixes and suffixes that are meant for protocol clients from an error message, and
/// names commands and options of the shell instead of methods and parameters.
fn for_shell(details: &str) -> String {
    let ended = details.strip_prefix("launched app exited during ");
    let rest = match (ended, details.split_once(" timed out: ")) {
        (Some(rest), _) => rest.split_once(": ").map(|(_, rest)| rest),
        (None, Some((method, rest))) if !method.contains(' ') => Some(rest),
        _ => details.strip_prefix("Ambiguous selector: "),
    };
    let rest = rest.unwrap_or(details);
    let command = rest.split_once(": ").and_then(|(method, words)| {
        let named = COMMAND_NAMES.iter().find(|(name, _)| *name == method);
        named.map(|(_, command)| format!("{command}: {words}"))
    });
    let message = command.as_deref().unwrap_or(rest);
    message
        .split_once("; select one with `nth` or `within`")
        .map_or(message, |(message, _)| message)
        .replace("`\"anytime\": true`", "`--anytime`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocol_details_become_shell_messages() {
        for (details, message) in [
            (
                "waitFor timed out: text \"x\" did not appear within 1s",
                "text \"x\" did not appear within 1s",
            ),
            (
                "launched app exited during press: the program has ended (exit code 0)",
                "the program has ended (exit code 0)",
            ),
            (
                "Ambiguous selector: text \"a\" found 2 times: x; select one with `nth` or `within`, or …",
                "text \"a\" found 2 times: x",
            ),
            (
                "waitFor timed out: accept it with `\"anytime\": true`",
                "accept it with `--anytime`",
            ),
            (
                "clickSelector: the click was not sent",
                "click: the click was not sent",
            ),
            ("the job timed out: alas", "the job timed out: alas"),
            ("signal: no such", "signal: no such"),
            ("", ""),
        ] {
            assert_eq!(for_shell(details), message);
        }
    }
}
