//! Starts the program: from the supervisor's fork to `execve`.

use std::ffi::{c_int, c_void};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;

use rustix::io::Errno;
use rustix::process::Pid;

use super::exec_args::Parcel;
use super::guardian_process::{close_from, errno};
use super::message::{Report, Step};
use crate::pty::descriptors;

/// Far more than a few nested calls need; untouched pages cost nothing.
const STACK: usize = 64 * 1024;

/// The step at which a start failed, and its error.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failure {
    pub(super) step: Step,
    pub(super) errno: Errno,
}

impl Failure {
    pub(super) fn to_supervise(errno: Errno) -> Failure {
        Failure {
            step: Step::Supervise,
            errno,
        }
    }

    /// Returns the report for the host.
    pub(super) fn report(self) -> Report {
        Report::Failed {
            step: self.step,
            errno: self.errno.raw_os_error(),
        }
    }
}

/// Data for the new process, in the memory that it shares with its supervisor until it executes the
/// program.
struct Start {
    parcel: Parcel,
    slave: RawFd,
    supervisor: libc::pid_t,
    failure: Option<Failure>,
}

/// Starts the program in its own session on the terminal `slave`. Returns when it runs.
pub(super) fn start(parcel: Parcel, slave: &OwnedFd) -> Result<Pid, Failure> {
    // SAFETY: a fresh private mapping at an address that the kernel chooses.
    let stack = unsafe {
        libc::mmap(
            ptr::null_mut(),
            STACK,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK,
            -1,
            0,
        )
    };
    if stack == libc::MAP_FAILED {
        return Err(Failure::to_supervise(errno()));
    }
    let mut start = Start {
        parcel,
        slave: slave.as_raw_fd(),
        // SAFETY: always succeeds.
        supervisor: unsafe { libc::getpid() },
        failure: None,
    };
    // Shared memory avoids copying a process that is about to be replaced. The supervisor is
    // suspended until then.
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let argument = (&raw mut start).cast::<c_void>();
    // SAFETY: the child runs `enter` on its own stack, which grows down from its end, and `start`
    // outlives it, because this process continues only after the child executed a program or
    // exited.
    let child = unsafe { libc::clone(enter, stack.byte_add(STACK), flags, argument) };
    let refused = (child < 0).then(errno);
    // SAFETY: the mapping is owned here, and the child no longer shares this memory.
    unsafe { libc::munmap(stack, STACK) };
    let Start {
        parcel, failure, ..
    } = start;
    parcel.discard();
    match (Pid::from_raw(child.max(0)), failure) {
        (Some(child), None) => Ok(child),
        // The child exits by itself and its error is known; the supervisor reaps it like any child.
        (_, Some(failure)) => Err(failure),
        (None, None) => Err(Failure::to_supervise(refused.unwrap_or(Errno::CHILD))),
    }
}

/// Main function of the new process. It returns only to exit.
extern "C" fn enter(start: *mut c_void) -> c_int {
    // SAFETY: `start` above passed this pointer, is suspended, and accesses the data again only
    // after this process is gone.
    let start = unsafe { &mut *start.cast::<Start>() };
    let step = become_program(start);
    start.failure = Some(Failure {
        step,
        errno: errno(),
    });
    // SAFETY: ends this process and runs nothing of the host's.
    unsafe { libc::_exit(127) }
}

/// Executes the program. Returns, with `errno` set, only if a step fails.
fn become_program(start: &Start) -> Step {
    let Start { parcel, slave, .. } = start;
    // SAFETY: plain system calls. The descriptors are open, the strings and lists are the parcel's,
    // which stays mapped.
    unsafe {
        // Kills the program with its supervisor. The setting does not cover a supervisor that has
        // died already.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != start.supervisor {
            libc::_exit(127);
        }
        if libc::setsid() < 0
            || libc::ioctl(*slave, libc::TIOCSCTTY, 0) < 0
            || libc::dup2(*slave, 0) < 0
            || libc::dup2(*slave, 1) < 0
            || libc::dup2(*slave, 2) < 0
        {
            return Step::Terminal;
        }
        close_from(3);
        descriptors::put_limit_back();
        if libc::chdir(parcel.cwd) < 0 {
            return Step::Enter;
        }
        let mut none = std::mem::MaybeUninit::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
        let own_words = parcel.argv.add(1);
        libc::execve(parcel.path, own_words.cast_const(), parcel.envp);
        if errno() == Errno::NOEXEC {
            // A script without a `#!` line is run by the shell, as `execvp` does.
            own_words.write(parcel.path);
            libc::execve(c"/bin/sh".as_ptr(), parcel.argv.cast_const(), parcel.envp);
        }
        Step::Execute
    }
}
