//! What goes up along a stream: the numbers, the times, and how much of the output had come.
//!
//! Whoever verifies refuses a line that goes back, and whoever recovers keeps none: both ask here.

use screentest_core::formats::cassette::Millis;

/// The last line of a stream so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    seq: u64,
    time: Millis,
    at: u64,
}

impl Order {
    /// The line that follows, or why it cannot.
    pub(super) fn next(&mut self, seq: u64, time: Millis, at: u64) -> Result<(), String> {
        if seq <= self.seq {
            return Err(format!("`seq` {seq} after {}", self.seq));
        } else if time < self.time {
            return Err(format!("a time of {time} after {}", self.time));
        } else if at < self.at {
            return Err(format!("`at` {at} after {}", self.at));
        }
        *self = Order { seq, time, at };
        Ok(())
    }
}
