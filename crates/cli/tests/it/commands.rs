//! Commands and options that do not have their own folder.

pub(crate) mod auto_wait;
mod completions;
mod control_characters;
mod help;
mod project_config;
mod readme;
mod terminal_output;
mod themes;
