//! `screentest open`: starts a program in a new session.
//!
//! The program gets the working directory and environment of this command, not those of the daemon.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, io};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::pty::environment;
use serde_json::{Value, json};

use super::http_client::{HttpClient, HttpResponse};
use super::runtime_dir::RuntimeDir;
use super::{daemon_client, print_stdout, start_daemon};
use crate::args::input_args::InputArgs;
use crate::args::{duration_arg, program, size};
use crate::failure::{self, Exit, Failure};

/// Maximum number of attempts to reach a daemon that is not shutting down.
const MAX_ATTEMPTS: usize = 10;

const AFTER_HELP: &str = "\
Prints the session's name: that of --name, or one derived from the program. The
session stays open until `screentest close`, also after the program has exited.

The program starts in the current directory and with the current environment,
except for variables that describe the terminal (see `screentest help snap`).
TERM is xterm-256color.

A daemon keeps the sessions. `open` starts it, and it exits once no session has
been open for a minute, or for SCREENTEST_LINGER seconds if that was set when it
started. Its socket is in $XDG_RUNTIME_DIR/screentest, or, if that variable is not
set, in screentest-UID in the temporary directory. `screentest sessions --link`
prints a link that shows the sessions in a browser.

Examples:
  screentest open -- vim notes.txt
  screentest type 'ihello'
  screentest press Esc
  screentest wait hello
  screentest close
      drive a program, line by line

  name=$(screentest open --cols 120 --rows 40 -- htop)
  screentest wait -s \"$name\" Mem";

/// Open a session: start a program that other commands drive
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Open {
    /// Name of the session: letters, digits, `-`, `_` and `.`
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Columns of the terminal, from 2 to 2000
    #[arg(long, value_name = "N", default_value = "80", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// Rows of the terminal, from 1 to 2000
    #[arg(long, value_name = "N", default_value = "24", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// Working directory of the program
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Set an environment variable, or remove it (without `=`)
    #[arg(long, value_name = "K[=V]")]
    env: Vec<OsString>,
    #[command(flatten)]
    input: InputArgs,
    /// Print the session as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Program and arguments
    #[arg(
        last = true,
        required = true,
        value_name = "CMD",
        help_heading = "Arguments"
    )]
    command: Vec<OsString>,
}

/// Opens a session.
pub(super) fn run(open: &Open) -> Result<(), Failure> {
    // Detect errors before a daemon is started for nothing.
    program::app(&open.command, None, &open.env)?;
    let linger = linger()?;
    let request = open.request()?;
    if request.to_string().len() > daemon_client::MAX_REQUEST {
        return Err(Failure::usage(anyhow!(
            "the command and the environment are larger than 1 MiB"
        ))
        .hint("`env -i PATH=\"$PATH\" screentest open …` opens with a smaller environment"));
    }
    let runtime_dir = RuntimeDir::make()?;
    let response = send(&runtime_dir, linger, &request)?;
    let body = daemon_client::parse_json(&response)?;
    if response.status != 201 {
        let message = body["error"].as_str();
        let program = open.command.first().map(|name| name.to_string_lossy());
        return Err(refusal(
            response.status,
            message.unwrap_or("the daemon opened no session"),
            &program.unwrap_or_default(),
        ));
    }
    let line = if open.json {
        body.to_string()
    } else {
        body["id"].as_str().unwrap_or_default().to_owned()
    };
    print_stdout(&format!("{line}\n"))
}

/// Returns the failure for an error of the daemon.
fn refusal(status: u16, message: &str, program: &str) -> Failure {
    let message = message.strip_prefix("launch: ").unwrap_or(message);
    // The daemon's message names an option of the web server.
    if status == 429 && message.contains("sessions are open") {
        return Failure::usage(anyhow!("too many open sessions"))
            .hint("list them with `screentest sessions`, close one with `screentest close`");
    }
    let failure = Failure::new(exit_code(status), anyhow!(message.to_owned()));
    if message.ends_with("was not found in PATH") {
        failure.hint(failure::not_in_path_hint(program))
    } else {
        failure
    }
}

/// Returns the exit code for an HTTP status.
fn exit_code(status: u16) -> Exit {
    match status {
        // The program cannot be started, or the name is taken or invalid.
        400..=499 => Exit::Usage,
        _ => Exit::Internal,
    }
}

