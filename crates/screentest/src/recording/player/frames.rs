//! All that a cassette shows, frame by frame: for who makes a film of it.

use std::time::Duration;

use screentest_core::Frame;

use super::{PlayError, Player};

/// The frames of a cassette, in the order of time; what is wrong with one is the last that is told.
#[derive(Debug)]
pub struct Frames<'a> {
    player: Player<'a>,
    /// When it ended, until that is told too.
    end: Option<Duration>,
    failed: bool,
}

impl<'a> Player<'a> {
    /// All that follows. What is shown first has been there from the start, and the last screen is told a second time, when the
    /// recording ended, so that its pause is kept.
    pub fn into_frames(self) -> Frames<'a> {
        let timing = &self.cassette().manifest().timing;
        Frames {
            end: Some(timing.duration_ms.time()),
            player: self,
            failed: false,
        }
    }
}

impl Iterator for Frames<'_> {
    type Item = Result<Frame, PlayError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let first = self.player.shown().is_none();
        let time = match self.player.forward() {
            Ok(Some(_)) if first => Duration::ZERO,
            Ok(Some(_)) => self.player.time(),
            Ok(None) => self.end.take().filter(|end| *end > self.player.time())?,
            Err(error) => {
                self.failed = true;
                return Some(Err(error));
            }
        };
        let screen = self.player.screen()?.clone();
        Some(Ok(Frame { time, screen }))
    }
}
