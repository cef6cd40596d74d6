//! Ways to end a session.

use anyhow::{Result, bail};
use screentest::session::WaitError;
use screentest::{ExitStatus, Screen, Session, Signal};

use crate::actions;
use crate::counters::Counters;
use crate::program::{Behaviour, Program};
use crate::session_run::TIMEOUT;

/// How often a program is asked to exit.
const ATTEMPTS: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionEnd {
    /// The program exits on request.
    ProgramExit,
    /// The session is closed.
    Close,
    /// The session is killed.
    Kill,
    /// The program is killed.
    KillProgram,
    /// The session is dropped.
    DropSession,
}

impl SessionEnd {
    /// Returns the ways that are possible for a program.
    pub(crate) fn of(program: &Program) -> Vec<SessionEnd> {
        let mut endings = vec![
            SessionEnd::Close,
            SessionEnd::Kill,
            SessionEnd::KillProgram,
            SessionEnd::DropSession,
        ];
        if !program.quit.is_empty() {
            endings.extend([SessionEnd::ProgramExit, SessionEnd::ProgramExit]);
        }
        endings
    }

    /// Ends the session; returns the last screen, if it is available and comparable.
    pub(crate) fn perform(
        self,
        session: Session,
        program: &Program,
        counters: &mut Counters,
    ) -> Result<Option<Screen>> {
        match self {
            SessionEnd::ProgramExit => {
                quit_program(&session, program)?;
                counters.one("programs that exited");
            }
            SessionEnd::Close => {
                session.close()?;
                counters.one("sessions closed");
            }
            SessionEnd::Kill => {
                session.kill()?;
                counters.one("sessions killed");
            }
            SessionEnd::KillProgram => {
                session.signal(Signal::KILL)?;
                let exit_status = session.wait_for_exit(TIMEOUT)?;
                let alive = !matches!(exit_status, ExitStatus::Exited(_));
                if alive && exit_status != ExitStatus::Signaled(Signal::KILL) {
                    bail!("the program was killed, but its exit status is: {exit_status}");
                }
                counters.one("programs killed");
            }
            SessionEnd::DropSession => {
                drop(session);
                counters.one("sessions dropped");
                return Ok(None);
            }
        }
        session.close()?;
        let last = session.screen();
        if session.exit_status().is_none() {
            bail!("the session is closed, but the program has no exit status");
        }
        if let Some(recording) = session.finish_recording() {
            recording?;
        }
        // The remaining output of `yes` is not compared: there is much of it, and it takes long to
        // read.
        Ok((program.behaviour != Behaviour::Endless).then_some(last))
    }
}

/// Asks the program to exit, several times if necessary: some programs lose keys (see
/// [`Program::needs_settling`]).
fn quit_program(session: &Session, program: &Program) -> Result<()> {
    for _ in 0..ATTEMPTS {
        actions::send_steps(session, program, program.quit, "")?;
        match session.wait_for_exit(TIMEOUT / ATTEMPTS) {
            Err(WaitError::TimedOut { .. }) => {}
            left => return Ok(left.map(drop)?),
        }
    }
    Ok(session.wait_for_exit(TIMEOUT).map(drop)?)
}
