//! `screentest attach`: your terminal becomes that of a session, until you leave it.
//!
//! One thread waits for three things at once: what you type, what the daemon sends, and another size of your terminal. What you type is read as keys
//! and sent by their names, so that the program gets them as it asked for keys, whatever your own terminal speaks.
//!
//! Elsewhere: your terminal (`attach/terminal.rs`), what is drawn in it (`attach/canvas.rs`), what is typed in it (`attach/typing.rs`), the line
//! to the daemon (`attach/line.rs`).

use std::env;
use std::io::{self, IsTerminal};
use std::os::unix::net::UnixStream;

use anyhow::anyhow;
use clap::Args;
use screentest::core::formats::stream::{self, ProgramExit, Viewer};
use screentest::core::{Modes, Size};
use serde_json::{Value, json};

use super::Which;
use super::client::connect;
use super::folder::Folder;
use crate::failure::{self, Exit, Failure};
use canvas::Canvas;
use line::{Heard, Line};
use terminal::{Ready, Terminal};
use typing::{Done, Typing};

mod canvas;
mod line;
mod terminal;
mod typing;

/// Make this terminal that of a session.
#[derive(Debug, Args)]
#[command(after_help = "\
Ctrl+] leaves; the last row says so. The program runs on. While you are there you
have control: what others type is refused, and the session has the size of your
terminal, less that row. When you leave it gets the size it had.

With --read-only you look: nothing is typed, and the size stays.

Examples:
  screentest attach
  screentest attach -s vim --read-only")]
pub(crate) struct Attach {
    #[command(flatten)]
    which: Which,
    /// Look, and do not touch
    #[arg(long)]
    read_only: bool,
}

/// Why nobody looks any more.
#[derive(Debug)]
enum End {
    /// The person left, or their terminal went away.
    Left,
    Ended(ProgramExit),
    Closed,
}

/// Attaches until the person leaves, or there is nothing to see any more.
pub(super) fn run(asked: &Attach) -> Result<(), Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(
            Failure::usage(anyhow!("attach needs a terminal, and this is none"))
                .hint("`screentest view` prints what is shown, `type` and `press` give input"),
        );
    }
    let mut remote = asked.which.remote()?;
    let name = remote.chosen()?;
    let sessions = remote.sessions()?;
    let session = sessions.iter().find(|session| session["id"] == *name);
    let before = session.and_then(size_of);
    let mut line = Line::open(socket()?, &name)?;
    let ended = {
        let terminal = Terminal::take();
        let terminal = terminal.map_err(|error| Failure::new(Exit::Internal, error))?;
        let mut attached = Attached {
            canvas: Canvas::new(&name, asked.read_only),
            line: &mut line,
            terminal,
            typing: Typing::default(),
            view: Viewer::new(0),
            drives: !asked.read_only,
            driver: Driver::Nobody,
        };
        attached.run()?
    };
    match ended {
        End::Left => {
            if let (false, Some(before)) = (asked.read_only, before) {
                line.resize(before);
            }
            line.leave();
            failure::note(&format!(
                "left `{name}`, which is still open: `screentest attach -s {name}` comes back"
            ));
        }
        End::Ended(how) => {
            failure::note(&format!("the program of `{name}` has ended{}", told(&how)));
        }
        End::Closed => failure::note(&format!("`{name}` was closed")),
    }
    Ok(())
}

fn told(how: &ProgramExit) -> String {
    match how {
        ProgramExit::Unknown => String::new(),
        ProgramExit::Exited(code) => format!(" (exit code {code})"),
        ProgramExit::Signaled(signal) => format!(" (killed by {signal})"),
    }
}

fn size_of(session: &Value) -> Option<Size> {
    let number = |name: &str| u16::try_from(session[name].as_u64()?).ok();
    Some(Size {
        cols: number("cols")?,
        rows: number("rows")?,
    })
}

/// A connection of its own: the other one asks and is answered.
fn socket() -> Result<UnixStream, Failure> {
    let gone = || Failure::new(Exit::Transport, anyhow!("the daemon went away"));
    let folder = Folder::find()?.ok_or_else(gone)?;
    let stream = connect(&folder.socket());
    let stream = stream.map_err(|error| Failure::new(Exit::Transport, error))?;
    stream.ok_or_else(gone)
}

/// A terminal and a session.
struct Attached<'a> {
    line: &'a mut Line,
    terminal: Terminal,
    canvas: Canvas,
    typing: Typing,
    view: Viewer,
    /// Whether the person came to drive, and not only to look.
    drives: bool,
    /// Who has control, as far as was told.
    driver: Driver,
}

/// Who has control of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Driver {
    Nobody,
    We,
    Another(String),
}

