//! How many descriptors this process may have, and how many its programs.
//!
//! Who keeps many sessions needs more than a shell gives. Its programs get what they would have got without it: some close every number that
//! they might have, which takes long where there are a million.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Resource, getrlimit, setrlimit};

/// What the limit was before it was raised; `NONE` where it was not. Read in programs that are about to start, where no lock may be taken.
static BEFORE: AtomicU64 = AtomicU64::new(NONE);
const NONE: u64 = u64::MAX;

/// Lets this process have as many descriptors as the system allows it. To be called before the first program is started.
pub fn raise_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    let before = limit.current;
    limit.current = limit.maximum;
    // Where it stays as it is, fewer sessions can be open at once.
    if before != limit.current && setrlimit(Resource::Nofile, limit).is_ok() {
        BEFORE.store(before.unwrap_or(NONE), Ordering::SeqCst);
    }
}

/// How many descriptors this process may have. Who has no limit of its own meets that of the system.
pub(super) fn limit() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Why a file could not be opened, with what to do where that is for want of descriptors.
pub(crate) fn explained(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EMFILE) => {
            let limit = limit();
            let told = format!(
                "{error}: this process may have {limit} files open; close sessions or connections, or raise the limit (`ulimit -n`)"
            );
            io::Error::new(error.kind(), told)
        }
        _ => error,
    }
}

/// Gives a program that is about to start what it would have had.
pub(super) fn put_limit_back() {
    let before = BEFORE.load(Ordering::SeqCst);
    if before != NONE {
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = Some(before);
        // One that has more than it should still starts.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
