//! `screentest mcp`: drives terminal programs for AI agents, over MCP on stdin and stdout.
//!
//! This file has the options, the signal handling and the exit code. See also: `screentest-server`
//! (the tools).

use std::time::Duration;

use anyhow::Context;
use clap::Args;
use screentest::core::{Ambiguity, Size};
use screentest_server::ServiceSettings;
use screentest_server::mcp::{self, ServeError, Stop};

use crate::args::input_args::InputArgs;
use crate::args::secrets::secrets;
use crate::args::{duration_arg, size};
use crate::commands::server;
use crate::failure::{Exit, Failure};

/// Maximum number of sessions: more than a person has windows, and few enough for any machine.
const MAX_SESSIONS: usize = 16;

const AFTER_HELP: &str = "\
The agent's MCP client starts this command. The server ends when the client disconnects,
and on SIGTERM, SIGHUP and SIGINT. All programs that it started end with it.

Examples:
  claude mcp add screentest -- screentest mcp
  codex mcp add screentest -- screentest mcp
  PASSWORD=… screentest mcp --secret PASSWORD --cols 100 --rows 30";

/// Let AI agents drive terminal programs, over MCP on stdin and stdout.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Mcp {
    /// Default columns of a terminal, 2 to 2000
    #[arg(long, value_name = "N", default_value = "134", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// Default rows of a terminal, 1 to 2000
    #[arg(long, value_name = "N", default_value = "40", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// Default timeout of a call, in seconds
    #[arg(long, value_name = "N", default_value = "5", value_parser = duration_arg::positive_seconds, allow_negative_numbers = true)]
    timeout_seconds: Duration,
    /// Close a session after N seconds without a request
    #[arg(long, value_name = "N", default_value = "1800", value_parser = duration_arg::positive_seconds, allow_negative_numbers = true)]
    idle_seconds: Duration,
    /// Redact the value of this environment variable in all answers; the agent types it by name
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
}

/// Serves until the client disconnects.
pub(crate) fn run(options: &Mcp) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let secrets = secrets("mcp", &options.secret, |name| std::env::var_os(name))?;
    // Agents get all results in answers. Files that a session needs are removed with the server.
    let directory = tempfile::tempdir()
        .context("could not create a temporary directory")
        .map_err(internal)?;
    let settings = ServiceSettings {
        artifact_dir: directory.path().to_owned(),
        cassette_dir: None,
        size: Size {
            cols: options.cols,
            rows: options.rows,
        },
        timeout: options.timeout_seconds,
        ambiguity: Ambiguity::Fail,
        secrets,
        input: options.input.checked_overrides()?,
        max_sessions: MAX_SESSIONS,
    };
    let stop = Stop::default();
    let by_signal = stop.clone();
    server::on_signal(move || by_signal.now())
        .context("could not register signal handlers")
        .map_err(internal)?;
    match mcp::run(settings, options.idle_seconds, &stop) {
        Ok(()) => Ok(()),
        Err(error @ ServeError::Begin(_)) => Err(Failure::usage(error)
            .hint("an agent's MCP client starts this command: see `screentest mcp --help`")),
        Err(error) => Err(internal(error.into())),
    }
}
