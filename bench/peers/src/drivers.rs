//! The libraries, each in a file that alone names its crate.
//!
//! Each is used as its own documentation shows it, with what it does by default. One thing is changed: a pause that a library makes
//! before it sends is turned off where it has a setting for that, since it would only be measured as such.

pub(crate) mod expectrl;
pub(crate) mod rexpect;
pub(crate) mod rust_expect;
pub(crate) mod screentest;
pub(crate) mod termlens;
pub(crate) mod termwright;
pub(crate) mod tmux;
pub(crate) mod tui_test;

use std::time::Duration;

/// Longer than anything takes: what is late must be measured, not end the run.
pub(crate) const PATIENCE: Duration = Duration::from_secs(170);
