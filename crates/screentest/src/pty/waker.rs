//! Wakes a thread that polls file descriptors.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::ioctl_fionbio;

/// Readable from the first wake-up until it is cleared. A pipe and not an eventfd, because every
/// Unix has pipes.
#[derive(Debug)]
pub(crate) struct Waker {
    reader: PipeReader,
    writer: PipeWriter,
}

impl Waker {
    pub(crate) fn new() -> io::Result<Waker> {
        let (reader, writer) = io::pipe()?;
        ioctl_fionbio(&reader, true)?;
        ioctl_fionbio(&writer, true)?;
        Ok(Waker { reader, writer })
    }

    pub(crate) fn wake(&self) {
        // A full pipe is readable already, and both ends stay open as long as `self`.
        let _ = (&self.writer).write(&[0]);
    }

    pub(crate) fn clear(&self) {
        // One read usually takes all wake-ups; a rest causes a spurious wake-up, which is allowed.
        let _ = (&self.reader).read(&mut [0; 64]);
    }
}

impl AsFd for Waker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
