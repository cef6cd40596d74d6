//! Clocks: the monotonic clock, which all contenders share, and the processor time of this process.

use rustix::time::{ClockId, clock_gettime};

/// Returns nanoseconds of the monotonic clock, which C, Python and Node read too.
pub(crate) fn monotonic() -> f64 {
    read(ClockId::Monotonic)
}

/// Returns the processor time of all threads of this process in nanoseconds.
pub(crate) fn cpu_time() -> f64 {
    read(ClockId::ProcessCPUTime)
}

fn read(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
