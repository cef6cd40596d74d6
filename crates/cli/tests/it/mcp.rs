//! `screentest mcp`, driven by an MCP client.

pub(crate) mod agent;
mod answer_size;
mod auto_wait;
mod documentation;
mod errors;
mod garbage;
mod screens;
mod sdk;
mod secrets;
mod sessions;
mod shutdown;
mod waits;
