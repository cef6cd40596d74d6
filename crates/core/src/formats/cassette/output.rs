//! `output.jsonl`: when each stretch of `output.raw` came.

use serde::{Deserialize, Serialize};

use super::Millis;

/// A stretch of `output.raw` that came at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputLine {
    /// Its number among everything that happened.
    pub seq: u64,
    /// When it came.
    pub t_ms: Millis,
    /// Where it begins: where the one before ended.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u64,
}

impl OutputLine {
    /// Where it ends.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}
