//! A supervisor: starts a program, tells how it ended, and ends everything that it started; then it serves the next.
//!
//! It sleeps until a child changes, the host says something, or the host is gone. It is done when it has no child left: as a
//! subreaper it inherits every orphan among the program's descendants, so that nothing is left then, and nothing can
//! come.

use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use rustix::process::Pid;

use super::descendants;
use super::exec_args::Parcel;
use super::guardian_process::{Request, child_signals, errno, receive};
use super::idle_pool::Ready;
use super::message::{self, Order, Report};
use super::program::{self, Failure};

/// While killing, how often to look for children that no death announced. There should be none.
const LOOK_AGAIN_MILLIS: i64 = 20;

struct Supervisor<'a> {
    host: OwnedFd,
    // A signalfd: readable when a child has changed.
    deaths: &'a OwnedFd,
    program: Option<Pid>,
    // Held for as long as the program lives, so that the host sees the terminal's end only when it is final, and not when
    // the program closed its terminal for a while.
    slave: Option<OwnedFd>,
    phase: Phase,
}

#[derive(Clone, Copy)]
enum Phase {
    /// The program may do as it likes.
    Watching,
    /// Everyone was asked to leave until this time.
    Asked { until_millis: i64 },
    /// Everyone is killed.
    Killing,
}

/// The supervisor's life: takes one request after the other from the guardian's `socket`, until the host is gone or enough
/// others wait.
pub(super) fn serve(socket: &OwnedFd, tell: &OwnedFd, ready: &Ready, me: Pid) -> ! {
    // Whatever can be done before there is a request costs nobody time.
    let deaths = prepare();
    let answered = || {
        // Only now, when nobody waits for us any more, does the guardian fork another.
        if ready.is_empty() {
            let _ = rustix::io::write(tell, &[0]);
        }
    };
    while let Some(request) = receive(socket, RecvFlags::empty()) {
        ready.leave(me);
        match &deaths {
            Ok(deaths) => supervise(request, deaths, &answered),
            Err(errno) => {
                report(&request.host, Failure::to_supervise(*errno).report());
                answered();
                break;
            }
        }
        if !ready.enter(me) {
            break;
        }
    }
    // SAFETY: ends this process and runs nothing of the host's.
    unsafe { libc::_exit(0) }
}

/// Starts one program, says so or why not, and stays until nothing is left of it. The host's socket closes at the end,
/// which it takes as the last word.
fn supervise(request: Request, deaths: &OwnedFd, answered: &dyn Fn()) {
    let Request {
        parcel,
        slave,
        host,
    } = request;
    if is_gone(&host) {
        // It lost its patience, and may have tried again elsewhere: nobody would hear of this program.
        answered();
        return;
    }
    let started = start(parcel, &slave);
    let said = match started {
        Ok(program) => Report::Started {
            program: program.as_raw_nonzero().get().cast_unsigned(),
        },
        Err(failure) => failure.report(),
    };
    report(&host, said);
    answered();
    // Also what could not become the program was a child, and is buried.
    Supervisor {
        host,
        deaths,
        program: started.ok(),
        slave: started.ok().map(|_| slave),
        phase: Phase::Watching,
    }
    .watch();
}

fn start(parcel: OwnedFd, slave: &OwnedFd) -> Result<Pid, Failure> {
    let words = Parcel::open(&parcel).map_err(Failure::to_supervise)?;
    drop(parcel);
    program::start(words, slave)
}

/// Becomes a subreaper that hears of its children through the descriptor it returns.
fn prepare() -> Result<OwnedFd, Errno> {
    // SAFETY: plain system calls on constants.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, c"st-supervisor".as_ptr());
        if libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) < 0 {
            return Err(errno());
        }
    }
    child_signals()
}

