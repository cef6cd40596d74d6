//! The named colours of the terminal, and a number for each that fits in one byte.

use alacritty_terminal::vte::ansi::NamedColor;

/// All named colours, in the order of their numbers. The first 16 are the colours of SGR 30 to 37
/// and 90 to 97.
pub(super) const ALL: [NamedColor; 29] = [
    NamedColor::Black,
    NamedColor::Red,
    NamedColor::Green,
    NamedColor::Yellow,
    NamedColor::Blue,
    NamedColor::Magenta,
    NamedColor::Cyan,
    NamedColor::White,
    NamedColor::BrightBlack,
    NamedColor::BrightRed,
    NamedColor::BrightGreen,
    NamedColor::BrightYellow,
    NamedColor::BrightBlue,
    NamedColor::BrightMagenta,
    NamedColor::BrightCyan,
    NamedColor::BrightWhite,
    NamedColor::Foreground,
    NamedColor::Background,
    NamedColor::Cursor,
    NamedColor::DimBlack,
    NamedColor::DimRed,
    NamedColor::DimGreen,
    NamedColor::DimYellow,
    NamedColor::DimBlue,
    NamedColor::DimMagenta,
    NamedColor::DimCyan,
    NamedColor::DimWhite,
    NamedColor::BrightForeground,
    NamedColor::DimForeground,
];

/// Returns the number of a named colour. The terminal numbers the first 16 from 0 and the others
/// from 256, after the palette.
pub(super) fn number(name: NamedColor) -> u8 {
    let number = name as usize;
    (if number < 16 { number } else { number - 240 }) as u8
}
