//! Separates the text of a terminal's stream from its sequences.
//!
//! This is not an emulator: it only finds the starts and ends of sequences and strings, on which
//! all terminals agree.

/// The kind of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
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
pub(super) struct Tokens {
    at: At,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
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

impl Tokens {
    pub(super) fn is_ground(self) -> bool {
        self.at == At::Ground
    }

    /// Whether a byte starts or belongs to a sequence, other than a string.
    pub(super) fn is_sequence(self, byte: u8) -> bool {
        match self.at {
            At::Ground => byte == ESC,
            At::Escape | At::Csi => true,
            At::Osc | At::Other => false,
        }
    }

    pub(super) fn step(&mut self, byte: u8) -> Token {
        let (at, token) = match (self.at, byte) {
            // An escape ends any sequence or string; the terminator of a string starts with an
            // escape too.
            (At::Osc | At::Other, ESC) => (At::Escape, Token::StringEnd),
            (_, ESC) => (At::Escape, Token::Escape),
            (At::Osc | At::Other, CAN | SUB) | (At::Osc, BEL) => (At::Ground, Token::StringEnd),
            (At::Osc | At::Other, 0..=0x1f | 0x7f) => (self.at, Token::Escape),
            (At::Osc | At::Other, _) => (self.at, Token::StringText),
            (At::Ground, 0..=0x1f | 0x7f) => (At::Ground, Token::Control),
            (At::Ground, _) => (At::Ground, Token::Text),
            (_, CAN | SUB) => (At::Ground, Token::Escape),
            // Controls inside a sequence are executed at once.
            (at, 0..=0x1f | 0x7f) => (at, Token::Escape),
            (At::Escape, b'[') => (At::Csi, Token::Escape),
            (At::Escape, b']') => (At::Osc, Token::Escape),
            (At::Escape, b'P' | b'X' | b'^' | b'_') => (At::Other, Token::Escape),
            (At::Escape, 0x20..=0x2f) => (At::Escape, Token::Escape),
            // The terminator of a string.
            (At::Escape, b'\\') => (At::Ground, Token::Escape),
            (At::Escape, _) => (At::Ground, Token::Movement),
            (At::Csi, b'm') => (At::Ground, Token::Escape),
            (At::Csi, 0x40..=0x7e) => (At::Ground, Token::Movement),
            (At::Csi, _) => (At::Csi, Token::Escape),
        };
        self.at = at;
        token
    }
}
