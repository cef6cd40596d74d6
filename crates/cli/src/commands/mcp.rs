//! `screentest mcp`: terminal programs for AI agents, over MCP on stdin and stdout.
//!
//! Elsewhere: the tools (`screentest-server`). Here are the options, the signals that end it, and its exit code.

use std::time::Duration;

use anyhow::Context;
use clap::Args;
use screentest::core::{Ambiguity, Size};
use screentest_server::Settings;
use screentest_server::mcp::{self, ServeError, Stop};

use crate::failure::{Exit, Failure};
use crate::input_args::InputArgs;
use crate::{seconds, server, size};

/// The most sessions at a time: more than a person has windows, and few enough for any machine.
const MOST_SESSIONS: usize = 16;

const AFTER_HELP: &str = "\
An agent's client starts it; docs/agents.md has the settings of common
clients, and every tool with an example. It ends when the client goes away and
by SIGTERM, SIGHUP and SIGINT. Nothing it started stays.

Examples:
  claude mcp add screentest -- screentest mcp
  codex mcp add screentest -- screentest mcp
  PASSWORD=… screentest mcp --secret PASSWORD --cols 100 --rows 30";

/// Let AI agents drive terminal programs, over MCP on stdin and stdout.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Mcp {
    /// How many columns a terminal has, unless the agent says otherwise
    #[arg(long, value_name = "N", default_value = "134", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// How many rows a terminal has, unless the agent says otherwise
    #[arg(long, value_name = "N", default_value = "40", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// How many seconds a call may wait, unless the agent says otherwise
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds::patience, allow_negative_numbers = true)]
    timeout_seconds: Duration,
    /// End a session of which nothing was asked for so many seconds
    #[arg(long, value_name = "N", default_value = "1800", value_parser = seconds::patience, allow_negative_numbers = true)]
    idle_seconds: Duration,
    /// Keep the value of this environment variable from all that is answered, and let the agent type it by its name
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
}

/// Serves until the end.
pub(crate) fn run(options: &Mcp) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let secrets = server::secrets("mcp", &options.secret)?;
    // An agent is told what it asks for and leaves no files; what a session needs goes with the server.
    let folder = tempfile::tempdir()
        .context("could not make a temporary folder")
        .map_err(internal)?;
    let settings = Settings {
        artifact_dir: folder.path().to_owned(),
        cassette_dir: None,
        size: Size {
            cols: options.cols,
            rows: options.rows,
        },
        timeout: options.timeout_seconds,
        ambiguity: Ambiguity::Fail,
        secrets,
        input: options.input.checked_overrides()?,
        most_sessions: MOST_SESSIONS,
    };
    let stop = Stop::default();
    let by_signal = stop.clone();
    server::on_signal(move || by_signal.now())
        .context("could not listen for signals")
        .map_err(internal)?;
    match mcp::run(settings, options.idle_seconds, &stop) {
        Ok(()) => Ok(()),
        Err(error @ ServeError::Begin(_)) => Err(Failure::usage(error).hint(
            "an agent's client starts this command and speaks MCP to it; docs/agents.md shows how",
        )),
        Err(error) => Err(internal(error.into())),
    }
}
