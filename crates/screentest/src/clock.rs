//! How time passes.
//!
//! Everything live asks this clock, so that a test can own it: on a manual clock nothing times out until the test moves
//! it on. On a skipping clock time passes as it does, and whoever knows that nothing would happen meanwhile moves it on
//! besides. The one file that asks the system what time it is.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A clock. Clones are the same clock.
#[derive(Clone)]
pub struct Clock(Arc<Kind>);

enum Kind {
    System(Instant),
    Manual(Mutex<Manual>),
    /// The system's, and what was skipped.
    Skipping(Instant, Mutex<Manual>),
}

#[derive(Default)]
struct Manual {
    /// How far it was moved by hand.
    now: Duration,
    moved: Arc<Condvar>,
    wakers: Vec<Waker>,
}

/// Looks again at what waits for the time; false once there is nothing left to look at.
type Waker = Arc<dyn Fn() -> bool + Send + Sync>;

impl Clock {
    /// The system's clock, which no change of date touches.
    #[expect(
        clippy::disallowed_methods,
        reason = "this file is where the time comes from"
    )]
    pub fn system() -> Clock {
        Clock(Arc::new(Kind::System(Instant::now())))
    }

    /// A clock that stands still until [`Clock::advance`] moves it.
    pub fn manual() -> Clock {
        Clock(Arc::new(Kind::Manual(Mutex::default())))
    }

    /// The system's clock, which [`Clock::advance`] moves on besides: for pauses in which nothing would happen.
    #[expect(
        clippy::disallowed_methods,
        reason = "this file is where the time comes from"
    )]
    pub fn skipping() -> Clock {
        Clock(Arc::new(Kind::Skipping(Instant::now(), Mutex::default())))
    }

    /// The time since this clock was made.
    pub fn now(&self) -> Duration {
        match &*self.0 {
            Kind::System(start) => start.elapsed(),
            Kind::Manual(manual) => lock(manual).now,
            Kind::Skipping(start, skipped) => start.elapsed() + lock(skipped).now,
        }
    }

    /// The date, as the time since 1970 began: what stands in files that outlast this process. A manual clock begins there.
    #[expect(
        clippy::disallowed_methods,
        reason = "this file is where the time comes from"
    )]
    pub fn date(&self) -> Duration {
        match &*self.0 {
            // A date before 1970 is a clock that was never set.
            Kind::System(_) | Kind::Skipping(..) => SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default(),
            Kind::Manual(manual) => lock(manual).now,
        }
    }

    /// Moves a manual or a skipping clock on and wakes whoever waits for it. Does nothing to the system's clock.
    pub fn advance(&self, time: Duration) {
        if let Kind::Manual(manual) | Kind::Skipping(_, manual) = &*self.0 {
            let wakers = {
                let mut manual = lock(manual);
                manual.now += time;
                manual.moved.notify_all();
                manual.wakers.clone()
            };
            // Called without the lock: who is woken may hold one of its own, and asks for the time while it does.
            let done: Vec<Waker> = wakers.into_iter().filter(|waker| !waker()).collect();
            let is_done = |waker: &Waker| done.iter().any(|done| Arc::ptr_eq(done, waker));
            lock(manual).wakers.retain(|waker| !is_done(waker));
        }
    }

    /// Blocks until so much time has passed; on a manual clock, until somebody has moved it that far.
    pub(crate) fn pass(&self, time: Duration) {
        match &*self.0 {
            Kind::System(start) => {
                let until = start.elapsed().saturating_add(time);
                // Somebody may wake this thread for reasons of their own.
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

    /// How long to block until a moment comes: `None` when only [`Clock::advance`] can bring it.
    pub(crate) fn until(&self, moment: Duration) -> Option<Duration> {
        match &*self.0 {
            Kind::System(start) => Some(moment.saturating_sub(start.elapsed())),
            Kind::Skipping(..) => Some(moment.saturating_sub(self.now())),
            Kind::Manual(manual) if lock(manual).now >= moment => Some(Duration::ZERO),
            Kind::Manual(_) => None,
        }
    }

    /// Whether it stands still until it is moved.
    pub(crate) fn is_manual(&self) -> bool {
        matches!(&*self.0, Kind::Manual(_))
    }

    /// Calls `waker` whenever the time is moved by hand, until it answers false.
    pub(crate) fn on_advance(&self, waker: impl Fn() -> bool + Send + Sync + 'static) {
        if let Kind::Manual(manual) | Kind::Skipping(_, manual) = &*self.0 {
            lock(manual).wakers.push(Arc::new(waker));
        }
    }
}

fn lock(manual: &Mutex<Manual>) -> MutexGuard<'_, Manual> {
    // A waker that panicked left nothing half done here.
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
    fn what_is_skipped_is_not_waited_for() {
        let clock = Clock::skipping();
        let hour = Duration::from_secs(3600);
        let moment = clock.now() + hour;
        let waiting = {
            let clock = clock.clone();
            std::thread::spawn(move || clock.pass(hour))
        };
        let left = clock.until(moment).unwrap();
        assert!(left <= hour && left > hour - Duration::from_secs(60));
        // It may begin to wait after the first of them.
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
