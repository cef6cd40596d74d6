//! The window around the cells: padding, a bar with buttons and a title, round corners, a margin.
//!
//! From the inside out: cells, padding, bar above, corners, margin. Lengths are in pixels before
//! scaling.
//!
//! See also: `picture/window.rs`, `formats/svg/window.rs`, `formats/html/window.rs` (drawing),
//! `layout/window/title.rs` (cells of the title).

use std::ops::Range;

use screentest_core::{Rgb, Theme};

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
    /// Space around the cells, in the theme's background.
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
    /// Minimum width of the whole picture; the difference is added to the padding on both sides.
    /// Ignored by HTML, which grows with its page.
    pub least_width: usize,
    /// Minimum height of the whole picture.
    pub least_height: usize,
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
            least_width: 0,
            least_height: 0,
        }
    }
}

impl Window {
    /// Returns a window without anything around the cells.
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
    /// A shade of the theme: a quarter of the way from its background to its text, so that the edge
    /// of the window is visible.
    #[default]
    Theme,
    /// A colour.
    Color(Rgb),
    /// Transparent. Animations, which have no transparent pixels, use the theme's shade.
    Clear,
}

impl Fill {
    /// Returns the colour; `None` if transparent.
    pub(crate) fn color(self, theme: &Theme) -> Option<Rgb> {
        match self {
            Fill::Theme => Some(shade(theme)),
            Fill::Color(color) => Some(color),
            Fill::Clear => None,
        }
    }
}

/// A quarter of the way: far enough from the background to be visible, and far enough from the text
/// to be unobtrusive.
fn shade(theme: &Theme) -> Rgb {
    let part = |bg: u8, fg: u8| bg.midpoint(bg.midpoint(fg));
    let Theme { fg, bg, .. } = theme;
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
    /// The window with its bar, without the margin.
    pub(crate) x: Range<usize>,
    pub(crate) y: Range<usize>,
    /// Position of the first cell.
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
        let right = missing(window.least_width, width);
        let below = missing(window.least_height, height);
        let (width, height) = (width.saturating_add(right), height.saturating_add(below));
        let (left, above) = (padding + right / 2, padding + below / 2);
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

    /// Whether there is a margin around the window.
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

    /// Returns the three buttons of the bar, from the left; none without a bar.
    pub(crate) fn buttons(&self, bar: Bar) -> Vec<WindowButton> {
        let (colors, ring) = match bar {
            Bar::None => return Vec::new(),
            Bar::Colorful | Bar::ColorfulRight => (BUTTONS, false),
            Bar::Rings | Bar::RingsRight => ([RING; 3], true),
        };
        // A sixth of the bar's height is the unit: a button is two units wide, the gap between
        // buttons is one, and the distances from the side and from the top are equal.
        let sixth = self.bar_size as f32 / 6.0;
        let places = colors.into_iter().enumerate();
        let button = |(index, color): (usize, Rgb)| WindowButton {
            x: if bar.is_right() {
                // On the right side, too, the first button is the leftmost.
                self.x.end as f32 - 3.0 * sixth * (3 - index) as f32
            } else {
                self.x.start as f32 + 3.0 * sixth * (index + 1) as f32
            },
            y: self.y.start as f32 + 3.0 * sixth,
            radius: sixth,
            hole: if ring { sixth * 0.7 } else { 0.0 },
            color,
        };
        places.map(button).collect()
    }

    /// Returns the part of a title that fits, in cells of this size; `None` if there is no room or
    /// no title.
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
