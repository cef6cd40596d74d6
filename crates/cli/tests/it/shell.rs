//! Sessions from a shell: `open` and what drives what it opened.

mod attach;
mod auto_wait;
mod daemon;
mod example;
pub(crate) mod home;
mod programs;
mod sessions;
mod usage;
mod verbs;
