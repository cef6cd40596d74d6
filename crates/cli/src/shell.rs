//! Shell commands for sessions: `open` starts a program, and later commands drive it.
//!
//! A daemon per user keeps the sessions (`shell/daemon.rs`). `open` starts it if none runs
//! (`shell/start_daemon.rs`); the other commands send requests to its socket
//! (`shell/runtime_dir.rs`, `shell/http_client.rs`, `shell/daemon_client.rs`). Commands do nothing
//! slow, such as reading fonts or starting threads, so that a script may run hundreds of them.
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
pub(crate) enum Verb {
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
pub(crate) fn run(verb: &Verb) -> Result<(), Failure> {
    let result = execute(verb);
    if verb.prints_json() {
        result.map_err(Failure::print_json)
    } else {
        result
    }
}

fn execute(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Open(args) => open::run(args),
        Verb::Type(args) => input::type_text(args),
        Verb::Press(args) => input::press(args),
        Verb::Paste(args) => input::paste(args),
        Verb::Click(args) => input::click(args),
        Verb::Wait(args) => wait::wait(args),
        Verb::Expect(args) => wait::expect(args),
        Verb::View(args) => screen::view(args),
        Verb::State(args) => screen::state(args),
        Verb::Shot(args) => screen::shot(args),
        Verb::Resize(args) => input::resize(args),
        Verb::Signal(args) => input::signal(args),
        Verb::Sessions(args) => sessions::list(args),
        Verb::Attach(args) => attach::run(args),
        Verb::Close(args) => sessions::close(args),
        Verb::Daemon(args) => daemon::run(args),
    }
}

impl Verb {
    /// Returns whether the result, and so a failure, is printed as JSON.
    fn prints_json(&self) -> bool {
        match self {
            Verb::Open(args) => args.json,
            Verb::Type(args) => args.target.json,
            Verb::Press(args) => args.target.json,
            Verb::Paste(args) => args.target.json,
            Verb::Click(args) => args.target.json,
            Verb::Wait(args) => args.target.json,
            Verb::Expect(args) => args.target.json,
            Verb::View(args) => args.target.json,
            Verb::Shot(args) => args.target.json,
            Verb::Resize(args) => args.target.json,
            Verb::Signal(args) => args.target.json,
            Verb::Sessions(args) => args.json,
            Verb::Close(args) => args.target.json,
            // `state` always prints JSON, so it has no `--json` option.
            Verb::State(_) | Verb::Attach(_) | Verb::Daemon(_) => false,
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
