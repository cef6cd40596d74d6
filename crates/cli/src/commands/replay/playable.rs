//! What can be played: frames, one after the other, each at its time.
//!
//! Elsewhere: the two that there are, a recording of the server (`film.rs`) and a cassette (`cassette.rs`).

use std::sync::Arc;
use std::time::Duration;

use screentest::core::{Position, Size};

/// Frames, and the one that is shown.
pub(super) trait Playable {
    /// What is shown.
    fn frame(&self) -> Frame;

    /// When that was shown, since the start.
    fn time(&self) -> Duration;

    /// When the next frame was shown; `None` at the last.
    fn next_time(&mut self) -> anyhow::Result<Option<Duration>>;

    /// Goes on by one frame; at the last it stays.
    fn forward(&mut self) -> anyhow::Result<()>;

    /// Goes back by one frame; at the first it stays.
    fn back(&mut self) -> anyhow::Result<()>;

    /// Goes to what was shown at this time.
    fn seek(&mut self, time: Duration) -> anyhow::Result<()>;

    /// How long it takes.
    fn duration(&self) -> Duration;

    /// The moments that have a name, in their order.
    fn marks(&self) -> &[Mark];

    /// Which frame is shown, counted from 1, and of how many, where that is known.
    fn place(&self) -> Option<(usize, usize)>;
}

/// A moment that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) name: String,
    pub(super) time: Duration,
}

/// What is shown at a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Frame {
    /// Rows from the first on. They hold nothing that a terminal obeys but styles and links.
    pub(super) lines: Vec<Arc<str>>,
    /// The size of the screen, where it is known.
    pub(super) size: Option<Size>,
    /// Where the cursor was shown.
    pub(super) cursor: Option<Position>,
    /// What was typed since the frame before, or if nothing was, what was typed last.
    pub(super) label: Option<Arc<str>>,
}