/// Sends the request. If the daemon is shutting down, another one is started.
fn send(
    runtime_dir: &RuntimeDir,
    linger: Option<Duration>,
    request: &Value,
) -> Result<HttpResponse, Failure> {
    let mut last = None;
    for _ in 0..MAX_ATTEMPTS {
        let mut client = HttpClient::new(start_daemon::connect_or_start(runtime_dir, linger)?);
        let result = client.send(
            "POST",
            "/api/sessions",
            Some(request),
            daemon_client::RESPONSE_TIMEOUT,
        );
        match result {
            Ok(response) if response.status != 503 => return Ok(response),
            Ok(_) => last = None,
            // A daemon that is gone has no sessions, so nothing is opened twice.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::UnexpectedEof
                        | io::ErrorKind::ConnectionReset
                        | io::ErrorKind::BrokenPipe
                ) =>
            {
                last = Some(error);
            }
            Err(error) => {
                return Err(daemon_client::request_failed(
                    error,
                    daemon_client::RESPONSE_TIMEOUT,
                ));
            }
        }
    }
    Err(match last {
        Some(error) => daemon_client::request_failed(error, daemon_client::RESPONSE_TIMEOUT),
        None => Failure::new(
            Exit::Transport,
            anyhow!("the session daemon is shutting down"),
        )
        .hint("try again in a moment"),
    })
}

/// Returns SCREENTEST_LINGER: how long a started daemon stays without sessions.
fn linger() -> Result<Option<Duration>, Failure> {
    let Some(value) = env::var_os("SCREENTEST_LINGER").filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let text = value.to_string_lossy();
    let time = duration_arg::positive_seconds(&text);
    time.map(Some)
        .map_err(|error| Failure::usage(anyhow!("SCREENTEST_LINGER is `{text}`: {error}")))
}

impl Open {
    fn request(&self) -> Result<Value, Failure> {
        let command: Result<Vec<String>, Failure> = self
            .command
            .iter()
            .map(|word| text("the command", word))
            .collect();
        let here = env::current_dir()
            .context("could not determine the current directory")
            .map_err(Failure::usage)?;
        let cwd = match &self.cwd {
            Some(cwd) => here.join(cwd),
            None => here,
        };
        let mut request = json!({
            "command": command?,
            "cwd": text("the directory", cwd.as_os_str())?,
            "env": self.variables()?,
            "inherit": inherited(),
            "cols": self.cols,
            "rows": self.rows,
        });
        if let Some(name) = &self.name {
            request["name"] = name.as_str().into();
        }
        self.input.add_to(&mut request)?;
        Ok(request)
    }

    /// Returns the variables of `--env`.
    fn variables(&self) -> Result<BTreeMap<String, Option<String>>, Failure> {
        let mut variables = BTreeMap::new();
        for word in &self.env {
            let word = text("`--env`", word)?;
            match word.split_once('=') {
                Some((name, value)) => variables.insert(name.to_owned(), Some(value.to_owned())),
                None => variables.insert(word, None),
            };
        }
        Ok(variables)
    }
}

/// Returns the variables of our environment that the program inherits. They are sent separately
/// from `--env`, since only the latter are shown to others.
fn inherited() -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    for (name, value) in environment::inherited(env::vars_os()) {
        match (name.into_string(), value.into_string()) {
            (Ok(name), Ok(value)) => {
                variables.insert(name, value);
            }
            (name, _) => {
                let name = name.unwrap_or_else(|name| name.to_string_lossy().into_owned());
                failure::warning(&format!("skipped variable `{name}`: it is not UTF-8"));
            }
        }
    }
    variables
}

/// Converts an argument to UTF-8, as JSON requires.
fn text(label: &str, word: &OsStr) -> Result<String, Failure> {
    let text = word.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::usage(anyhow!("{label} is not UTF-8: {word:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_the_daemon_are_reported() {
        let cells = "a terminal of 2x1 needs 2 cells, but 0 of the 20000000 cells of all sessions are left: close a session, or use smaller terminals";
        for (message, shown) in [
            (
                "256 sessions are open, which is the maximum: close one, or start the server with a higher --max-sessions",
                "too many open sessions",
            ),
            (cells, cells),
        ] {
            assert_eq!(refusal(429, message, "cat").message(), shown);
        }
    }
}
