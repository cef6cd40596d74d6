//! WebSockets: what all of them have in common.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use tokio::sync::{Mutex, Notify};
use tokio::time::timeout;

/// The largest message of a client.
pub(crate) const LARGEST: usize = 1 << 20;

/// How often a client is asked whether it is there, and how long it may say nothing at all.
const ASK: Duration = Duration::from_secs(20);
const SILENT: Duration = Duration::from_secs(60);

/// How long one message may take to leave: who takes nothing for so long is gone.
const LEAVE: Duration = Duration::from_secs(20);

/// The bounds of every socket.
pub(crate) fn bounded(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade
        .max_message_size(LARGEST)
        .max_frame_size(LARGEST)
        // A message is sent when it is made: nothing waits here that could become old.
        .write_buffer_size(0)
}

/// The side of a socket on which we speak. Whoever has the lock speaks next, so that what they say can be made then, and is new.
#[derive(Debug, Clone)]
pub(crate) struct Mouth {
    sink: Arc<Mutex<SplitSink<WebSocket, Message>>>,
    /// Rung when nothing can be said any more.
    shut: Arc<Notify>,
}

/// The client is gone.
#[derive(Debug)]
pub(crate) struct Gone;

impl Mouth {
    /// Waits for the turn to speak.
    pub(crate) async fn turn(&self) -> Turn<'_> {
        Turn(self.sink.lock().await)
    }

    /// Ends the connection: a client that takes nothing any more is not to believe that nothing happens.
    pub(crate) fn shut(&self) {
        self.shut.notify_one();
    }

    /// Says something as JSON.
    pub(crate) async fn tell(&self, said: &impl Serialize) -> Result<(), Gone> {
        let text = serde_json::to_string(said).map_err(|_| Gone)?;
        self.turn().await.say(Message::Text(text.into())).await
    }
}

/// The turn to speak.
#[derive(Debug)]
pub(crate) struct Turn<'a>(tokio::sync::MutexGuard<'a, SplitSink<WebSocket, Message>>);

impl Turn<'_> {
    pub(crate) async fn say(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(LEAVE, self.0.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }
}

/// What a client said.
#[derive(Debug)]
pub(crate) enum Heard {
    Text(String),
    Bytes(Vec<u8>),
}

/// Somebody who listens to what a client says.
pub(crate) trait Ear {
    /// Hears one message; an error ends the connection, and is told as its reason.
    fn hear(&mut self, heard: Heard) -> impl Future<Output = Result<(), String>> + Send;
}

/// Listens until the client goes away, says nothing for too long, or breaks the rules.
pub(crate) async fn listen<E: Ear>(socket: WebSocket, ear: impl FnOnce(Mouth) -> E) {
    let (sink, mut stream) = socket.split();
    let mouth = Mouth {
        sink: Arc::new(Mutex::new(sink)),
        shut: Arc::default(),
    };
    let mut ear = ear(mouth.clone());
    let asking = {
        let mouth = mouth.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(ASK).await;
                let ping = Message::Ping(Vec::new().into());
                if mouth.turn().await.say(ping).await.is_err() {
                    return mouth.shut();
                }
            }
        })
    };
    let why = loop {
        let heard = tokio::select! {
            heard = timeout(SILENT, stream.next()) => heard,
            () = mouth.shut.notified() => break None,
        };
        let heard = match heard {
            Ok(Some(Ok(message))) => message,
            // It broke the protocol, went away, or its line is dead.
            Ok(Some(Err(_)) | None) | Err(_) => break None,
        };
        let heard = match heard {
            Message::Text(text) => Heard::Text(text.to_string()),
            Message::Binary(bytes) => Heard::Bytes(bytes.to_vec()),
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => break None,
        };
        if let Err(why) = ear.hear(heard).await {
            break Some(why);
        }
    };
    asking.abort();
    drop(ear);
    if let Some(why) = why {
        let frame = CloseFrame {
            code: axum::extract::ws::close_code::POLICY,
            reason: short(&why).into(),
        };
        // Who is gone needs no reason.
        let _ = mouth.turn().await.say(Message::Close(Some(frame))).await;
    }
}

/// A reason has room for 123 bytes.
fn short(why: &str) -> String {
    let fits = |end: &usize| why.is_char_boundary(*end);
    let end = (0..=why.len().min(123)).rfind(fits).unwrap_or(0);
    let mut short = why.to_owned();
    short.truncate(end);
    short
}
