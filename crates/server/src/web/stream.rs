//! Live stream: watching and controlling several sessions over one WebSocket.
//!
//! Screens are binary messages (docs/formats/stream.md); everything else is JSON in both directions
//! (`stream/protocol.rs`). Each watched session has its own task (`stream/viewer.rs`).

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use crate::limits::MAX_CHANNELS;
use crate::service::client::ClientHandle;
use crate::session::NamedSession;
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::http::error::HttpError;
use crate::web::http::limits::{Connection, Place};
use crate::web::sessions::input::InputSource;
use crate::web::websocket::{self, ClientMessage, MessageHandler, SocketSender};
use protocol::{StreamNotice, StreamPace, StreamRequest};
use viewer::ViewerHandle;

mod protocol;
mod viewer;

type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// Opens a stream that watches one session as channel 0. The client may subscribe to others.
pub(crate) async fn stream_session(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Extension(connection): Extension<Connection>,
    Path(id): Path<String>,
    Query(pace): Query<StreamPace>,
    upgrade: Upgrade,
) -> Result<Response, HttpError> {
    // An unknown session is reported as HTTP error before the upgrade.
    let session = web.service.session(Some(&id))?;
    // A limit that is reached is reported in the same way.
    let place = web.streams.take(access.role);
    let place = place.map_err(|message| HttpError::new(StatusCode::TOO_MANY_REQUESTS, message))?;
    let first = FirstChannel {
        session,
        pace,
        place,
    };
    open(web, access, connection, upgrade, Some(first))
}

/// Opens a stream without subscriptions.
pub(crate) async fn stream_any(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Extension(connection): Extension<Connection>,
    upgrade: Upgrade,
) -> Result<Response, HttpError> {
    open(web, access, connection, upgrade, None)
}

/// The session that a stream watches from its start.
struct FirstChannel {
    session: Arc<NamedSession>,
    pace: StreamPace,
    place: Place,
}

fn open(
    web: Arc<Web>,
    access: Access,
    connection: Connection,
    upgrade: Upgrade,
    first: Option<FirstChannel>,
) -> Result<Response, HttpError> {
    let upgrade = upgrade.map_err(|error| {
        HttpError::bad_request(format!("expected a WebSocket upgrade: {error}"))
    })?;
    let socket_place = web.socket_place(access.role, connection)?;
    Ok(
        websocket::with_limits(upgrade, access.role).on_upgrade(move |socket| async move {
            let caller = web.caller(access.role);
            websocket::serve(socket, |sender| {
                let mut client = StreamClient {
                    web,
                    caller,
                    sender,
                    channels: BTreeMap::new(),
                };
                if let Some(FirstChannel {
                    session,
                    pace,
                    place,
                }) = first
                {
                    // If the session was closed meanwhile, the viewer reports that.
                    client.watch(0, &session, pace, place);
                }
                client
            })
            .await;
            drop(socket_place);
        }),
    )
}

/// A connected client with its subscriptions.
#[derive(Debug)]
struct StreamClient {
    web: Arc<Web>,
    caller: ClientHandle,
    sender: SocketSender,
    channels: BTreeMap<u32, ViewerHandle>,
}

impl MessageHandler for StreamClient {
    async fn handle(&mut self, message: ClientMessage) -> Result<(), String> {
        match message {
            ClientMessage::Bytes(bytes) => {
                let (channel, revision) = protocol::parse_acknowledgement(&bytes)
                    .ok_or("expected a binary message of two varints, channel and revision")?;
                if let Some(viewer) = self.channels.get(&channel) {
                    viewer.acknowledge(revision);
                }
                Ok(())
            }
            ClientMessage::Text(text) => {
                let request: StreamRequest =
                    serde_json::from_str(&text).map_err(|error| error.to_string())?;
                let channel = request.channel();
                if let Err(error) = self.handle_request(request).await {
                    let refused = StreamNotice::Refused { channel, error };
                    self.sender
                        .send_json(&refused)
                        .await
                        .map_err(|_| "disconnected".to_owned())?;
                }
                Ok(())
            }
        }
    }
}

