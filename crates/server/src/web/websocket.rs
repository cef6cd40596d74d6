//! WebSocket connections: limits, keep-alive and serialized sending.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use tokio::sync::{Mutex, Notify};
use tokio::time::timeout;

use crate::limits::SEND_TIMEOUT;
use crate::service::client::Role;

/// Interval of pings, and how long a client may be silent before it is disconnected.
const PING_INTERVAL: Duration = Duration::from_secs(20);
const SILENCE_TIMEOUT: Duration = Duration::from_secs(60);

/// Sets the limits of a socket.
pub(crate) fn with_limits(upgrade: WebSocketUpgrade, role: Role) -> WebSocketUpgrade {
    let most = role.limits().request_bytes;
    upgrade
        .max_message_size(most)
        .max_frame_size(most)
        // Messages are sent immediately, so that none waits here and becomes outdated.
        .write_buffer_size(0)
}

/// The sending side of a socket. A sender first takes the lock and then builds its message, so that
/// the message is current.
#[derive(Debug, Clone)]
pub(crate) struct SocketSender {
    sink: Arc<Mutex<SplitSink<WebSocket, Message>>>,
    /// Notified when sending has failed.
    failed: Arc<Notify>,
}

/// The client has disconnected.
#[derive(Debug)]
pub(crate) struct Disconnected;

impl SocketSender {
    /// Waits for exclusive access to the socket.
    pub(crate) async fn lock(&self) -> SocketGuard<'_> {
        SocketGuard(self.sink.lock().await)
    }

    /// Closes the connection after a failed send, so that the client notices the failure.
    pub(crate) fn close(&self) {
        self.failed.notify_one();
    }

    /// Sends a value as JSON.
    pub(crate) async fn send_json(&self, value: &impl Serialize) -> Result<(), Disconnected> {
        let text = serde_json::to_string(value).map_err(|_| Disconnected)?;
        self.lock().await.send(Message::Text(text.into())).await
    }
}

/// Exclusive access to the socket.
#[derive(Debug)]
pub(crate) struct SocketGuard<'a>(tokio::sync::MutexGuard<'a, SplitSink<WebSocket, Message>>);

impl SocketGuard<'_> {
    pub(crate) async fn send(&mut self, message: Message) -> Result<(), Disconnected> {
        match timeout(SEND_TIMEOUT, self.0.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Disconnected),
        }
    }
}

/// A message of a client.
#[derive(Debug)]
pub(crate) enum ClientMessage {
    Text(String),
    Bytes(Vec<u8>),
}

/// Handles the messages of a client.
pub(crate) trait MessageHandler {
    /// Handles one message. An error closes the connection and is sent as the reason.
    fn handle(&mut self, message: ClientMessage)
    -> impl Future<Output = Result<(), String>> + Send;
}

/// Handles messages until the client disconnects, is silent for too long, or violates the protocol.
pub(crate) async fn serve<H: MessageHandler>(
    socket: WebSocket,
    handler: impl FnOnce(SocketSender) -> H,
) {
    let (sink, mut stream) = socket.split();
    let sender = SocketSender {
        sink: Arc::new(Mutex::new(sink)),
        failed: Arc::default(),
    };
    let mut handler = handler(sender.clone());
    let pings = {
        let sender = sender.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(PING_INTERVAL).await;
                let ping = Message::Ping(Vec::new().into());
                if sender.lock().await.send(ping).await.is_err() {
                    return sender.close();
                }
            }
        })
    };
    let reason = loop {
        let received = tokio::select! {
            received = timeout(SILENCE_TIMEOUT, stream.next()) => received,
            () = sender.failed.notified() => break None,
        };
        let received = match received {
            Ok(Some(Ok(message))) => message,
            // A protocol violation, a disconnect, or a dead connection.
            Ok(Some(Err(_)) | None) | Err(_) => break None,
        };
        let message = match received {
            Message::Text(text) => ClientMessage::Text(text.to_string()),
            Message::Binary(bytes) => ClientMessage::Bytes(bytes.to_vec()),
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => break None,
        };
        if let Err(reason) = handler.handle(message).await {
            break Some(reason);
        }
    };
    pings.abort();
    drop(handler);
    if let Some(reason) = reason {
        let frame = CloseFrame {
            code: axum::extract::ws::close_code::POLICY,
            reason: truncate_reason(&reason).into(),
        };
        // A failure means that the client is already gone.
        let _ = sender.lock().await.send(Message::Close(Some(frame))).await;
    }
}

/// Truncates a close reason to the 123 bytes that WebSocket allows.
fn truncate_reason(reason: &str) -> String {
    let fits = |end: &usize| reason.is_char_boundary(*end);
    let end = (0..=reason.len().min(123)).rfind(fits).unwrap_or(0);
    let mut short = reason.to_owned();
    short.truncate(end);
    short
}
