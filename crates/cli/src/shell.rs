//! Shell commands for sessions: `open` starts a program, and later commands drive it.
//!
//! A daemon per user keeps the sessions (`shell/daemon.rs`). `open` starts it if none runs
//! (`shell/start_daemon.rs`); the other commands send requests to its socket
//! (`shell/runtime_dir.rs`, `shell/http_client.rs`, `shell/daemon_client.rs`). Except for `shot`,
//! `attach` and an `open` that starts the daemon, commands do nothing slow, such as reading fonts
//! or starting threads, so that a script may run hundreds of them.
//!
//! The sessions themselves are in `screentest-server`.

use std::env;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use serde_json::Value;

use crate::failure::{self, Failure};
use crate::output::print;
use daemon_client::DaemonClient;

mod attach;
mod daemon;
mod daemon_client;
mod http_client;
mod input;
mod open;
mod runtime_dir;
mod screen;
mod selector;
mod sessions;
mod start_daemon;
mod wait;

/// The commands that drive sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    Open(open::Open),
    Type(input::Type),
    Press(input::Press),
    Paste(input::Paste),
    Click(input::Click),
    Wait(wait::Wait),
    Expect(wait::Expect),
    View(screen::View),
    State(screen::State),
    Shot(Box<screen::Shot>),
    Resize(input::Resize),
    Signal(input::Signal),
    Sessions(sessions::Sessions),
    Attach(attach::Attach),
    Close(sessions::Close),
    #[command(hide = true)]
    Daemon(daemon::Daemon),
}

/// Runs a command.
pub(crate) fn run(command: &SessionCommand) -> Result<(), Failure> {
    let result = execute(command);
    if command.prints_json() {
        result.map_err(Failure::print_json)
    } else {
        result
    }
}

fn execute(command: &SessionCommand) -> Result<(), Failure> {
    match command {
        SessionCommand::Open(args) => open::run(args),
        SessionCommand::Type(args) => input::type_text(args),
        SessionCommand::Press(args) => input::press(args),
        SessionCommand::Paste(args) => input::paste(args),
        SessionCommand::Click(args) => input::click(args),
        SessionCommand::Wait(args) => wait::wait(args),
        SessionCommand::Expect(args) => wait::expect(args),
        SessionCommand::View(args) => screen::view(args),
        SessionCommand::State(args) => screen::state(args),
        SessionCommand::Shot(args) => screen::shot(args),
        SessionCommand::Resize(args) => input::resize(args),
        SessionCommand::Signal(args) => input::signal(args),
        SessionCommand::Sessions(args) => sessions::list(args),
        SessionCommand::Attach(args) => attach::run(args),
        SessionCommand::Close(args) => sessions::close(args),
        SessionCommand::Daemon(args) => daemon::run(args),
    }
}

impl SessionCommand {
    /// Returns whether the result, and so a failure, is printed as JSON.
    fn prints_json(&self) -> bool {
        match self {
            SessionCommand::Open(args) => args.json,
            SessionCommand::Type(args) => args.target.json,
            SessionCommand::Press(args) => args.target.json,
            SessionCommand::Paste(args) => args.target.json,
            SessionCommand::Click(args) => args.target.json,
            SessionCommand::Wait(args) => args.target.json,
            SessionCommand::Expect(args) => args.target.json,
            SessionCommand::View(args) => args.target.json,
            SessionCommand::Shot(args) => args.target.json,
            SessionCommand::Resize(args) => args.target.json,
            SessionCommand::Signal(args) => args.target.json,
            SessionCommand::Sessions(args) => args.json,
            SessionCommand::Close(args) => args.target.json,
            // `state` always prints JSON, so it has no `--json` option.
            SessionCommand::State(_) | SessionCommand::Attach(_) | SessionCommand::Daemon(_) => {
                false
            }
        }
    }
}

/// Arguments of commands that drive one session.
#[derive(Debug, Args)]
struct TargetArgs {
    #[command(flatten)]
    session: SessionName,
    /// Print the result, or the error, as JSON on stdout
    #[arg(long)]
    json: bool,
}

impl TargetArgs {
    /// Connects to the daemon that keeps the session.
    fn remote(&self) -> Result<DaemonClient, Failure> {
        self.session.remote()
    }

    /// Prints the result with `--json`. Prints a note if the input was delayed.
    fn print_result(&self, answer: &Value) -> Result<(), Failure> {
        let auto_wait = &answer["autoWait"];
        if let (Some(waited), Some(program)) = (
            auto_wait["waitedMs"].as_u64(),
            auto_wait["program"].as_str(),
        ) {
            let seconds = Duration::from_millis(waited).as_secs_f64();
            failure::note(&format!(
                "sent after waiting {seconds:.1} s: the program {program}; see `screentest view`"
            ));
        }
        if self.json {
            print_stdout(&format!("{answer}\n"))
        } else {
            Ok(())
        }
    }
}

/// Writes text to stdout.
fn print_stdout(answer: &str) -> Result<(), Failure> {
    print(answer.as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)
}

/// Selects a session.
#[derive(Debug, Args)]
struct SessionName {
    /// Name of the session [default: $SCREENTEST_SESSION, or the only open session]
    #[arg(short, long, value_name = "NAME")]
    session: Option<String>,
}

impl SessionName {
    /// Connects to the daemon that keeps the session.
    fn remote(&self) -> Result<DaemonClient, Failure> {
        if self.session.as_deref() == Some("") {
            return Err(Failure::usage(anyhow!("`--session` is empty")).hint(
                "is a shell variable unset? Without `--session`, the only open session is used",
            ));
        }
        let named = || env::var("SCREENTEST_SESSION").ok();
        let session = self.session.clone().or_else(named);
        DaemonClient::find(session.filter(|name| !name.is_empty()))
    }
}
