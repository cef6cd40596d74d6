//! `server.ping`, `server.shutdown` and `cancel`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Perform;
use crate::service::MethodContext;
use crate::wire::RpcError;
use crate::wire::empty_params::EmptyParams;

/// The version that clients receive.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the server's version.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Ping {
    _empty: EmptyParams,
}

#[derive(Debug, Serialize)]
pub(crate) struct PingResponse {
    pong: bool,
    version: &'static str,
}

impl Perform for Ping {
    type Response = PingResponse;

    fn perform(self, _job: &MethodContext<'_>) -> Result<PingResponse, RpcError> {
        Ok(PingResponse {
            pong: true,
            version: VERSION,
        })
    }
}

/// Kills every program and then ends the server.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Shutdown {
    _empty: EmptyParams,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShutdownResponse {
    shutting_down: bool,
}

impl Perform for Shutdown {
    type Response = ShutdownResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<ShutdownResponse, RpcError> {
        context.service.shut_down();
        Ok(ShutdownResponse {
            shutting_down: true,
        })
    }
}

/// Cancels a request by its id. The interfaces handle this method, because only they know the ids
/// of queued requests. A call that arrives here, such as a step of a `batch`, cancels nothing.
#[derive(Debug, Deserialize)]
pub(crate) struct Cancel {
    #[serde(rename = "id")]
    _id: Value,
}

/// The response to `cancel`.
#[derive(Debug, Serialize)]
pub(crate) struct CancelResponse {
    cancelled: bool,
    ok: bool,
}

impl CancelResponse {
    /// `cancelled` says whether there was a request to cancel.
    pub(crate) fn new(cancelled: bool) -> CancelResponse {
        CancelResponse {
            cancelled,
            ok: true,
        }
    }
}

impl Perform for Cancel {
    type Response = CancelResponse;

    fn perform(self, _job: &MethodContext<'_>) -> Result<CancelResponse, RpcError> {
        Ok(CancelResponse::new(false))
    }
}
