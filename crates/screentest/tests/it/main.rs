//! Tests with real programs, driven through the public API.

mod cassettes;
mod conformance;
mod faults;
mod harness;
mod pty;
mod sessions;
#[cfg(feature = "render")]
mod tapes;
mod test_library;
