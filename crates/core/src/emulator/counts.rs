//! Counters of events that no cell shows.
//!
//! Every number depends only on the program's bytes and the screen's size, never on how reads split
//! the bytes. Tests may therefore assert them: "this key rings no bell and repaints nothing".

/// Number of events of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Bytes written by the program.
    pub bytes: u64,
    /// Bells.
    pub bells: u64,
    /// Erasures of the whole screen at once: ED 2 or another ED that leaves no cell, a reset (RIS),
    /// DECCOLM, and entering the alternate screen. ED 3 does not count: it erases the scrollback.
    pub clears: u64,
    /// Repaints of the whole screen: every row was written or erased, none of them twice, in any
    /// order and with any other sequences in between. Consecutive writes to the same row count as
    /// one. A clear is a repaint by itself, and drawing on the cleared rows afterwards belongs to
    /// it. Scrolling repaints nothing except the text written with it.
    pub repaints: u64,
    /// Synchronized updates (?2026) that the program itself ended.
    pub updates: u64,
    /// Texts copied to the clipboard, and the times it was emptied (OSC 52).
    pub copies: u64,
    /// Images received completely.
    pub images: u64,
    /// Sequences that are not supported.
    pub unknown: u64,
}

impl Counts {
    /// All counters at zero.
    pub const NONE: Counts = Counts {
        bytes: 0,
        bells: 0,
        clears: 0,
        repaints: 0,
        updates: 0,
        copies: 0,
        images: 0,
        unknown: 0,
    };

    /// Returns the events after an earlier state of the counters.
    #[must_use]
    pub fn since(self, earlier: Counts) -> Counts {
        Counts {
            bytes: self.bytes.saturating_sub(earlier.bytes),
            bells: self.bells.saturating_sub(earlier.bells),
            clears: self.clears.saturating_sub(earlier.clears),
            repaints: self.repaints.saturating_sub(earlier.repaints),
            updates: self.updates.saturating_sub(earlier.updates),
            copies: self.copies.saturating_sub(earlier.copies),
            images: self.images.saturating_sub(earlier.images),
            unknown: self.unknown.saturating_sub(earlier.unknown),
        }
    }
}
