//! The context of a method: the request that it executes, its client and its session.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use screentest::WaitOptions;
use screentest::core::State;
use screentest::session::Interrupt;

use crate::service::client::ClientHandle;
use crate::service::{Reservation, Service};
use crate::session::NamedSession;
use crate::wire::send_options::SendOptions;
use crate::wire::{ErrorCode, RpcError};

/// The context of one request while it is executed.
#[derive(Debug)]
pub(crate) struct MethodContext<'a> {
    pub(crate) service: &'a Service,
    pub(crate) interrupt: &'a Interrupt,
    /// The session that the request names.
    pub(crate) session_name: Option<String>,
    pub(crate) origin: RequestOrigin,
    /// The request's options for sending input.
    pub(crate) send: SendOptions,
    pub(super) session: Result<Arc<NamedSession>, RpcError>,
}

/// The client of a request, and the `batch` or `replay` requests that contain it.
#[derive(Debug, Clone)]
pub(crate) struct RequestOrigin {
    pub(crate) caller: ClientHandle,
    /// Number of requests that contain this one.
    pub(crate) depth: usize,
    /// Number of steps that this request and the requests in it may still contain.
    pub(crate) steps_left: Arc<AtomicUsize>,
    /// The session of nested requests that name none.
    pub(crate) session_name: Option<String>,
    /// Whether the request comes from a recording.
    pub(crate) replayed: bool,
}

impl MethodContext<'_> {
    /// Fails if the request has been cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<(), RpcError> {
        if self.interrupt.is_raised() {
            Err(RpcError::new(ErrorCode::Cancelled, "it was interrupted"))
        } else {
            Ok(())
        }
    }

    /// Returns options for waits that end when the request is cancelled. Without a timeout, the
    /// session's timeout applies.
    pub(crate) fn wait_options(&self, timeout: Option<Duration>) -> WaitOptions {
        let mut waits = WaitOptions::default().interrupt(self.interrupt.clone());
        waits.timeout = timeout;
        self.send.apply(waits)
    }

    /// Like [`MethodContext::wait_options`]. With `anytime`, text that was on the screen before
    /// Enter also counts.
    pub(crate) fn wait_options_for(
        &self,
        timeout: Option<Duration>,
        anytime: Option<bool>,
    ) -> WaitOptions {
        match anytime {
            Some(true) => self.wait_options(timeout).anytime(),
            _ => self.wait_options(timeout),
        }
    }

    /// Returns the origin of requests that this one contains.
    pub(crate) fn nested_origin(&self) -> RequestOrigin {
        RequestOrigin {
            depth: self.origin.depth + 1,
            session_name: self.session_name.clone(),
            ..self.origin.clone()
        }
    }

    /// Reads the state of the session's program, with at most `scrollback` rows of scrollback. The
    /// reserved memory must be kept as long as the state.
    pub(crate) fn state(&self, scrollback: usize) -> Result<(State, Reservation), RpcError> {
        let program = self.session()?.program_session("viewport sync")?;
        let role = self.origin.caller.role;
        self.service.state(role, &program, scrollback)
    }

    /// Returns the session that the request is for.
    pub(crate) fn session(&self) -> Result<&Arc<NamedSession>, RpcError> {
        self.session.as_ref().map_err(RpcError::clone)
    }
}
