//! The shell commands: `open` and the commands that drive its sessions.

mod attach;
mod auto_wait;
mod child_environment;
mod daemon;
mod examples;
mod invalid_arguments;
pub(crate) mod sandbox;
mod sessions;
mod verbs;
