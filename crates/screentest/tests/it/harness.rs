//! Helpers for the tests: sandboxes, isolated processes, process lookup, and load.

pub(crate) mod own_process;
pub(crate) mod processes;
pub(crate) mod sandbox;
