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

use screentest_core::{Attributes, Color, Rgb, Style, Theme, Underline};

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

    /// Returns the style for a cell under a block cursor.
    pub(crate) fn under_block(self, cursor: Rgb) -> ResolvedStyle {
        ResolvedStyle {
            fg: self.bg,
            bg: self.cursor_color(cursor),
            underline_color: self.bg,
            ..self
        }
    }

    /// Returns the colour of a cursor on the cell: the given one, unless it can hardly be told from
    /// the cell's background. Most cursors have the colour of the text, which is the background of
    /// an inverse cell; there the cursor takes the cell's own text colour, as in xterm.
    pub(crate) fn cursor_color(&self, cursor: Rgb) -> Rgb {
        let colors = [cursor, self.fg, Rgb::hex(0xffffff), Rgb::hex(0)];
        let visible = colors
            .into_iter()
            .find(|color| is_distinct(*color, self.bg));
        visible.unwrap_or(cursor)
    }

    /// Whether the cell has an underline, an overline or a strikethrough.
    pub(crate) fn has_lines(&self) -> bool {
        self.visible && (self.underline != Underline::None || self.overline || self.strikethrough)
    }
}

/// Whether a shape of one colour is visible on the other: they differ in brightness or in hue.
fn is_distinct(one: Rgb, other: Rgb) -> bool {
    /// Minimum difference of one part of the colour. Red on a green of the same brightness is
    /// visible although its contrast is low.
    const HUE: u8 = 96;
    let (one_light, other_light) = (luminance(one), luminance(other));
    let (more, less) = (one_light.max(other_light), one_light.min(other_light));
    // A contrast of 1.5 to 1, below which Alacritty changes the colour of its cursor, too. As in
    // WCAG, a twentieth of white is added to both for the light that every display reflects.
    let reflected = luminance(Rgb::hex(0xffffff)) / 20;
    let contrasts = 2 * (more + reflected) >= 3 * (less + reflected);
    let parts = [(one.r, other.r), (one.g, other.g), (one.b, other.b)];
    contrasts
        || parts
            .into_iter()
            .any(|(one, other)| one.abs_diff(other) >= HUE)
}

/// Returns the brightness of a colour: WCAG's relative luminance, with squares instead of powers of
/// 2.4, so that it has the same value on every machine.
fn luminance(color: Rgb) -> u32 {
    let part = |part: u8, weight: u32| weight * u32::from(part) * u32::from(part);
    part(color.r, 2126) + part(color.g, 7152) + part(color.b, 722)
}

fn between(one: Rgb, other: Rgb) -> Rgb {
    Rgb::new(
        one.r.midpoint(other.r),
        one.g.midpoint(other.g),
        one.b.midpoint(other.b),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the block's and the letter's colour on a cell with these colours.
    #[track_caller]
    fn check(fg: u32, bg: u32, cursor: u32, expected: (u32, u32)) {
        let style = Style {
            fg: Color::Rgb(Rgb::hex(fg)),
            bg: Color::Rgb(Rgb::hex(bg)),
            ..Style::default()
        };
        let under = ResolvedStyle::of(&style, &Theme::DARK, Bold::Keeps);
        let under = under.under_block(Rgb::hex(cursor));
        let expected = (Rgb::hex(expected.0), Rgb::hex(expected.1));
        assert_eq!((under.bg, under.fg), expected);
    }

    #[test]
    fn a_block_cursor_differs_from_its_cell_and_its_letter_from_it() {
        // Plain text: the cursor's own colour.
        check(0xdddddd, 0x171717, 0xdddddd, (0xdddddd, 0x171717));
        // Inverse text: the colours of plain text.
        check(0x171717, 0xdddddd, 0xdddddd, (0x171717, 0xdddddd));
        check(0x171717, 0xdddddd, 0xd0d0d0, (0x171717, 0xdddddd));
        // Text that cannot be seen.
        check(0xdddddd, 0xdddddd, 0xdddddd, (0x000000, 0xdddddd));
        check(0x101010, 0x101010, 0x101010, (0xffffff, 0x101010));
        // A colour of the same brightness but another hue.
        check(0xffffff, 0x00a000, 0xd04040, (0xd04040, 0x00a000));
    }
}
