//! Nothing outlives a terminal.
