//! Servers for terminal programs: JSON-RPC, MCP and HTTP.
//!
//! One [`Service`] holds the sessions and executes requests. Each interface speaks one protocol and
//! calls the service. All interfaces share one closed list of methods (`method.rs`).
//!
//! See also: `stdio.rs` (JSON-RPC on stdin and stdout), `mcp.rs` (MCP for agents), `web.rs` (HTTP
//! and the page), `wire.rs` (the messages).
#![warn(missing_docs)]

mod limits;
pub mod mcp;
pub mod method;
mod service;
mod session;
pub mod stdio;
pub mod web;
pub mod wire;

#[doc(hidden)]
pub use service::fuzz_entry;
pub use service::recording;
pub use service::{Notification, NotificationSink, Service, ServiceSettings};
