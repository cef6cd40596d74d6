//! `screentest mcp`, seen as an agent's client sees it.

pub(crate) mod agent;
mod auto_wait;
mod endings;
mod figures;
mod garbage;
mod pages;
mod screens;
mod sdk;
mod secrets;
mod sessions;
mod troubles;
mod waits;
