//! `screentest server`, driven through pipes.

mod after_enter;
mod auto_wait;
mod cancellation;
pub(crate) mod client;
mod errors;
mod examples;
mod garbage;
mod limits;
mod recordings;
mod secrets;
mod sessions;
mod shutdown;
mod transcripts;
mod view_files;
mod view_notifications;