impl StreamClient {
    async fn handle_request(&mut self, request: StreamRequest) -> Result<(), String> {
        match request {
            StreamRequest::Subscribe {
                channel,
                session,
                pace,
            } => self.subscribe(channel, &session, pace),
            StreamRequest::Unsubscribe { channel } => {
                let viewer = self.channels.remove(&channel);
                self.release_unwatched(viewer.and_then(|viewer| viewer.stop().0));
                Ok(())
            }
            StreamRequest::Keyframe { channel } => {
                self.viewer(channel)?.request_keyframe();
                Ok(())
            }
            StreamRequest::Take { channel, name } => {
                if self.caller.role != crate::service::client::Role::Full {
                    return Err(
                        "read-only access: this token or this server only allows watching"
                            .to_owned(),
                    );
                }
                let session = self.session(channel)?;
                session.take_control(&self.caller, protocol::display_name(&name));
                Ok(())
            }
            StreamRequest::Release { channel } => {
                self.session(channel)?.release_control(&self.caller);
                Ok(())
            }
            StreamRequest::Input { channel, input } => {
                let session = self.controlled(channel)?;
                let call = input
                    .call(&session, InputSource::Person)
                    .map_err(|error| error.to_string())?;
                self.call(call).await
            }
            StreamRequest::Resize {
                channel,
                cols,
                rows,
            } => {
                let session = self.controlled(channel)?;
                let params = json!({ "session": session, "cols": cols, "rows": rows });
                self.call(("resize", params)).await
            }
        }
    }

    async fn call(&self, (method, params): (&str, serde_json::Value)) -> Result<(), String> {
        let done = self.web.call(&self.caller, method, params).await;
        done.map(drop)
            .map_err(|failure| failure.details().to_owned())
    }

    /// Returns the session of a channel if this client has control of it.
    fn controlled(&self, channel: u32) -> Result<String, String> {
        let session = self.session(channel)?;
        if session.control.is_held_by(&self.caller) {
            Ok(session.name().to_owned())
        } else {
            Err(
                "take control of the session first: {\"take\":{\"channel\":…,\"name\":…}}"
                    .to_owned(),
            )
        }
    }

    /// Returns the session of a channel.
    fn session(&self, channel: u32) -> Result<Arc<NamedSession>, String> {
        let session = self.viewer(channel)?.session();
        session.ok_or_else(|| format!("the session of channel {channel} is closed: unsubscribe"))
    }

    fn viewer(&self, channel: u32) -> Result<&ViewerHandle, String> {
        let viewer = self.channels.get(&channel);
        viewer.ok_or_else(|| format!("channel {channel} has no subscription: subscribe first"))
    }

    fn subscribe(&mut self, channel: u32, session: &str, pace: StreamPace) -> Result<(), String> {
        if self.channels.len() >= MAX_CHANNELS && !self.channels.contains_key(&channel) {
            return Err(format!(
                "one socket may watch at most {MAX_CHANNELS} sessions"
            ));
        }
        let session = self.web.service.session(Some(session));
        let session = session.map_err(|failure| failure.details().to_owned())?;
        // The previous viewer of the channel is stopped before the new one starts, and leaves its
        // place to it.
        let (previous, place) = match self.channels.remove(&channel) {
            Some(viewer) => viewer.stop(),
            None => (None, self.web.streams.take(self.caller.role)?),
        };
        self.watch(channel, &session, pace, place);
        self.release_unwatched(previous);
        Ok(())
    }

    fn watch(&mut self, channel: u32, session: &Arc<NamedSession>, pace: StreamPace, place: Place) {
        let viewer = ViewerHandle::start(
            &self.web,
            &self.sender,
            &self.caller,
            channel,
            session,
            pace,
            place,
        );
        self.channels.insert(channel, viewer);
    }

    /// Releases control of a session that this client no longer watches.
    fn release_unwatched(&self, session: Option<Arc<NamedSession>>) {
        let is_watched = |session: &Arc<NamedSession>| {
            let mut watched = self.channels.values().filter_map(ViewerHandle::session);
            watched.any(|watched| Arc::ptr_eq(&watched, session))
        };
        if let Some(session) = session.filter(|session| !is_watched(session)) {
            session.release_control(&self.caller);
        }
    }
}

impl Drop for StreamClient {
    fn drop(&mut self) {
        for viewer in std::mem::take(&mut self.channels).into_values() {
            if let (Some(session), _) = viewer.stop() {
                session.release_control(&self.caller);
            }
        }
    }
}