impl Supervisor<'_> {
    /// Returns when no child is left.
    fn watch(mut self) {
        // Room for one: of a signal that has not been read, the kernel keeps no second.
        let mut forgotten = [0; 128];
        while self.reap() {
            if matches!(self.phase, Phase::Killing) {
                // By itself first, so that this much works where /proc is not mounted.
                self.signal(libc::SIGKILL);
                descendants::kill_children(&|_| true);
            }
            let timeout = match self.phase {
                Phase::Watching => None,
                Phase::Asked { until_millis } => Some((until_millis - now_millis()).max(0)),
                Phase::Killing => Some(LOOK_AGAIN_MILLIS),
            };
            let timeout = timeout.map(|millis| Timespec {
                tv_sec: millis / 1000,
                tv_nsec: (millis % 1000) * 1_000_000,
            });
            let mut fds = [
                PollFd::new(self.deaths, PollFlags::IN),
                PollFd::new(&self.host, PollFlags::IN),
            ];
            // A host that is gone stays ready for ever; from then on only deaths are waited for.
            let count = match self.phase {
                Phase::Killing => 1,
                _ => 2,
            };
            let _ = poll(fds.get_mut(..count).unwrap_or_default(), timeout.as_ref());
            // One look at the children covers any number of announcements.
            let _ = rustix::io::read(self.deaths, &mut forgotten);
            self.obey();
            if let Phase::Asked { until_millis } = self.phase
                && now_millis() >= until_millis
            {
                self.phase = Phase::Killing;
            }
        }
        report(&self.host, Report::Alone);
    }

    /// Buries every dead child. Says whether any child is left alive.
    fn reap(&mut self) -> bool {
        loop {
            let mut status = 0;
            // SAFETY: `status` outlives the call.
            let dead = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WALL) };
            if dead == 0 {
                return true;
            }
            if dead < 0 {
                return errno() != Errno::CHILD;
            }
            if Pid::from_raw(dead) == self.program {
                self.program = None;
                self.slave = None;
                report(&self.host, Report::Ended { status });
            }
        }
    }

    /// Does what the host has said, or what its end means.
    fn obey(&mut self) {
        while !matches!(self.phase, Phase::Killing) {
            let mut bytes = [0; message::LENGTH];
            match recv(&self.host, &mut bytes, RecvFlags::DONTWAIT) {
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                // The host closed its end, or died.
                Ok((0, _)) | Err(_) => self.phase = Phase::Killing,
                Ok(_) => match Order::from_bytes(bytes) {
                    Some(Order::Signal { number }) => self.signal(number),
                    Some(Order::Close { grace_millis }) => self.close(grace_millis),
                    None => {}
                },
            }
        }
    }

    fn signal(&self, number: i32) {
        if let Some(program) = self.program {
            // SAFETY: the program leads a process group of its id, and is not buried yet, so that the id is still its own.
            unsafe { libc::kill(-program.as_raw_nonzero().get(), number) };
        }
    }

    fn close(&mut self, grace_millis: i32) {
        let until_millis = now_millis() + i64::from(grace_millis.max(0));
        self.phase = match self.phase {
            _ if grace_millis <= 0 => Phase::Killing,
            Phase::Watching => {
                descendants::ask_descendants();
                Phase::Asked { until_millis }
            }
            // Whoever closes again may be in a greater hurry, but never in a lesser one.
            Phase::Asked { until_millis: old } => Phase::Asked {
                until_millis: until_millis.min(old),
            },
            Phase::Killing => Phase::Killing,
        };
    }
}

/// Whether the host has closed its end.
fn is_gone(host: &OwnedFd) -> bool {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    matches!(recv(host, &mut [0; 1], flags), Ok((0, _)))
}

pub(super) fn report(host: &OwnedFd, report: Report) {
    // A host that is gone or does not listen is no reason to wait.
    let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
    let _ = send(host, &report.to_bytes(), flags);
}

fn now_millis() -> i64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `now` outlives the call, which cannot fail for this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    now.tv_sec
        .wrapping_mul(1000)
        .wrapping_add(now.tv_nsec / 1_000_000)
}
