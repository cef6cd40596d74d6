//! The daemon at the other end: asking it, and saying in a shell's words why it did not do something.

use std::io;
use std::time::Duration;

use anyhow::{Context, anyhow};
use serde_json::{Value, json};

use super::http_client::{Answer, Client, connect};
use super::runtime_dir::Folder;
use crate::failure::{Exit, Failure};

/// How long an answer may take that waits for nothing, and how much longer than its wait one that does.
pub(super) const SOON: Duration = Duration::from_secs(30);

/// As large as a request may be; the server takes no more.
pub(super) const LARGEST: usize = 1 << 20;

/// What the numbers of the protocol mean; docs/formats/json-rpc.md has all.
const INVALID_PARAMS: i64 = -32602;
const NO_SESSION: i64 = -32001;
const INTERNAL: i64 = -32603;

/// A daemon, and the session of it that is meant.
#[derive(Debug)]
pub(super) struct Remote {
    client: Client,
    session: Option<String>,
}

impl Remote {
    /// The daemon that runs.
    pub(super) fn find(session: Option<String>) -> Result<Remote, Failure> {
        let none = || no_session(session.as_deref(), &[]);
        let folder = Folder::find()?.ok_or_else(none)?;
        let stream = connect(&folder.socket())
            .with_context(|| format!("could not ask at `{}`", folder.socket().display()))
            .map_err(|error| Failure::new(Exit::Transport, error))?;
        let client = Client::new(stream.ok_or_else(none)?);
        Ok(Remote { client, session })
    }

    /// Asks for something that is done at once.
    pub(super) fn call(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.call_within(method, params, Duration::ZERO)
    }

    /// Asks for something that may wait so long.
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
        if request.to_string().len() > LARGEST {
            return Err(Failure::usage(anyhow!(
                "more than 1 MiB is not sent at once"
            )));
        }
        let asked = self.ask("POST", "/rpc", Some(&request), wait);
        let mut answer = read(&asked?)?;
        if answer.get("error").is_none() {
            return Ok(answer["result"].take());
        }
        let error = &answer["error"];
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
        Err(Failure::new(exit, anyhow!(plain(details))).reported(report))
    }

    /// All sessions, as the daemon lists them.
    pub(super) fn sessions(&mut self) -> Result<Vec<Value>, Failure> {
        let answer = self.ask("GET", "/api/sessions", None, Duration::ZERO)?;
        match read(&answer)?["sessions"].take() {
            Value::Array(sessions) => Ok(sessions),
            _ => Err(strange("a list without sessions")),
        }
    }

    fn names(&mut self) -> Result<Vec<String>, Failure> {
        let sessions = self.sessions()?;
        let names = sessions.iter().filter_map(|session| session["id"].as_str());
        Ok(names.map(str::to_owned).collect())
    }

    /// The name of the session that is meant, which is there.
    pub(super) fn chosen(&mut self) -> Result<String, Failure> {
        let names = self.names()?;
        match (&self.session, names.as_slice()) {
            (Some(session), names) if names.contains(session) => Ok(session.clone()),
            (None, [only]) => Ok(only.clone()),
            (session, names) => Err(no_session(session.as_deref(), names)),
        }
    }

    /// Asks over HTTP; whoever is asked may wait so long.
    pub(super) fn ask(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        wait: Duration,
    ) -> Result<Answer, Failure> {
        let patience = SOON.saturating_add(wait);
        let asked = self.client.ask(method, path, body, patience);
        asked.map_err(|error| lost(error, patience))
    }
}

/// The JSON of an answer.
pub(super) fn read(answer: &Answer) -> Result<Value, Failure> {
    serde_json::from_slice(&answer.body)
        .map_err(|error| strange(&format!("status {}, {error}", answer.status)))
}

fn strange(words: &str) -> Failure {
    Failure::new(
        Exit::Transport,
        anyhow!("the daemon answered what nobody understands: {words}"),
    )
    .hint("one of another version may run: `screentest close --all` closes its sessions, and it ends soon after")
}

/// Why an answer did not come.
pub(super) fn lost(error: io::Error, patience: Duration) -> Failure {
    let words = match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("the daemon did not answer within {patience:?}")
        }
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::BrokenPipe => "the daemon went away, and its sessions with it".to_owned(),
        _ => {
            return Failure::new(
                Exit::Transport,
                anyhow!(error).context("could not ask the daemon"),
            );
        }
    };
    Failure::new(Exit::Transport, anyhow!(words))
        .hint("`screentest sessions` lists what is open; `log` beside the daemon's socket says what it complained about")
}

/// There is no session, not this one, or more than one.
fn no_session(wanted: Option<&str>, names: &[String]) -> Failure {
    let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let list = list.join(", ");
    let (words, hint) = match (wanted, names) {
        (None, []) => (
            "no session is open".to_owned(),
            "`screentest open -- CMD` opens one",
        ),
        (Some(name), []) => (
            format!("no session is open, and none is `{name}`"),
            "`screentest open --name NAME -- CMD` opens one",
        ),
        (Some(name), _) => (
            format!("no session is `{name}`: there is {list}"),
            "`-s NAME` or SCREENTEST_SESSION says which",
        ),
        (None, _) => (
            format!("several sessions are open: {list}"),
            "`-s NAME` or SCREENTEST_SESSION says which",
        ),
    };
    Failure::new(Exit::NoSession, anyhow!(words)).hint(hint)
}

/// What explains a failure, without what the protocol says before it for its own clients, and with the names of options.
fn plain(details: &str) -> String {
    let ended = details.strip_prefix("launched app exited during ");
    let rest = match (ended, details.split_once(" timed out: ")) {
        (Some(rest), _) => rest.split_once(": ").map(|(_, rest)| rest),
        (None, Some((method, rest))) if !method.contains(' ') => Some(rest),
        _ => details.strip_prefix("Ambiguous selector: "),
    };
    let rest = rest.unwrap_or(details);
    rest.split_once("; `nth` or `within`")
        .map_or(rest, |(rest, _)| rest)
        .replace("`\"anytime\": true`", "`--anytime`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_speak_to_people() {
        for (details, words) in [
            (
                "waitFor timed out: text \"x\" did not appear within 1s",
                "text \"x\" did not appear within 1s",
            ),
            (
                "launched app exited during press: the program has ended (exit code 0)",
                "the program has ended (exit code 0)",
            ),
            (
                "Ambiguous selector: text \"a\" found 2 times: x; `nth` or `within` says which one",
                "text \"a\" found 2 times: x",
            ),
            (
                "waitFor timed out: accept it with `\"anytime\": true`",
                "accept it with `--anytime`",
            ),
            ("the job timed out: alas", "the job timed out: alas"),
            ("signal: no such", "signal: no such"),
            ("", ""),
        ] {
            assert_eq!(plain(details), words);
        }
    }
}
