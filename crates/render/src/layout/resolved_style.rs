//! Resolves a style to colours and decorations, for pixels, SVG and HTML alike.
//!
//! Bold makes letters thick and does not change their colour, unless the options ask for it.
//! Terminals differ: Ghostty, kitty, foot, Alacritty and GNOME Terminal do the same, while xterm
//! and VHS's xterm.js turn the first eight colours into their bright variants. The default follows
//! State JSON, in which bold does not change a colour: a picture should not show a colour that no
//! assertion can find.
//!
//! The colour of faint text is half way to its background. Blinking text is drawn as if it did not
//! blink.

use screentest_core::{Attributes, Color, Rgb, ScreenColors, Style, Underline};

use crate::Bold;

/// The appearance of a cell, independent of the output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResolvedStyle {
    pub(crate) fg: Rgb,
    pub(crate) bg: Rgb,
    /// Whether anything but the background is drawn.
    pub(crate) visible: bool,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underline: Underline,
    pub(crate) underline_color: Rgb,
    pub(crate) overline: bool,
    pub(crate) strikethrough: bool,
}

impl ResolvedStyle {
    pub(crate) fn of(style: &Style, colors: &ScreenColors, bold: Bold) -> ResolvedStyle {
        let mut fg = colors.foreground(match style.fg {
            Color::Indexed(dark @ 0..8)
                if bold == Bold::Brightens && style.is(Attributes::BOLD) =>
            {
                Color::Indexed(dark + 8)
            }
            color => color,
        });
        let mut bg = colors.background(style.bg);
        if style.is(Attributes::INVERSE) {
            (fg, bg) = (bg, fg);
        }
        if style.is(Attributes::FAINT) {
            fg = between(fg, bg);
        }
        ResolvedStyle {
            fg,
            bg,
            visible: !style.is(Attributes::INVISIBLE),
            bold: style.is(Attributes::BOLD),
            italic: style.is(Attributes::ITALIC),
            underline: style.underline,
            underline_color: match style.underline_color {
                Color::Default => fg,
                color => colors.foreground(color),
            },
            overline: style.is(Attributes::OVERLINE),
            strikethrough: style.is(Attributes::STRIKETHROUGH),
        }
    }

    /// Returns the style for a cell under a block cursor.
    pub(crate) fn under_block(self, cursor: Rgb) -> ResolvedStyle {
        // If the cursor has the colour of the background, the letter keeps its own colour.
        let fg = if self.bg == cursor { self.fg } else { self.bg };
        ResolvedStyle {
            fg,
            bg: cursor,
            underline_color: fg,
            ..self
        }
    }

    /// Whether the cell has an underline, an overline or a strikethrough.
    pub(crate) fn has_lines(&self) -> bool {
        self.visible && (self.underline != Underline::None || self.overline || self.strikethrough)
    }
}

fn between(one: Rgb, other: Rgb) -> Rgb {
    Rgb::new(
        one.r.midpoint(other.r),
        one.g.midpoint(other.g),
        one.b.midpoint(other.b),
    )
}
