//! Calls the service, which may block, from async code.

use std::sync::Arc;

use screentest::session::Interrupt;
use serde_json::Value;

use crate::service::Service;
use crate::service::client::{ClientHandle, Role};
use crate::service::request_thread::{RequestThreadError, run_on_thread};
use crate::web::Web;
use crate::web::http::error::HttpError;
use crate::wire::{Answer, ErrorCode, RpcError};

/// Raises an interrupt if it is dropped before the request is done: when the client disconnects,
/// its request is cancelled.
struct RaiseOnDrop(Option<Interrupt>);

impl RaiseOnDrop {
    fn done(mut self) {
        self.0 = None;
    }
}

impl Drop for RaiseOnDrop {
    fn drop(&mut self) {
        if let Some(interrupt) = &self.0 {
            interrupt.raise();
        }
    }
}

tokio::task_local! {
    /// Role of the client whose request is handled. It decides which places the request takes.
    pub(super) static ROLE: Role;
}

impl Web {
    /// Calls a method of the service on another thread.
    pub(crate) async fn call(
        self: &Arc<Self>,
        caller: &ClientHandle,
        method: &str,
        params: Value,
    ) -> Result<Answer, RpcError> {
        let interrupt = Interrupt::new();
        self.call_until(caller, method, params, interrupt, |outcome| outcome)
            .await?
    }

    /// Like [`Web::call`], but cancelled when `interrupt` is raised, and with `finish` called with
    /// the outcome on the same thread. A large answer is turned into its response there: on a
    /// thread that serves all clients, it would delay them.
    pub(crate) async fn call_until<T: Send + 'static>(
        self: &Arc<Self>,
        caller: &ClientHandle,
        method: &str,
        params: Value,
        interrupt: Interrupt,
        finish: impl FnOnce(Result<Answer, RpcError>) -> T + Send + 'static,
    ) -> Result<T, RpcError> {
        let guard = RaiseOnDrop(Some(interrupt.clone()));
        let (caller, method) = (caller.clone(), method.to_owned());
        let done = self
            .run_blocking_as(caller.role, move |service| {
                let outcome = service.call_as(caller, &method, params, &interrupt);
                Ok(finish(
                    outcome.map_err(|failure| redact_failure(service, failure)),
                ))
            })
            .await;
        guard.done();
        self.stop_if_requested();
        done
    }

    /// Runs a short blocking function on another thread, in a place of the current request's role.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        run: impl FnOnce(&Service) -> Result<T, RpcError> + Send + 'static,
    ) -> Result<T, RpcError> {
        let role = ROLE.try_with(|role| *role).unwrap_or(Role::Full);
        self.run_blocking_as(role, run).await
    }

    /// Runs a blocking function on another thread, in a place of `role`.
    async fn run_blocking_as<T: Send + 'static>(
        self: &Arc<Self>,
        role: Role,
        run: impl FnOnce(&Service) -> Result<T, RpcError> + Send + 'static,
    ) -> Result<T, RpcError> {
        let place = self.requests.take(role);
        let place = place.map_err(|message| RpcError::new(ErrorCode::TooMany, message))?;
        let service = Arc::clone(&self.service);
        let done = run_on_thread(role, move || {
            let done = run(&service);
            drop(place);
            done
        });
        done.await.unwrap_or_else(|error| {
            let code = match error {
                RequestThreadError::NotStarted(_) => ErrorCode::TooMany,
                RequestThreadError::Panicked => ErrorCode::Internal,
            };
            Err(RpcError::new(code, error.to_string()))
        })
    }
}

/// Redacts secrets in a failure, which may quote the screen.
fn redact_failure(service: &Service, failure: RpcError) -> RpcError {
    let secrets = service.secrets();
    if secrets.is_empty() {
        failure
    } else {
        failure.map_text(|words| secrets.text(words).into_owned())
    }
}

/// Fails for read-only clients.
pub(crate) fn require_write_access(role: Role) -> Result<(), HttpError> {
    match role {
        Role::Full => Ok(()),
        Role::ReadOnly => Err(HttpError::read_only()),
    }
}
