//! Fuzz targets: guarantees that hold for any input.
//!
//! Each target is a file with a function `check`, which takes arbitrary bytes and panics if a
//! guarantee is violated; the head of the file lists the guarantees. `cargo xtask fuzz` searches
//! for bytes that make `check` panic, hang or use much memory; `tests/corpus.rs` runs the inputs
//! that were committed.
//!
//! No target starts a program that the input chooses or writes a file outside a temporary folder.

pub mod ansi;
pub mod asciicast;
pub mod backends;
mod budget;
pub mod cassette;
pub mod http;
pub mod images;
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

/// A reader of untrusted bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of its file, its corpus and its program.
    pub name: &'static str,
    /// Panics if a guarantee is violated.
    pub check: fn(&[u8]),
}

/// Every target, sorted by name.
pub const TARGETS: [Target; 13] = [
    Target::new("ansi", ansi::check),
    Target::new("asciicast", asciicast::check),
    Target::new("backends", backends::check),
    Target::new("cassette", cassette::check),
    Target::new("http", http::check),
    Target::new("images", images::check),
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

/// Defines the libFuzzer program of a target.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::$name::check(bytes));
    };
}
