//! `screentest web`: sessions over HTTP and WebSocket, as a client meets them.

mod auto_wait;
mod buffer;
mod cassettes;
mod client;
mod decoder;
mod endings;
mod faults;
mod gate;
mod hostile;
mod mcp;
mod openapi;
mod page;
mod rpc;
mod sessions;
mod stream;
mod usage;
