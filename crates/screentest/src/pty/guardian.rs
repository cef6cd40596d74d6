//! Nothing outlives the session: the processes that see to it.
//!
//! Three kinds of process stand between us (the host) and what a program starts:
//!
//! ```text
//! host ──► guardian ──► supervisor ──► program ──► whatever it starts
//!          one          one for each program that runs
//! ```
//!
//! The **guardian** (`guardian/nursery.rs`) is forked from the host at the first start and only forks supervisors, one ahead of
//! the need where none is done with its program, so that those are children of a small quiet process and never of the host, whose own children they would mix
//! with. Should one be killed, the guardian ends what it had.
//! A **supervisor** (`guardian/supervisor.rs`) is a *subreaper*: a descendant that loses its parent becomes its child, whatever
//! it did to get away, so that the supervisor has no child left exactly when nothing of the program is left. It holds one end
//! of a socket; when the other end closes, because we said so or because we are dead, it ends what it has.
//! The **program** (`guardian/program.rs`) is started by its supervisor.
//!
//! This file is the host's side. The rule for the files below: they run in a copy of the host's memory in which every
//! lock may be held by a thread that no longer exists. They make system calls, on memory that was there already; they do
//! not allocate, lock, panic or return. Why it is done this way: docs/decisions/0002-guardian.md.
#![expect(
    unsafe_code,
    reason = "forks without exec, and the system calls that no crate wraps for such a process"
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

use self::message::{Order, Report, Step};
use super::launch::{Launch, SpawnError};
use crate::file_limit::heeded;
use crate::pty::signal::Signal;
use crate::session::exit_status::Outcome;

mod descendants;
mod drop_memory;
mod exec_args;
mod guardian_process;
mod idle_pool;
mod message;
mod program;
mod supervisor;

/// How long after the grace a kill may take before [`Supervisor::close`] gives up waiting. A killed process that stays
/// this long hangs in the kernel (a dead network file system, say) or belongs to another user.
const KILL_LIMIT: Duration = Duration::from_secs(10);

/// How long a request may stay unanswered before we look whether there is still a guardian.
const LOOK_AFTER: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// The host's guardian, once there is one.
static GUARDIAN: Mutex<Option<Arc<Guardian>>> = Mutex::new(None);

/// How often a start is tried. The first may find a guardian that was just killed, the next a supervisor that was.
const TRIES: usize = 3;

/// Starts a program on `slave`, under a supervisor.
pub(super) fn start(launch: &Launch, slave: &OwnedFd) -> Result<Supervisor, SpawnError> {
    let parcel =
        heeded(|| exec_args::pack(launch)).map_err(|error| SpawnError::guardian(error.into()))?;
    let mut last = None;
    // Trying again is safe: nothing was started, or it ends with the socket that its supervisor has.
    for _ in 0..TRIES {
        let guardian = Guardian::current().map_err(SpawnError::guardian)?;
        let socket = match guardian.request(&parcel, slave) {
            Ok(socket) => socket,
            Err(error) => {
                last = Some(error);
                continue;
            }
        };
        match guardian.first_report(&socket)? {
            Some(Report::Started { program }) => {
                return Ok(Supervisor {
                    socket,
                    program,
                    state: Mutex::default(),
                });
            }
            Some(Report::Failed { step, errno }) => {
                return Err(failure(launch, step, io::Error::from_raw_os_error(errno)));
            }
            _ => last = Some(io::ErrorKind::UnexpectedEof.into()),
        }
    }
    let last = last.unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into());
    Err(SpawnError::guardian(last))
}

fn failure(launch: &Launch, step: Step, source: io::Error) -> SpawnError {
    match step {
        Step::Supervise => SpawnError::guardian(source),
        Step::Terminal => SpawnError::terminal(source),
        Step::Enter => SpawnError::CwdRefused {
            cwd: launch.cwd(),
            source,
        },
        Step::Execute => launch.refused(source),
    }
}

/// The host's line to its guardian.
#[derive(Debug)]
struct Guardian {
    socket: OwnedFd,
    // A host that forked has another id than the one the guardian works for.
    host: Pid,
    process: Pid,
    // Once it is buried, its id may be that of another child of the host.
    buried: Mutex<bool>,
}

impl Guardian {
    /// The guardian of this process, started if none lives.
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
            buried: Mutex::new(false),
        });
        *current = Some(Arc::clone(&guardian));
        Ok(guardian)
    }

    /// Asks for a supervisor; returns the host's end of its socket.
    fn request(&self, parcel: &OwnedFd, slave: &OwnedFd) -> io::Result<OwnedFd> {
        let (ours, theirs) = pair()?;
        let fds: [BorrowedFd<'_>; guardian_process::FDS] =
            [parcel.as_fd(), slave.as_fd(), theirs.as_fd()];
        let mut space =
            [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(guardian_process::FDS))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(&fds));
        loop {
            // A packet needs a byte to travel.
            match sendmsg(
                &self.socket,
                &[IoSlice::new(&[0])],
                &mut ancillary,
                SendFlags::NOSIGNAL,
            ) {
                Err(Errno::INTR) => {}
                Err(error @ (Errno::PIPE | Errno::CONNRESET)) => {
                    // It keeps its end for as long as it lives: whatever else it does, it is about to be dead.
                    self.bury(guardian_process::Bury::Surely);
                    break Err(error.into());
                }
                sent => break sent.map(|_| ours).map_err(Into::into),
            }
        }
    }

    /// What became of a request, or `None` when nobody took it.
    fn first_report(&self, socket: &OwnedFd) -> Result<Option<Report>, SpawnError> {
        // Supervisors with work outlive a guardian that was killed and hold its end of the socket, where the request would
        // wait for one of them to be done.
        let look = || -> Result<Option<Report>, Errno> {
            loop {
                let mut fds = [PollFd::new(socket, PollFlags::IN)];
                match poll(&mut fds, Some(&LOOK_AFTER)) {
                    Ok(0) if !self.lives() => return Ok(None),
                    Ok(0) | Err(Errno::INTR) => {}
                    Ok(_) => return receive(socket, RecvFlags::empty()),
                    Err(error) => return Err(error),
                }
            }
        };
        look().map_err(|error| SpawnError::guardian(error.into()))
    }

    fn lives(&self) -> bool {
        !self.bury(guardian_process::Bury::IfDead)
    }

    /// Takes what is left of it, and says whether it is dead.
    fn bury(&self, how: guardian_process::Bury) -> bool {
        let mut buried = self.buried.lock().unwrap_or_else(PoisonError::into_inner);
        *buried = *buried || guardian_process::bury(self.process, how);
        *buried
    }
}

