//! A program in a terminal of the Linux kernel, under the eyes of a guardian.
//!
//! The terminal is ours, the program belongs to its supervisor (`guardian.rs`), and the supervisor ends it when it is told
//! to, when this handle is dropped, and when this process dies in whatever way.

use std::io;
use std::time::Duration;

use screentest_core::Size;

use super::guardian::{self, Supervisor};
use super::idle::{self, Process, SoleProgram};
use super::launch::{Launch, SpawnError};
use super::master::Master;
use super::waker::Bell;
use super::{Activity, DROP_GRACE, Interest, Line, Pty, Read, Ready};
use crate::app::App;
use crate::pty::signal::Signal;
use crate::session::exit_status::Outcome;

/// Starts a program in a terminal of this size.
///
/// Returns once the program runs, that is, after its `execve` succeeded.
pub fn spawn(app: &App, size: Size) -> Result<NativePty, SpawnError> {
    let launch = Launch::of(app)?;
    let (master, slave) = Master::open(size).map_err(SpawnError::terminal)?;
    let bell = Bell::new().map_err(SpawnError::terminal)?;
    // Ours of the program's end goes when this returns: held any longer, the end of output would never be seen.
    let supervisor = guardian::start(&launch, &slave)?;
    // While the program starts: the first look at a process takes longer than later ones.
    let program = supervisor.program();
    let supervisor_id = Process::parent_of(program);
    Ok(NativePty {
        master,
        bell,
        supervisor,
        supervisor_id,
        sole: supervisor_id.and_then(|id| SoleProgram::open(id, program)),
    })
}

/// A program that runs in a terminal; made by [`spawn`]. Dropping it closes it.
#[derive(Debug)]
pub struct NativePty {
    master: Master,
    bell: Bell,
    supervisor: Supervisor,
    /// The supervisor's process; `None` where the system does not say.
    supervisor_id: Option<u32>,
    /// For looks that are shorter where the program is alone.
    sole: Option<SoleProgram>,
}

impl NativePty {
    /// The program's process id. Another process may have it once the program has ended.
    pub fn pid(&self) -> u32 {
        self.supervisor.program()
    }
}

impl Pty for NativePty {
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<Ready> {
        // Once the end is known, the supervisor has no news that would be worth waking for.
        let reports = match self.supervisor.known_outcome() {
            Some(_) => None,
            None => Some(self.supervisor.reports()),
        };
        let mut ready = self.master.wait(interest, reports, &self.bell, timeout)?;
        // Asking the socket costs as much as reading the terminal, so only when it has something to say; and another
        // thread may have asked before.
        let outcome = if ready.ended {
            self.supervisor.listen().outcome
        } else {
            self.supervisor.known_outcome()
        };
        ready.ended = outcome.is_some();
        Ok(ready)
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<Read> {
        self.master.read(buffer)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.master.write(bytes)
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.master.resize(size)
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        self.supervisor.signal(signal)
    }

    fn line(&self) -> Option<Line> {
        self.master.line()
    }

    fn has_line(&self) -> bool {
        true
    }

    fn activity(&self) -> Activity {
        match (self.supervisor.known_outcome(), self.supervisor_id) {
            (None, Some(supervisor)) => idle::look(&self.master, supervisor, self.sole.as_ref()),
            _ => Activity::Unknown,
        }
    }

    fn is_stopped(&self) -> bool {
        match (self.supervisor.known_outcome(), self.supervisor_id) {
            (None, Some(supervisor)) => idle::is_stopped(&self.master, supervisor, self.pid()),
            _ => false,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let heard = self.supervisor.listen();
        if heard.news {
            // A thread that waits would not see what we just took from the supervisor's socket.
            self.bell.ring();
        }
        heard.outcome
    }

    fn wake(&self) {
        self.bell.ring();
    }

    fn close(&self, grace: Duration) -> io::Result<()> {
        let was_known = self.supervisor.known_outcome().is_some();
        let closed = self.supervisor.close(grace);
        if !was_known {
            // It may have been the first to hear of the program's end.
            self.bell.ring();
        }
        closed
    }
}

impl Drop for NativePty {
    fn drop(&mut self) {
        // What could not be ended in time is still in the hands of its supervisor, which tries on without us.
        let _ = self.close(DROP_GRACE);
    }
}
