//! The test library: snapshots, artifacts, secrets, and everything that tuispec offers.

mod owned_terminal;
mod pending_snapshots;
#[cfg(feature = "render")]
mod pictures;
mod project;
mod secrets;
mod tui;
mod tuispec_compat;
