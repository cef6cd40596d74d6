//! `viewSubscribe` and `viewUnsubscribe`: notifications of changes of the view.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{OkResponse, Perform};
use crate::service::client::Role;
use crate::service::{MethodContext, lock};
use crate::session::NamedSession;
use crate::session::subscription::{Subscription, SubscriptionOptions, TextField};
use crate::wire::empty_params::EmptyParams;
use crate::wire::number::{WholeNumber, millis};
use crate::wire::{ErrorCode, RpcError};

/// Starts to notify the client of changes of the view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ViewSubscribe {
    debounce_ms: Option<WholeNumber>,
    include_text: Option<bool>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubscribeResponse {
    debounce_ms: u64,
    include_text: bool,
    ok: bool,
}

/// Default interval between notifications.
const DEFAULT_DEBOUNCE: Duration = Duration::from_millis(100);

impl Perform for ViewSubscribe {
    type Response = SubscribeResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<SubscribeResponse, RpcError> {
        let session = context.session()?;
        let debounce = millis("debounceMs", self.debounce_ms)?.unwrap_or(DEFAULT_DEBOUNCE);
        let include_text = self.include_text.unwrap_or(false);
        let options = SubscriptionOptions {
            debounce,
            text: if include_text {
                TextField::Included
            } else {
                TextField::Omitted
            },
            session: context.session_name.clone(),
        };
        let caller = &context.origin.caller;
        if !caller.sink.can_notify() {
            return Err(RpcError::failed(
                "notifications need a connection: subscribe over the WebSocket /rpc, or call `changesSince`",
            ));
        }
        // The earlier subscription must end before the new one sends its first notification.
        let before = lock(&session.subscriptions).remove(&caller.number);
        drop(before);
        check_limit(session, caller.role)?;
        let subscription = Subscription::start(session, options, caller)
            .map_err(|error| RpcError::with_cause("could not subscribe", &error))?;
        lock(&session.subscriptions).insert(caller.number, subscription);
        // If the client disconnected before the insertion, its subscription was not removed. A
        // later disconnection removes it.
        if caller.is_disconnected() || session.is_closed() {
            let unused = lock(&session.subscriptions).remove(&caller.number);
            drop(unused);
        }
        Ok(SubscribeResponse {
            debounce_ms: u64::try_from(debounce.as_millis()).unwrap_or(u64::MAX),
            include_text,
            ok: true,
        })
    }
}

/// Fails if the clients of a role have the maximum number of subscriptions to a session. Each
/// concurrent request may exceed the maximum by one. The number of concurrent requests is limited,
/// too.
fn check_limit(session: &NamedSession, role: Role) -> Result<(), RpcError> {
    let most = role.limits().subscriptions;
    let subscriptions = lock(&session.subscriptions);
    let used = subscriptions.values().filter(|other| other.role == role);
    if used.count() < most {
        return Ok(());
    }
    Err(RpcError::new(
        ErrorCode::TooMany,
        format!(
            "{most} {} are subscribed to this session, which is the maximum: `viewUnsubscribe` one first",
            role.clients()
        ),
    ))
}

/// Stops notifying the client of changes of the view.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct ViewUnsubscribe {
    _empty: EmptyParams,
}

impl Perform for ViewUnsubscribe {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        if let Ok(session) = context.session() {
            let before = lock(&session.subscriptions).remove(&context.origin.caller.number);
            drop(before);
        }
        Ok(OkResponse::OK)
    }
}
