//! How often something is repeated that must hold every time.

/// `quick` times in everyday runs; `full` times with `cargo xtask test --full`, which sets `SCREENTEST_FULL`.
pub(crate) fn rounds(quick: usize, full: usize) -> std::ops::Range<usize> {
    match std::env::var_os("SCREENTEST_FULL") {
        Some(_) => 0..full,
        None => 0..quick,
    }
}
