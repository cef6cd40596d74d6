//! Connection to the daemon: the stream of one session, over a non-blocking WebSocket.

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

/// Maximum number of screens per second. Most displays show no more.
const RATE: u32 = 60;

/// How long to wait for the daemon's close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The connection.
pub(super) struct Connection {
    socket: WebSocket<UnixStream>,
    /// Whether data waits to be sent.
    unsent: bool,
    /// The last requested size.
    size: Option<Size>,
}

/// A message of the daemon.
pub(super) enum ServerMessage {
    /// A message of the screen stream.
    Screen(Vec<u8>),
    /// The reason why a request was refused.
    Refused(String),
    /// The client in control changed.
    Driver { name: Option<String>, you: bool },
}

impl Connection {
    /// Opens the stream of a session.
    pub(super) fn open(stream: UnixStream, session: &str) -> Result<Connection, Failure> {
        let address = format!(
            "ws://socket/api/sessions/{}/stream?rate={RATE}",
            encoded(session)
        );
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let opened = tungstenite::client::client_with_config(address, stream, Some(config));
        let (socket, _) = opened.map_err(|error| match error {
            HandshakeError::Failure(error) => connection_error(error),
            HandshakeError::Interrupted(_) => connection_error(Error::ConnectionClosed),
        })?;
        let connection = Connection {
            socket,
            unsent: false,
            size: None,
        };
        let quick = connection.socket.get_ref().set_nonblocking(true);
        quick.map_err(|error| connection_error(error.into()))?;
        Ok(connection)
    }

    /// Returns the socket, for `poll`.
    pub(super) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.get_ref().as_fd()
    }

    /// Returns whether data waits to be sent.
    pub(super) fn has_unsent(&self) -> bool {
        self.unsent
    }

    /// Sends a request. Data that the socket does not accept now is sent later.
    pub(super) fn send(&mut self, request: &Value) -> Result<(), Failure> {
        let sent = self.socket.send(Message::Text(request.to_string().into()));
        self.handle_send(sent)
    }

    /// Sends as much of the waiting data as the socket accepts.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        let sent = self.socket.flush();
        self.handle_send(sent)
    }

    fn handle_send(&mut self, sent: Result<(), Error>) -> Result<(), Failure> {
        self.unsent =
            matches!(&sent, Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock);
        match sent {
            Err(_) if self.unsent => Ok(()),
            sent => sent.map_err(connection_error),
        }
    }

    /// Requests a size, unless it was the last requested one.
    pub(super) fn request_size(&mut self, size: Size) -> Result<(), Failure> {
        if self.size.replace(size) == Some(size) {
            return Ok(());
        }
        self.send(&json!({ "resize": { "channel": 0, "cols": size.cols, "rows": size.rows } }))
    }

    /// Forgets the last requested size: another client may have changed it.
    pub(super) fn forget_size(&mut self) {
        self.size = None;
    }

    /// Returns the next message, or `None` if there is none yet.
    pub(super) fn receive(&mut self) -> Result<Option<ServerMessage>, Failure> {
        loop {
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(connection_error(error)),
            };
            match message {
                Message::Binary(bytes) => return Ok(Some(ServerMessage::Screen(bytes.to_vec()))),
                Message::Text(text) => {
                    if let Some(message) = read(&text) {
                        return Ok(Some(message));
                    }
                }
                _ => {}
            }
        }
    }

    /// Restores the session's size before leaving.
    pub(super) fn resize(&mut self, size: Size) {
        // Ignore errors: a daemon that is gone has no sessions.
        let _ = self.request_size(size);
    }

    /// Sends waiting data and closes the connection.
    pub(super) fn close(&mut self) {
        let stream = self.socket.get_ref();
        let _ = stream.set_nonblocking(false);
        let _ = stream.set_read_timeout(Some(CLOSE_TIMEOUT));
        let _ = self.socket.close(None).and_then(|()| self.socket.flush());
        // After the daemon's close frame, all requests before it have been handled.
        while self.socket.read().is_ok() {}
    }
}

/// Parses a text message. Unknown ones are from a newer daemon and are ignored.
fn read(text: &str) -> Option<ServerMessage> {
    let body: Value = serde_json::from_str(text).ok()?;
    if let Some(error) = body["refused"]["error"].as_str() {
        return Some(ServerMessage::Refused(error.to_owned()));
    }
    let driver = body.get("driver")?;
    Some(ServerMessage::Driver {
        name: driver["name"].as_str().map(str::to_owned),
        you: driver["you"].as_bool().unwrap_or(false),
    })
}

fn connection_error(error: Error) -> Failure {
    match error {
        Error::Http(answer) => {
            let body = answer.body().as_deref().unwrap_or_default();
            let body: Value = serde_json::from_slice(body).unwrap_or_default();
            let message = body["error"]
                .as_str()
                .unwrap_or("the daemon refused the connection")
                .to_owned();
            Failure::new(Exit::NoSession, anyhow!(message))
        }
        Error::Io(error) if error.kind() != ErrorKind::UnexpectedEof => Failure::new(
            Exit::Transport,
            anyhow!(error).context("the connection to the session daemon broke"),
        ),
        _ => Failure::new(
            Exit::Transport,
            anyhow!("the session daemon exited, and its sessions are closed"),
        ),
    }
}

/// Percent-encodes a name for a path.
fn encoded(name: &str) -> String {
    let bytes = name.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    bytes.collect()
}
