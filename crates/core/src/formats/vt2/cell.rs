//! Encodes and describes one cell.
//!
//! Four bytes are enough for an ASCII character in palette colours. Any other cell uses the
//! extended form, marked by bit 7 of its second byte. The first byte of an extended cell is its
//! header: two bits for the length of the character, one for each RGB colour, and four that are
//! zero. No cell therefore starts with FE or FF, which mark blank rows and runs.

use crate::{Attributes, Color, Rgb, Style, Underline};

/// A cell as the format stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WireCell {
    /// One code point; NUL for the second half of a wide character.
    pub(super) char: char,
    /// Bits 0 to 6: the attributes.
    pub(super) attributes: u8,
    pub(super) fg: WireColor,
    pub(super) bg: WireColor,
}

/// A colour as the format stores it; there is no default colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireColor {
    Palette(u8),
    Rgb(Rgb),
}

/// The character in the second column of a wide character.
pub(super) const SPACER: char = '\0';
/// Starts a run of equal cells.
pub(super) const RUN: u8 = 0xff;
/// Starts a count of blank rows.
pub(super) const BLANK_ROWS: u8 = 0xfe;

/// Attribute bit: the cell has the extended form.
pub(super) const EXTENDED: u8 = 1 << 7;
/// Bit of an extended cell's header: the foreground has three bytes (RGB).
pub(super) const RGB_FG: u8 = 1 << 5;
/// Bit of an extended cell's header: the background has three bytes (RGB).
pub(super) const RGB_BG: u8 = 1 << 4;
/// Bits of an extended cell's header that must be zero.
pub(super) const RESERVED: u8 = 0x0f;
/// Position of the character's length minus one in an extended cell's header.
pub(super) const LENGTH_SHIFT: u8 = 6;

/// White text, the default according to the format's own example.
const DEFAULT_FG: u8 = 7;
/// Black background.
const DEFAULT_BG: u8 = 0;

/// The attributes and their bits. The underline, bit 2, is not an attribute in memory.
const ATTRIBUTES: [(u8, Attributes); 6] = [
    (1 << 0, Attributes::BOLD),
    (1 << 1, Attributes::ITALIC),
    (1 << 3, Attributes::FAINT),
    (1 << 4, Attributes::INVERSE),
    (1 << 5, Attributes::INVISIBLE),
    (1 << 6, Attributes::STRIKETHROUGH),
];
const UNDERLINE: u8 = 1 << 2;

impl WireCell {
    /// The cell that blank rows consist of.
    pub(super) const BLANK: WireCell = WireCell {
        char: ' ',
        attributes: 0,
        fg: WireColor::Palette(DEFAULT_FG),
        bg: WireColor::Palette(DEFAULT_BG),
    };

    /// Creates a cell from a character and the parts of a style that the format can store.
    pub(super) fn new(char: char, style: &Style) -> WireCell {
        let mut attributes = 0;
        for (bit, attribute) in ATTRIBUTES {
            if style.is(attribute) {
                attributes |= bit;
            }
        }
        if style.underline != Underline::None {
            attributes |= UNDERLINE;
        }
        WireCell {
            char,
            attributes,
            fg: WireColor::new(style.fg, DEFAULT_FG),
            bg: WireColor::new(style.bg, DEFAULT_BG),
        }
    }

    /// Converts to the style in memory; the format's default colours become the terminal's.
    pub(super) fn style(&self) -> Style {
        let mut attributes = Attributes::empty();
        for (bit, attribute) in ATTRIBUTES {
            attributes.set(attribute, self.attributes & bit != 0);
        }
        Style {
            fg: self.fg.color(DEFAULT_FG),
            bg: self.bg.color(DEFAULT_BG),
            underline: if self.attributes & UNDERLINE == 0 {
                Underline::None
            } else {
                Underline::Single
            },
            underline_color: Color::Default,
            attributes,
        }
    }

    /// Whether `self` is the second half of the character in `before`. An ASCII character never has
    /// one: a NUL after it is a blank cell, since some writers use NUL for cells that were never
    /// written.
    pub(super) fn is_spacer_of(&self, before: &WireCell) -> bool {
        self.char == SPACER
            && !before.char.is_ascii()
            && *self
                == (WireCell {
                    char: SPACER,
                    ..*before
                })
    }

    /// Appends the cell's bytes.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        if let (true, WireColor::Palette(fg), WireColor::Palette(bg)) =
            (self.char.is_ascii(), self.fg, self.bg)
        {
            bytes.extend([self.char as u8, self.attributes, fg, bg]);
            return;
        }
        let mut utf8 = [0; 4];
        let utf8 = self.char.encode_utf8(&mut utf8).as_bytes();
        let mut header = (utf8.len() as u8 - 1) << LENGTH_SHIFT;
        if matches!(self.fg, WireColor::Rgb(_)) {
            header |= RGB_FG;
        }
        if matches!(self.bg, WireColor::Rgb(_)) {
            header |= RGB_BG;
        }
        bytes.extend([header, self.attributes | EXTENDED]);
        bytes.extend(utf8);
        self.fg.write(bytes);
        self.bg.write(bytes);
    }
}

impl WireColor {
    fn new(color: Color, default: u8) -> WireColor {
        match color {
            Color::Default => WireColor::Palette(default),
            Color::Indexed(index) => WireColor::Palette(index),
            Color::Rgb(rgb) => WireColor::Rgb(rgb),
        }
    }

    fn color(self, default: u8) -> Color {
        match self {
            WireColor::Palette(index) if index == default => Color::Default,
            WireColor::Palette(index) => Color::Indexed(index),
            WireColor::Rgb(rgb) => Color::Rgb(rgb),
        }
    }

    fn write(self, bytes: &mut Vec<u8>) {
        match self {
            WireColor::Palette(index) => bytes.push(index),
            WireColor::Rgb(rgb) => bytes.extend([rgb.r, rgb.g, rgb.b]),
        }
    }
}
