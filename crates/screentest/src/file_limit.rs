//! Turns the file size limit (`ulimit -f`) into an ordinary error.
//!
//! If a process writes beyond the limit, the system kills it with SIGXFSZ, without a message or
//! cleanup. The action of that signal applies to the whole process, which belongs to the program
//! that uses this library. So the signal is blocked only during a write, in the writing thread: the
//! write fails instead, and the caller reports which file is too large.
#![expect(
    unsafe_code,
    reason = "no safe call blocks a signal in one thread only"
)]

use std::mem::MaybeUninit;
use std::ptr;

/// Runs `write`, in which writes beyond the limit fail with an error. `write` must not start a
/// thread or a program, which would inherit the blocked signal.
pub(crate) fn with_file_limit_as_error<T>(write: impl FnOnce() -> T) -> T {
    let _blocked = BlockedSignal::new();
    write()
}

/// Blocks SIGXFSZ in this thread until dropped.
struct BlockedSignal {
    before: libc::sigset_t,
}

impl BlockedSignal {
    fn new() -> BlockedSignal {
        let only = alone();
        let mut before = MaybeUninit::uninit();
        // SAFETY: `only` is a set, and `before` becomes one: the call fails only for invalid
        // arguments.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const only, before.as_mut_ptr());
            BlockedSignal {
                before: before.assume_init(),
            }
        }
    }
}

impl Drop for BlockedSignal {
    fn drop(&mut self) {
        let only = alone();
        let (mut pending, mut taken) = (alone(), 0);
        // SAFETY: all sets are initialised, and outlive the calls.
        unsafe {
            // The write has reported the error; unblocked now, the pending signal would kill the
            // process. It is pending for this thread, so no other thread can take it, and `sigwait`
            // does not block.
            if libc::sigpending(&raw mut pending) == 0
                && libc::sigismember(&raw const pending, libc::SIGXFSZ) == 1
                && libc::sigismember(&raw const self.before, libc::SIGXFSZ) == 0
            {
                libc::sigwait(&raw const only, &raw mut taken);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, ptr::null_mut());
        }
    }
}

/// Returns the set that contains only SIGXFSZ.
fn alone() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the set.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGXFSZ);
        set.assume_init()
    }
}
