//! Guardian: processes that end everything that a session started.
//!
//! Three kinds of process are involved besides the host, the process that uses this library:
//!
//! ```text
//! host ──► guardian ──► supervisor ──► program ──► its descendants
//!          one          one for each running program
//! ```
//!
//! - The **guardian** (`guardian/guardian_process.rs`) is forked from the host at the first start.
//!   It forks supervisors: one ahead of need, if none is idle. So supervisors are children of
//!   a small quiet process and not of the host, where they would mix with the host's own children.
//!   If a supervisor is killed, the guardian ends its processes.
//! - A **supervisor** (`guardian/supervisor.rs`) is a *subreaper*: a descendant that loses its
//!   parent becomes its child, however it detached itself. So the supervisor has no child left
//!   exactly when no process of the program is left. It holds one end of a socket. When the other
//!   end closes, because the host closed it or died, the supervisor ends its processes.
//! - The **program** (`guardian/program.rs`) is started by its supervisor.
//!
//! This file is the host's side. The code that runs after a fork, in the files below, has a rule.
//! It runs in a copy of the host's memory, in which every lock may be held by a thread that no
//! longer exists. So it only makes system calls on existing memory: it does not allocate, lock or
//! panic, and it never returns into the host's code. For the reasons see
//! docs/decisions/0002-guardian.md.
#![expect(
    unsafe_code,
    reason = "forks without exec, and system calls that no crate wraps for such a process"
)]

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags,
    SocketType, recv, send, sendmsg, socketpair,
};
use rustix::process::{Pid, getpid};

use self::message::{HostOrder, StartStep, SupervisorReport};
use super::launch::{Launch, SpawnError};
use crate::file_limit::with_file_limit_as_error;
use crate::pty::signal::Signal;
use crate::session::exit_status::ExitStatus;

mod descendants;
mod drop_memory;
mod exec_args;
mod guardian_process;
mod idle_pool;
mod message;
mod program;
mod supervisor;

/// How long after the grace period a kill may take before [`SupervisorHandle::close`] gives up. A
/// killed process that exists this long hangs in the kernel (for example on a dead network file
/// system) or belongs to another user.
const KILL_LIMIT: Duration = Duration::from_secs(10);

/// How often to check whether the guardian is alive while a request is unanswered.
const ALIVE_CHECK_INTERVAL: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// The host's guardian, once started.
static GUARDIAN: Mutex<Option<Arc<Guardian>>> = Mutex::new(None);

/// How often to try a start. The first try may meet a guardian that was just killed, the next a
/// killed supervisor.
const TRIES: usize = 3;

/// Starts a program on `slave`, under a supervisor.
pub(super) fn start(launch: &Launch, slave: &OwnedFd) -> Result<SupervisorHandle, SpawnError> {
    let exec_args = with_file_limit_as_error(|| exec_args::pack(launch))
        .map_err(|error| SpawnError::guardian(error.into()))?;
    let mut last = None;
    // A retry is safe: either nothing was started, or the started program ends when the socket of
    // its supervisor closes.
    for _ in 0..TRIES {
        let guardian = Guardian::current().map_err(SpawnError::guardian)?;
        let socket = match guardian.request(&exec_args, slave) {
            Ok(socket) => socket,
            Err(error) => {
                last = Some(error);
                continue;
            }
        };
        match guardian.first_report(&socket)? {
            Some(SupervisorReport::Started { program }) => {
                return Ok(SupervisorHandle {
                    socket,
                    program,
                    state: Mutex::default(),
                });
            }
            Some(SupervisorReport::Failed { step, errno }) => {
                return Err(failure(launch, step, io::Error::from_raw_os_error(errno)));
            }
            _ => last = Some(io::ErrorKind::UnexpectedEof.into()),
        }
    }
    let last = last.unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into());
    Err(SpawnError::guardian(last))
}

fn failure(launch: &Launch, step: StartStep, source: io::Error) -> SpawnError {
    match step {
        StartStep::Supervise => SpawnError::guardian(source),
        StartStep::Terminal => SpawnError::terminal(source),
        StartStep::Enter => SpawnError::CwdRefused {
            cwd: launch.cwd(),
            source,
        },
        StartStep::Execute => launch.refused(source),
    }
}

