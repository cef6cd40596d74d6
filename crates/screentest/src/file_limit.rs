//! A limit on the size of files (`ulimit -f`) is an error like any other.
//!
//! The system ends who writes beyond it by SIGXFSZ, which says nothing and puts nothing in order. What that signal does is for the process to say, and this
//! library is only a part of one. So it is held back for as long as we write, in the thread that writes: the write fails instead, and whoever wrote tells
//! which file is too large.
#![expect(
    unsafe_code,
    reason = "no safe call holds a signal back in one thread alone"
)]

use std::mem::MaybeUninit;
use std::ptr;

/// Writes, with writes beyond the limit failing. No thread or program is to be started meanwhile: it would be as deaf.
pub(crate) fn heeded<T>(write: impl FnOnce() -> T) -> T {
    let _held = Held::new();
    write()
}

/// The signal, held back until dropped.
struct Held {
    before: libc::sigset_t,
}

impl Held {
    fn new() -> Held {
        let only = alone();
        let mut before = MaybeUninit::uninit();
        // SAFETY: `only` is a set, and `before` becomes one: the call fails only where it is told to do something that there is not.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const only, before.as_mut_ptr());
            Held {
                before: before.assume_init(),
            }
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let only = alone();
        let (mut pending, mut taken) = (alone(), 0);
        // SAFETY: all sets are sets, and outlive the calls.
        unsafe {
            // The write has told already; let through now, the signal would end us after all. It came to this thread, so that nobody else takes it
            // before us, and `sigwait` does not wait.
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

/// The set of this signal.
fn alone() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: emptying makes it a set.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGXFSZ);
        set.assume_init()
    }
}
