//! `screentest attach`: shows a session in your terminal and sends your input to it.
//!
//! One thread waits for three events at once: typed input, messages of the daemon, and changes of
//! the terminal's size. Typed input is decoded to text and key names and sent in this form, so that
//! the program receives the encoding it requested, whatever your terminal sends.
//!
//! See also: `attach/terminal.rs` (your terminal), `attach/canvas.rs` (drawing), `attach/input.rs`
//! (typed input), `attach/connection.rs` (the connection to the daemon).

use std::env;
use std::io::{self, IsTerminal};
use std::os::unix::net::UnixStream;

use anyhow::anyhow;
use clap::Args;
use screentest::core::formats::stream::{self, ProgramExit, Viewer};
use screentest::core::{Modes, Size};
use serde_json::{Value, json};

use super::SessionName;
use super::http_client::connect;
use super::runtime_dir::RuntimeDir;
use crate::failure::{self, Exit, Failure};
use canvas::Canvas;
use connection::{Connection, ServerMessage};
use input::{InputReader, TypedInput};
use terminal::{Terminal, TerminalEvent};

mod canvas;
mod connection;
mod input;
mod terminal;

/// Attach this terminal to a session
#[derive(Debug, Args)]
#[command(after_help = "\
Press Ctrl+] to leave; the last row of the terminal shows a reminder. The program
keeps running. While attached you have control: input of others is refused, and the
session has the size of your terminal, minus that row. Leaving restores the size.

With --read-only, no input is sent and the session keeps its size.

Examples:
  screentest attach
  screentest attach -s vim --read-only")]
pub(crate) struct Attach {
    #[command(flatten)]
    session: SessionName,
    /// View only: send no input and keep the session's size
    #[arg(long)]
    read_only: bool,
}

/// Why an attachment ended.
#[derive(Debug)]
enum AttachEnd {
    /// The user left, or the terminal was closed.
    Left,
    ProgramExit(ProgramExit),
    Closed,
}

/// Attaches until the user leaves or the session ends.
pub(super) fn run(args: &Attach) -> Result<(), Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(
            Failure::usage(anyhow!("attach needs a terminal on stdin and stdout"))
                .hint("without a terminal, use `screentest view`, `type` and `press`"),
        );
    }
    let mut remote = args.session.remote()?;
    let name = remote.session_name()?;
    let sessions = remote.sessions()?;
    let session = sessions.iter().find(|session| session["id"] == *name);
    let before = session.and_then(size_of);
    let mut connection = Connection::open(socket()?, &name)?;
    let ended = {
        let terminal = Terminal::take();
        let terminal = terminal.map_err(|error| Failure::new(Exit::Internal, error))?;
        let mut attached = AttachedSession {
            canvas: Canvas::new(&name, args.read_only),
            connection: &mut connection,
            terminal,
            input: InputReader::default(),
            view: Viewer::new(0),
            may_drive: !args.read_only,
            driver: Driver::Nobody,
        };
        attached.run()?
    };
    match ended {
        AttachEnd::Left => {
            if let (false, Some(before)) = (args.read_only, before) {
                connection.resize(before);
            }
            connection.close();
            failure::note(&format!(
                "left `{name}`, which is still open; return with `screentest attach -s {name}`"
            ));
        }
        AttachEnd::ProgramExit(how) => {
            failure::note(&format!(
                "the program of `{name}` has ended{}",
                exit_status(&how)
            ));
        }
        AttachEnd::Closed => failure::note(&format!("`{name}` was closed")),
    }
    Ok(())
}

fn exit_status(how: &ProgramExit) -> String {
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

/// Opens a second connection: the first one is used for requests.
fn socket() -> Result<UnixStream, Failure> {
    let gone = || Failure::new(Exit::Transport, anyhow!("the session daemon exited"));
    let runtime_dir = RuntimeDir::find()?.ok_or_else(gone)?;
    let stream = connect(&runtime_dir.socket());
    let stream = stream.map_err(|error| Failure::new(Exit::Transport, error))?;
    stream.ok_or_else(gone)
}

/// State of an attached terminal.
struct AttachedSession<'a> {
    connection: &'a mut Connection,
    terminal: Terminal,
    canvas: Canvas,
    input: InputReader,
    view: Viewer,
    /// Whether the user may take control; false with `--read-only`.
    may_drive: bool,
    /// The client in control, as last reported.
    driver: Driver,
}

/// The client in control of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Driver {
    Nobody,
    This,
    Another(String),
}

