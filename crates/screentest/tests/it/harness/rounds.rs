//! The number of repetitions of tests that must pass every time.

/// Returns `0..quick`, or `0..full` with `cargo xtask test --full`, which sets `SCREENTEST_FULL`.
pub(crate) fn rounds(quick: usize, full: usize) -> std::ops::Range<usize> {
    match std::env::var_os("SCREENTEST_FULL") {
        Some(_) => 0..full,
        None => 0..quick,
    }
}
