//! What colours a style comes to.
//!
//! Bold thickens the letters and leaves their colour alone: a program that wants a bright colour can ask for it, and a
//! theme's colours stay what they are. Faint text is half way to its background. What blinks is drawn as if it did not.

use screentest_core::{Attributes, Rgb, Style, Theme, Underline};

use super::opaque;
use crate::Pixel;

/// The colours and lines of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paint {
    pub(super) fg: Pixel,
    pub(super) bg: Pixel,
    /// Whether anything but the background is drawn.
    pub(super) visible: bool,
    pub(super) underline: Underline,
    pub(super) underline_color: Pixel,
    pub(super) overline: bool,
    pub(super) strikethrough: bool,
}

impl Paint {
    pub(super) fn of(style: &Style, theme: &Theme) -> Paint {
        let mut fg = theme.foreground(style.fg);
        let mut bg = theme.background(style.bg);
        if style.is(Attributes::INVERSE) {
            (fg, bg) = (bg, fg);
        }
        if style.is(Attributes::FAINT) {
            fg = between(fg, bg);
        }
        let underline_color = match style.underline_color {
            screentest_core::Color::Default => fg,
            color => theme.foreground(color),
        };
        Paint {
            fg: opaque(fg),
            bg: opaque(bg),
            visible: !style.is(Attributes::INVISIBLE),
            underline: style.underline,
            underline_color: opaque(underline_color),
            overline: style.is(Attributes::OVERLINE),
            strikethrough: style.is(Attributes::STRIKETHROUGH),
        }
    }

    /// The same under a block cursor.
    pub(super) fn under_block(self, cursor: Rgb) -> Paint {
        let block = opaque(cursor);
        // Where text and block are of one colour, the text takes what was behind it.
        let fg = match self.bg == block {
            true => self.fg,
            false => self.bg,
        };
        Paint {
            fg,
            bg: block,
            underline_color: fg,
            ..self
        }
    }

    /// Whether the cell has a line above, below or through it.
    pub(super) fn has_lines(&self) -> bool {
        self.visible && (self.underline != Underline::None || self.overline || self.strikethrough)
    }
}

fn between(one: Rgb, other: Rgb) -> Rgb {
    let half = |a: u8, b: u8| a.midpoint(b);
    Rgb::new(
        half(one.r, other.r),
        half(one.g, other.g),
        half(one.b, other.b),
    )
}
