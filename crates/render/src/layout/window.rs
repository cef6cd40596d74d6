//! The window around the cells: padding, a bar with buttons and a title, round corners, a margin.
//!
//! From the inside out: the cells, the padding, the bar above them, the corners, the margin.
//! Lengths in [`Window`] are in pixels before scaling; those in [`WindowLayout`] and
//! [`WindowButton`] are scaled.
//!
//! See also: `picture/window.rs`, `formats/svg/window.rs`, `formats/html/window.rs` (drawing),
//! `layout/window/title.rs` (cells of the title).

use std::ops::Range;

use screentest_core::{Rgb, ScreenColors};

mod title;

pub(crate) use title::WindowTitle;

use crate::Scale;

/// Colours of the three buttons from the left, the same as in VHS.
const BUTTONS: [Rgb; 3] = [Rgb::hex(0xff4f4d), Rgb::hex(0xfebb00), Rgb::hex(0x00cc1d)];
/// Colour of rings.
const RING: Rgb = Rgb::hex(0x333333);
/// Opacity of the title over the background, from 0 to 255.
pub(crate) const TITLE_OPACITY: u8 = 170;

/// The window around the cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Space around the cells, in the background of the screen.
    pub padding: usize,
    /// Space around the window.
    pub margin: usize,
    /// Fill of the margin and of the corners outside the window.
    pub margin_fill: Fill,
    /// Radius of the window's corners.
    pub radius: usize,
    /// The bar above the cells.
    pub bar: Bar,
    /// Height of the bar, if there is one.
    pub bar_size: usize,
    /// Text in the middle of the bar.
    pub title: String,
    /// Minimum width of the whole picture. A narrower picture gets more padding on both sides. HTML
    /// ignores it.
    pub min_width: usize,
    /// Minimum height of the whole picture. A lower picture gets more padding above and below. HTML
    /// ignores it.
    pub min_height: usize,
}

impl Default for Window {
    fn default() -> Window {
        Window {
            padding: 8,
            margin: 0,
            margin_fill: Fill::Theme,
            radius: 0,
            bar: Bar::None,
            bar_size: 30,
            title: String::new(),
            min_width: 0,
            min_height: 0,
        }
    }
}

impl Window {
    /// Returns a window that adds nothing to the cells: no padding, no margin, no bar.
    pub fn bare() -> Window {
        Window {
            padding: 0,
            ..Window::default()
        }
    }
}

/// Fill of a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Fill {
    /// A mixture of the screen's colours: three quarters background and one quarter text, so that
    /// the edge of the window is visible. They are those of the theme unless the program changes
    /// them.
    #[default]
    Theme,
    /// A colour.
    Color(Rgb),
    /// Transparent. Animations have no transparent pixels and use [`Fill::Theme`] instead.
    Clear,
}

impl Fill {
    /// Returns the colour; `None` if transparent.
    pub(crate) fn color(self, colors: &ScreenColors) -> Option<Rgb> {
        match self {
            Fill::Theme => Some(mixed_color(colors)),
            Fill::Color(color) => Some(color),
            Fill::Clear => None,
        }
    }
}

/// Mixes three quarters of the background with one quarter of the text colour. The result is
/// visible next to the background, and less prominent than text.
fn mixed_color(colors: &ScreenColors) -> Rgb {
    let part = |bg: u8, fg: u8| bg.midpoint(bg.midpoint(fg));
    let ScreenColors { fg, bg, .. } = colors;
    Rgb::new(part(bg.r, fg.r), part(bg.g, fg.g), part(bg.b, fg.b))
}

/// The bar of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Bar {
    /// No bar.
    #[default]
    None,
    /// Red, yellow and green buttons on the left.
    Colorful,
    /// Red, yellow and green buttons on the right.
    ColorfulRight,
    /// Three rings on the left.
    Rings,
    /// Three rings on the right.
    RingsRight,
}

impl Bar {
    pub(crate) fn is_right(self) -> bool {
        matches!(self, Bar::ColorfulRight | Bar::RingsRight)
    }
}

