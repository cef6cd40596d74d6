//! Clock of a session.
//!
//! Waits and timestamps use this clock, so that a test can control them: on a manual clock, a wait
//! times out only when the test advances the clock. A skipping clock runs normally, and callers can
//! advance it across periods in which nothing would happen. No other file of this crate calls
//! `Instant::now` or `SystemTime::now`.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A clock. Clones refer to the same clock.
#[derive(Clone)]
pub struct Clock(Arc<ClockKind>);

enum ClockKind {
    System(Instant),
    Manual(Mutex<ManualTime>),
    /// The system's clock plus the skipped time.
    Skipping(Instant, Mutex<ManualTime>),
}

#[derive(Default)]
struct ManualTime {
    /// By how much it was advanced.
    now: Duration,
    advanced: Arc<Condvar>,
    callbacks: Vec<AdvanceCallback>,
}

/// Callback that wakes a waiting thread; returns false when it is not needed any more.
type AdvanceCallback = Arc<dyn Fn() -> bool + Send + Sync>;

impl Clock {
    /// Returns the system's monotonic clock.
    #[expect(
        clippy::disallowed_methods,
        reason = "other code takes the time from this clock"
    )]
    pub fn system() -> Clock {
        Clock(Arc::new(ClockKind::System(Instant::now())))
    }

    /// Returns a clock that is stopped and only moved by [`Clock::advance`].
    pub fn manual() -> Clock {
        Clock(Arc::new(ClockKind::Manual(Mutex::default())))
    }

    /// Returns the system's clock, which [`Clock::advance`] can also move ahead across idle
    /// periods.
    #[expect(
        clippy::disallowed_methods,
        reason = "other code takes the time from this clock"
    )]
    pub fn skipping() -> Clock {
        Clock(Arc::new(ClockKind::Skipping(
            Instant::now(),
            Mutex::default(),
        )))
    }

    /// Returns the time since this clock was created.
    pub fn now(&self) -> Duration {
        match &*self.0 {
            ClockKind::System(start) => start.elapsed(),
            ClockKind::Manual(manual) => lock(manual).now,
            ClockKind::Skipping(start, skipped) => start.elapsed() + lock(skipped).now,
        }
    }

    /// Returns the date, as the time since 1970, for files that outlast this process. A manual
    /// clock begins at 0.
    #[expect(
        clippy::disallowed_methods,
        reason = "other code takes the time from this clock"
    )]
    pub fn date(&self) -> Duration {
        match &*self.0 {
            // A date before 1970 belongs to a clock that was never set.
            ClockKind::System(_) | ClockKind::Skipping(..) => SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default(),
            ClockKind::Manual(manual) => lock(manual).now,
        }
    }

    /// Advances a manual or skipping clock and wakes waiting threads. Has no effect on the system's
    /// clock.
    pub fn advance(&self, time: Duration) {
        if let ClockKind::Manual(manual) | ClockKind::Skipping(_, manual) = &*self.0 {
            let callbacks = {
                let mut manual = lock(manual);
                manual.now += time;
                manual.advanced.notify_all();
                manual.callbacks.clone()
            };
            // Called without the lock: a callback may hold its own lock and query the time.
            let done: Vec<AdvanceCallback> = callbacks
                .into_iter()
                .filter(|callback| !callback())
                .collect();
            let is_done =
                |callback: &AdvanceCallback| done.iter().any(|done| Arc::ptr_eq(done, callback));
            lock(manual).callbacks.retain(|callback| !is_done(callback));
        }
    }

    /// Blocks for this long; on a manual clock, until it was advanced that far.
    #[doc(hidden)]
    pub fn pass(&self, time: Duration) {
        match &*self.0 {
            ClockKind::System(start) => {
                let until = start.elapsed().saturating_add(time);
                // The thread may be unparked for other reasons.
                while let Some(left) = until.checked_sub(start.elapsed()).filter(|d| !d.is_zero()) {
                    std::thread::park_timeout(left);
                }
            }
            ClockKind::Skipping(start, skipped) => {
                let mut skipped = lock(skipped);
                let until = (start.elapsed() + skipped.now).saturating_add(time);
                while let Some(left) = until.checked_sub(start.elapsed() + skipped.now)
                    && !left.is_zero()
                {
                    let advanced = Arc::clone(&skipped.advanced);
                    let waited = advanced.wait_timeout(skipped, left);
                    skipped = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
            ClockKind::Manual(manual) => {
                let mut manual = lock(manual);
                let until = manual.now.saturating_add(time);
                while manual.now < until {
                    let advanced = Arc::clone(&manual.advanced);
                    manual = advanced
                        .wait(manual)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Returns how long to block until a moment; `None` if only [`Clock::advance`] can reach it.
    pub(crate) fn until(&self, moment: Duration) -> Option<Duration> {
        match &*self.0 {
            ClockKind::System(start) => Some(moment.saturating_sub(start.elapsed())),
            ClockKind::Skipping(..) => Some(moment.saturating_sub(self.now())),
            ClockKind::Manual(manual) if lock(manual).now >= moment => Some(Duration::ZERO),
            ClockKind::Manual(_) => None,
        }
    }

    /// Returns whether the clock is only moved by [`Clock::advance`].
    pub(crate) fn is_manual(&self) -> bool {
        matches!(&*self.0, ClockKind::Manual(_))
    }

    /// Calls `callback` after each advance, until it returns false.
    pub(crate) fn on_advance(&self, callback: impl Fn() -> bool + Send + Sync + 'static) {
        if let ClockKind::Manual(manual) | ClockKind::Skipping(_, manual) = &*self.0 {
            lock(manual).callbacks.push(Arc::new(callback));
        }
    }
}

fn lock(manual: &Mutex<ManualTime>) -> MutexGuard<'_, ManualTime> {
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
            ClockKind::System(_) => "system",
            ClockKind::Manual(_) => "manual",
            ClockKind::Skipping(..) => "skipping",
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
