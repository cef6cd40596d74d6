//! What was on the screen at a moment, with what had scrolled out: no frame keeps that, so that it is derived.

use std::time::Duration;

use screentest_core::State;
use screentest_core::formats::cassette::frames::{FrameMoment, Shown};
use screentest_core::formats::cassette::{self as format, Deriver};

use super::error::CassetteError;
use super::iter::Walk;
use super::open::{Cassette, unread};

impl Cassette {
    /// What was on the screen at a moment, with so many rows of scrollback, derived by the emulator that derived the frames. Behind the
    /// end it is what was left.
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
            let last = Shown {
                seq: ending.seq,
                time: ending.t_ms,
                at: self.output_len(),
                unfinished: false,
            };
            walk.to(&raw, &last).map_err(unread(&raw_path))?;
        }
        let mut state = walk.walker.emulator().state(scrollback);
        // An update that begins or goes on changes nothing that is shown.
        state.screen.modes.synchronized = false;
        Ok(state)
    }
}
