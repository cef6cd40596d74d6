//! A screen with a time.

use std::time::Duration;

use crate::Screen;

/// What was shown from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// When, from the start of a recording.
    pub time: Duration,
    /// What.
    pub screen: Screen,
}
