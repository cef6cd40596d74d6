//! Runs the built binary and inspects its results.

pub(crate) mod cli;
pub(crate) mod image_header;
pub(crate) mod processes;
pub(crate) mod server_pipes;
