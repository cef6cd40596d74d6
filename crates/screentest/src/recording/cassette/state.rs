//! Derives the screen with its scrollback at a given time. Frames do not store scrollback.

use std::time::Duration;

use screentest_core::State;
use screentest_core::formats::cassette::frames::{FrameMoment, FrameTime};
use screentest_core::formats::cassette::{self as format, Deriver};

use super::error::CassetteError;
use super::iter::Walk;
use super::open::{Cassette, unread};

impl Cassette {
    /// Returns the screen at a given time with up to `scrollback` rows of scrollback, derived by
    /// the emulator that derived the frames. After the end, it is the last screen.
    pub fn state_at(&self, moment: Duration, scrollback: usize) -> Result<State, CassetteError> {
        let deriver =
            Deriver::pinned(&self.manifest().terminal).map_err(CassetteError::Emulator)?;
        let raw = self.output()?;
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let mut walk = Walk::new(deriver, self.resizes()?);
        let mut frames = self.stream::<FrameMoment>(format::FRAMES)?;
        while let Some(frame) = frames.next()? {
            let shown = frame.shown();
            if shown.time.time() > moment {
                break;
            }
            walk.to(&raw, &shown).map_err(unread(&raw_path))?;
        }
        let ending = self.ending();
        if moment >= ending.t_ms.time() {
            let last = FrameTime {
                seq: ending.seq,
                time: ending.t_ms,
                at: self.output_len(),
                unfinished: false,
            };
            walk.to(&raw, &last).map_err(unread(&raw_path))?;
        }
        let mut state = walk.walker.emulator().state(scrollback);
        // A synchronized update in progress does not change what is shown.
        state.screen.modes.synchronized = false;
        Ok(state)
    }
}
