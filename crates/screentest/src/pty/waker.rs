//! Wakes a thread that polls file descriptors.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::ioctl_fionbio;

/// Readable from the first ring until it is silenced. A pipe and not an eventfd, because every Unix
/// has pipes.
#[derive(Debug)]
pub(super) struct Bell {
    hear: PipeReader,
    pull: PipeWriter,
}

impl Bell {
    pub(super) fn new() -> io::Result<Bell> {
        let (hear, pull) = io::pipe()?;
        ioctl_fionbio(&hear, true)?;
        ioctl_fionbio(&pull, true)?;
        Ok(Bell { hear, pull })
    }

    pub(super) fn ring(&self) {
        // A full pipe is readable already, and both ends stay open as long as `self`.
        let _ = (&self.pull).write(&[0]);
    }

    pub(super) fn silence(&self) {
        // One read usually takes all rings; a rest causes a spurious wake-up, which is allowed.
        let _ = (&self.hear).read(&mut [0; 64]);
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.hear.as_fd()
    }
}
