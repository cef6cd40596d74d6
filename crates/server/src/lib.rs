//! Terminal programs over a protocol.
//!
//! One [`Service`] knows the sessions and does what is asked; each door speaks one protocol and asks it. What can be asked is
//! one closed list (`method.rs`), so that every door offers the same.
//!
//! Elsewhere: JSON-RPC on stdin and stdout (`stdio.rs`), MCP for agents (`mcp.rs`), HTTP and the page (`web.rs`), what stands on the wire
//! (`wire.rs`).
#![warn(missing_docs)]

mod audience;
mod caller;
mod follow;
pub mod mcp;
pub mod method;
mod picture;
#[doc(hidden)]
pub mod probe;
mod program;
pub mod recording;
mod service;
mod stage;
pub mod stdio;
mod stop;
mod subscription;
mod view;
pub mod web;
mod wheel;
pub mod wire;

pub use service::{Notice, Outlet, Service, Settings};
