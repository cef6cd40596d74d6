//! Sessions from a shell: a program is opened once, and driven by one command after another.
//!
//! A daemon of the user keeps the sessions (`shell/daemon.rs`); `open` starts it where none runs (`shell/start.rs`), and every other command asks it
//! over its socket (`shell/folder.rs`, `shell/client.rs`, `shell/remote.rs`). A command does nothing of its own that takes time: no font is read
//! and no thread started, so that a script may have a hundred of them.
//!
//! Elsewhere: the sessions themselves, and all that is done to them (`screentest-server`).

use std::env;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use serde_json::Value;

use crate::failure::{self, Failure};
use crate::output::print;
use daemon_client::Remote;

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

/// What a shell does with sessions.
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

/// Does it.
pub(crate) fn run(verb: &Verb) -> Result<(), Failure> {
    let done = perform(verb);
    match verb.is_for_program() {
        true => done.map_err(Failure::told_in_json),
        false => done,
    }
}

fn perform(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Open(asked) => open::run(asked),
        Verb::Type(asked) => input::type_text(asked),
        Verb::Press(asked) => input::press(asked),
        Verb::Paste(asked) => input::paste(asked),
        Verb::Click(asked) => input::click(asked),
        Verb::Wait(asked) => wait::wait(asked),
        Verb::Expect(asked) => wait::expect(asked),
        Verb::View(asked) => screen::view(asked),
        Verb::State(asked) => screen::state(asked),
        Verb::Shot(asked) => screen::shot(asked),
        Verb::Resize(asked) => input::resize(asked),
        Verb::Signal(asked) => input::signal(asked),
        Verb::Sessions(asked) => sessions::list(asked),
        Verb::Attach(asked) => attach::run(asked),
        Verb::Close(asked) => sessions::close(asked),
        Verb::Daemon(asked) => daemon::run(asked),
    }
}

impl Verb {
    /// Whether a program reads the answer.
    fn is_for_program(&self) -> bool {
        match self {
            Verb::Open(asked) => asked.json,
            Verb::Type(asked) => asked.ask.json,
            Verb::Press(asked) => asked.ask.json,
            Verb::Paste(asked) => asked.ask.json,
            Verb::Click(asked) => asked.ask.json,
            Verb::Wait(asked) => asked.ask.json,
            Verb::Expect(asked) => asked.ask.json,
            Verb::View(asked) => asked.ask.json,
            Verb::Shot(asked) => asked.ask.json,
            Verb::Resize(asked) => asked.ask.json,
            Verb::Signal(asked) => asked.ask.json,
            Verb::Sessions(asked) => asked.json,
            Verb::Close(asked) => asked.ask.json,
            // It answers in JSON whoever asks.
            Verb::State(_) | Verb::Attach(_) | Verb::Daemon(_) => false,
        }
    }
}

/// Something asked of a session.
#[derive(Debug, Args)]
struct Ask {
    #[command(flatten)]
    which: Which,
    /// Answer in JSON on stdout: what was done, or why it was not
    #[arg(long)]
    json: bool,
}

impl Ask {
    /// The daemon that has the session.
    fn remote(&self) -> Result<Remote, Failure> {
        self.which.remote()
    }

    /// Says what was done, to a program; a person sees it.
    fn done(&self, answer: &Value) -> Result<(), Failure> {
        let late = &answer["autoWait"];
        if let (Some(waited), Some(program)) = (late["waitedMs"].as_u64(), late["program"].as_str())
        {
            let seconds = Duration::from_millis(waited).as_secs_f64();
            failure::note(&format!(
                "sent after waiting {seconds:.1} s: the program {program}; `screentest view` shows it"
            ));
        }
        match self.json {
            true => written(&format!("{answer}\n")),
            false => Ok(()),
        }
    }
}

/// Writes an answer.
fn written(answer: &str) -> Result<(), Failure> {
    print(answer.as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)
}

/// Which session is meant.
#[derive(Debug, Args)]
struct Which {
    /// The session, by its name; else what SCREENTEST_SESSION says, else the only one there is
    #[arg(short, long, value_name = "NAME")]
    session: Option<String>,
}

impl Which {
    /// The daemon that has it.
    fn remote(&self) -> Result<Remote, Failure> {
        if self.session.as_deref() == Some("") {
            return Err(Failure::usage(anyhow!("`--session` names no session"))
                .hint("is a variable unset? without it the only session there is is meant"));
        }
        let named = || env::var("SCREENTEST_SESSION").ok();
        let session = self.session.clone().or_else(named);
        Remote::find(session.filter(|name| !name.is_empty()))
    }
}
