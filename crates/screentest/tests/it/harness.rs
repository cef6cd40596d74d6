//! Helpers for the tests: sandboxes, isolated processes, and process lookup.

pub(crate) mod own_process;
pub(crate) mod processes;
pub(crate) mod sandbox;
