//! The libraries; only the file of a library names its crate.
//!
//! Each is used as in its own documentation, with its defaults, with one exception: a pause that a
//! library makes before it sends input is turned off if there is a setting for it, since otherwise
//! only the pause would be measured.

pub(crate) mod expectrl;
pub(crate) mod rexpect;
pub(crate) mod rust_expect;
pub(crate) mod screentest;
pub(crate) mod termlens;
pub(crate) mod termwright;
pub(crate) mod tmux;
pub(crate) mod tui_test;

use std::time::Duration;

/// Longer than any task takes: a slow result must be measured, not end the run.
pub(crate) const PATIENCE: Duration = Duration::from_secs(170);
