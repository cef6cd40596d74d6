//! `screentest server`, seen as a client sees it: lines through pipes.

mod client;
mod endings;
mod example;
mod garbage;
mod recordings;
mod secrets;
mod sessions;
mod transcripts;
mod views;
