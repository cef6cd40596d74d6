//! Times, medians and quartiles, and numbers from the environment.

use rustix::time::{ClockId, clock_gettime};

/// Returns the monotonic clock in microseconds, which `floor.c` reads, too.
pub(crate) fn monotonic() -> f64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// Reads a number from the environment.
pub(crate) fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// Returns the lower quartile, the median and the upper quartile.
pub(crate) fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| sorted[(sorted.len() - 1) * quarter / 4])
}