impl Attached<'_> {
    fn run(&mut self) -> Result<End, Failure> {
        let internal = |error: io::Error| Failure::new(Exit::Internal, error);
        if self.drives {
            self.take()?;
        }
        self.follow_size()?;
        self.draw().map_err(internal)?;
        loop {
            // What came and was not yet looked at wakes nobody again.
            if let Some(end) = self.hear()? {
                return Ok(end);
            }
            self.draw().map_err(internal)?;
            let ready = self
                .terminal
                .wait(self.line.socket(), self.line.is_behind());
            for ready in ready.map_err(internal)? {
                match ready {
                    Ready::Typed(bytes) => {
                        if self.typed(&bytes)? == Stay::No {
                            return Ok(End::Left);
                        }
                    }
                    Ready::Paused => {
                        let done = self.typing.pause();
                        self.send(done)?;
                    }
                    Ready::Resized => self.follow_size()?,
                    Ready::Line => self.line.flush()?,
                    Ready::Gone => return Ok(End::Left),
                }
            }
        }
    }

    /// Does what was typed.
    fn typed(&mut self, bytes: &[u8]) -> Result<Stay, Failure> {
        let done = self.typing.push(bytes, &self.terminal.modes());
        self.send(done)
    }

    fn send(&mut self, done: Vec<Done>) -> Result<Stay, Failure> {
        for done in done {
            match done {
                Done::Leave => return Ok(Stay::No),
                Done::TooLong => self.canvas.say("that is too long to paste at once"),
                Done::Input(_) if !self.drives => self.canvas.say("you only look"),
                Done::Input(input) => {
                    match &self.driver {
                        Driver::We => {}
                        // Whoever took it has let go of it: who types takes it again.
                        Driver::Nobody => {
                            self.take()?;
                            self.line.forget_size();
                            self.follow_size()?;
                        }
                        Driver::Another(name) => {
                            self.canvas.say(&format!("{name} drives, and you look"));
                            continue;
                        }
                    }
                    self.canvas.say("");
                    self.line
                        .say(&json!({ "input": { "channel": 0, "do": input } }))?;
                }
            }
        }
        Ok(Stay::Yes)
    }

    /// Takes control.
    fn take(&mut self) -> Result<(), Failure> {
        let name = env::var("USER").unwrap_or_else(|_| "somebody".to_owned());
        let name = format!("{name} in a terminal");
        self.line
            .say(&json!({ "take": { "channel": 0, "name": name } }))
    }

    /// Gives the session the size that the terminal has, less the row that says how to leave.
    fn follow_size(&mut self) -> Result<(), Failure> {
        let size = Terminal::size().map_err(|error| Failure::new(Exit::Internal, error))?;
        self.canvas.resize(size);
        let is_anothers = matches!(self.driver, Driver::Another(_));
        match self.drives && !is_anothers {
            true => self.line.ask_size(self.canvas.room()),
            false => Ok(()),
        }
    }

    /// Takes what the daemon said.
    fn hear(&mut self) -> Result<Option<End>, Failure> {
        while let Some(heard) = self.line.hear()? {
            match heard {
                Heard::Screen(bytes) => {
                    let message = stream::decode(&bytes).map_err(anyhow::Error::from);
                    let applied =
                        message.and_then(|message| Ok(stream::apply(&mut self.view, message)?));
                    if applied.is_err() {
                        self.line.say(&json!({ "keyframe": { "channel": 0 } }))?;
                    }
                    if self.view.closed() {
                        return Ok(Some(End::Closed));
                    }
                    if let Some(how) = self.view.ended() {
                        return Ok(Some(End::Ended(how.clone())));
                    }
                }
                Heard::Refused(error) => self.canvas.say(&error),
                Heard::Driver { name, you } => {
                    self.driver = match name {
                        _ if you => Driver::We,
                        Some(name) => Driver::Another(name),
                        None => Driver::Nobody,
                    };
                    self.canvas.say(&match &self.driver {
                        Driver::Another(name) => format!("{name} drives"),
                        Driver::We | Driver::Nobody => String::new(),
                    });
                }
            }
        }
        Ok(None)
    }

    fn draw(&mut self) -> io::Result<()> {
        let seen = self.view.seen();
        // Who only looks keeps their own mouse, to mark and copy with.
        let modes = seen.filter(|_| self.drives && self.driver == Driver::We);
        let modes = modes.map_or_else(Modes::default, |seen| seen.screen().modes);
        self.terminal.follow(&modes)?;
        self.terminal.show(&self.canvas.draw(seen))
    }
}

/// Whether the person stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stay {
    Yes,
    No,
}
