//! JSON-RPC over HTTP: one request in a body, or several over a WebSocket.
//!
//! Requests on a socket are executed in order. `cancel` overtakes waiting requests, as on stdin.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
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

use crate::limits::MAX_WAITING;
use crate::method::CancelResponse;
use crate::service::client::ClientHandle;
use crate::service::{Notification, NotificationSink, Reservation, lock};
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::http::error::HttpError;
use crate::web::http::limits::Connection;
use crate::web::websocket::{self, ClientMessage, MessageHandler, SocketSender};
use crate::wire::message::{self, RequestHead, RequestId, RpcRequest};
use crate::wire::{Answer, ErrorCode, RpcError};

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
            let line = error_line(rejected.id.as_ref(), &rejected.error);
            return json(StatusCode::BAD_REQUEST, line);
        }
    };
    let interrupt = Interrupt::new();
    let response = respond(&web, &caller, call, interrupt).await;
    match response {
        Some(response) => json(StatusCode::OK, response.line),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

fn json(status: StatusCode, line: String) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], line).into_response()
}

/// A response, with the memory of its text until it is sent.
struct UnsentResponse {
    line: String,
    _memory: Option<Reservation>,
}

impl UnsentResponse {
    fn new(id: Option<&RequestId>, outcome: Result<Answer, RpcError>) -> UnsentResponse {
        let outcome = outcome.map_err(|failure| message::to_value(&failure));
        UnsentResponse {
            line: message::response_line(id, &outcome),
            _memory: outcome.ok().map(Answer::into_memory),
        }
    }

    fn error(id: Option<&RequestId>, error: &RpcError) -> UnsentResponse {
        UnsentResponse {
            line: error_line(id, error),
            _memory: None,
        }
    }
}

fn error_line(id: Option<&RequestId>, error: &RpcError) -> String {
    let outcome: Result<(), Value> = Err(message::to_value(error));
    message::response_line(id, &outcome)
}

/// Executes the requests of a WebSocket.
pub(crate) async fn socket(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Extension(connection): Extension<Connection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let upgrade = upgrade.map_err(|error| {
        HttpError::bad_request(format!(
            "expected a POST request or a WebSocket upgrade: {error}"
        ))
    })?;
    let place = web.socket_place(access.role, connection)?;
    Ok(
        websocket::with_limits(upgrade, access.role).on_upgrade(move |socket| async move {
            websocket::serve(socket, |sender| RpcSocket::new(web, access, sender)).await;
            drop(place);
        }),
    )
}

/// A client connected over a WebSocket.
struct RpcSocket {
    web: Arc<Web>,
    caller: ClientHandle,
    sender: SocketSender,
    queue: mpsc::Sender<WaitingRequest>,
    /// Bytes of the requests that wait.
    waiting_bytes: Arc<AtomicUsize>,
    /// Requests that wait or run.
    pending: Pending,
    tasks: [JoinHandle<()>; 2],
}

/// In the order in which they are executed. Requests without an id are not listed.
type Pending = Arc<Mutex<VecDeque<(RequestId, Interrupt)>>>;

/// A request that waits. It is parsed when it is executed, because parsed JSON needs several times
/// the memory.
struct WaitingRequest {
    id: Option<RequestId>,
    text: String,
    interrupt: Interrupt,
}

