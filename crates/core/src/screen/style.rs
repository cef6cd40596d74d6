//! How a cell is drawn.
//!
//! A colour stays what the program said: its default, a palette index, or an exact value. A [`Theme`](crate::Theme)
//! resolves it when something is shown or written, so that no theme ever changes what is equal.

use bitflags::bitflags;

/// A colour as the program asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Color {
    /// The terminal's own foreground or background.
    #[default]
    Default,
    /// An entry of the 256-colour palette; 0 to 15 are the theme's.
    Indexed(u8),
    /// An exact colour.
    Rgb(Rgb),
}

/// An exact colour.
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
    /// A colour from its three parts.
    pub const fn new(r: u8, g: u8, b: u8) -> Rgb {
        Rgb { r, g, b }
    }

    /// A colour from `0xrrggbb`.
    pub const fn hex(value: u32) -> Rgb {
        Rgb::new((value >> 16) as u8, (value >> 8) as u8, value as u8)
    }

    /// Reads `#rrggbb`.
    pub fn parse(text: &str) -> Option<Rgb> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6)?;
        // `from_str_radix` alone would take a sign.
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

/// The line under a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Underline {
    /// No line.
    #[default]
    None,
    /// One line.
    Single,
    /// Two lines.
    Double,
    /// A wave.
    Curly,
    /// Dots.
    Dotted,
    /// Dashes.
    Dashed,
}

bitflags! {
    /// What is on or off about a cell.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct Attributes: u16 {
        /// Bold, or bright.
        const BOLD = 1 << 0;
        /// Faint; independent of bold.
        const FAINT = 1 << 1;
        /// Italic.
        const ITALIC = 1 << 2;
        /// Blinking slowly.
        const BLINK = 1 << 3;
        /// Blinking fast.
        const RAPID_BLINK = 1 << 4;
        /// Foreground and background change places.
        const INVERSE = 1 << 5;
        /// Takes its place, but is not drawn.
        const INVISIBLE = 1 << 6;
        /// A line through the middle.
        const STRIKETHROUGH = 1 << 7;
        /// A line above.
        const OVERLINE = 1 << 8;
    }
}

/// Everything about a cell but its text and its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Style {
    /// The colour of the text.
    pub fg: Color,
    /// The colour behind it.
    pub bg: Color,
    /// The line under it.
    pub underline: Underline,
    /// That line's colour; `Default` follows the text.
    pub underline_color: Color,
    /// The rest.
    pub attributes: Attributes,
}

impl Style {
    /// Whether a blank cell of this style can be told from an empty one.
    pub fn shows_on_blank(&self) -> bool {
        self.bg != Color::Default
            || self.underline != Underline::None
            || self
                .attributes
                .intersects(Attributes::INVERSE | Attributes::STRIKETHROUGH | Attributes::OVERLINE)
    }

    /// Whether any of `attributes` is on.
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
