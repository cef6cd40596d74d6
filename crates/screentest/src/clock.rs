//! Clock of a session.
//!
//! All time comes from this clock, so that a test can control it: on a manual clock nothing times
//! out until the test advances it. A skipping clock runs normally, and callers can advance it
//! across periods in which nothing would happen. This is the only file that queries the system's
//! time.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A clock. Clones refer to the same clock.
#[derive(Clone)]
pub struct Clock(Arc<Kind>);

enum Kind {
    System(Instant),
    Manual(Mutex<Manual>),
    /// The system's clock plus the skipped time.
    Skipping(Instant, Mutex<Manual>),
}

#[derive(Default)]
struct Manual {
    /// How far it was advanced.
    now: Duration,
    moved: Arc<Condvar>,
    wakers: Vec<Waker>,
}

/// Callback that wakes a waiting thread; returns false when it is not needed any more.
type Waker = Arc<dyn Fn() -> bool + Send + Sync>;

impl Clock {
    /// Returns the system's monotonic clock.
    #[expect(
        clippy::disallowed_methods,
        reason = "the only file that reads the system's time"
    )]
    pub fn system() -> Clock {
        Clock(Arc::new(Kind::System(Instant::now())))
    }

    /// Returns a clock that is stopped and only moved by [`Clock::advance`].
    pub fn manual() -> Clock {
        Clock(Arc::new(Kind::Manual(Mutex::default())))
    }

    /// Returns the system's clock, which [`Clock::advance`] can also move ahead across idle
    /// periods.
    #[expect(
        clippy::disallowed_methods,
        reason = "the only file that reads the system's time"
    )]
    pub fn skipping() -> Clock {
        Clock(Arc::new(Kind::Skipping(Instant::now(), Mutex::default())))
    }

    /// Returns the time since this clock was created.
    pub fn now(&self) -> Duration {
        match &*self.0 {
            Kind::System(start) => start.elapsed(),
            Kind::Manual(manual) => lock(manual).now,
            Kind::Skipping(start, skipped) => start.elapsed() + lock(skipped).now,
        }
    }

    /// Returns the date, as the time since 1970, for files that outlast this process. A manual
    /// clock begins at 0.
    #[expect(
        clippy::disallowed_methods,
        reason = "the only file that reads the system's time"
    )]
    pub fn date(&self) -> Duration {
        match &*self.0 {
            // A date before 1970 belongs to a clock that was never set.
            Kind::System(_) | Kind::Skipping(..) => SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default(),
            Kind::Manual(manual) => lock(manual).now,
        }
    }

    /// Advances a manual or skipping clock and wakes waiting threads. Has no effect on the system's
    /// clock.
    pub fn advance(&self, time: Duration) {
        if let Kind::Manual(manual) | Kind::Skipping(_, manual) = &*self.0 {
            let wakers = {
                let mut manual = lock(manual);
                manual.now += time;
                manual.moved.notify_all();
                manual.wakers.clone()
            };
            // Called without the lock: a callback may hold its own lock and query the time.
            let done: Vec<Waker> = wakers.into_iter().filter(|waker| !waker()).collect();
            let is_done = |waker: &Waker| done.iter().any(|done| Arc::ptr_eq(done, waker));
            lock(manual).wakers.retain(|waker| !is_done(waker));
        }
    }

    /// Blocks for this long; on a manual clock, until it was advanced that far.
    #[doc(hidden)]
    pub fn pass(&self, time: Duration) {
        match &*self.0 {
            Kind::System(start) => {
                let until = start.elapsed().saturating_add(time);
                // The thread may be unparked for other reasons.
                while let Some(left) = until.checked_sub(start.elapsed()).filter(|d| !d.is_zero()) {
                    std::thread::park_timeout(left);
                }
            }
            Kind::Skipping(start, skipped) => {
                let mut skipped = lock(skipped);
                let until = (start.elapsed() + skipped.now).saturating_add(time);
                while let Some(left) = until.checked_sub(start.elapsed() + skipped.now)
                    && !left.is_zero()
                {
                    let moved = Arc::clone(&skipped.moved);
                    let waited = moved.wait_timeout(skipped, left);
                    skipped = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
            Kind::Manual(manual) => {
                let mut manual = lock(manual);
                let until = manual.now.saturating_add(time);
                while manual.now < until {
                    let moved = Arc::clone(&manual.moved);
                    manual = moved.wait(manual).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Returns how long to block until a moment; `None` if only [`Clock::advance`] can reach it.
    pub(crate) fn until(&self, moment: Duration) -> Option<Duration> {
        match &*self.0 {
            Kind::System(start) => Some(moment.saturating_sub(start.elapsed())),
            Kind::Skipping(..) => Some(moment.saturating_sub(self.now())),
            Kind::Manual(manual) if lock(manual).now >= moment => Some(Duration::ZERO),
            Kind::Manual(_) => None,
        }
    }

    /// Returns whether the clock is only moved by [`Clock::advance`].
    pub(crate) fn is_manual(&self) -> bool {
        matches!(&*self.0, Kind::Manual(_))
    }

    /// Calls `waker` after each advance, until it returns false.
    pub(crate) fn on_advance(&self, waker: impl Fn() -> bool + Send + Sync + 'static) {
        if let Kind::Manual(manual) | Kind::Skipping(_, manual) = &*self.0 {
            lock(manual).wakers.push(Arc::new(waker));
        }
    }
}

fn lock(manual: &Mutex<Manual>) -> MutexGuard<'_, Manual> {
    // A callback that panicked left nothing inconsistent here.
    manual.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &*self.0 {
            Kind::System(_) => "system",
            Kind::Manual(_) => "manual",
            Kind::Skipping(..) => "skipping",
        };
        write!(f, "Clock({kind}, {:?})", self.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_time_is_not_waited_for() {
        let clock = Clock::skipping();
        let hour = Duration::from_secs(3600);
        let moment = clock.now() + hour;
        let waiting = {
            let clock = clock.clone();
            std::thread::spawn(move || clock.pass(hour))
        };
        let left = clock.until(moment).unwrap();
        assert!(left <= hour && left > hour - Duration::from_secs(60));
        // The thread may begin to wait after the first advance.
        while !waiting.is_finished() {
            clock.advance(2 * hour);
            std::thread::yield_now();
        }
        waiting.join().unwrap();
        clock.advance(2 * hour);
        assert_eq!(clock.until(moment), Some(Duration::ZERO));
        assert!(clock.now() >= 2 * hour);
    }
}
