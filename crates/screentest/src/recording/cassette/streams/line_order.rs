//! Checks that sequence numbers increase along a stream, and that times and output offsets never
//! decrease.
//!
//! Verification rejects a line that goes backwards; recovery drops it. Both use this check.

use screentest_core::formats::cassette::Millis;

/// The position of the last line of a stream so far.
#[derive(Debug, Default)]
pub(crate) struct LineOrder {
    seq: u64,
    time: Millis,
    at: u64,
}

impl LineOrder {
    /// Advances to the next line, or returns why it cannot follow.
    pub(crate) fn check_next(&mut self, seq: u64, time: Millis, at: u64) -> Result<(), String> {
        if seq <= self.seq {
            return Err(format!("`seq` {seq} after {}", self.seq));
        } else if time < self.time {
            return Err(format!("a time of {time} after {}", self.time));
        } else if at < self.at {
            return Err(format!("`at` {at} after {}", self.at));
        }
        *self = LineOrder { seq, time, at };
        Ok(())
    }
}
