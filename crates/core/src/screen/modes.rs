//! Terminal modes set by a program: how keys, mouse events and pastes are sent, and how text is
//! written.

use bitflags::bitflags;

/// The current modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modes {
    /// The alternate screen is shown (?1049, ?1047, ?47).
    pub alternate_screen: bool,
    /// Cursor keys send SS3 (?1).
    pub application_cursor: bool,
    /// The keypad sends its own sequences (DECKPAM).
    pub application_keypad: bool,
    /// Pastes are enclosed in start and end sequences (?2004).
    pub bracketed_paste: bool,
    /// Focus changes are reported (?1004).
    pub focus_events: bool,
    /// Which mouse events are reported.
    pub mouse: MouseTracking,
    /// How mouse events are encoded.
    pub mouse_encoding: MouseEncoding,
    /// On the alternate screen, the mouse wheel sends cursor keys (?1007).
    pub alternate_scroll: bool,
    /// Flags of the kitty keyboard protocol.
    pub kitty_keyboard: KittyKeyboard,
    /// Text wraps into the next row (?7).
    pub autowrap: bool,
    /// Row numbers are relative to the top margin (?6).
    pub origin: bool,
    /// New text moves existing text to the right (4).
    pub insert: bool,
    /// A line feed also returns to the first column (20).
    pub newline: bool,
    /// A synchronized update is in progress (?2026).
    pub synchronized: bool,
}

impl Default for Modes {
    fn default() -> Modes {
        Modes {
            alternate_screen: false,
            application_cursor: false,
            application_keypad: false,
            bracketed_paste: false,
            focus_events: false,
            mouse: MouseTracking::Off,
            mouse_encoding: MouseEncoding::Default,
            alternate_scroll: true,
            kitty_keyboard: KittyKeyboard::empty(),
            autowrap: true,
            origin: false,
            insert: false,
            newline: false,
            synchronized: false,
        }
    }
}

/// Mouse events that a program asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MouseTracking {
    /// None.
    Off,
    /// Presses and releases (?1000).
    Clicks,
    /// Also movement while a button is down (?1002).
    Drags,
    /// Also all movement (?1003).
    Motion,
}

/// Encoding of mouse events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MouseEncoding {
    /// One byte per number, up to 223.
    Default,
    /// Numbers as UTF-8 (?1005).
    Utf8,
    /// Decimal numbers (?1006).
    Sgr,
}

bitflags! {
    /// The progressive enhancements of the kitty keyboard protocol.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct KittyKeyboard: u8 {
        /// Keys that would be ambiguous have their own sequence.
        const DISAMBIGUATE = 1;
        /// Repeats and releases are reported.
        const EVENT_TYPES = 2;
        /// Shifted keys and keys of the base layout are also reported.
        const ALTERNATE_KEYS = 4;
        /// Every key sends a sequence, including keys that produce text.
        const ALL_KEYS = 8;
        /// The text that a key produces is also reported.
        const ASSOCIATED_TEXT = 16;
    }
}
