//! A limit on the size of files (`ulimit -f`) is an error like any other.
//!
//! The system ends who writes beyond it by SIGXFSZ, which says nothing and puts nothing in order. Where that signal is heard, the write fails
//! instead, and whoever wrote tells which file is too large. What is heard here is not heard in programs that we start: a new program begins
//! with what the signal always does.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;

/// Has writes beyond the limit fail.
pub(crate) fn hear() -> io::Result<()> {
    // That it came is known from the write; nobody looks here.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}