/// Positions of a window's parts in the picture.
#[derive(Debug, Clone)]
pub(crate) struct WindowLayout {
    /// Columns of pixels that the window takes, without the margin.
    pub(crate) x: Range<usize>,
    /// Rows of pixels that the window takes: the bar and the part below it, without the margin.
    pub(crate) y: Range<usize>,
    /// Left and top edge of the first cell.
    pub(crate) cells_left: usize,
    pub(crate) cells_top: usize,
    pub(crate) radius: usize,
    pub(crate) bar_size: usize,
    margin: usize,
}

impl WindowLayout {
    /// Computes the positions around cells of this width and height.
    pub(crate) fn around(
        width: usize,
        height: usize,
        window: &Window,
        scale: Scale,
    ) -> WindowLayout {
        let (padding, margin) = (scale.times(window.padding), scale.times(window.margin));
        let bar_size = match window.bar {
            Bar::None => 0,
            _ => scale.times(window.bar_size),
        };
        let around = |length: usize| length.saturating_add(padding.saturating_mul(2));
        let (width, height) = (around(width), around(height).saturating_add(bar_size));
        let missing = |least: usize, length: usize| {
            let least = scale.times(least).saturating_sub(margin.saturating_mul(2));
            least.saturating_sub(length)
        };
        let extra_width = missing(window.min_width, width);
        let extra_height = missing(window.min_height, height);
        let width = width.saturating_add(extra_width);
        let height = height.saturating_add(extra_height);
        let (left, above) = (padding + extra_width / 2, padding + extra_height / 2);
        let radius = scale.times(window.radius);
        WindowLayout {
            x: margin..margin.saturating_add(width),
            y: margin..margin.saturating_add(height),
            cells_left: margin.saturating_add(left),
            cells_top: margin.saturating_add(bar_size).saturating_add(above),
            radius: radius.min(width / 2).min(height / 2),
            bar_size,
            margin,
        }
    }

    /// Returns whether there is a margin around the window.
    pub(crate) fn has_margin(&self) -> bool {
        self.margin > 0
    }

    /// Returns the width of the whole picture, with the margin.
    pub(crate) fn width(&self) -> usize {
        self.x.end.saturating_add(self.margin)
    }

    pub(crate) fn height(&self) -> usize {
        self.y.end.saturating_add(self.margin)
    }

    /// Returns the three buttons of the bar from left to right; empty if there is no bar.
    pub(crate) fn buttons(&self, bar: Bar) -> Vec<WindowButton> {
        let (colors, ring) = match bar {
            Bar::None => return Vec::new(),
            Bar::Colorful | Bar::ColorfulRight => (BUTTONS, false),
            Bar::Rings | Bar::RingsRight => ([RING; 3], true),
        };
        // A sixth of the bar's height is the unit: a button is two units wide, the gap between
        // buttons is one, and the distances from the side and from the top are equal.
        let sixth = self.bar_size as f32 / 6.0;
        let button = |(index, color): (usize, Rgb)| WindowButton {
            x: if bar.is_right() {
                // The first button is the leftmost on this side, too.
                self.x.end as f32 - 3.0 * sixth * (3 - index) as f32
            } else {
                self.x.start as f32 + 3.0 * sixth * (index + 1) as f32
            },
            y: self.y.start as f32 + 3.0 * sixth,
            radius: sixth,
            hole: if ring { sixth * 0.7 } else { 0.0 },
            color,
        };
        colors.into_iter().enumerate().map(button).collect()
    }

    /// Returns the part of a title that fits into the bar, in cells of `width` by `height`; `None`
    /// if nothing fits or the title is empty.
    pub(crate) fn title(&self, title: &str, width: usize, height: usize) -> Option<WindowTitle> {
        // Three buttons take less than twice the bar's height; the same space is left free on the
        // other side.
        let room = self.x.len().saturating_sub(4 * self.bar_size);
        if self.bar_size < height {
            None
        } else {
            WindowTitle::within(title, room / width.max(1))
        }
    }
}

/// A round button: a disc, or a ring with a hole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WindowButton {
    /// Its centre.
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) radius: f32,
    /// Radius of the hole; 0 for a disc.
    pub(crate) hole: f32,
    pub(crate) color: Rgb,
}
