//! The main loop of a fake program, and the terminal or pipes that it runs on.

use std::io;
use std::time::Duration;

use super::{Cue, Heard, ImpersonateError, Impersonator, Mismatch};
use crate::session::exit_status::ExitStatus;

/// The terminal or the pipes of a fake program.
pub trait Stage {
    /// Writes all bytes; may block.
    fn say(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Waits for events until a given time, which may be in the past. The result may be empty.
    fn listen(&mut self, until: Option<Duration>) -> io::Result<Vec<Heard>>;
    /// The current time.
    fn now(&self) -> Duration;
}

/// How a replay ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// The exit status: as recorded, or the status after a mismatch or an unexpected signal.
    pub outcome: ExitStatus,
    /// The difference from the recorded input, if there was one.
    pub mismatch: Option<Mismatch>,
}

impl Impersonator {
    /// Runs to the end.
    pub fn play(&mut self, stage: &mut impl Stage) -> Result<Ended, ImpersonateError> {
        loop {
            let until = match self.cue(stage.now())? {
                Cue::Say(bytes) => {
                    stage.say(&bytes)?;
                    // Look for events between writes, so that a signal can end the program before
                    // all output is written.
                    Some(Duration::ZERO)
                }
                Cue::Wait { until } => until,
                Cue::End(outcome) => {
                    return Ok(Ended {
                        outcome,
                        mismatch: self.mismatch().cloned(),
                    });
                }
            };
            for heard in stage.listen(until)? {
                self.hear(heard, stage.now());
            }
        }
    }
}
