//! A program in a PTY of the Linux kernel, under a guardian.
//!
//! This process owns the PTY. A supervisor (`guardian.rs`) owns the program and ends it on request,
//! when this handle is dropped, and when this process dies in any way.

use std::io;
use std::time::Duration;

use screentest_core::Size;

use super::guardian::{self, SupervisorHandle};
use super::idle::{self, Process, SoleProgram};
use super::launch::{Launch, SpawnError};
use super::master::Master;
use super::waker::Waker;
use super::{Activity, DROP_GRACE, Interest, LineState, Pty, PtyReady, Read};
use crate::app::App;
use crate::pty::signal::Signal;
use crate::session::exit_status::ExitStatus;

/// Starts a program in a terminal of this size.
///
/// Returns once the program runs, that is, after its `execve` succeeded.
pub fn spawn(app: &App, size: Size) -> Result<NativePty, SpawnError> {
    let launch = Launch::of(app)?;
    let (master, slave) = Master::open(size).map_err(SpawnError::terminal)?;
    let waker = Waker::new().map_err(SpawnError::terminal)?;
    // Our copy of the program's end is closed on return: kept open, it would prevent the end of
    // output.
    let supervisor = guardian::start(&launch, &slave)?;
    // Prepared while the program starts, because the first inspection of a process takes longer
    // than later ones.
    let program = supervisor.program();
    let supervisor_id = Process::parent_of(program);
    Ok(NativePty {
        master,
        waker,
        supervisor,
        supervisor_id,
        sole: supervisor_id.and_then(|id| SoleProgram::open(id, program)),
    })
}

/// A program that runs in a terminal; created by [`spawn`]. Dropping it closes it.
#[derive(Debug)]
pub struct NativePty {
    master: Master,
    waker: Waker,
    supervisor: SupervisorHandle,
    /// The supervisor's process id; `None` if the system does not report it.
    supervisor_id: Option<u32>,
    /// For faster inspections of a program without other processes.
    sole: Option<SoleProgram>,
}

impl NativePty {
    /// Returns the program's process id. Another process may have it once the program has exited.
    pub fn pid(&self) -> u32 {
        self.supervisor.program()
    }
}

impl Pty for NativePty {
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<PtyReady> {
        // Once the exit is known, the supervisor sends nothing worth waking for.
        let reports = match self.supervisor.known_exit_status() {
            Some(_) => None,
            None => Some(self.supervisor.reports()),
        };
        let mut ready = self.master.wait(interest, reports, &self.waker, timeout)?;
        // Reading the socket costs as much as reading the terminal, so only when it has data;
        // another thread may have read it before.
        let exit_status = if ready.ended {
            self.supervisor.listen().exit_status
        } else {
            self.supervisor.known_exit_status()
        };
        ready.ended = exit_status.is_some();
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

    fn line(&self) -> Option<LineState> {
        self.master.line()
    }

    fn has_line(&self) -> bool {
        true
    }

    fn activity(&self) -> Activity {
        match (self.supervisor.known_exit_status(), self.supervisor_id) {
            (None, Some(supervisor)) => idle::inspect(&self.master, supervisor, self.sole.as_ref()),
            _ => Activity::Unknown,
        }
    }

    fn is_stopped(&self) -> bool {
        match (self.supervisor.known_exit_status(), self.supervisor_id) {
            (None, Some(supervisor)) => idle::is_stopped(&self.master, supervisor, self.pid()),
            _ => false,
        }
    }

    fn exit_status(&self) -> Option<ExitStatus> {
        let update = self.supervisor.listen();
        if update.is_new {
            // A waiting thread would not see the report that was just read from the supervisor's
            // socket.
            self.waker.wake();
        }
        update.exit_status
    }

    fn wake(&self) {
        self.waker.wake();
    }

    fn close(&self, grace: Duration) -> io::Result<()> {
        let was_known = self.supervisor.known_exit_status().is_some();
        let closed = self.supervisor.close(grace);
        if !was_known {
            // This call may have read the report of the program's exit.
            self.waker.wake();
        }
        closed
    }
}

impl Drop for NativePty {
    fn drop(&mut self) {
        // The supervisor keeps trying to end the rest.
        let _ = self.close(DROP_GRACE);
    }
}
