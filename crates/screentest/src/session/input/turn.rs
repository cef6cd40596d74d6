//! Lets one thread at a time wait for the program and send input.
//!
//! Two threads that wait at the same time would both find the program ready, and one would send its
//! input too early.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::lock::{self, lock};
use crate::session::wait::limits::Interrupt;

/// How often a thread that waits for its turn checks whether it was interrupted.
const SLICE: Duration = Duration::from_millis(20);

/// The lock of a session's input.
#[derive(Debug, Default)]
pub(in crate::session) struct InputTurn {
    taken: Mutex<bool>,
    free: Condvar,
}

/// The right to send input, until dropped.
#[derive(Debug)]
pub(in crate::session) struct Turn<'a>(&'a InputTurn);

impl InputTurn {
    /// Waits for a turn. Returns `None` on a timeout or an interrupt.
    pub(in crate::session) fn take(
        &self,
        most: Duration,
        interrupt: Option<&Interrupt>,
    ) -> Option<Turn<'_>> {
        let mut taken = lock(&self.taken);
        let mut left = most;
        while *taken {
            if left.is_zero() || interrupt.is_some_and(Interrupt::is_raised) {
                return None;
            }
            let slice = SLICE.min(left);
            left -= slice;
            taken = lock::wait_timeout(&self.free, taken, slice).0;
        }
        *taken = true;
        Some(Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut taken = lock(&self.0.taken);
        *taken = false;
        self.0.free.notify_one();
    }
}
