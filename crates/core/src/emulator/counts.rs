//! How often a program did what no cell shows.
//!
//! Every number depends on the program's bytes and the screen's size alone, never on how reads cut the bytes, so that a
//! test may assert it: "this key rings no bell and repaints nothing".

/// How often each thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Bytes that the program wrote.
    pub bytes: u64,
    /// Rings of the bell.
    pub bells: u64,
    /// Erasures of the whole screen at once: ED 2 or another ED that leaves no cell, a reset (RIS), DECCOLM, and
    /// entering the alternate screen. ED 3 is none: it erases what scrolled out.
    pub clears: u64,
    /// Drawings of the whole screen: every row was written or erased, none of them twice, in any order and however many
    /// other sequences came between. What goes on in the same row is one drawing of it. A clear draws every row by itself,
    /// and what is then drawn on the empty rows belongs to it. Scrolling draws nothing but the text that comes with it.
    pub repaints: u64,
    /// Synchronized updates (?2026) that the program ended itself.
    pub updates: u64,
    /// Texts put on the clipboard, and the times it was emptied (OSC 52).
    pub copies: u64,
    /// Pictures that were sent whole.
    pub images: u64,
    /// Sequences that were not understood.
    pub unknown: u64,
}

impl Counts {
    /// Nothing has happened yet.
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

    /// What came after an earlier moment.
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