impl RpcSocket {
    fn new(web: Arc<Web>, access: Access, sender: SocketSender) -> RpcSocket {
        let notices = Arc::new(NoticeQueue::default());
        let outlet: Arc<dyn NotificationSink> = notices.clone();
        let caller = ClientHandle::new(access.role, outlet);
        let (queue, mut requests) = mpsc::channel::<WaitingRequest>(MAX_WAITING);
        let (pending, waiting_bytes) = (Pending::default(), Arc::<AtomicUsize>::default());
        let executor = {
            let (web, caller, sender) = (Arc::clone(&web), caller.clone(), sender.clone());
            let (pending, waiting_bytes) = (Arc::clone(&pending), Arc::clone(&waiting_bytes));
            tokio::spawn(async move {
                while let Some(request) = requests.recv().await {
                    waiting_bytes.fetch_sub(request.text.len(), Ordering::SeqCst);
                    let Some(response) = execute(&web, &caller, &pending, request).await else {
                        continue;
                    };
                    let UnsentResponse { line, _memory } = response;
                    let message = Message::Text(line.into());
                    if sender.lock().await.send(message).await.is_err() {
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
                    // Taken only after the socket is locked: until then, newer notifications
                    // replace older ones.
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
            waiting_bytes,
            pending,
            tasks: [executor, notifier],
        }
    }

    /// Cancels a waiting or running request; the oldest, if several have the id. Returns whether it
    /// was found.
    fn cancel(&self, target: &RequestId) -> bool {
        let pending = lock(&self.pending);
        let found = pending.iter().find(|(id, _)| id == target);
        found.map(|(_, interrupt)| interrupt.raise()).is_some()
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
        let head = RequestHead::of(text.as_bytes());
        if head.is_call_to("cancel")
            && let Ok(call) = message::parse_request(text.as_bytes())
        {
            let outcome = match call.params.get("id").and_then(RequestId::of) {
                None => Err(RpcError::invalid_params("missing field `id`")),
                Some(id) => Ok(CancelResponse::new(self.cancel(&id))),
            };
            let outcome = outcome.map_err(|error| message::to_value(&error));
            return match &call.id {
                Some(_) => {
                    self.send(message::response_line(call.id.as_ref(), &outcome))
                        .await
                }
                None => Ok(()),
            };
        }
        let most = self.caller.role.limits().waiting_bytes;
        let length = text.len();
        if self.waiting_bytes.fetch_add(length, Ordering::SeqCst) + length > most {
            return Err(format!(
                "more than {most} bytes of requests are waiting: read the responses first"
            ));
        }
        let interrupt = Interrupt::new();
        let id = head.id();
        if let Some(id) = id.clone() {
            lock(&self.pending).push_back((id, interrupt.clone()));
        }
        let request = WaitingRequest {
            id,
            text,
            interrupt,
        };
        self.queue.try_send(request).map_err(|_| {
            format!("more than {MAX_WAITING} requests are waiting: read the responses first")
        })
    }
}

/// Executes a request and returns the response, or `None` for a notification.
async fn execute(
    web: &Arc<Web>,
    caller: &ClientHandle,
    pending: &Pending,
    request: WaitingRequest,
) -> Option<UnsentResponse> {
    let WaitingRequest {
        id,
        text,
        interrupt,
    } = request;
    let parsed = message::parse_request(text.as_bytes());
    drop(text);
    let call = match parsed {
        Ok(call) => call,
        Err(rejected) => {
            forget(pending, id.as_ref());
            return Some(UnsentResponse::error(rejected.id.as_ref(), &rejected.error));
        }
    };
    let call_id = call.id.clone();
    let response = if interrupt.is_raised() {
        None
    } else {
        respond(web, caller, call, interrupt.clone()).await
    };
    forget(pending, id.as_ref());
    let id = call_id?;
    // A successful `cancel` has been confirmed already, so the response must match it even if the
    // method was faster.
    if interrupt.is_raised() {
        let message = "another request cancelled this one";
        let error = RpcError::new(ErrorCode::Cancelled, message);
        return Some(UnsentResponse::error(Some(&id), &error));
    }
    response
}

/// Calls the method and returns the response, or `None` for a notification.
async fn respond(
    web: &Arc<Web>,
    caller: &ClientHandle,
    call: RpcRequest,
    interrupt: Interrupt,
) -> Option<UnsentResponse> {
    let RpcRequest { id, method, params } = call;
    let call_id = id.clone();
    let respond = move |outcome| Some(UnsentResponse::new(Some(&call_id?), outcome));
    let response = web.call_until(caller, &method, params, interrupt, respond);
    match response.await {
        Ok(response) => response,
        Err(error) => Some(UnsentResponse::error(Some(&id?), &error)),
    }
}

/// Removes the request that is done, which is the oldest one. It can no longer be cancelled.
fn forget(pending: &Pending, id: Option<&RequestId>) {
    if id.is_some() {
        lock(pending).pop_front();
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
        for session in self.web.service.all_sessions() {
            let subscription = lock(&session.subscriptions).remove(&self.caller.number);
            drop(subscription);
        }
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

#[cfg(test)]
mod tests {
    use screentest::core::Secrets;

    use super::*;
    use crate::service::AnswerMemory;
    use crate::service::client::Role;

    #[test]
    fn response_keeps_its_memory_until_it_is_sent() {
        let memory = AnswerMemory::default();
        let role = Role::ReadOnly;
        let rest = role.limits().answer_bytes;
        let text = "x".repeat(1 << 20);
        let answer = Answer::new(&text, &Secrets::default(), memory.reservation(role)).unwrap();
        let response = UnsentResponse::new(None, Ok(answer));
        assert!(memory.reservation(role).try_grow(rest).is_err());
        drop(response);
        memory.reservation(role).try_grow(rest).unwrap();
    }
}