impl AttachedSession<'_> {
    fn run(&mut self) -> Result<AttachEnd, Failure> {
        let internal = |error: io::Error| Failure::new(Exit::Internal, error);
        if self.may_drive {
            self.take_control()?;
        }
        self.follow_size()?;
        self.draw().map_err(internal)?;
        loop {
            // Handle buffered messages first: `poll` does not report what was already read.
            if let Some(end) = self.receive()? {
                return Ok(end);
            }
            self.draw().map_err(internal)?;
            let ready = self
                .terminal
                .wait(self.connection.socket(), self.connection.has_unsent());
            for ready in ready.map_err(internal)? {
                match ready {
                    TerminalEvent::Typed(bytes) => {
                        if self.typed(&bytes)? == Flow::Leave {
                            return Ok(AttachEnd::Left);
                        }
                    }
                    TerminalEvent::Paused => {
                        let inputs = self.input.pause();
                        self.send(inputs)?;
                    }
                    TerminalEvent::Resized => self.follow_size()?,
                    TerminalEvent::Connection => self.connection.flush()?,
                    TerminalEvent::Gone => return Ok(AttachEnd::Left),
                }
            }
        }
    }

    /// Handles typed bytes.
    fn typed(&mut self, bytes: &[u8]) -> Result<Flow, Failure> {
        let inputs = self.input.push(bytes, &self.terminal.modes());
        self.send(inputs)
    }

    fn send(&mut self, inputs: Vec<TypedInput>) -> Result<Flow, Failure> {
        for typed in inputs {
            match typed {
                TypedInput::Leave => return Ok(Flow::Leave),
                TypedInput::TooLong => self.canvas.set_message("the paste is too long"),
                TypedInput::Input(_) if !self.may_drive => {
                    self.canvas.set_message("input is not sent");
                }
                TypedInput::Input(input) => {
                    match &self.driver {
                        Driver::This => {}
                        // The client in control has released it; typing takes it again.
                        Driver::Nobody => {
                            self.take_control()?;
                            self.connection.forget_size();
                            self.follow_size()?;
                        }
                        Driver::Another(name) => {
                            self.canvas
                                .set_message(&format!("{name} has control, input is not sent"));
                            continue;
                        }
                    }
                    self.canvas.set_message("");
                    self.connection
                        .send(&json!({ "input": { "channel": 0, "do": input } }))?;
                }
            }
        }
        Ok(Flow::Continue)
    }

    /// Takes control of the session.
    fn take_control(&mut self) -> Result<(), Failure> {
        let name = env::var("USER").unwrap_or_else(|_| "a user".to_owned());
        let name = format!("{name} in a terminal");
        self.connection
            .send(&json!({ "take": { "channel": 0, "name": name } }))
    }

    /// Resizes the session to the terminal, minus the status line.
    fn follow_size(&mut self) -> Result<(), Failure> {
        let size = Terminal::size().map_err(|error| Failure::new(Exit::Internal, error))?;
        self.canvas.resize(size);
        let driven_by_other = matches!(self.driver, Driver::Another(_));
        if self.may_drive && !driven_by_other {
            self.connection.request_size(self.canvas.session_size())
        } else {
            Ok(())
        }
    }

    /// Handles all received messages.
    fn receive(&mut self) -> Result<Option<AttachEnd>, Failure> {
        while let Some(message) = self.connection.receive()? {
            match message {
                ServerMessage::Screen(bytes) => {
                    let message = stream::decode(&bytes).map_err(anyhow::Error::from);
                    let applied =
                        message.and_then(|message| Ok(stream::apply(&mut self.view, message)?));
                    if applied.is_err() {
                        self.connection
                            .send(&json!({ "keyframe": { "channel": 0 } }))?;
                    }
                    if self.view.closed() {
                        return Ok(Some(AttachEnd::Closed));
                    }
                    if let Some(how) = self.view.ended() {
                        return Ok(Some(AttachEnd::ProgramExit(how.clone())));
                    }
                }
                ServerMessage::Refused(error) => self.canvas.set_message(&error),
                ServerMessage::Driver { name, you } => {
                    self.driver = match name {
                        _ if you => Driver::This,
                        Some(name) => Driver::Another(name),
                        None => Driver::Nobody,
                    };
                    self.canvas.set_message(&match &self.driver {
                        Driver::Another(name) => format!("{name} has control"),
                        Driver::This | Driver::Nobody => String::new(),
                    });
                }
            }
        }
        Ok(None)
    }

    fn draw(&mut self) -> io::Result<()> {
        let seen = self.view.seen();
        // Without control, the mouse stays with your terminal, for selecting and copying.
        let modes = seen.filter(|_| self.may_drive && self.driver == Driver::This);
        let modes = modes.map_or_else(Modes::default, |seen| seen.screen().modes);
        self.terminal.set_mouse_tracking(&modes)?;
        self.terminal.write(&self.canvas.draw(seen))
    }
}

/// Whether to stay attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Leave,
}
