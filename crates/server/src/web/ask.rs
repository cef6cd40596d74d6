//! Asking the service from where nothing may block.

use std::sync::Arc;

use screentest::Interrupt;
use serde_json::Value;

use super::Web;
use super::refusal::Refusal;
use crate::service::Service;
use crate::service::client::{ClientHandle, Role};
use crate::wire::{ErrorCode, RpcError};

/// Raised when whoever asked goes away: nobody waits then for what they asked.
struct Wanted(Interrupt);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.raise();
    }
}

tokio::task_local! {
    /// What whoever sent the request that is answered may do: by that they have their places.
    pub(super) static ROLE: Role;
}

impl Web {
    /// Does what somebody asks, on a thread of its own.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        caller: &ClientHandle,
        method: &str,
        params: Value,
    ) -> Result<Value, RpcError> {
        self.ask_until(caller, method, params, Interrupt::new())
            .await
    }

    /// The same, until somebody raises the interrupt.
    pub(crate) async fn ask_until(
        self: &Arc<Self>,
        caller: &ClientHandle,
        method: &str,
        params: Value,
        interrupt: Interrupt,
    ) -> Result<Value, RpcError> {
        let wanted = Wanted(interrupt.clone());
        let (caller, method) = (caller.clone(), method.to_owned());
        let done = self
            .do_blocking_for(caller.role, move |service| {
                service.call_as(caller, &method, params, &interrupt)
            })
            .await;
        drop(wanted);
        self.end_if_asked();
        done.map_err(|failure| self.covered(failure))
    }

    /// Does something that may block, and not for long.
    pub(crate) async fn do_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Service) -> Result<T, RpcError> + Send + 'static,
    ) -> Result<T, RpcError> {
        let role = ROLE.try_with(|role| *role).unwrap_or(Role::Full);
        self.do_blocking_for(role, act).await
    }

    /// Does something that may block, in the place of somebody of this role.
    async fn do_blocking_for<T: Send + 'static>(
        self: &Arc<Self>,
        role: Role,
        act: impl FnOnce(&Service) -> Result<T, RpcError> + Send + 'static,
    ) -> Result<T, RpcError> {
        let Some(place) = self.places.take(role) else {
            return Err(RpcError::new(
                ErrorCode::TooMany,
                "too many requests are under way: wait for some of them",
            ));
        };
        let service = Arc::clone(&self.service);
        let done = tokio::task::spawn_blocking(move || {
            let done = act(&service);
            drop(place);
            done
        });
        // A fault of ours costs one request.
        done.await.unwrap_or_else(|_| {
            Err(RpcError::new(
                ErrorCode::Internal,
                "a fault of the server, which its stderr tells",
            ))
        })
    }

    /// What explains a failure quotes what was shown.
    fn covered(&self, failure: RpcError) -> RpcError {
        let secrets = self.service.secrets();
        match secrets.is_empty() {
            true => failure,
            false => failure.map_text(|words| secrets.text(words).into_owned()),
        }
    }
}

/// Whether somebody may do more than look.
pub(crate) fn check_touch(role: Role) -> Result<(), Refusal> {
    match role {
        Role::Full => Ok(()),
        Role::ReadOnly => Err(Refusal::only_look()),
    }
}
