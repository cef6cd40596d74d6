//! `screentest web`: sessions over HTTP and WebSocket.

mod auth;
mod auto_wait;
mod buffer;
mod cassettes;
mod client;
mod decoder;
mod descriptor_limit;
mod exhaustion;
mod hostile;
mod limits;
mod mcp;
mod openapi;
mod page;
mod rpc;
mod secret_downloads;
mod server_options;
mod sessions;
mod shutdown;
mod stream;
