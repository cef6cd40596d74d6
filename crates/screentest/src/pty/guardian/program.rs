//! Starts the program: from the supervisor's fork to `execve`.

use std::ffi::{c_int, c_void};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;

use rustix::io::Errno;
use rustix::process::Pid;

use super::exec_args::ExecArgs;
use super::guardian_process::{close_from, errno};
use super::message::{StartStep, SupervisorReport};
use crate::pty::descriptors;

/// Size of the new process's stack until `execve`: far more than a few nested calls need. Untouched
/// pages cost nothing.
const STACK: usize = 64 * 1024;

/// The step at which a start failed, and its error.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartFailure {
    pub(super) step: StartStep,
    pub(super) errno: Errno,
}

impl StartFailure {
    pub(super) fn to_supervise(errno: Errno) -> StartFailure {
        StartFailure {
            step: StartStep::Supervise,
            errno,
        }
    }

    /// Returns the report for the host.
    pub(super) fn report(self) -> SupervisorReport {
        SupervisorReport::Failed {
            step: self.step,
            errno: self.errno.raw_os_error(),
        }
    }
}

/// Data for the new process, in the memory that it shares with its supervisor until it executes the
/// program.
struct ProgramStart {
    exec_args: ExecArgs,
    slave: RawFd,
    supervisor: libc::pid_t,
    failure: Option<StartFailure>,
}

/// Starts the program in its own session on the terminal `slave`. Returns when it runs.
pub(super) fn start(exec_args: ExecArgs, slave: &OwnedFd) -> Result<Pid, StartFailure> {
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
        return Err(StartFailure::to_supervise(errno()));
    }
    let mut start = ProgramStart {
        exec_args,
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
    let ProgramStart {
        exec_args, failure, ..
    } = start;
    exec_args.discard();
    match (Pid::from_raw(child.max(0)), failure) {
        (Some(child), None) => Ok(child),
        // The child exits by itself and its error is known; the supervisor reaps it like any child.
        (_, Some(failure)) => Err(failure),
        (None, None) => Err(StartFailure::to_supervise(refused.unwrap_or(Errno::CHILD))),
    }
}

/// Main function of the new process. It executes the program or exits, and never returns.
extern "C" fn enter(start: *mut c_void) -> c_int {
    // SAFETY: `start` above passed this pointer, is suspended, and accesses the data again only
    // after this process has executed the program or exited.
    let start = unsafe { &mut *start.cast::<ProgramStart>() };
    let step = become_program(start);
    start.failure = Some(StartFailure {
        step,
        errno: errno(),
    });
    // SAFETY: ends this process and runs nothing of the host's.
    unsafe { libc::_exit(127) }
}

/// Executes the program. Returns, with `errno` set, only if a step fails.
fn become_program(start: &ProgramStart) -> StartStep {
    let ProgramStart {
        exec_args, slave, ..
    } = start;
    // SAFETY: plain system calls. The descriptors are open. The strings and lists belong to
    // `exec_args`, which stays mapped.
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
            return StartStep::Terminal;
        }
        close_from(3);
        descriptors::put_limit_back();
        if libc::chdir(exec_args.cwd) < 0 {
            return StartStep::Enter;
        }
        let mut none = std::mem::MaybeUninit::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
        let own_words = exec_args.argv.add(1);
        libc::execve(exec_args.path, own_words.cast_const(), exec_args.envp);
        if errno() == Errno::NOEXEC {
            // A script without a `#!` line is run by the shell, as `execvp` does.
            own_words.write(exec_args.path);
            libc::execve(
                c"/bin/sh".as_ptr(),
                exec_args.argv.cast_const(),
                exec_args.envp,
            );
        }
        StartStep::Execute
    }
}
