//! A screen with a time.

use std::time::Duration;

use crate::Screen;

/// A screen and the time at which it appeared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingFrame {
    /// Time since the start of the recording.
    pub time: Duration,
    /// The screen, shown until the next frame.
    pub screen: Screen,
}
