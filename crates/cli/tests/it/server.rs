//! `screentest server`, seen as a client sees it: lines through pipes.

mod after_enter;
mod auto_wait;
mod cancels;
pub(crate) mod client;
mod endings;
mod example;
mod garbage;
mod keeping;
mod recordings;
mod secrets;
mod sessions;
mod transcripts;
mod troubles;
mod views;
