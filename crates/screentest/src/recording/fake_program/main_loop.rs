//! The main loop of a fake program, and the terminal or pipes that it runs on.

use std::io;
use std::time::Duration;

use super::{FakeProgram, FakeProgramAction, FakeProgramError, FakeProgramEvent, InputMismatch};
use crate::session::exit_status::ExitStatus;

/// The terminal or the pipes of a fake program.
pub trait FakeProgramIo {
    /// Writes all bytes; may block.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Waits for events until a given time, which may be in the past. The result may be empty.
    fn wait_for_events(&mut self, until: Option<Duration>) -> io::Result<Vec<FakeProgramEvent>>;
    /// The current time.
    fn now(&self) -> Duration;
}

/// How a replay ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FakeProgramExit {
    /// The exit status: as recorded, or the status after a mismatch or an unexpected signal.
    pub exit_status: ExitStatus,
    /// The difference from the recorded input, if there was one.
    pub mismatch: Option<InputMismatch>,
}

impl FakeProgram {
    /// Runs to the end.
    pub fn run(
        &mut self,
        terminal: &mut impl FakeProgramIo,
    ) -> Result<FakeProgramExit, FakeProgramError> {
        loop {
            let until = match self.next_action(terminal.now())? {
                FakeProgramAction::Write(bytes) => {
                    terminal.write(&bytes)?;
                    // Look for events between writes, so that a signal can end the program before
                    // all output is written.
                    Some(Duration::ZERO)
                }
                FakeProgramAction::Wait { until } => until,
                FakeProgramAction::Exit(exit_status) => {
                    return Ok(FakeProgramExit {
                        exit_status,
                        mismatch: self.mismatch().cloned(),
                    });
                }
            };
            for event in terminal.wait_for_events(until)? {
                self.receive(event, terminal.now());
            }
        }
    }
}
