//! A screen with a time.

use std::time::Duration;

use crate::Screen;

/// The screen shown from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Time since the start of the recording.
    pub time: Duration,
    /// The screen from that time on.
    pub screen: Screen,
}
