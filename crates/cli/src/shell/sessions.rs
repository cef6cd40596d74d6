//! The sessions: `sessions` lists them, `close` ends them.

use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use serde_json::{Value, json};

use super::daemon_client::{self, Remote};
use super::{Ask, written};
use crate::failure::{self, Exit, Failure};

/// List the sessions that are open.
#[derive(Debug, Args)]
#[command(after_help = "\
Each line has the name, the size, whether the program runs or how it ended, and the
command. --link prints a link that lets one browser in, once, within ten minutes:
the page shows all sessions and drives them; docs/web.md has more.

Examples:
  screentest sessions
  screentest sessions --json | jq -r '.[].id'
  xdg-open \"$(screentest sessions --link)\"")]
pub(crate) struct Sessions {
    /// Print them as JSON
    #[arg(long, conflicts_with = "link")]
    pub(super) json: bool,
    /// Print a link to the page on which they are live
    #[arg(long)]
    link: bool,
    /// Whoever opens the link may look and not touch
    #[arg(long, requires = "link")]
    read_only: bool,
}

pub(super) fn list(asked: &Sessions) -> Result<(), Failure> {
    if asked.link {
        return link(asked.read_only);
    }
    let sessions = match Remote::find(None) {
        Ok(mut remote) => remote.sessions()?,
        // No daemon is no failure: there are none.
        Err(failure) if failure.exit() == Exit::NoSession => Vec::new(),
        Err(failure) => return Err(failure),
    };
    if sessions.is_empty() && !asked.json {
        failure::note("no session is open");
    }
    let text = match asked.json {
        true => format!("{}\n", Value::from(sessions)),
        false => table(&sessions),
    };
    written(&text)
}

/// A line for each, in columns.
fn table(sessions: &[Value]) -> String {
    let rows: Vec<[String; 4]> = sessions.iter().map(row).collect();
    let width = |column: usize| {
        let widths = rows
            .iter()
            .filter_map(|row| Some(row.get(column)?.chars().count()));
        widths.max().unwrap_or(0)
    };
    let (name, size, how) = (width(0), width(1), width(2));
    let lines = rows
        .iter()
        .map(|[a, b, c, d]| format!("{a:name$}  {b:size$}  {c:how$}  {d}\n"));
    lines.collect()
}

fn row(session: &Value) -> [String; 4] {
    let how = match (&session["exit"]["code"], &session["exit"]["signal"]) {
        (Value::Number(code), _) => format!("exit code {code}"),
        (_, Value::String(signal)) => format!("killed by {signal}"),
        _ => match session["driver"].as_str() {
            Some(driver) => format!("driven by {driver}"),
            None => "runs".to_owned(),
        },
    };
    let words = session["command"].as_array();
    let words = words.into_iter().flatten().filter_map(Value::as_str);
    let words: Vec<String> = words.map(crate::quoted).collect();
    [
        session["id"].as_str().unwrap_or_default().to_owned(),
        format!("{}x{}", session["cols"], session["rows"]),
        how,
        words.join(" "),
    ]
}

fn link(read_only: bool) -> Result<(), Failure> {
    let mut remote = Remote::find(None)?;
    let wanted = json!({ "readOnly": read_only });
    let answer = remote.ask("POST", "/api/login-link", Some(&wanted), Duration::ZERO)?;
    let told = daemon_client::read(&answer)?;
    let Some(link) = told["link"].as_str() else {
        let words = told["error"].as_str().unwrap_or("the daemon gave no link");
        return Err(Failure::new(Exit::Failed, anyhow!(words.to_owned())));
    };
    written(&format!("{link}\n"))
}

/// Close a session, and end what runs in it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  screentest close
  screentest close --all")]
pub(crate) struct Close {
    #[command(flatten)]
    pub(super) ask: Ask,
    /// Close all sessions
    #[arg(long, conflicts_with = "session")]
    all: bool,
}

pub(super) fn close(asked: &Close) -> Result<(), Failure> {
    if !asked.all {
        return asked
            .ask
            .done(&asked.ask.remote()?.call("close", json!({}))?);
    }
    let mut remote = match Remote::find(None) {
        Ok(remote) => remote,
        Err(failure) if failure.exit() == Exit::NoSession => {
            return asked.ask.done(&json!({ "ok": true }));
        }
        Err(failure) => return Err(failure),
    };
    for session in remote.sessions()? {
        match remote.call("close", json!({ "session": session["id"] })) {
            // Somebody else was faster.
            Err(failure) if failure.exit() == Exit::NoSession => {}
            closed => drop(closed?),
        }
    }
    asked.ask.done(&json!({ "ok": true }))
}
