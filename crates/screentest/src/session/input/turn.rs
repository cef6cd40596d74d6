//! Lets one thread at a time wait for the program and send input.
//!
//! Two threads that wait at the same time would both find the program ready, and one would send its
//! input too early.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::clock::Clock;
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
        // The system's clock also for a session with a manual clock: other threads need their time.
        let clock = Clock::system();
        let mut taken = lock(&self.taken);
        while *taken {
            let left = most.saturating_sub(clock.now());
            if left.is_zero() || interrupt.is_some_and(Interrupt::is_raised) {
                return None;
            }
            taken = lock::wait_timeout(&self.free, taken, SLICE.min(left)).0;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wake_ups_without_a_turn_do_not_shorten_the_wait() {
        let turns = InputTurn::default();
        let most = SLICE * 10;
        let _taken = turns.take(most, None).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let clock = Clock::system();
                let turn = turns.take(most, None);
                assert!(turn.is_none());
                clock.now()
            });
            while !waiting.is_finished() {
                turns.free.notify_all();
                std::thread::yield_now();
            }
            assert!(waiting.join().unwrap() >= most);
        });
    }
}
