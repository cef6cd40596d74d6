//! Whether anybody is there to read.
//!
//! A client that has gone away is noticed by who writes to it, but a server that waits for a screen writes nothing. The kernel knows at
//! once.

use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

/// Returns when nobody can read any more what is written here; never for a file.
pub(super) fn wait(output: impl AsFd) -> io::Result<()> {
    // Asked for nothing, the kernel tells of errors and hang-ups alone.
    let mut ends = [PollFd::new(&output, PollFlags::empty())];
    loop {
        match poll(&mut ends, None) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
