//! What colours and lines a style comes to, for pixels, SVG and HTML alike.
//!
//! Bold thickens the letters and leaves their colour alone unless asked. Terminals differ: Ghostty, kitty, foot, Alacritty and
//! GNOME's do so, while xterm and VHS's xterm.js turn the first eight colours into their bright ones. State JSON decides what
//! is usual: there bold does not change a colour, so a picture that did would show what no assertion could find.
//!
//! Faint text is half way to its background. What blinks is drawn as if it did not.

use screentest_core::{Attributes, Color, Rgb, Style, Theme, Underline};

use crate::Bold;

/// How a cell looks, whoever asked for it.
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
    pub(crate) fn of(style: &Style, theme: &Theme, bold: Bold) -> ResolvedStyle {
        let mut fg = theme.foreground(match style.fg {
            Color::Indexed(dark @ 0..8)
                if bold == Bold::Brightens && style.is(Attributes::BOLD) =>
            {
                Color::Indexed(dark + 8)
            }
            color => color,
        });
        let mut bg = theme.background(style.bg);
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
                color => theme.foreground(color),
            },
            overline: style.is(Attributes::OVERLINE),
            strikethrough: style.is(Attributes::STRIKETHROUGH),
        }
    }

    /// The same under a block cursor.
    pub(crate) fn under_block(self, cursor: Rgb) -> ResolvedStyle {
        // Where block and ground are of one colour, the letter keeps its own.
        let fg = if self.bg == cursor { self.fg } else { self.bg };
        ResolvedStyle {
            fg,
            bg: cursor,
            underline_color: fg,
            ..self
        }
    }

    /// Whether the cell has a line above, below or through it.
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
