//! How a life ends.

use anyhow::{Result, bail};
use screentest::{Outcome, Screen, Session, Signal, WaitError};

use crate::deed;
use crate::life::SOON;
use crate::program::{Nature, Program};
use crate::tally::Tally;

/// How often a program is asked to leave.
const ASKED: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The program leaves when it is told to.
    Left,
    /// The session is closed.
    Closed,
    /// The session is killed.
    Killed,
    /// The program is killed.
    Shot,
    /// The session is dropped.
    Dropped,
}

impl Ending {
    /// The endings that a program can come to.
    pub(crate) fn of(program: &Program) -> Vec<Ending> {
        let mut endings = vec![
            Ending::Closed,
            Ending::Killed,
            Ending::Shot,
            Ending::Dropped,
        ];
        if !program.leaves.is_empty() {
            endings.extend([Ending::Left, Ending::Left]);
        }
        endings
    }

    /// Comes to it; says what was shown last, where somebody could still look.
    pub(crate) fn come(
        self,
        session: Session,
        program: &Program,
        tally: &mut Tally,
    ) -> Result<Option<Screen>> {
        match self {
            Ending::Left => {
                leave(&session, program)?;
                tally.one("programs that left");
            }
            Ending::Closed => {
                session.close()?;
                tally.one("sessions closed");
            }
            Ending::Killed => {
                session.kill()?;
                tally.one("sessions killed");
            }
            Ending::Shot => {
                session.signal(Signal::KILL)?;
                let outcome = session.wait_exit(SOON)?;
                let alive = !matches!(outcome, Outcome::Exited(_));
                if alive && outcome != Outcome::Signaled(Signal::KILL) {
                    bail!("killed, and it ended otherwise: {outcome}");
                }
                tally.one("programs killed");
            }
            Ending::Dropped => {
                drop(session);
                tally.one("sessions dropped");
                return Ok(None);
            }
        }
        session.close()?;
        let last = session.screen();
        if session.outcome().is_none() {
            bail!("closed, and nobody knows how the program ended");
        }
        if let Some(recorded) = session.finish_recording() {
            recorded?;
        }
        // What `yes` had still to say when it was closed is of no interest, and takes long to be said.
        Ok((program.nature != Nature::Endless).then_some(last))
    }
}

/// Asks it to leave, and again where it did not hear: programs forget keys (see [`Program::paced`]).
fn leave(session: &Session, program: &Program) -> Result<()> {
    for _ in 0..ASKED {
        deed::give(session, program, program.leaves, "")?;
        match session.wait_exit(SOON / ASKED) {
            Err(WaitError::TimedOut { .. }) => {}
            left => return Ok(left.map(drop)?),
        }
    }
    Ok(session.wait_exit(SOON).map(drop)?)
}
