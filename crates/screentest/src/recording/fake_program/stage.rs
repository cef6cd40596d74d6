//! From cue to cue: the loop that plays, and what it plays on.

use std::io;
use std::time::Duration;

use super::{Cue, Heard, ImpersonateError, Impersonator, Mismatch};
use crate::session::exit_status::Outcome;

/// Where a recorded program is played: a terminal, or pipes.
pub trait Stage {
    /// Writes, however long that takes.
    fn say(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Waits until something comes, or until a moment that may be past; gives what came. Nothing may come, too.
    fn listen(&mut self, until: Option<Duration>) -> io::Result<Vec<Heard>>;
    /// The time.
    fn now(&self) -> Duration;
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// As the recorded program did, or as one ends to which something else happened.
    pub outcome: Outcome,
    /// What came instead of what was recorded, if something did.
    pub mismatch: Option<Mismatch>,
}

impl Impersonator {
    /// Plays to the end.
    pub fn play(&mut self, stage: &mut impl Stage) -> Result<Ended, ImpersonateError> {
        loop {
            let until = match self.cue(stage.now())? {
                Cue::Say(bytes) => {
                    stage.say(&bytes)?;
                    // Whoever ends it does not wait until everything was said.
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