/// The host's connection to its guardian.
#[derive(Debug)]
struct Guardian {
    socket: OwnedFd,
    // A fork of the host has another id, and needs its own guardian.
    host: Pid,
    process: Pid,
    // Once it is reaped, another child of the host may have its id.
    reaped: Mutex<bool>,
}

impl Guardian {
    /// Returns the guardian of this process; starts one if none is alive.
    fn current() -> io::Result<Arc<Guardian>> {
        let mut current = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(guardian) = &*current
            && guardian.host == getpid()
            && guardian.lives()
        {
            return Ok(Arc::clone(guardian));
        }
        let (ours, theirs) = pair()?;
        let process = guardian_process::fork(&theirs)?;
        let guardian = Arc::new(Guardian {
            socket: ours,
            host: getpid(),
            process,
            reaped: Mutex::new(false),
        });
        *current = Some(Arc::clone(&guardian));
        Ok(guardian)
    }

    /// Requests a supervisor; returns the host's end of its socket.
    fn request(&self, exec_args: &OwnedFd, slave: &OwnedFd) -> io::Result<OwnedFd> {
        let (ours, theirs) = pair()?;
        let fds: [BorrowedFd<'_>; guardian_process::FDS] =
            [exec_args.as_fd(), slave.as_fd(), theirs.as_fd()];
        let mut space =
            [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(guardian_process::FDS))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(&fds));
        loop {
            // A packet needs at least one byte.
            match sendmsg(
                &self.socket,
                &[IoSlice::new(&[0])],
                &mut ancillary,
                SendFlags::NOSIGNAL,
            ) {
                Err(Errno::INTR) => {}
                Err(error @ (Errno::PIPE | Errno::CONNRESET)) => {
                    // The guardian keeps its end open as long as it lives, so it has exited or is
                    // about to exit.
                    self.reap(guardian_process::ReapMode::Wait);
                    break Err(error.into());
                }
                sent => break sent.map(|_| ours).map_err(Into::into),
            }
        }
    }

    /// Returns the first report on a request, or `None` if the request was not accepted.
    fn first_report(&self, socket: &OwnedFd) -> Result<Option<SupervisorReport>, SpawnError> {
        // Supervisors outlive a killed guardian and hold its end of the socket, where the request
        // would wait until one of them is idle.
        let wait_for_report = || -> Result<Option<SupervisorReport>, Errno> {
            loop {
                let mut fds = [PollFd::new(socket, PollFlags::IN)];
                match poll(&mut fds, Some(&ALIVE_CHECK_INTERVAL)) {
                    Ok(0) if !self.lives() => return Ok(None),
                    Ok(0) | Err(Errno::INTR) => {}
                    Ok(_) => return receive(socket, RecvFlags::empty()),
                    Err(error) => return Err(error),
                }
            }
        };
        wait_for_report().map_err(|error| SpawnError::guardian(error.into()))
    }

    fn lives(&self) -> bool {
        !self.reap(guardian_process::ReapMode::NoWait)
    }

    /// Reaps the guardian, and returns whether it is dead.
    fn reap(&self, how: guardian_process::ReapMode) -> bool {
        let mut reaped = self.reaped.lock().unwrap_or_else(PoisonError::into_inner);
        *reaped = *reaped || guardian_process::reap(self.process, how);
        *reaped
    }
}

/// The host's connection to the supervisor of one program.
#[derive(Debug)]
pub(super) struct SupervisorHandle {
    socket: OwnedFd,
    program: u32,
    state: Mutex<SupervisorState>,
}

#[derive(Debug, Default)]
struct SupervisorState {
    exit_status: Option<ExitStatus>,
    end: Option<SupervisorEnd>,
}

/// How a supervisor ended.
#[derive(Debug, Clone, Copy)]
enum SupervisorEnd {
    /// No processes were left to supervise.
    Finished,
    /// It was killed.
    Killed,
}

/// Result of reading the supervisor's reports.
#[derive(Debug)]
pub(super) struct OutcomeUpdate {
    /// The program's exit status, if it has exited.
    pub(super) exit_status: Option<ExitStatus>,
    /// Whether the exit status was not known before.
    pub(super) is_new: bool,
}

