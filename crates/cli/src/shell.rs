//! Sessions from a shell: a program is opened once, and driven by one command after another.
//!
//! A daemon of the user keeps the sessions (`shell/daemon.rs`); `open` starts it where none runs (`shell/start.rs`), and every other command asks it
//! over its socket (`shell/folder.rs`, `shell/client.rs`, `shell/remote.rs`). A command does nothing of its own that takes time: no font is read
//! and no thread started, so that a script may have a hundred of them.
//!
//! Elsewhere: the sessions themselves, and all that is done to them (`screentest-server`).

use std::env;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use remote::Remote;

mod attach;
mod client;
mod daemon;
mod folder;
mod input;
mod look;
mod open;
mod remote;
mod selector;
mod sessions;
mod start;
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
    View(look::View),
    State(look::State),
    Shot(Box<look::Shot>),
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
    match verb {
        Verb::Open(asked) => open::run(asked),
        Verb::Type(asked) => input::type_text(asked),
        Verb::Press(asked) => input::press(asked),
        Verb::Paste(asked) => input::paste(asked),
        Verb::Click(asked) => input::click(asked),
        Verb::Wait(asked) => wait::wait(asked),
        Verb::Expect(asked) => wait::expect(asked),
        Verb::View(asked) => look::view(asked),
        Verb::State(asked) => look::state(asked),
        Verb::Shot(asked) => look::shot(asked),
        Verb::Resize(asked) => input::resize(asked),
        Verb::Signal(asked) => input::signal(asked),
        Verb::Sessions(asked) => sessions::list(asked),
        Verb::Attach(asked) => attach::run(asked),
        Verb::Close(asked) => sessions::close(asked),
        Verb::Daemon(asked) => daemon::run(asked),
    }
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
        let named = || env::var("SCREENTEST_SESSION").ok();
        let session = self.session.clone().or_else(named);
        Remote::find(session.filter(|name| !name.is_empty()))
    }
}
