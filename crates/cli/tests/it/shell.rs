//! Sessions from a shell: `open` and what drives what it opened.

mod attach;
mod auto_wait;
mod child_environment;
mod daemon;
mod examples;
mod invalid_arguments;
pub(crate) mod sandbox;
mod sessions;
mod verbs;
