//! Limit of open file descriptors, of this process and of the programs that it starts.
//!
//! A process with many sessions needs more than a shell's default. Its programs get the original
//! limit: some close every possible descriptor, which takes long with a limit of a million.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Resource, getrlimit, setrlimit};

/// The limit before it was raised; `NONE` if it was not. Read in a process between fork and exec,
/// where no lock may be taken.
static BEFORE: AtomicU64 = AtomicU64::new(NONE);
const NONE: u64 = u64::MAX;

/// Raises the descriptor limit of this process to the allowed maximum. Must be called before the
/// first program is started.
pub fn raise_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    let before = limit.current;
    limit.current = limit.maximum;
    // If it cannot be raised, fewer sessions can be open at once.
    if before != limit.current && setrlimit(Resource::Nofile, limit).is_ok() {
        BEFORE.store(before.unwrap_or(NONE), Ordering::SeqCst);
    }
}

/// Returns the descriptor limit of this process; `u64::MAX` if only the system's limit applies.
pub(super) fn limit() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Adds advice to an error of opening a file, if descriptors ran out.
pub(crate) fn with_limit_advice(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EMFILE) => {
            let limit = limit();
            let message = format!(
                "{error}: this process may have at most {limit} files open; close sessions or connections, or raise the limit (`ulimit -n`)"
            );
            io::Error::new(error.kind(), message)
        }
        _ => error,
    }
}

/// Restores the original limit in a process that is about to execute a program.
pub(super) fn put_limit_back() {
    let before = BEFORE.load(Ordering::SeqCst);
    if before != NONE {
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = Some(before);
        // A program with a higher limit still starts.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
