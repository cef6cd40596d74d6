//! How much is done for anybody.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use screentest::Clock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::service::client::Role;
use crate::service::lock;

/// How many requests may be under way at once; each takes a thread. Those who may only look have places of their own, so that all of them
/// together cannot keep out who may touch.
const MOST_CALLS: usize = 400;
const MOST_LOOKS: usize = 200;

/// The most threads that requests take.
pub(crate) const MOST_THREADS: usize = MOST_CALLS + MOST_LOOKS;

/// The places.
#[derive(Debug)]
pub(crate) struct Places {
    calls: Arc<Semaphore>,
    looks: Arc<Semaphore>,
}

/// A place, until dropped: by whoever works, and not by who waits for the work and may go away.
pub(crate) type Place = OwnedSemaphorePermit;

impl Default for Places {
    fn default() -> Places {
        Places {
            calls: Arc::new(Semaphore::new(MOST_CALLS)),
            looks: Arc::new(Semaphore::new(MOST_LOOKS)),
        }
    }
}

impl Places {
    /// One of them, where there is one.
    pub(crate) fn take(&self, role: Role) -> Option<Place> {
        let places = match role {
            Role::Full => &self.calls,
            Role::ReadOnly => &self.looks,
        };
        Arc::clone(places).try_acquire_owned().ok()
    }

    /// Whether nobody has one.
    pub(crate) fn are_free(&self) -> bool {
        self.calls.available_permits() + self.looks.available_permits() == MOST_THREADS
    }
}

/// Lets so many through in a second, and as many at once.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: u32,
    level: Mutex<(f64, Duration)>,
    clock: Clock,
}

impl Bucket {
    pub(crate) fn new(rate: u32, clock: Clock) -> Bucket {
        Bucket {
            rate,
            level: Mutex::new((rate.into(), clock.now())),
            clock,
        }
    }

    /// Whether one more may pass now.
    pub(crate) fn take(&self) -> bool {
        let mut level = lock(&self.level);
        let (before, then) = *level;
        let now = self.clock.now();
        let rate = f64::from(self.rate);
        let filled = (before + now.saturating_sub(then).as_secs_f64() * rate).min(rate);
        let passes = filled >= 1.0;
        *level = (if passes { filled - 1.0 } else { filled }, now);
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_too_often_is_stopped() {
        let clock = Clock::manual();
        let bucket = Bucket::new(3, clock.clone());
        let passed = || (0..100).filter(|_| bucket.take()).count();
        assert_eq!(passed(), 3);
        clock.advance(Duration::from_secs(1));
        assert_eq!(passed(), 3);
        clock.advance(Duration::from_secs(60));
        assert_eq!(passed(), 3, "a long pause is no more than a second's worth");
    }
}
