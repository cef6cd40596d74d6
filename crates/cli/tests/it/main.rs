//! The built `screentest` binary, run as users and scripts run it.

mod commands;
mod conversion;
mod faults;
mod harness;
mod keys;
mod mcp;
mod recordings;
mod render;
mod review;
mod secrets;
mod server;
mod shell;
mod snap;
mod tape_runs;
mod tapes;
mod web;
