//! `screentest web`: sessions over HTTP and WebSocket, as a client meets them.

mod buffer;
mod cassettes;
mod client;
mod gate;
mod rpc;
mod sessions;
mod stream;
mod usage;
