//! The interface of recordings that can be played.
//!
//! Implementations: a recording of the server (`server_recording.rs`) and a cassette
//! (`cassette.rs`).

use std::sync::Arc;
use std::time::Duration;

use screentest::core::{Position, Size};

/// A sequence of frames with a current one.
pub(super) trait Playable {
    /// Returns the current frame.
    fn frame(&self) -> ShownFrame;

    /// Returns the time of the current frame since the start.
    fn time(&self) -> Duration;

    /// Returns the time of the next frame; `None` at the last.
    fn next_time(&mut self) -> anyhow::Result<Option<Duration>>;

    /// Moves to the next frame; does nothing at the last.
    fn forward(&mut self) -> anyhow::Result<()>;

    /// Moves to the previous frame; does nothing at the first.
    fn back(&mut self) -> anyhow::Result<()>;

    /// Moves to the frame at this time.
    fn seek(&mut self, time: Duration) -> anyhow::Result<()>;

    /// Returns the duration.
    fn duration(&self) -> Duration;

    /// Returns the marks, in order.
    fn marks(&self) -> &[ReplayMark];

    /// Returns the number of the current frame, counted from 1, and the number of frames, if known.
    fn place(&self) -> Option<(usize, usize)>;
}

/// A named moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReplayMark {
    pub(super) name: String,
    pub(super) time: Duration,
}

/// A frame to show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ShownFrame {
    /// The rows, top to bottom. They contain no control sequences except styles and links.
    pub(super) lines: Vec<Arc<str>>,
    /// The size of the screen, if known.
    pub(super) size: Option<Size>,
    /// The position of the cursor, if visible.
    pub(super) cursor: Option<Position>,
    /// The input since the previous frame; if there was none, the last input.
    pub(super) label: Option<Arc<str>>,
}
