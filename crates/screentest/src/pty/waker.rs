//! A bell that wakes whoever waits for file descriptors.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::ioctl_fionbio;

/// Readable from the first ring until it is silenced. A pipe rather than an eventfd, as every Unix has it.
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
        // A full pipe is a bell that rings already, and both ends live as long as we do.
        let _ = (&self.pull).write(&[0]);
    }

    pub(super) fn silence(&self) {
        // One read takes all rings of ordinary times; what is left wakes once more for nothing, which is allowed.
        let _ = (&self.hear).read(&mut [0; 64]);
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.hear.as_fd()
    }
}
