//! JSON-RPC over HTTP: a request in a body, or any number of them over a socket.
//!
//! Over a socket, what is asked is done in the order in which it came, and `cancel` overtakes what waits, as on stdin and stdout.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use screentest::Interrupt;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use super::Web;
use super::guard::Pass;
use super::refusal::Refusal;
use super::sockets::{self, Ear, Heard, Mouth};
use crate::method::CancelResponse;
use crate::service::client::ClientHandle;
use crate::service::{Notification, NotificationSink, lock};
use crate::wire::message::{self, RequestId, RpcRequest};
use crate::wire::{ErrorCode, RpcError};

/// How many requests of one client may wait.
const MOST_WAITING: usize = 64;

/// Answers the request in a body.
pub(crate) async fn answer(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    body: Bytes,
) -> Response {
    let caller = web.caller(pass.role);
    let call = match message::parse_request(&body) {
        Ok(call) => call,
        Err(refused) => {
            let line = written(refused.id.as_ref(), Err(refused.error));
            return json(StatusCode::BAD_REQUEST, line);
        }
    };
    let outcome = web.ask(&caller, &call.method, call.params).await;
    match call.id {
        Some(id) => json(StatusCode::OK, written(Some(&id), outcome)),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

fn json(status: StatusCode, line: String) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], line).into_response()
}

fn written(id: Option<&RequestId>, outcome: Result<Value, RpcError>) -> String {
    message::response_line(id, &outcome.map_err(|failure| message::to_value(&failure)))
}

/// Answers whatever comes over a socket.
pub(crate) async fn socket(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|error| {
        Refusal::bad(format!(
            "/rpc takes a request by POST, or any number over a WebSocket: {error}"
        ))
    })?;
    Ok(
        sockets::bounded(upgrade).on_upgrade(move |socket| async move {
            sockets::listen(socket, |mouth| Client::new(web, pass, mouth)).await;
        }),
    )
}

/// A client that asks over a socket.
struct Client {
    web: Arc<Web>,
    caller: ClientHandle,
    mouth: Mouth,
    queue: mpsc::Sender<(RpcRequest, Interrupt)>,
    /// What waits or is under way.
    pending: Pending,
    tasks: [JoinHandle<()>; 2],
}

type Pending = Arc<Mutex<Vec<(RequestId, Interrupt)>>>;

impl Client {
    fn new(web: Arc<Web>, pass: Pass, mouth: Mouth) -> Client {
        let notices = Arc::new(Notices::default());
        let outlet: Arc<dyn NotificationSink> = notices.clone();
        let caller = ClientHandle::new(pass.role, outlet);
        let (queue, mut calls) = mpsc::channel::<(RpcRequest, Interrupt)>(MOST_WAITING);
        let pending = Pending::default();
        let working = {
            let (web, caller, mouth) = (Arc::clone(&web), caller.clone(), mouth.clone());
            let pending = Arc::clone(&pending);
            tokio::spawn(async move {
                while let Some((call, interrupt)) = calls.recv().await {
                    let asked = interrupt.clone();
                    let done = match interrupt.is_raised() {
                        true => Err(RpcError::new(
                            ErrorCode::Cancelled,
                            "another request cancelled this one",
                        )),
                        false => {
                            web.ask_until(&caller, &call.method, call.params, asked)
                                .await
                        }
                    };
                    let Some(id) = call.id else { continue };
                    lock(&pending).retain(|(other, _)| *other != id);
                    let line = written(Some(&id), done);
                    if mouth
                        .turn()
                        .await
                        .say(Message::Text(line.into()))
                        .await
                        .is_err()
                    {
                        return mouth.shut();
                    }
                }
            })
        };
        let telling = {
            let mouth = mouth.clone();
            tokio::spawn(async move {
                loop {
                    notices.bell.notified().await;
                    let mut turn = mouth.turn().await;
                    // Taken once it is our turn: what is newer has replaced what is older until now.
                    for notice in notices.take() {
                        let line = message::notification_line(notice.method, &notice.params);
                        if turn.say(Message::Text(line.into())).await.is_err() {
                            return mouth.shut();
                        }
                    }
                }
            })
        };
        Client {
            web,
            caller,
            mouth,
            queue,
            pending,
            tasks: [working, telling],
        }
    }

    /// Cancels what waits or is under way. Says whether there was such a request.
    fn cancel(&self, asked: Option<&RequestId>) -> bool {
        let pending = lock(&self.pending);
        let mut found = pending.iter().filter(|(id, _)| Some(id) == asked);
        found
            .next()
            .map(|(_, interrupt)| interrupt.raise())
            .is_some()
    }

    async fn tell(&self, line: String) -> Result<(), String> {
        let told = self
            .mouth
            .turn()
            .await
            .say(Message::Text(line.into()))
            .await;
        told.map_err(|_| "gone".to_owned())
    }
}

impl Ear for Client {
    async fn hear(&mut self, heard: Heard) -> Result<(), String> {
        let Heard::Text(text) = heard else {
            return Err("a request is text, not bytes".to_owned());
        };
        let call = match message::parse_request(text.as_bytes()) {
            Ok(call) => call,
            Err(refused) => {
                return self
                    .tell(written(refused.id.as_ref(), Err(refused.error)))
                    .await;
            }
        };
        if call.method == "cancel" {
            let asked = call.params.get("id").and_then(RequestId::of);
            let is_found = self.cancel(asked.as_ref());
            let answer = message::to_value(&CancelResponse::new(is_found));
            return match call.id {
                Some(id) => self.tell(written(Some(&id), Ok(answer))).await,
                None => Ok(()),
            };
        }
        let interrupt = Interrupt::new();
        if let Some(id) = call.id.clone() {
            lock(&self.pending).push((id, interrupt.clone()));
        }
        self.queue
            .try_send((call, interrupt))
            .map_err(|_| format!("more than {MOST_WAITING} requests wait: read the answers first"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.caller.disconnect();
        for (_, interrupt) in lock(&self.pending).drain(..) {
            interrupt.raise();
        }
        for task in &self.tasks {
            task.abort();
        }
        // What it subscribed to, nobody is told of any more; the threads behind it may take a moment to end.
        let (service, number) = (Arc::clone(&self.web.service), self.caller.number);
        tokio::task::spawn_blocking(move || {
            for stage in service.all_sessions() {
                let subscription = lock(&stage.subscriptions).remove(&number);
                drop(subscription);
            }
        });
    }
}

/// What a client is told by itself; of two with one key, the newer counts.
#[derive(Debug, Default)]
struct Notices {
    waiting: Mutex<BTreeMap<String, Notification>>,
    bell: Notify,
}

impl Notices {
    fn take(&self) -> Vec<Notification> {
        std::mem::take(&mut *lock(&self.waiting))
            .into_values()
            .collect()
    }
}

impl NotificationSink for Notices {
    fn notify(&self, notice: Notification) {
        lock(&self.waiting).insert(notice.key.clone(), notice);
        self.bell.notify_one();
    }
}
