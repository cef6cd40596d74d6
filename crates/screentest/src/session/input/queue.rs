//! What is on its way to the program.
//!
//! Keys, pastes and the terminal's own replies go through one queue, so that they arrive in the order they were made.
//! A program that does not read fills the kernel's buffer, then this one; after that, input is refused and nothing
//! blocks.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use screentest_core::KeyError;

use crate::pty::Pty;

/// The queue of input.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    queue: Mutex<VecDeque<u8>>,
}

/// Why input was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The program does not read, and the queue is full.
    #[error("the program does not read its input: {queued} bytes wait already")]
    NotRead {
        /// How many bytes wait for it.
        queued: usize,
    },
    /// More than is taken at once, whatever the program does.
    #[error("`{size}` bytes of input: at most {most} are taken at once")]
    TooLarge {
        /// How much it was.
        size: usize,
        /// How much it may be.
        most: usize,
    },
    /// No key has this name.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The program has ended.
    #[error("the program has ended ({0})")]
    Ended(crate::Outcome),
    /// Another thread ended the wait before the input. Of a text that is typed character by character, a part may
    /// have been sent.
    #[error("the wait before the input was interrupted")]
    Interrupted,
    /// The session was closed while the input waited.
    #[error("the session was closed before the input was sent")]
    Closed,
    /// The terminal refused.
    #[error("could not write to the terminal")]
    Write(#[from] io::Error),
}

impl Outbox {
    /// How much may wait: a large paste, or all the answers that an emulator may owe.
    const MOST: usize = 4 << 20;

    /// Adds input behind what waits already, and sends what the program takes now. `taken` is called once it is certain that it will be
    /// sent, and before any of it is: whatever comes of it comes later.
    pub(crate) fn send(
        &self,
        pty: &dyn Pty,
        bytes: &[u8],
        taken: impl FnOnce(),
    ) -> Result<Sent, InputError> {
        if bytes.len() > Outbox::MOST {
            return Err(InputError::TooLarge {
                size: bytes.len(),
                most: Outbox::MOST,
            });
        }
        let mut queue = self.lock();
        if queue.len() + bytes.len() > Outbox::MOST {
            return Err(InputError::NotRead {
                queued: queue.len(),
            });
        }
        taken();
        queue.extend(bytes);
        Ok(flush(&mut queue, pty)?)
    }

    /// Sends what the program takes now.
    pub(crate) fn flush(&self, pty: &dyn Pty) -> io::Result<Sent> {
        flush(&mut self.lock(), pty)
    }

    /// Whether something waits.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.lock().is_empty()
    }

    /// How much waits.
    pub(crate) fn queued(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<u8>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much of the queue is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// All of it.
    All,
    /// A part waits until the program reads.
    Part,
}

fn flush(queue: &mut VecDeque<u8>, pty: &dyn Pty) -> io::Result<Sent> {
    loop {
        let (front, _) = queue.as_slices();
        if front.is_empty() {
            return Ok(Sent::All);
        }
        match pty.write(front)? {
            0 => return Ok(Sent::Part),
            taken => drop(queue.drain(..taken)),
        }
    }
}
