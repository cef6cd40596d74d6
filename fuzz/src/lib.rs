//! What must hold whatever the bytes are.
//!
//! Each target is a file with a function `check`, which takes any bytes and panics where something does not hold; its head says what does.
//! `cargo xtask fuzz` looks for bytes that make it panic, hang or take much memory; `tests/corpus.rs` runs what was found and kept.
//!
//! Nothing here starts a program for what the bytes say, nor writes a file outside a folder of its own.

pub mod ansi;
pub mod asciicast;
pub mod backends;
pub mod cassette;
pub mod http;
pub mod json_rpc;
pub mod key;
mod scratch;
pub mod selector;
pub mod state_json;
pub mod stream;
pub mod tape;
pub mod vt2;

#[cfg(feature = "libfuzzer")]
#[doc(hidden)]
pub use libfuzzer_sys;

/// Something that reads bytes from outside.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is that of its file, its corpus and its program.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub check: fn(&[u8]),
}

/// Every target, by name.
pub const TARGETS: [Target; 12] = [
    Target::new("ansi", ansi::check),
    Target::new("asciicast", asciicast::check),
    Target::new("backends", backends::check),
    Target::new("cassette", cassette::check),
    Target::new("http", http::check),
    Target::new("json_rpc", json_rpc::check),
    Target::new("key", key::check),
    Target::new("selector", selector::check),
    Target::new("state_json", state_json::check),
    Target::new("stream", stream::check),
    Target::new("tape", tape::check),
    Target::new("vt2", vt2::check),
];

impl Target {
    const fn new(name: &'static str, check: fn(&[u8])) -> Target {
        Target { name, check }
    }
}

/// The program that libFuzzer drives for a target.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::$name::check(bytes));
    };
}
