//! Iterates over all frames of a cassette, for example to make a video.

use std::time::Duration;

use screentest_core::RecordingFrame;

use super::{PlayError, Player};

/// The frames of a cassette, in order of time. An error ends the iteration.
#[derive(Debug)]
pub struct PlayerFrames<'a> {
    player: Player<'a>,
    /// The end of the recording, until it has been returned.
    end: Option<Duration>,
    failed: bool,
}

impl<'a> Player<'a> {
    /// The remaining frames, with the content of their images. The first frame of the cassette gets
    /// the time zero. The last screen is repeated with the time at which the recording ended, so
    /// that its duration is known.
    pub fn into_frames(self) -> PlayerFrames<'a> {
        let timing = &self.cassette().manifest().timing;
        PlayerFrames {
            end: Some(timing.duration_ms.time()),
            player: self,
            failed: false,
        }
    }
}

impl Iterator for PlayerFrames<'_> {
    type Item = Result<RecordingFrame, PlayError>;

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
        let screen = self.player.screen_with_images()?;
        Some(Ok(RecordingFrame { time, screen }))
    }
}
