//! `screentest server`: terminal programs over JSON-RPC, on stdin and stdout.
//!
//! Elsewhere: the protocol (`screentest-server`). Here are its options, the signals that end it, and its exit code.

use std::fs::{self, File};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io, thread};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use screentest::core::{Ambiguity, Secrets, Size};
use screentest_server::Settings;
use screentest_server::stdio::{self, EndReason, Stop};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::failure::{Exit, Failure};
use crate::input_args::InputArgs;
use crate::{seconds, size};

const AFTER_HELP: &str = "\
Each line on stdin is a request, each line on stdout an answer or a
notification, as JSON-RPC 2.0; docs/formats/json-rpc.md has all methods. The
server ends with its input, once all is answered, by the method
server.shutdown when its turn comes, and at once when nobody reads its stdout
and by SIGTERM, SIGHUP and SIGINT. Nothing it started stays.

SCREENTEST_* and TUISPEC_* variables win over these options and over what a
client says.

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
    /// Where artifacts go; a relative path counts from the project's root, the nearest folder above with .git or a Cargo
    /// workspace
    #[arg(long, value_name = "PATH")]
    artifact_dir: PathBuf,
    /// How many columns a terminal has, unless a client says otherwise
    #[arg(long, value_name = "N", default_value = "134", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// How many rows a terminal has, unless a client says otherwise
    #[arg(long, value_name = "N", default_value = "40", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// How many seconds a wait may take, unless a client says otherwise
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds::patience, allow_negative_numbers = true)]
    timeout_seconds: Duration,
    /// What it means when a selector finds more than one match
    #[arg(long, value_enum, value_name = "MODE", default_value = "fail")]
    ambiguity_mode: Mode,
    /// Keep the value of this environment variable from all that is answered, recorded or written, and let clients type
    /// it by its name
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// It is an error
    Fail,
    /// The first is meant
    #[value(alias = "first")]
    FirstVisible,
    /// The last is meant
    #[value(alias = "last")]
    LastVisible,
}

/// Serves until the end.
pub(crate) fn run(server: &Server) -> Result<(), Failure> {
    let settings = Settings {
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
        secrets: secrets("server", &server.secret)?,
        input: server.input.checked_overrides()?,
        most_sessions: usize::MAX,
    };
    make_folder(&server.artifact_dir)?;
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let stop = Stop::default();
    let by_signal = stop.clone();
    on_signal(move || by_signal.now())
        .context("could not listen for signals")
        .map_err(internal)?;
    // The pipes themselves: what is written must not wait in a buffer of ours.
    let pipe = |end: io::Result<std::os::fd::OwnedFd>| {
        end.map(File::from)
            .context("stdin or stdout is not open")
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
                "the client has not read its answers for {:?}, and is given up",
                stdio::NOT_READ
            ),
        )),
        _ => Ok(()),
    }
}

/// Makes the folder for artifacts, so that one that cannot be is told before any client asks for something.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    let is_told = |name: &str| env::var_os(format!("{name}_ARTIFACTS_DIR")).is_some();
    // What the environment names wins.
    if is_told("SCREENTEST") || is_told("TUISPEC") {
        return Ok(());
    }
    let cwd = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let folder = screentest::test::project::root(|name| env::var_os(name), &cwd).join(folder);
    fs::create_dir_all(&folder)
        .with_context(|| format!("`--artifact-dir`: could not make `{}`", folder.display()))
        .map_err(Failure::usage)
}

/// The secrets that a command names, from its environment.
pub(crate) fn secrets(command: &str, names: &[String]) -> Result<Secrets, Failure> {
    let mut secrets = Secrets::default();
    for name in names {
        let value = env::var(name).map_err(|_| {
            Failure::usage(anyhow!(
                "`--secret {name}`: the environment has no text in `{name}`"
            ))
            .hint(format!(
                "`{name}=… screentest {command} …` sets it for the server alone"
            ))
        })?;
        secrets
            .add(name, value)
            .map_err(|error| Failure::usage(anyhow!("`--secret {name}`: {error}")))?;
    }
    Ok(secrets)
}

/// Does something for every signal that ends a server.
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
