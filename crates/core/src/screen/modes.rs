//! What a program asked of its terminal: how keys, mouse and pastes reach it, and how its text lands.

use bitflags::bitflags;

/// The modes that are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modes {
    /// The alternate screen is shown (?1049, ?1047, ?47).
    pub alternate_screen: bool,
    /// Cursor keys send SS3 (?1).
    pub application_cursor: bool,
    /// The keypad sends its own sequences (DECKPAM).
    pub application_keypad: bool,
    /// Pastes come between marks (?2004).
    pub bracketed_paste: bool,
    /// Gaining and losing the focus is reported (?1004).
    pub focus_events: bool,
    /// Which mouse events are reported.
    pub mouse: MouseTracking,
    /// How they are written.
    pub mouse_encoding: MouseEncoding,
    /// On the alternate screen the wheel sends cursor keys (?1007).
    pub alternate_scroll: bool,
    /// The kitty keyboard protocol's flags.
    pub kitty_keyboard: KittyKeyboard,
    /// Text goes on in the next row (?7).
    pub autowrap: bool,
    /// Rows are counted from the top margin (?6).
    pub origin: bool,
    /// New text pushes old text to the right (4).
    pub insert: bool,
    /// A line feed also returns to the first column (20).
    pub newline: bool,
    /// A synchronized update is under way (?2026).
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

/// Which mouse events a program wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MouseTracking {
    /// None.
    Off,
    /// Presses and releases (?1000).
    Clicks,
    /// And movement while a button is down (?1002).
    Drags,
    /// And all movement (?1003).
    Motion,
}

/// How a mouse event is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MouseEncoding {
    /// One byte a number, up to 223.
    Default,
    /// The numbers as UTF-8 (?1005).
    Utf8,
    /// Decimal numbers (?1006).
    Sgr,
}

bitflags! {
    /// The progressive enhancements of the kitty keyboard protocol.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct KittyKeyboard: u8 {
        /// Keys that would be ambiguous get a sequence of their own.
        const DISAMBIGUATE = 1;
        /// Repeats and releases are reported.
        const EVENT_TYPES = 2;
        /// Shifted and base-layout keys are reported too.
        const ALTERNATE_KEYS = 4;
        /// Every key is a sequence, text too.
        const ALL_KEYS = 8;
        /// The text a key makes is reported with it.
        const ASSOCIATED_TEXT = 16;
    }
}
