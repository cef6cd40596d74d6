//! What clients send, read as the doors read it, without pipes, sockets from outside or a process of one's own.
//!
//! For the fuzz targets of this project (`fuzz/`), which feed it whatever bytes there are. Nobody else needs it, and so no documentation shows it.

use screentest::Interrupt;
use serde_json::Value;

use crate::method::Action;
use crate::service::Service;
use crate::wire::{Failure, message};

pub use crate::web::InMemoryServer;

/// Answers a line of JSON-RPC; `None` where nothing is to be answered.
pub fn line(service: &Service, line: &[u8]) -> Option<String> {
    let (id, outcome) = match message::read(line) {
        Ok(call) => {
            let done = service.call(&call.method, call.params, &Interrupt::new());
            (Some(call.id?), done)
        }
        Err(refused) => (refused.id, Err(refused.failure)),
    };
    let outcome = outcome.map_err(|failure| service.covered(message::value(&failure)));
    Some(message::answer(id.as_ref(), &outcome))
}

/// Reads the parameters of a method, and does nothing with them.
pub fn params(method: &str, params: Value) -> Result<(), Failure> {
    Action::read(method, params).map(drop)
}
