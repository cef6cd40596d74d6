//! The colours in which a screen is shown: those of a theme, except where the program has changed
//! them.
//!
//! Everything that shows a cell or writes its colour as RGB resolves the colour here.

use super::Screen;
use crate::screen::palette::{Palette, PaletteEntry};
use crate::screen::style::{Color, Rgb};
use crate::screen::theme::Theme;

/// The colours in which a screen is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenColors {
    /// Default text colour.
    pub fg: Rgb,
    /// Default background colour.
    pub bg: Rgb,
    /// Cursor colour.
    pub cursor: Rgb,
    /// Background colour of selected text.
    pub selection: Rgb,
    indexed: [Rgb; 256],
}

impl ScreenColors {
    /// Returns the colours of a theme with the changes of a palette.
    pub fn new(theme: &Theme, palette: &Palette) -> ScreenColors {
        let mut colors = ScreenColors {
            fg: theme.fg,
            bg: theme.bg,
            cursor: theme.cursor,
            selection: theme.selection,
            indexed: std::array::from_fn(|index| theme.indexed(index as u8)),
        };
        for (entry, color) in palette.iter() {
            match entry {
                PaletteEntry::Indexed(index) => colors.indexed[usize::from(index)] = color,
                PaletteEntry::Foreground => colors.fg = color,
                PaletteEntry::Background => colors.bg = color,
                PaletteEntry::Cursor => colors.cursor = color,
                PaletteEntry::SelectionBackground => colors.selection = color,
                // Selected text keeps its colour: no output shows a selection as a terminal does.
                PaletteEntry::SelectionForeground => {}
            }
        }
        colors
    }

    /// Returns the RGB colour of a foreground.
    pub fn foreground(&self, color: Color) -> Rgb {
        self.resolve(color, self.fg)
    }

    /// Returns the RGB colour of a background.
    pub fn background(&self, color: Color) -> Rgb {
        self.resolve(color, self.bg)
    }

    /// Returns one of the 256 indexed colours.
    pub fn indexed(&self, index: u8) -> Rgb {
        self.indexed[usize::from(index)]
    }

    fn resolve(&self, color: Color, default: Rgb) -> Rgb {
        match color {
            Color::Default => default,
            Color::Indexed(index) => self.indexed(index),
            Color::Rgb(rgb) => rgb,
        }
    }
}

/// The colours of a theme, without changes.
impl From<&Theme> for ScreenColors {
    fn from(theme: &Theme) -> ScreenColors {
        ScreenColors::new(theme, &Palette::default())
    }
}

impl Screen {
    /// Returns the colours in which the screen is shown: those of the theme, except where the
    /// program has changed them.
    pub fn colors(&self, theme: &Theme) -> ScreenColors {
        ScreenColors::new(theme, &self.palette)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_colour_replaces_that_of_the_theme() {
        let palette = Palette::from_iter([
            (PaletteEntry::Indexed(1), Rgb::hex(0x111111)),
            (PaletteEntry::Indexed(200), Rgb::hex(0x222222)),
            (PaletteEntry::Foreground, Rgb::hex(0x333333)),
            (PaletteEntry::Cursor, Rgb::hex(0x444444)),
        ]);
        let colors = ScreenColors::new(&Theme::SCREENTEST, &palette);
        assert_eq!(colors.foreground(Color::Indexed(1)), Rgb::hex(0x111111));
        assert_eq!(colors.background(Color::Indexed(200)), Rgb::hex(0x222222));
        assert_eq!(colors.foreground(Color::Default), Rgb::hex(0x333333));
        assert_eq!(colors.cursor, Rgb::hex(0x444444));
        assert_eq!(colors.background(Color::Default), Theme::SCREENTEST.bg);
        assert_eq!(colors.indexed(2), Theme::SCREENTEST.ansi[2]);
    }

    #[test]
    fn rgb_colours_depend_on_neither_theme_nor_palette() {
        let black = Rgb::new(0, 0, 0);
        let palette = Palette::from_iter([(PaletteEntry::Background, Rgb::hex(0xffffff))]);
        let colors = ScreenColors::new(&Theme::LIGHT, &palette);
        assert_eq!(colors.background(Color::Rgb(black)), black);
    }
}
