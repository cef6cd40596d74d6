//! JSON-RPC over HTTP: one request in a body, or several over a WebSocket.
//!
//! Requests on a socket are executed in order. `cancel` overtakes waiting requests, as on stdin.

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
use screentest::session::Interrupt;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use crate::method::CancelResponse;
use crate::service::client::ClientHandle;
use crate::service::{Notification, NotificationSink, lock};
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::http::error::HttpError;
use crate::web::websocket::{self, ClientMessage, MessageHandler, SocketSender};
use crate::wire::message::{self, RequestId, RpcRequest};
use crate::wire::{ErrorCode, RpcError};

/// The most requests of one client that may wait.
const MAX_WAITING: usize = 64;

/// Executes the request in a body.
pub(crate) async fn post(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    body: Bytes,
) -> Response {
    let caller = web.caller(access.role);
    let call = match message::parse_request(&body) {
        Ok(call) => call,
        Err(rejected) => {
            let line = response_line(rejected.id.as_ref(), Err(rejected.error));
            return json(StatusCode::BAD_REQUEST, line);
        }
    };
    let outcome = web.call(&caller, &call.method, call.params).await;
    match call.id {
        Some(id) => json(StatusCode::OK, response_line(Some(&id), outcome)),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

fn json(status: StatusCode, line: String) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], line).into_response()
}

fn response_line(id: Option<&RequestId>, outcome: Result<Value, RpcError>) -> String {
    message::response_line(id, &outcome.map_err(|failure| message::to_value(&failure)))
}

/// Executes the requests of a WebSocket.
pub(crate) async fn socket(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let upgrade = upgrade.map_err(|error| {
        HttpError::bad_request(format!(
            "expected a POST request or a WebSocket upgrade: {error}"
        ))
    })?;
    Ok(
        websocket::with_limits(upgrade).on_upgrade(move |socket| async move {
            websocket::serve(socket, |sender| RpcSocket::new(web, access, sender)).await;
        }),
    )
}

/// A client connected over a WebSocket.
struct RpcSocket {
    web: Arc<Web>,
    caller: ClientHandle,
    sender: SocketSender,
    queue: mpsc::Sender<(RpcRequest, Interrupt)>,
    /// Requests that wait or run.
    pending: Pending,
    tasks: [JoinHandle<()>; 2],
}

type Pending = Arc<Mutex<Vec<(RequestId, Interrupt)>>>;

impl RpcSocket {
    fn new(web: Arc<Web>, access: Access, sender: SocketSender) -> RpcSocket {
        let notices = Arc::new(NoticeQueue::default());
        let outlet: Arc<dyn NotificationSink> = notices.clone();
        let caller = ClientHandle::new(access.role, outlet);
        let (queue, mut calls) = mpsc::channel::<(RpcRequest, Interrupt)>(MAX_WAITING);
        let pending = Pending::default();
        let executor = {
            let (web, caller, sender) = (Arc::clone(&web), caller.clone(), sender.clone());
            let pending = Arc::clone(&pending);
            tokio::spawn(async move {
                while let Some((call, interrupt)) = calls.recv().await {
                    let cancelled = interrupt.clone();
                    let result = if interrupt.is_raised() {
                        Err(RpcError::new(
                            ErrorCode::Cancelled,
                            "another request cancelled this one",
                        ))
                    } else {
                        web.call_until(&caller, &call.method, call.params, cancelled)
                            .await
                    };
                    let Some(id) = call.id else { continue };
                    lock(&pending).retain(|(other, _)| *other != id);
                    let line = response_line(Some(&id), result);
                    if sender
                        .lock()
                        .await
                        .send(Message::Text(line.into()))
                        .await
                        .is_err()
                    {
                        return sender.close();
                    }
                }
            })
        };
        let notifier = {
            let sender = sender.clone();
            tokio::spawn(async move {
                loop {
                    notices.wake.notified().await;
                    let mut socket = sender.lock().await;
                    // Taken with the socket locked, so that newer notifications have replaced older
                    // ones until now.
                    for notice in notices.take() {
                        let line = message::notification_line(notice.method, &notice.params);
                        if socket.send(Message::Text(line.into())).await.is_err() {
                            return sender.close();
                        }
                    }
                }
            })
        };
        RpcSocket {
            web,
            caller,
            sender,
            queue,
            pending,
            tasks: [executor, notifier],
        }
    }

    /// Cancels a waiting or running request. Returns whether it was found.
    fn cancel(&self, target: Option<&RequestId>) -> bool {
        let pending = lock(&self.pending);
        let mut found = pending.iter().filter(|(id, _)| Some(id) == target);
        found
            .next()
            .map(|(_, interrupt)| interrupt.raise())
            .is_some()
    }

    async fn send(&self, line: String) -> Result<(), String> {
        let sent = self
            .sender
            .lock()
            .await
            .send(Message::Text(line.into()))
            .await;
        sent.map_err(|_| "disconnected".to_owned())
    }
}

impl MessageHandler for RpcSocket {
    async fn handle(&mut self, message: ClientMessage) -> Result<(), String> {
        let ClientMessage::Text(text) = message else {
            return Err("expected a text message".to_owned());
        };
        let call = match message::parse_request(text.as_bytes()) {
            Ok(call) => call,
            Err(rejected) => {
                return self
                    .send(response_line(rejected.id.as_ref(), Err(rejected.error)))
                    .await;
            }
        };
        if call.method == "cancel" {
            let target = call.params.get("id").and_then(RequestId::of);
            let is_found = self.cancel(target.as_ref());
            let response = message::to_value(&CancelResponse::new(is_found));
            return match call.id {
                Some(id) => self.send(response_line(Some(&id), Ok(response))).await,
                None => Ok(()),
            };
        }
        let interrupt = Interrupt::new();
        if let Some(id) = call.id.clone() {
            lock(&self.pending).push((id, interrupt.clone()));
        }
        self.queue.try_send((call, interrupt)).map_err(|_| {
            format!("more than {MAX_WAITING} requests are waiting: read the responses first")
        })
    }
}

impl Drop for RpcSocket {
    fn drop(&mut self) {
        self.caller.disconnect();
        for (_, interrupt) in lock(&self.pending).drain(..) {
            interrupt.raise();
        }
        for task in &self.tasks {
            task.abort();
        }
        // Ends the client's subscriptions. On another thread, because their threads may take a
        // moment to end.
        let (service, number) = (Arc::clone(&self.web.service), self.caller.number);
        tokio::task::spawn_blocking(move || {
            for stage in service.all_sessions() {
                let subscription = lock(&stage.subscriptions).remove(&number);
                drop(subscription);
            }
        });
    }
}

/// Notifications that wait to be sent. A newer one replaces an older one with the same key.
#[derive(Debug, Default)]
struct NoticeQueue {
    waiting: Mutex<BTreeMap<String, Notification>>,
    wake: Notify,
}

impl NoticeQueue {
    fn take(&self) -> Vec<Notification> {
        std::mem::take(&mut *lock(&self.waiting))
            .into_values()
            .collect()
    }
}

impl NotificationSink for NoticeQueue {
    fn notify(&self, notice: Notification) {
        lock(&self.waiting).insert(notice.key.clone(), notice);
        self.wake.notify_one();
    }
}
