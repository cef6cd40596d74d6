//! Entry points for the fuzz targets in `fuzz/`.
//!
//! They parse client input exactly as the interfaces do, without pipes, sockets or a separate
//! process. Hidden from the documentation because nothing else needs them.

use screentest::session::Interrupt;
use serde_json::Value;

use crate::method::MethodCall;
use crate::service::Service;
use crate::wire::{RpcError, message};

pub use crate::web::InMemoryServer;

/// Executes a line of JSON-RPC and returns the response, or `None` for a notification.
pub fn line(service: &Service, line: &[u8]) -> Option<String> {
    let (id, outcome) = match message::parse_request(line) {
        Ok(request) => {
            let done = service.call(&request.method, request.params, &Interrupt::new());
            (Some(request.id?), done)
        }
        Err(invalid) => (invalid.id, Err(invalid.error)),
    };
    let outcome = outcome.map_err(|error| service.redact(message::to_value(&error)));
    Some(message::response_line(id.as_ref(), &outcome))
}

/// Parses the parameters of a method without executing it.
pub fn params(method: &str, params: Value) -> Result<(), RpcError> {
    MethodCall::parse(method, params).map(drop)
}
