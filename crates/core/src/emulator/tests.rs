//! What every backend must do, one idea a file.

mod agreement;
mod identity;
mod kept;
mod portrait;
mod robustness;

/// Whether the long form of a test was asked for.
fn full() -> bool {
    std::env::var_os("SCREENTEST_FULL").is_some()
}
