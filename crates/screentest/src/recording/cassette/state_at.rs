//! Derives the screen with its scrollback at a given time. Frames do not store scrollback.

use std::time::Duration;

use screentest_core::State;
use screentest_core::formats::cassette::frames::{FrameMoment, FrameTime};
use screentest_core::formats::cassette::{self as format, Deriver};

use crate::recording::cassette::Cassette;
use crate::recording::cassette::error::CassetteError;
use crate::recording::cassette::error::read_error;
use crate::recording::cassette::streams::output_replay::OutputReplay;

impl Cassette {
    /// Returns the screen at a given time with up to `scrollback` rows of scrollback, derived by
    /// the emulator that derived the frames. From the end on, it is the last screen.
    pub fn state_at(&self, moment: Duration, scrollback: usize) -> Result<State, CassetteError> {
        let deriver =
            Deriver::pinned(&self.manifest().terminal).map_err(CassetteError::Emulator)?;
        let raw = self.output()?;
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let mut replay = OutputReplay::new(deriver, self.resizes()?);
        let mut frames = self.jsonl::<FrameMoment>(format::FRAMES)?;
        while let Some(frame) = frames.next()? {
            let shown = frame.shown();
            if shown.time.time() > moment {
                break;
            }
            replay
                .advance_to(&raw, &shown)
                .map_err(read_error(&raw_path))?;
        }
        let ending = self.ending();
        if moment >= ending.t_ms.time() {
            let last = FrameTime {
                seq: ending.seq,
                time: ending.t_ms,
                at: self.output_len(),
                unfinished: false,
            };
            replay
                .advance_to(&raw, &last)
                .map_err(read_error(&raw_path))?;
        }
        let mut state = replay.consumer.emulator().state(scrollback);
        // A synchronized update in progress does not change what is shown.
        state.screen.modes.synchronized = false;
        Ok(state)
    }
}
