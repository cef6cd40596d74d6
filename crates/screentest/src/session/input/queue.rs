//! Queue of the bytes to be written to the program.
//!
//! Keys, pastes and the terminal's own replies share one queue, so that they arrive in the order in
//! which they were made. If a program does not read, first the kernel's buffer fills, then this
//! queue; after that, input is refused. Nothing blocks.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard};

use screentest_core::KeyError;

use crate::lock::lock;
use crate::pty::Pty;

/// The queue of input.
#[derive(Debug, Default)]
pub(crate) struct InputQueue {
    queue: Mutex<VecDeque<u8>>,
}

/// Why input was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The program does not read, and the queue is full.
    #[error("the program does not read its input: {queued} bytes are queued")]
    NotRead {
        /// Number of queued bytes.
        queued: usize,
    },
    /// The input is larger than the queue.
    #[error("input of `{size}` bytes is too large (at most {most})")]
    TooLarge {
        /// Its size.
        size: usize,
        /// The maximum size.
        most: usize,
    },
    /// The text is not a chord (a key, with or without modifiers).
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The program has exited.
    #[error("the program has ended ({0})")]
    Ended(crate::ExitStatus),
    /// Another thread ended the wait before the input. A text that is typed character by character
    /// may have been sent in part.
    #[error("the wait before the input was interrupted")]
    Interrupted,
    /// The session was closed while the input waited.
    #[error("the session was closed before the input was sent")]
    Closed,
    /// The system call failed.
    #[error("could not write to the terminal")]
    Write(#[from] io::Error),
}

impl InputQueue {
    /// Maximum size of the queue: enough for a large paste, or for all pending replies of an
    /// emulator.
    const MAX_BYTES: usize = 4 << 20;

    /// Appends input to the queue and writes as much as possible. Calls `before_sending` after the
    /// input is accepted and before any of it is written, so the program cannot have reacted yet.
    pub(crate) fn send(
        &self,
        pty: &dyn Pty,
        bytes: &[u8],
        before_sending: impl FnOnce(),
    ) -> Result<FlushResult, InputError> {
        if bytes.len() > InputQueue::MAX_BYTES {
            return Err(InputError::TooLarge {
                size: bytes.len(),
                most: InputQueue::MAX_BYTES,
            });
        }
        let mut queue = self.lock();
        if queue.len() + bytes.len() > InputQueue::MAX_BYTES {
            return Err(InputError::NotRead {
                queued: queue.len(),
            });
        }
        before_sending();
        queue.extend(bytes);
        Ok(flush(&mut queue, pty)?)
    }

    /// Writes as much of the queue as possible.
    pub(crate) fn flush(&self, pty: &dyn Pty) -> io::Result<FlushResult> {
        flush(&mut self.lock(), pty)
    }

    /// Returns whether anything is queued.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.lock().is_empty()
    }

    /// Returns the number of queued bytes.
    pub(crate) fn queued(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<u8>> {
        lock(&self.queue)
    }
}

/// How much of the queue was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlushResult {
    /// Everything.
    Complete,
    /// A part stays queued until the program reads.
    Partial,
}

fn flush(queue: &mut VecDeque<u8>, pty: &dyn Pty) -> io::Result<FlushResult> {
    loop {
        let (front, _) = queue.as_slices();
        if front.is_empty() {
            return Ok(FlushResult::Complete);
        }
        match pty.write(front)? {
            0 => return Ok(FlushResult::Partial),
            taken => drop(queue.drain(..taken)),
        }
    }
}
