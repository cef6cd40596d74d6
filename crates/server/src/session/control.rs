//! Exclusive control of a session's input.
//!
//! While no client has control, every client with full access may type. Once a person takes
//! control, input from all other clients is refused, so that two people do not type into the same
//! text. Control ends when its holder releases it or disconnects.

use std::sync::{Mutex, MutexGuard};

use crate::service::client::ClientHandle;
use crate::service::lock;
use crate::wire::{ErrorCode, RpcError};

/// The control of one session.
#[derive(Debug, Default)]
pub(crate) struct Control(Mutex<Option<ControlHolder>>);

/// The client that has control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ControlHolder {
    client: u64,
    /// The name that the client gave itself.
    pub(crate) name: String,
}

impl Control {
    /// Gives control to a client, even if another client has it.
    pub(crate) fn take(&self, caller: &ClientHandle, name: String) {
        *self.lock() = Some(ControlHolder {
            client: caller.number,
            name,
        });
    }

    /// Releases control if the caller has it. Returns whether the caller had control.
    pub(crate) fn release(&self, caller: &ClientHandle) -> bool {
        let mut holder = self.lock();
        holder
            .take_if(|holder| holder.client == caller.number)
            .is_some()
    }

    /// Returns the client that has control.
    pub(crate) fn holder(&self) -> Option<ControlHolder> {
        self.lock().clone()
    }

    /// Returns whether this client has control.
    pub(crate) fn is_held_by(&self, caller: &ClientHandle) -> bool {
        self.holder()
            .is_some_and(|holder| holder.client == caller.number)
    }

    /// Fails if another client has control.
    pub(crate) fn check(&self, caller: &ClientHandle) -> Result<(), RpcError> {
        match self.holder() {
            Some(holder) if holder.client != caller.number => Err(RpcError::new(
                ErrorCode::ControlTaken,
                format!(
                    "{} has control of the session: try again after they release it",
                    holder.name
                ),
            )),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<ControlHolder>> {
        lock(&self.0)
    }
}
