//! `screentest server`: drives terminal programs over JSON-RPC, on stdin and stdout.
//!
//! This file has the options, the signal handling and the exit code. See also: `screentest-server`
//! (the protocol).

use std::fs::{self, File};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io, thread};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use screentest::core::{Ambiguity, Size};
use screentest_server::ServiceSettings;
use screentest_server::stdio::{self, EndReason, StdioStop};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::args::input_args::InputArgs;
use crate::args::secrets::secrets;
use crate::args::{duration_arg, size};
use crate::failure::{Exit, Failure};

const AFTER_HELP: &str = "\
Each line on stdin is a JSON-RPC 2.0 request, each line on stdout a response or a
notification. The server ends after the last response when stdin ends, or after the method
server.shutdown. It ends at once if stdout is closed, and on SIGTERM, SIGHUP and SIGINT.
All programs that it started end with it.

SCREENTEST_* and TUISPEC_* variables have precedence over these options and over the
parameters of `initialize`, except that --no-auto-wait and --delay override the variables.

Examples:
  printf '%s\\n' \\
  '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}' \\
  '{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"launch\",\"params\":{\"command\":\"cat\"}}' \\
  '{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"sendText\",\"params\":{\"text\":\"hello\"}}' \\
  '{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"waitUntil\",\"params\":{\"pattern\":\"hello\"}}' \\
  '{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"currentView\",\"params\":{\"entireRow\":1}}' |
  screentest server --artifact-dir /tmp/artifacts --cols 40 --rows 3";

/// Drive terminal programs over JSON-RPC, on stdin and stdout.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Server {
    /// Directory for artifacts, relative to the project root (the nearest enclosing directory with
    /// .git or a Cargo workspace, else with screentest.toml)
    #[arg(long, value_name = "PATH")]
    artifact_dir: PathBuf,
    /// Default columns of a terminal, 2 to 2000
    #[arg(long, value_name = "N", default_value = "134", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// Default rows of a terminal, 1 to 2000
    #[arg(long, value_name = "N", default_value = "40", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// Default timeout of a wait, in seconds
    #[arg(long, value_name = "N", default_value = "5", value_parser = duration_arg::positive_seconds, allow_negative_numbers = true)]
    timeout_seconds: Duration,
    /// What to do if a selector has several matches
    #[arg(long, value_enum, value_name = "MODE", default_value = "fail")]
    ambiguity_mode: Mode,
    /// Redact the value of this environment variable in responses, recordings and files; clients
    /// type it by name
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// Report an error
    Fail,
    /// Use the first match
    #[value(alias = "first")]
    FirstVisible,
    /// Use the last match
    #[value(alias = "last")]
    LastVisible,
}

/// Serves until stdin ends or the client shuts it down.
pub(crate) fn run(server: &Server) -> Result<(), Failure> {
    let settings = ServiceSettings {
        artifact_dir: server.artifact_dir.clone(),
        cassette_dir: None,
        size: Size {
            cols: server.cols,
            rows: server.rows,
        },
        timeout: server.timeout_seconds,
        ambiguity: match server.ambiguity_mode {
            Mode::Fail => Ambiguity::Fail,
            Mode::FirstVisible => Ambiguity::First,
            Mode::LastVisible => Ambiguity::Last,
        },
        secrets: secrets("server", &server.secret, |name| env::var_os(name))?,
        input: server.input.checked_overrides()?,
        max_sessions: usize::MAX,
    };
    create_artifact_dir(&server.artifact_dir)?;
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let stop = StdioStop::default();
    let by_signal = stop.clone();
    on_signal(move || by_signal.now())
        .context("could not register signal handlers")
        .map_err(internal)?;
    // Use the descriptors directly: responses must not wait in a buffer.
    let pipe = |end: io::Result<std::os::fd::OwnedFd>| {
        end.map(File::from)
            .context("stdin or stdout is closed")
            .map_err(Failure::usage)
    };
    let input = pipe(io::stdin().as_fd().try_clone_to_owned())?;
    let output = pipe(io::stdout().as_fd().try_clone_to_owned())?;
    let ended = stdio::run(settings, input, output, &stop)
        .context("could not start the server's threads")
        .map_err(internal)?;
    match ended {
        EndReason::NotRead => Err(Failure::new(
            Exit::Failed,
            anyhow!(
                "the client has not read its responses for {:?}; the server gives up",
                stdio::NOT_READ
            ),
        )),
        _ => Ok(()),
    }
}

/// Creates the directory for artifacts, so that a failure is reported before the first request.
pub(crate) fn create_artifact_dir(folder: &Path) -> Result<(), Failure> {
    let is_set = |name: &str| env::var_os(format!("{name}_ARTIFACTS_DIR")).is_some();
    // The environment has precedence.
    if is_set("SCREENTEST") || is_set("TUISPEC") {
        return Ok(());
    }
    let cwd = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let folder = screentest::test::project::root(|name| env::var_os(name), &cwd).join(folder);
    fs::create_dir_all(&folder)
        .with_context(|| format!("`--artifact-dir`: could not create `{}`", folder.display()))
        .map_err(Failure::usage)
}

/// Calls `stop` for every signal that ends a server.
pub(crate) fn on_signal(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let listen = move || {
        for _ in signals.forever() {
            stop();
        }
    };
    let thread = thread::Builder::new().name("screentest-signals".to_owned());
    thread.spawn(listen).map(drop)
}
