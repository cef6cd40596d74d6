//! `output.jsonl`: the time of each chunk of `output.raw`.

use serde::{Deserialize, Serialize};

use super::Millis;

/// A chunk of `output.raw` that was read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputLine {
    /// Its sequence number among all lines of the cassette.
    pub seq: u64,
    /// The time at which it was read.
    pub t_ms: Millis,
    /// Offset of its first byte: the end of the previous chunk.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
}

impl OutputLine {
    /// Returns the offset after its last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}