impl SupervisorHandle {
    /// Returns the program's process id.
    pub(super) fn program(&self) -> u32 {
        self.program
    }

    /// Returns a descriptor that becomes readable when [`SupervisorHandle::listen`] would read a
    /// report.
    pub(super) fn reports(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Returns the exit status from the reports read so far.
    pub(super) fn known_exit_status(&self) -> Option<ExitStatus> {
        self.state().exit_status
    }

    /// Reads the supervisor's reports without blocking.
    pub(super) fn listen(&self) -> OutcomeUpdate {
        let mut state = self.state();
        let known = state.exit_status.is_some();
        while state.end.is_none() {
            match receive(&self.socket, RecvFlags::DONTWAIT) {
                Ok(Some(SupervisorReport::Ended { status })) => {
                    state.exit_status = Some(ExitStatus::from_wait_status(status));
                }
                Ok(Some(SupervisorReport::Finished)) => state.end = Some(SupervisorEnd::Finished),
                Ok(Some(_)) => {}
                Err(Errno::AGAIN) => break,
                Ok(None) | Err(_) => {
                    state.end = Some(SupervisorEnd::Killed);
                    // The program has PR_SET_PDEATHSIG set, so it is killed with its supervisor.
                    state
                        .exit_status
                        .get_or_insert(ExitStatus::Signaled(Signal::KILL));
                }
            }
        }
        OutcomeUpdate {
            exit_status: state.exit_status,
            is_new: state.exit_status.is_some() && !known,
        }
    }

    /// Signals the program's process group, unless the program has exited.
    pub(super) fn signal(&self, signal: Signal) -> io::Result<()> {
        self.order(HostOrder::Signal {
            number: signal.number(),
        })
    }

    /// Ends every process, and waits until all have ended.
    pub(super) fn close(&self, grace: Duration) -> io::Result<()> {
        // A supervisor that has ended accepts no orders.
        if let Some(close_result) = self.close_result() {
            return close_result;
        }
        let millis = grace.as_millis().try_into().unwrap_or(i32::MAX);
        self.order(HostOrder::Close {
            grace_millis: millis,
        })?;
        // The supervisor closes its end of the socket when no process is left. Unlike a message,
        // that cannot be consumed by another thread that reads reports.
        let limit = Timespec::try_from(grace.saturating_add(KILL_LIMIT)).ok();
        loop {
            if let Some(close_result) = self.close_result() {
                return close_result;
            }
            let mut fds = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut fds, limit.as_ref()) {
                Ok(0) => {
                    return Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        format!(
                            "could not kill the processes that process `{}` started",
                            self.program
                        ),
                    ));
                }
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Returns the result of closing, once the supervisor has ended.
    fn close_result(&self) -> Option<io::Result<()>> {
        self.listen();
        Some(match self.state().end? {
            SupervisorEnd::Finished => Ok(()),
            SupervisorEnd::Killed => Err(io::Error::other(format!(
                "the supervisor of process `{}` was killed; processes that the program started may still run",
                self.program
            ))),
        })
    }

    fn order(&self, order: HostOrder) -> io::Result<()> {
        loop {
            return match send(&self.socket, &order.to_bytes(), SendFlags::NOSIGNAL) {
                // The supervisor has ended: nothing was left to supervise, or it was killed.
                // Callers find out from the reports.
                Ok(_) | Err(Errno::PIPE | Errno::CONNRESET) => Ok(()),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, SupervisorState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates a pair of sockets that preserves packet boundaries and reports when the other end is
/// closed.
fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    )?)
}

/// Receives the next report; `None` if the other end is closed.
fn receive(socket: &OwnedFd, flags: RecvFlags) -> Result<Option<SupervisorReport>, Errno> {
    let mut bytes = [0; message::LENGTH];
    loop {
        return match recv(socket, &mut bytes, flags) {
            Ok((0, _)) => Ok(None),
            Ok(_) => Ok(SupervisorReport::from_bytes(bytes)),
            // The supervisor ended before it read the last order. The kernel reports that once,
            // before the remaining reports.
            Err(Errno::CONNRESET | Errno::INTR) => continue,
            Err(error) => Err(error),
        };
    }
}
