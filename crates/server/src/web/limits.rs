//! How much is taken from anybody.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use screentest::Clock;

/// The largest body of a request: a long paste, and no more.
pub(crate) const LARGEST_BODY: usize = 1 << 20;

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
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
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
