//! `sessions` lists sessions, `close` ends them.

use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use serde_json::{Value, json};

use super::daemon_client::{self, DaemonClient};
use super::{TargetArgs, print_stdout};
use crate::failure::{self, Exit, Failure};
use crate::output::sanitize::replace_controls;

/// List open sessions
#[derive(Debug, Args)]
#[command(after_help = "\
Each line has the name, the size, the state of the program, and the command. --link
prints a link that works once, within ten minutes. It opens a page that shows and
drives all sessions.

Examples:
  screentest sessions
  screentest sessions --json | jq -r '.[].id'
  xdg-open \"$(screentest sessions --link)\"")]
pub(crate) struct Sessions {
    /// Print the list as JSON
    #[arg(long, conflicts_with = "link")]
    pub(super) json: bool,
    /// Print a link to the web page with the live sessions
    #[arg(long)]
    link: bool,
    /// Make the link view-only
    #[arg(long, requires = "link")]
    read_only: bool,
}

pub(super) fn list(args: &Sessions) -> Result<(), Failure> {
    if args.link {
        return link(args.read_only);
    }
    let sessions = match DaemonClient::find(None) {
        Ok(mut remote) => remote.sessions()?,
        // Without a daemon there are no sessions.
        Err(failure) if failure.exit() == Exit::NoSession => Vec::new(),
        Err(failure) => return Err(failure),
    };
    if sessions.is_empty() && !args.json {
        failure::note("no session is open");
    }
    let text = if args.json {
        format!("{}\n", Value::from(sessions))
    } else {
        table(&sessions)
    };
    print_stdout(&text)
}

/// Formats sessions as aligned columns.
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
    // An argument such as a script may have several lines, but each session is printed on one line.
    let words: Vec<String> = words
        .map(|word| replace_controls(&crate::quoted(word)))
        .collect();
    [
        session["id"].as_str().unwrap_or_default().to_owned(),
        format!("{}x{}", session["cols"], session["rows"]),
        how,
        words.join(" "),
    ]
}

fn link(read_only: bool) -> Result<(), Failure> {
    let mut remote = DaemonClient::find(None)?;
    let request = json!({ "readOnly": read_only });
    let response = remote.request("POST", "/api/login-link", Some(&request), Duration::ZERO)?;
    let body = daemon_client::parse_json(&response)?;
    let Some(link) = body["link"].as_str() else {
        let words = body["error"]
            .as_str()
            .unwrap_or("the daemon returned no link");
        return Err(Failure::new(Exit::Failed, anyhow!(words.to_owned())));
    };
    print_stdout(&format!("{link}\n"))
}

/// Close a session and end its program
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  screentest close
  screentest close --all")]
pub(crate) struct Close {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    /// Close all sessions
    #[arg(long, conflicts_with = "session")]
    all: bool,
}

pub(super) fn close(args: &Close) -> Result<(), Failure> {
    if !args.all {
        let closed = args.target.remote()?.call("close", json!({}))?;
        return args.target.print_result(&closed);
    }
    let mut remote = match DaemonClient::find(None) {
        Ok(remote) => remote,
        Err(failure) if failure.exit() == Exit::NoSession => {
            return args.target.print_result(&json!({ "ok": true }));
        }
        Err(failure) => return Err(failure),
    };
    for session in remote.sessions()? {
        match remote.call("close", json!({ "session": session["id"] })) {
            // It was closed meanwhile.
            Err(failure) if failure.exit() == Exit::NoSession => {}
            closed => drop(closed?),
        }
    }
    args.target.print_result(&json!({ "ok": true }))
}
