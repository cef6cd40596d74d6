//! Supervisor process: starts a program, reports its exit, and ends everything that it started;
//! then it serves the next.
//!
//! It sleeps until a child changes, the host sends an order, or the host is gone. It is done when
//! it has no child left: as a subreaper it inherits every orphan among the program's descendants,
//! so nothing is left then, and nothing can appear.

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

/// While killing, how often to look for children without a death notification. There should be
/// none.
const LOOK_AGAIN_MILLIS: i64 = 20;

struct Supervisor<'a> {
    host: OwnedFd,
    // A signalfd: readable when a child has changed.
    deaths: &'a OwnedFd,
    program: Option<Pid>,
    // Kept open as long as the program lives, so that the host sees the terminal's end only when it
    // is final, and not when the program closed its terminal for a while.
    slave: Option<OwnedFd>,
    phase: Phase,
}

#[derive(Clone, Copy)]
enum Phase {
    /// The program runs undisturbed.
    Watching,
    /// All processes were asked to exit until this time.
    Asked { until_millis: i64 },
    /// All processes are killed.
    Killing,
}

/// Main function of a supervisor: serves one request after the other from the guardian's `socket`,
/// until the host is gone or enough others are idle.
pub(super) fn serve(socket: &OwnedFd, tell: &OwnedFd, ready: &Ready, me: Pid) -> ! {
    // Preparation before a request costs no start any time.
    let deaths = prepare();
    let answered = || {
        // Only after answering the request, the guardian forks another supervisor.
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

/// Starts one program, reports the result, and returns when no process of it is left. The host's
/// socket closes at the end, which is the final report.
fn supervise(request: Request, deaths: &OwnedFd, answered: &dyn Fn()) {
    let Request {
        parcel,
        slave,
        host,
    } = request;
    if is_gone(&host) {
        // The host timed out and may have tried again elsewhere: this program would have no owner.
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
    // A child that failed to execute the program must be reaped as well.
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

/// Becomes a subreaper. Returns a descriptor that is readable when a child has changed.
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
        // One entry suffices: the kernel does not queue a second signal of the same number.
        let mut forgotten = [0; 128];
        while self.reap() {
            if matches!(self.phase, Phase::Killing) {
                // The program first, so that this much works if /proc is not mounted.
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
            // The socket of a host that is gone stays ready for ever; from then on only deaths are
            // waited for.
            let count = match self.phase {
                Phase::Killing => 1,
                _ => 2,
            };
            let _ = poll(fds.get_mut(..count).unwrap_or_default(), timeout.as_ref());
            // One check of the children covers any number of notifications.
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

    /// Reaps every dead child. Returns whether any child is still alive.
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

    /// Executes the host's orders; the end of the host means killing everything.
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
            // SAFETY: the program leads a process group of its id, and is not reaped yet, so the id
            // is still its own.
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
            // A second close may shorten the time, but not extend it.
            Phase::Asked { until_millis: old } => Phase::Asked {
                until_millis: until_millis.min(old),
            },
            Phase::Killing => Phase::Killing,
        };
    }
}

/// Returns whether the host has closed its end.
fn is_gone(host: &OwnedFd) -> bool {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    matches!(recv(host, &mut [0; 1], flags), Ok((0, _)))
}

pub(super) fn report(host: &OwnedFd, report: Report) {
    // A host that is gone or does not read is no reason to block.
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
