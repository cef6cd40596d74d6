//! Tests for every backend, one topic per file.

mod agreement;
mod dump;
mod identity;
mod robustness;
mod stored_screens;

/// Returns whether the long form of the tests was requested.
fn full() -> bool {
    std::env::var_os("SCREENTEST_FULL").is_some()
}