/// The host's line to the supervisor of one program.
#[derive(Debug)]
pub(super) struct Supervisor {
    socket: OwnedFd,
    program: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    outcome: Option<Outcome>,
    left: Option<Left>,
}

/// How a supervisor left.
#[derive(Debug, Clone, Copy)]
enum Left {
    /// It had nothing more to supervise.
    Alone,
    /// Something killed it.
    Killed,
}

/// What the supervisor has told so far.
#[derive(Debug)]
pub(super) struct Heard {
    /// How the program ended, if it has.
    pub(super) outcome: Option<Outcome>,
    /// Whether that was not known before.
    pub(super) news: bool,
}

impl Supervisor {
    /// The program's process id.
    pub(super) fn program(&self) -> u32 {
        self.program
    }

    /// Becomes readable when [`Supervisor::listen`] would hear something.
    pub(super) fn reports(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// How the program ended, as far as was heard.
    pub(super) fn known_outcome(&self) -> Option<Outcome> {
        self.state().outcome
    }

    /// Takes what the supervisor has reported, without blocking.
    pub(super) fn listen(&self) -> Heard {
        let mut state = self.state();
        let known = state.outcome.is_some();
        while state.left.is_none() {
            match receive(&self.socket, RecvFlags::DONTWAIT) {
                Ok(Some(Report::Ended { status })) => {
                    state.outcome = Some(Outcome::from_wait_status(status));
                }
                Ok(Some(Report::Alone)) => state.left = Some(Left::Alone),
                Ok(Some(_)) => {}
                Err(Errno::AGAIN) => break,
                Ok(None) | Err(_) => {
                    state.left = Some(Left::Killed);
                    // The program asked the kernel to die with its supervisor.
                    state.outcome.get_or_insert(Outcome::Signaled(Signal::KILL));
                }
            }
        }
        Heard {
            outcome: state.outcome,
            news: state.outcome.is_some() && !known,
        }
    }

    /// Signals the program's process group, unless the program has ended.
    pub(super) fn signal(&self, signal: Signal) -> io::Result<()> {
        self.order(Order::Signal {
            number: signal.number(),
        })
    }

    /// Has every process ended, and waits until all have.
    pub(super) fn close(&self, grace: Duration) -> io::Result<()> {
        // Who is gone takes no orders.
        if let Some(farewell) = self.farewell() {
            return farewell;
        }
        let millis = grace.as_millis().try_into().unwrap_or(i32::MAX);
        self.order(Order::Close {
            grace_millis: millis,
        })?;
        // The supervisor closes its end of the socket when nothing is left. Unlike a message, that cannot be taken away by
        // another thread that listens.
        let limit = Timespec::try_from(grace.saturating_add(KILL_LIMIT)).ok();
        loop {
            if let Some(farewell) = self.farewell() {
                return farewell;
            }
            let mut fds = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut fds, limit.as_ref()) {
                Ok(0) => {
                    return Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        format!("what process `{}` started cannot be killed", self.program),
                    ));
                }
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Whether it is gone, and left nothing behind.
    fn farewell(&self) -> Option<io::Result<()>> {
        self.listen();
        Some(match self.state().left? {
            Left::Alone => Ok(()),
            Left::Killed => Err(io::Error::other(format!(
                "the supervisor of process `{}` was killed, so that what the program started may live on",
                self.program
            ))),
        })
    }

    fn order(&self, order: Order) -> io::Result<()> {
        loop {
            return match send(&self.socket, &order.to_bytes(), SendFlags::NOSIGNAL) {
                // It left because nothing was left; whoever cares finds out by listening.
                Ok(_) | Err(Errno::PIPE | Errno::CONNRESET) => Ok(()),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pair of sockets that keeps packets apart and tells when the other end is gone.
fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    )?)
}

/// The next report, or `None` when the other end is gone.
fn receive(socket: &OwnedFd, flags: RecvFlags) -> Result<Option<Report>, Errno> {
    let mut bytes = [0; message::LENGTH];
    loop {
        return match recv(socket, &mut bytes, flags) {
            Ok((0, _)) => Ok(None),
            Ok(_) => Ok(Report::from_bytes(bytes)),
            // It left before it read our last order. The kernel says so once, and before what it has said until then.
            Err(Errno::CONNRESET | Errno::INTR) => continue,
            Err(error) => Err(error),
        };
    }
}
