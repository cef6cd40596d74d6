//! Detects that the reading end of the output has been closed.
//!
//! A write to a closed pipe fails, but a server that waits for a screen does not write. `poll`
//! reports the hangup at once.

use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

/// Blocks until the reading end of the output is closed. Never returns for a regular file.
pub(super) fn wait(output: impl AsFd) -> io::Result<()> {
    // With an empty set of events, `poll` reports only errors and hangups.
    let mut ends = [PollFd::new(&output, PollFlags::empty())];
    loop {
        match poll(&mut ends, None) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
