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
use super::exec_args::ExecArgs;
use super::guardian_process::{StartRequest, child_signals, errno, receive};
use super::idle_pool::IdlePool;
use super::message::{self, HostOrder, SupervisorReport};
use super::program::{self, StartFailure};

/// While killing, how often to reap and kill children without waiting for SIGCHLD. A safeguard:
/// every death should send that signal.
const CHECK_INTERVAL_MILLIS: i64 = 20;

struct Supervisor<'a> {
    host: OwnedFd,
    // A signalfd: readable when a child has changed.
    child_changes: &'a OwnedFd,
    program: Option<Pid>,
    // Kept open as long as the program lives, so that the host sees the terminal's end only when it
    // is final, and not when the program closed its terminal for a while.
    slave: Option<OwnedFd>,
    phase: SupervisorPhase,
}

#[derive(Clone, Copy)]
enum SupervisorPhase {
    /// The program runs undisturbed.
    Watching,
    /// All processes were asked to exit until this time.
    Terminating { until_millis: i64 },
    /// All processes are killed.
    Killing,
}

/// Main function of a supervisor: serves one request after the other from the guardian's `socket`,
/// until the host is gone or enough others are idle.
pub(super) fn serve(socket: &OwnedFd, notify: &OwnedFd, idle_pool: &IdlePool, me: Pid) -> ! {
    // Prepared before the first request arrives, so that no start has to wait for it.
    let child_changes = prepare();
    let answered = || {
        // The guardian forks another supervisor only after this one has answered the request.
        if idle_pool.is_empty() {
            let _ = rustix::io::write(notify, &[0]);
        }
    };
    while let Some(request) = receive(socket, RecvFlags::empty()) {
        idle_pool.leave(me);
        match &child_changes {
            Ok(child_changes) => supervise(request, child_changes, &answered),
            Err(errno) => {
                report(&request.host, StartFailure::to_supervise(*errno).report());
                answered();
                break;
            }
        }
        if !idle_pool.enter(me) {
            break;
        }
    }
    // SAFETY: ends this process and runs nothing of the host's.
    unsafe { libc::_exit(0) }
}

/// Starts one program, reports the result, and returns when no process of it is left. At the end,
/// it reports [`SupervisorReport::Finished`] and closes the host's socket.
fn supervise(request: StartRequest, child_changes: &OwnedFd, answered: &dyn Fn()) {
    let StartRequest {
        exec_args,
        slave,
        host,
    } = request;
    if is_gone(&host) {
        // The host gave up this request and may have tried again: this program would have no owner.
        answered();
        return;
    }
    let started = start(exec_args, &slave);
    let first_report = match started {
        Ok(program) => SupervisorReport::Started {
            program: program.as_raw_nonzero().get().cast_unsigned(),
        },
        Err(failure) => failure.report(),
    };
    report(&host, first_report);
    answered();
    // A child that failed to execute the program must be reaped as well.
    Supervisor {
        host,
        child_changes,
        program: started.ok(),
        slave: started.ok().map(|_| slave),
        phase: SupervisorPhase::Watching,
    }
    .watch();
}

fn start(exec_args: OwnedFd, slave: &OwnedFd) -> Result<Pid, StartFailure> {
    let words = ExecArgs::open(&exec_args).map_err(StartFailure::to_supervise)?;
    drop(exec_args);
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
        let mut discarded = [0; 128];
        while self.reap() {
            if matches!(self.phase, SupervisorPhase::Killing) {
                // The program first, so that this much works if /proc is not mounted.
                self.signal(libc::SIGKILL);
                descendants::kill_children(&|_| true);
            }
            let timeout = match self.phase {
                SupervisorPhase::Watching => None,
                SupervisorPhase::Terminating { until_millis } => {
                    Some((until_millis - now_millis()).max(0))
                }
                SupervisorPhase::Killing => Some(CHECK_INTERVAL_MILLIS),
            };
            let timeout = timeout.map(|millis| Timespec {
                tv_sec: millis / 1000,
                tv_nsec: (millis % 1000) * 1_000_000,
            });
            let mut fds = [
                PollFd::new(self.child_changes, PollFlags::IN),
                PollFd::new(&self.host, PollFlags::IN),
            ];
            // The socket of a host that is gone stays ready for ever; from then on only deaths are
            // waited for.
            let count = match self.phase {
                SupervisorPhase::Killing => 1,
                _ => 2,
            };
            let _ = poll(fds.get_mut(..count).unwrap_or_default(), timeout.as_ref());
            // One check of the children covers any number of notifications.
            let _ = rustix::io::read(self.child_changes, &mut discarded);
            self.execute_orders();
            if let SupervisorPhase::Terminating { until_millis } = self.phase
                && now_millis() >= until_millis
            {
                self.phase = SupervisorPhase::Killing;
            }
        }
        report(&self.host, SupervisorReport::Finished);
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
                report(&self.host, SupervisorReport::Ended { status });
            }
        }
    }

    /// Executes the host's orders. If the host has closed its end, kills everything.
    fn execute_orders(&mut self) {
        while !matches!(self.phase, SupervisorPhase::Killing) {
            let mut bytes = [0; message::LENGTH];
            match recv(&self.host, &mut bytes, RecvFlags::DONTWAIT) {
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                // The host closed its end, or died.
                Ok((0, _)) | Err(_) => self.phase = SupervisorPhase::Killing,
                Ok(_) => match HostOrder::from_bytes(bytes) {
                    Some(HostOrder::Signal { number }) => self.signal(number),
                    Some(HostOrder::Close { grace_millis }) => self.close(grace_millis),
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
            _ if grace_millis <= 0 => SupervisorPhase::Killing,
            SupervisorPhase::Watching => {
                descendants::terminate_descendants();
                SupervisorPhase::Terminating { until_millis }
            }
            // A second close may shorten the time, but not extend it.
            SupervisorPhase::Terminating { until_millis: old } => SupervisorPhase::Terminating {
                until_millis: until_millis.min(old),
            },
            SupervisorPhase::Killing => SupervisorPhase::Killing,
        };
    }
}

/// Returns whether the host has closed its end.
fn is_gone(host: &OwnedFd) -> bool {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    matches!(recv(host, &mut [0; 1], flags), Ok((0, _)))
}

pub(super) fn report(host: &OwnedFd, report: SupervisorReport) {
    // Does not block if the host is gone or does not read.
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
