//! Tests with real programs, driven through the public API.

mod cassettes;
mod conformance;
mod faults;
mod harness;
mod pty;
mod sessions;
mod test_library;
