//! Commands and options that belong to no other folder.

pub(crate) mod auto_wait;
mod completions;
mod help;
mod project_config;
mod readme;
mod terminal_output;
mod themes;
