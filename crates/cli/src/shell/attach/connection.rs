//! The line to the daemon: the stream of one session, over a WebSocket that never blocks.

use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::anyhow;
use screentest::core::Size;
use screentest::core::formats::stream::MAX_MESSAGE;
use serde_json::{Value, json};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

use crate::failure::{Exit, Failure};

/// How many screens a second: more than a terminal shows is of no use.
const RATE: u32 = 60;

/// How long a daemon may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// The line.
pub(super) struct Line {
    socket: WebSocket<UnixStream>,
    /// Something is still to be sent.
    behind: bool,
    /// What size was asked for last.
    size: Option<Size>,
}

/// What the daemon said.
pub(super) enum Heard {
    /// A message of the stream.
    Screen(Vec<u8>),
    /// Why something was not done.
    Refused(String),
    /// Who drives.
    Driver { name: Option<String>, you: bool },
}

impl Line {
    /// Opens the stream of a session.
    pub(super) fn open(stream: UnixStream, session: &str) -> Result<Line, Failure> {
        let address = format!(
            "ws://socket/api/sessions/{}/stream?rate={RATE}",
            encoded(session)
        );
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let opened = tungstenite::client::client_with_config(address, stream, Some(config));
        let (socket, _) = opened.map_err(|error| match error {
            HandshakeError::Failure(error) => lost(error),
            HandshakeError::Interrupted(_) => lost(Error::ConnectionClosed),
        })?;
        let line = Line {
            socket,
            behind: false,
            size: None,
        };
        let quick = line.socket.get_ref().set_nonblocking(true);
        quick.map_err(|error| lost(error.into()))?;
        Ok(line)
    }

    /// What wakes whoever waits for it.
    pub(super) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.get_ref().as_fd()
    }

    /// Whether something is still to be sent.
    pub(super) fn is_behind(&self) -> bool {
        self.behind
    }

    /// Says something; what does not go now goes later.
    pub(super) fn say(&mut self, wish: &Value) -> Result<(), Failure> {
        let sent = self.socket.send(Message::Text(wish.to_string().into()));
        self.after(sent)
    }

    /// Sends what is still to be sent, as far as it goes.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        let sent = self.socket.flush();
        self.after(sent)
    }

    fn after(&mut self, sent: Result<(), Error>) -> Result<(), Failure> {
        self.behind =
            matches!(&sent, Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock);
        match sent {
            Err(_) if self.behind => Ok(()),
            sent => sent.map_err(lost),
        }
    }

    /// Asks for a size, unless it was the last that was asked for.
    pub(super) fn ask_size(&mut self, size: Size) -> Result<(), Failure> {
        if self.size.replace(size) == Some(size) {
            return Ok(());
        }
        self.say(&json!({ "resize": { "channel": 0, "cols": size.cols, "rows": size.rows } }))
    }

    /// The session may have another size by now than the one that was asked for last.
    pub(super) fn forget_size(&mut self) {
        self.size = None;
    }

    /// The next thing that the daemon said, if it said more.
    pub(super) fn hear(&mut self) -> Result<Option<Heard>, Failure> {
        loop {
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(lost(error)),
            };
            match message {
                Message::Binary(bytes) => return Ok(Some(Heard::Screen(bytes.to_vec()))),
                Message::Text(text) => {
                    if let Some(heard) = read(&text) {
                        return Ok(Some(heard));
                    }
                }
                _ => {}
            }
        }
    }

    /// Gives the session a size, before leaving.
    pub(super) fn resize(&mut self, size: Size) {
        // A daemon that is gone has no sessions either.
        let _ = self.ask_size(size);
    }

    /// Sends what is left, and says goodbye.
    pub(super) fn leave(&mut self) {
        let stream = self.socket.get_ref();
        let _ = stream.set_nonblocking(false);
        let _ = stream.set_read_timeout(Some(GOODBYE));
        let _ = self.socket.close(None).and_then(|()| self.socket.flush());
        // Once the daemon says goodbye too, all that was said before is done.
        while self.socket.read().is_ok() {}
    }
}

/// What a text says; one that nobody knows is from a newer daemon.
fn read(text: &str) -> Option<Heard> {
    let told: Value = serde_json::from_str(text).ok()?;
    if let Some(error) = told["refused"]["error"].as_str() {
        return Some(Heard::Refused(error.to_owned()));
    }
    let driver = told.get("driver")?;
    Some(Heard::Driver {
        name: driver["name"].as_str().map(str::to_owned),
        you: driver["you"].as_bool().unwrap_or(false),
    })
}

fn lost(error: Error) -> Failure {
    match error {
        Error::Http(answer) => {
            let body = answer.body().as_deref().unwrap_or_default();
            let told: Value = serde_json::from_slice(body).unwrap_or_default();
            let words = told["error"]
                .as_str()
                .unwrap_or("the daemon did not want to")
                .to_owned();
            Failure::new(Exit::NoSession, anyhow!(words))
        }
        Error::Io(error) if error.kind() != ErrorKind::UnexpectedEof => Failure::new(
            Exit::Transport,
            anyhow!(error).context("the line to the daemon broke"),
        ),
        _ => Failure::new(
            Exit::Transport,
            anyhow!("the daemon went away, and its sessions with it"),
        ),
    }
}

/// A name as a part of a path.
fn encoded(name: &str) -> String {
    let bytes = name.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    bytes.collect()
}
