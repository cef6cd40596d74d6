//! Separates the text of a terminal's stream from its sequences.
//!
//! This is not an emulator: it only finds the starts and ends of sequences and strings, on which
//! all terminals agree.

/// The kind of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum ByteClass {
    /// Visible text.
    Text,
    /// A control character.
    Control,
    /// Part of an escape sequence, or the end of one that only sets styles.
    Escape,
    /// The end of a sequence that may move the cursor or erase something.
    Movement,
    /// Text inside a string, such as a title or a link.
    StringText,
    /// The end of a string.
    StringEnd,
}

/// The position within a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::redact) struct SequenceTracker {
    state: SequenceState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SequenceState {
    #[default]
    Ground,
    Escape,
    Csi,
    /// Inside OSC, which BEL may also end.
    Osc,
    /// Inside DCS, SOS, PM or APC.
    Other,
}

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;

impl SequenceTracker {
    pub(super) fn is_ground(self) -> bool {
        self.state == SequenceState::Ground
    }

    /// Whether a byte starts or belongs to a sequence, other than a string.
    pub(super) fn is_sequence(self, byte: u8) -> bool {
        match self.state {
            SequenceState::Ground => byte == ESC,
            SequenceState::Escape | SequenceState::Csi => true,
            SequenceState::Osc | SequenceState::Other => false,
        }
    }

    pub(in crate::redact) fn step(&mut self, byte: u8) -> ByteClass {
        let (state, class) = match (self.state, byte) {
            // An escape ends any sequence or string; the terminator of a string starts with an
            // escape too.
            (SequenceState::Osc | SequenceState::Other, ESC) => {
                (SequenceState::Escape, ByteClass::StringEnd)
            }
            (_, ESC) => (SequenceState::Escape, ByteClass::Escape),
            (SequenceState::Osc | SequenceState::Other, CAN | SUB) | (SequenceState::Osc, BEL) => {
                (SequenceState::Ground, ByteClass::StringEnd)
            }
            (SequenceState::Osc | SequenceState::Other, 0..=0x1f | 0x7f) => {
                (self.state, ByteClass::Escape)
            }
            (SequenceState::Osc | SequenceState::Other, _) => (self.state, ByteClass::StringText),
            (SequenceState::Ground, 0..=0x1f | 0x7f) => (SequenceState::Ground, ByteClass::Control),
            (SequenceState::Ground, _) => (SequenceState::Ground, ByteClass::Text),
            (_, CAN | SUB) => (SequenceState::Ground, ByteClass::Escape),
            // Controls inside a sequence are executed at once.
            (state, 0..=0x1f | 0x7f) => (state, ByteClass::Escape),
            (SequenceState::Escape, b'[') => (SequenceState::Csi, ByteClass::Escape),
            (SequenceState::Escape, b']') => (SequenceState::Osc, ByteClass::Escape),
            (SequenceState::Escape, b'P' | b'X' | b'^' | b'_') => {
                (SequenceState::Other, ByteClass::Escape)
            }
            (SequenceState::Escape, 0x20..=0x2f) => (SequenceState::Escape, ByteClass::Escape),
            // The terminator of a string.
            (SequenceState::Escape, b'\\') => (SequenceState::Ground, ByteClass::Escape),
            (SequenceState::Escape, _) => (SequenceState::Ground, ByteClass::Movement),
            (SequenceState::Csi, b'm') => (SequenceState::Ground, ByteClass::Escape),
            (SequenceState::Csi, 0x40..=0x7e) => (SequenceState::Ground, ByteClass::Movement),
            (SequenceState::Csi, _) => (SequenceState::Csi, ByteClass::Escape),
        };
        self.state = state;
        class
    }
}
