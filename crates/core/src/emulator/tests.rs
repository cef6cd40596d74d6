//! Tests for every backend, one topic per file.

mod agreement;
mod identity;
mod kept;
mod portrait;
mod robustness;

/// Returns whether the long form of the tests was requested.
fn full() -> bool {
    std::env::var_os("SCREENTEST_FULL").is_some()
}
