//! Commands and options that have no folder of their own.

pub(crate) mod auto_wait;
mod completions;
mod help;
mod project_config;
mod readme;
mod terminal_output;
mod themes;
