//! Watching sessions while they happen, and driving them: many over one socket.
//!
//! What is shown goes out as binary messages (docs/formats/stream.md), everything else is JSON in both directions: what a client wants
//! (`stream/wish.rs`). Each session that is watched has a task of its own (`stream/viewing.rs`).

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde_json::json;

use super::Web;
use super::guard::Pass;
use super::input::Giver;
use super::refusal::Refusal;
use super::sockets::{self, Ear, Heard, Mouth};
use crate::service::client::ClientHandle;
use crate::session::NamedSession;
use viewing::Viewing;
use wish::{Pace, Told, Wish};

mod viewing;
mod wish;

/// How many sessions one socket may watch.
const MOST_CHANNELS: usize = 512;

type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// Watches one session, as channel 0; others can join.
pub(crate) async fn one(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
    Query(pace): Query<Pace>,
    upgrade: Upgrade,
) -> Result<Response, Refusal> {
    // Who names a session that is not there is told so as of any other path.
    let stage = web.service.session(Some(&id))?;
    open(web, pass, upgrade, Some((stage, pace)))
}

/// Watches nothing yet.
pub(crate) async fn many(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    upgrade: Upgrade,
) -> Result<Response, Refusal> {
    open(web, pass, upgrade, None)
}

fn open(
    web: Arc<Web>,
    pass: Pass,
    upgrade: Upgrade,
    first: Option<(Arc<NamedSession>, Pace)>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|error| Refusal::bad(format!("this is a WebSocket: {error}")))?;
    Ok(
        sockets::bounded(upgrade).on_upgrade(move |socket| async move {
            let caller = web.caller(pass.role);
            sockets::listen(socket, |mouth| {
                let mut audience = Watching {
                    web,
                    caller,
                    mouth,
                    channels: BTreeMap::new(),
                };
                if let Some((stage, pace)) = first {
                    // One that has been closed since says so.
                    audience.watch(0, &stage, pace);
                }
                audience
            })
            .await;
        }),
    )
}

/// A client, and what it watches.
#[derive(Debug)]
struct Watching {
    web: Arc<Web>,
    caller: ClientHandle,
    mouth: Mouth,
    channels: BTreeMap<u32, Viewing>,
}

impl Ear for Watching {
    async fn hear(&mut self, heard: Heard) -> Result<(), String> {
        match heard {
            Heard::Bytes(bytes) => {
                let (channel, revision) = wish::acknowledged(&bytes)
                    .ok_or("a binary message is a channel and a revision, as two varints")?;
                if let Some(viewing) = self.channels.get(&channel) {
                    viewing.acknowledge(revision);
                }
                Ok(())
            }
            Heard::Text(text) => {
                let wish: Wish = serde_json::from_str(&text).map_err(|error| error.to_string())?;
                let channel = wish.channel();
                if let Err(error) = self.grant(wish).await {
                    let refused = Told::Refused { channel, error };
                    self.mouth
                        .tell(&refused)
                        .await
                        .map_err(|_| "gone".to_owned())?;
                }
                Ok(())
            }
        }
    }
}

impl Watching {
    async fn grant(&mut self, wish: Wish) -> Result<(), String> {
        match wish {
            Wish::Subscribe {
                channel,
                session,
                pace,
            } => self.subscribe(channel, &session, pace),
            Wish::Unsubscribe { channel } => {
                let before = self.channels.remove(&channel).and_then(Viewing::end);
                self.let_go(before);
                Ok(())
            }
            Wish::Keyframe { channel } => {
                self.viewing(channel)?.ask_keyframe();
                Ok(())
            }
            Wish::Take { channel, name } => {
                if self.caller.role != crate::service::client::Role::Full {
                    return Err("who asks may only look".to_owned());
                }
                let stage = self.stage(channel)?;
                stage.take_control(&self.caller, wish::driver(&name));
                Ok(())
            }
            Wish::Release { channel } => {
                self.stage(channel)?.release_control(&self.caller);
                Ok(())
            }
            Wish::Input { channel, input } => {
                let session = self.driven(channel)?;
                let call = input
                    .call(&session, Giver::Person)
                    .map_err(|refusal| refusal.to_string())?;
                self.ask(call).await
            }
            Wish::Resize {
                channel,
                cols,
                rows,
            } => {
                let session = self.driven(channel)?;
                let params = json!({ "session": session, "cols": cols, "rows": rows });
                self.ask(("resize", params)).await
            }
        }
    }

    async fn ask(&self, (method, params): (&str, serde_json::Value)) -> Result<(), String> {
        let done = self.web.ask(&self.caller, method, params).await;
        done.map(drop)
            .map_err(|failure| failure.details().to_owned())
    }

    /// The session of a channel, if this client drives it.
    fn driven(&self, channel: u32) -> Result<String, String> {
        let stage = self.stage(channel)?;
        match stage.control.is_held_by(&self.caller) {
            true => Ok(stage.name().to_owned()),
            false => Err(
                "take control of the session first: {\"take\":{\"channel\":…,\"name\":…}}"
                    .to_owned(),
            ),
        }
    }

    /// The session of a channel.
    fn stage(&self, channel: u32) -> Result<Arc<NamedSession>, String> {
        let stage = self.viewing(channel)?.stage();
        stage.ok_or_else(|| format!("the session of channel {channel} is closed: unsubscribe"))
    }

    fn viewing(&self, channel: u32) -> Result<&Viewing, String> {
        let viewing = self.channels.get(&channel);
        viewing.ok_or_else(|| format!("channel {channel} watches nothing: subscribe first"))
    }

    fn subscribe(&mut self, channel: u32, session: &str, pace: Pace) -> Result<(), String> {
        if self.channels.len() >= MOST_CHANNELS && !self.channels.contains_key(&channel) {
            return Err(format!("a socket watches at most {MOST_CHANNELS} sessions"));
        }
        let stage = self.web.service.session(Some(session));
        let stage = stage.map_err(|failure| failure.details().to_owned())?;
        self.watch(channel, &stage, pace);
        Ok(())
    }

    fn watch(&mut self, channel: u32, stage: &Arc<NamedSession>, pace: Pace) {
        // The one before is over before this one begins.
        let before = self.channels.remove(&channel).and_then(Viewing::end);
        let viewing = Viewing::start(&self.web, &self.mouth, &self.caller, channel, stage, pace);
        self.channels.insert(channel, viewing);
        self.let_go(before);
    }

    /// Lets go of the wheel of a session that this client does not watch any more.
    fn let_go(&self, stage: Option<Arc<NamedSession>>) {
        let is_watched = |stage: &Arc<NamedSession>| {
            let mut watched = self.channels.values().filter_map(Viewing::stage);
            watched.any(|watched| Arc::ptr_eq(&watched, stage))
        };
        if let Some(stage) = stage.filter(|stage| !is_watched(stage)) {
            stage.release_control(&self.caller);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        for viewing in std::mem::take(&mut self.channels).into_values() {
            if let Some(stage) = viewing.end() {
                stage.release_control(&self.caller);
            }
        }
    }
}
