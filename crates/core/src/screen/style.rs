//! Colours, underlines and attributes of a cell.
//!
//! A colour is stored as the program set it: default, palette index, or RGB. A
//! [`Theme`](crate::Theme) resolves it only when a screen is shown or written, so that comparing
//! screens never depends on a theme.

use bitflags::bitflags;

/// A colour as set by the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Color {
    /// The terminal's default foreground or background.
    #[default]
    Default,
    /// An entry of the 256-colour palette. The theme defines entries 0 to 15.
    Indexed(u8),
    /// An RGB colour.
    Rgb(Rgb),
}

/// An RGB colour: 8 bits each of red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rgb {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Rgb {
    /// Returns the colour with these components.
    pub const fn new(r: u8, g: u8, b: u8) -> Rgb {
        Rgb { r, g, b }
    }

    /// Returns the colour `0xrrggbb`.
    pub const fn hex(value: u32) -> Rgb {
        Rgb::new((value >> 16) as u8, (value >> 8) as u8, value as u8)
    }

    /// Parses `#rrggbb`.
    pub fn parse(text: &str) -> Option<Rgb> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6)?;
        // `from_str_radix` alone would accept a sign.
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(digits, 16).ok().map(Rgb::hex)
    }
}

/// Writes `#rrggbb`.
impl std::fmt::Display for Rgb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// Underline style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Underline {
    /// No line.
    #[default]
    None,
    /// One line.
    Single,
    /// Two lines.
    Double,
    /// A wavy line.
    Curly,
    /// A dotted line.
    Dotted,
    /// A dashed line.
    Dashed,
}

bitflags! {
    /// Text attributes of a cell.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct Attributes: u16 {
        /// Bold or bright.
        const BOLD = 1 << 0;
        /// Faint; independent of bold.
        const FAINT = 1 << 1;
        /// Italic.
        const ITALIC = 1 << 2;
        /// Slow blinking.
        const BLINK = 1 << 3;
        /// Fast blinking.
        const RAPID_BLINK = 1 << 4;
        /// Foreground and background are swapped.
        const INVERSE = 1 << 5;
        /// Takes up its cell but is not drawn.
        const INVISIBLE = 1 << 6;
        /// A line through the middle.
        const STRIKETHROUGH = 1 << 7;
        /// A line above.
        const OVERLINE = 1 << 8;
    }
}

/// Colours, underline and attributes of a cell: everything except its text and link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Style {
    /// The colour of the text.
    pub fg: Color,
    /// The background colour.
    pub bg: Color,
    /// The underline style.
    pub underline: Underline,
    /// The colour of the underline; `Default` is the colour of the text.
    pub underline_color: Color,
    /// All other attributes.
    pub attributes: Attributes,
}

impl Style {
    /// Returns whether a blank cell in this style looks different from an empty cell.
    pub fn shows_on_blank(&self) -> bool {
        self.bg != Color::Default
            || self.underline != Underline::None
            || self
                .attributes
                .intersects(Attributes::INVERSE | Attributes::STRIKETHROUGH | Attributes::OVERLINE)
    }

    /// Returns whether any of `attributes` is on.
    pub fn is(&self, attributes: Attributes) -> bool {
        self.attributes.intersects(attributes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_colours_are_read_strictly() {
        assert_eq!(Rgb::parse("#0a0B0c"), Some(Rgb::new(10, 11, 12)));
        assert_eq!(Rgb::parse("#+a0b0c"), None);
        assert_eq!(Rgb::parse("#abc"), None);
        assert_eq!(Rgb::new(10, 11, 255).to_string(), "#0a0bff");
    }
}
