//! A limit on the work of an emulator for one input.
//!
//! A few bytes of program output can fill the largest screen, and 64 KiB of such output take
//! minutes. Sessions feed output in slices, but a target must interpret all of its input several
//! times. So a target stops where the work exceeds this limit; shorter inputs reach the same code.

use screentest_core::Emulator;
use screentest_core::emulator::Work;

/// The work allowed per input: about a quarter of a second in an instrumented build.
const MOST: Work = 100 << 20;

/// The work that is left for an input.
#[derive(Debug)]
pub(crate) struct Budget(Work);

impl Budget {
    pub(crate) fn new() -> Budget {
        Budget(MOST)
    }

    /// Feeds bytes within the budget. Returns how many were fed.
    pub(crate) fn feed(&mut self, emulator: &mut dyn Emulator, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() && self.0 > 0 {
            let fed = emulator.feed_slice(&bytes[at..], self.0);
            at += fed.bytes;
            self.0 = self.0.saturating_sub(fed.work);
        }
        at
    }

    /// Counts a resize, which moves every cell.
    pub(crate) fn resize(&mut self, rows: usize, cols: usize) {
        self.0 = self.0.saturating_sub((rows * cols) as Work);
    }

    /// Returns whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.0 == 0
    }
}
