//! Limits on concurrent requests and on requests per second.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use screentest::clock::Clock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::service::client::Role;
use crate::service::lock;

/// The most concurrent requests; each occupies a thread. Read-only clients have separate slots, so
/// that they cannot lock out the others.
const MAX_READ_WRITE: usize = 400;
const MAX_READ_ONLY: usize = 200;

/// The most threads that requests occupy.
pub(crate) const MAX_REQUESTS: usize = MAX_READ_WRITE + MAX_READ_ONLY;

/// Slots of concurrent requests.
#[derive(Debug)]
pub(crate) struct RequestSlots {
    read_write: Arc<Semaphore>,
    read_only: Arc<Semaphore>,
}

/// A slot, until dropped. The thread that works holds it, because the client that waits may
/// disconnect earlier.
pub(crate) type RequestSlot = OwnedSemaphorePermit;

impl Default for RequestSlots {
    fn default() -> RequestSlots {
        RequestSlots {
            read_write: Arc::new(Semaphore::new(MAX_READ_WRITE)),
            read_only: Arc::new(Semaphore::new(MAX_READ_ONLY)),
        }
    }
}

impl RequestSlots {
    /// Takes a free slot, if there is one.
    pub(crate) fn take(&self, role: Role) -> Option<RequestSlot> {
        let slots = match role {
            Role::Full => &self.read_write,
            Role::ReadOnly => &self.read_only,
        };
        Arc::clone(slots).try_acquire_owned().ok()
    }

    /// Whether no request is running.
    pub(crate) fn all_free(&self) -> bool {
        self.read_write.available_permits() + self.read_only.available_permits() == MAX_REQUESTS
    }
}

/// Rate limiter (token bucket): allows `rate` events per second and bursts of the same size.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    rate: u32,
    level: Mutex<(f64, Duration)>,
    clock: Clock,
}

impl RateLimiter {
    pub(crate) fn new(rate: u32, clock: Clock) -> RateLimiter {
        RateLimiter {
            rate,
            level: Mutex::new((rate.into(), clock.now())),
            clock,
        }
    }

    /// Whether one more event is allowed now. If so, it is counted.
    pub(crate) fn allow(&self) -> bool {
        let mut level = lock(&self.level);
        let (before, then) = *level;
        let now = self.clock.now();
        let rate = f64::from(self.rate);
        let filled = (before + now.saturating_sub(then).as_secs_f64() * rate).min(rate);
        let allowed = filled >= 1.0;
        *level = (if allowed { filled - 1.0 } else { filled }, now);
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_limiter_stops_bursts_over_its_rate() {
        let clock = Clock::manual();
        let limiter = RateLimiter::new(3, clock.clone());
        let allowed = || (0..100).filter(|_| limiter.allow()).count();
        assert_eq!(allowed(), 3);
        clock.advance(Duration::from_secs(1));
        assert_eq!(allowed(), 3);
        clock.advance(Duration::from_secs(60));
        assert_eq!(allowed(), 3, "a long pause adds at most one second's worth");
    }
}
