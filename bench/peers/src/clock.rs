//! Time as every contender reads it: the monotonic clock, and what the processors worked for this process.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds of the monotonic clock, which C, Python and Node read too.
pub(crate) fn monotonic() -> f64 {
    read(ClockId::Monotonic)
}

/// Nanoseconds that all threads of this process have worked.
pub(crate) fn worked() -> f64 {
    read(ClockId::ProcessCPUTime)
}

fn read(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
