//! The server itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Perform;
use crate::service::Job;
use crate::wire::Failure;
use crate::wire::nothing::Nothing;

/// The version that clients are told.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Says that the server is there.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Ping {
    _nothing: Nothing,
}

#[derive(Debug, Serialize)]
pub(crate) struct Pong {
    pong: bool,
    version: &'static str,
}

impl Perform for Ping {
    type Answer = Pong;

    fn perform(self, _job: &Job<'_>) -> Result<Pong, Failure> {
        Ok(Pong {
            pong: true,
            version: VERSION,
        })
    }
}

/// Ends every program and then the server.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Shutdown {
    _nothing: Nothing,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShuttingDown {
    shutting_down: bool,
}

impl Perform for Shutdown {
    type Answer = ShuttingDown;

    fn perform(self, job: &Job<'_>) -> Result<ShuttingDown, Failure> {
        job.service.shut_down();
        Ok(ShuttingDown {
            shutting_down: true,
        })
    }
}

/// Cancels a request by its id. The door does so, as only it knows ids and what waits; what comes here came too late.
#[derive(Debug, Deserialize)]
pub(crate) struct Cancel {
    #[serde(rename = "id")]
    _id: Value,
}

/// What is answered to who cancels.
#[derive(Debug, Serialize)]
pub(crate) struct Cancelled {
    cancelled: bool,
    ok: bool,
}

impl Cancelled {
    /// Whether there was anything to cancel.
    pub(crate) fn answer(cancelled: bool) -> Cancelled {
        Cancelled {
            cancelled,
            ok: true,
        }
    }
}

impl Perform for Cancel {
    type Answer = Cancelled;

    fn perform(self, _job: &Job<'_>) -> Result<Cancelled, Failure> {
        Ok(Cancelled::answer(false))
    }
}
