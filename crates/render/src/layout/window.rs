//! What surrounds the cells: padding, a bar with buttons and a title, round corners, a margin.
//!
//! From the inside out: cells, padding, the bar above, the corners, the margin. Lengths are in pixels before scaling.
//!
//! Elsewhere: drawing it (`picture/window.rs`, `svg/window.rs`, `html.rs`), the title's cells (`window/title.rs`).

use std::ops::Range;

use screentest_core::{Rgb, Theme};

mod title;

pub(crate) use title::Title;

use crate::Scale;

/// The colours of the three buttons, from the left, as VHS has them.
const BUTTONS: [Rgb; 3] = [Rgb::hex(0xff4f4d), Rgb::hex(0xfebb00), Rgb::hex(0x00cc1d)];
/// The colour of rings.
const RING: Rgb = Rgb::hex(0x333333);
/// How much of the title's colour is the text's, of 255; the rest is the ground's.
pub(crate) const TITLE_OPACITY: u8 = 170;

/// What surrounds the cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Space around the cells, in the theme's background.
    pub padding: usize,
    /// Space around the window.
    pub margin: usize,
    /// What the margin and the corners outside of the window are filled with.
    pub margin_fill: Fill,
    /// How round the corners of the window are.
    pub radius: usize,
    /// The bar above the cells.
    pub bar: Bar,
    /// How high the bar is, if there is one.
    pub bar_size: usize,
    /// What stands in the middle of the bar.
    pub title: String,
    /// How wide the whole picture is at least; what the cells leave of it goes to both sides of the padding. HTML, which grows
    /// with its page, has no such thing.
    pub least_width: usize,
    /// How high it is at least.
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
    /// The cells and nothing else.
    pub fn bare() -> Window {
        Window {
            padding: 0,
            ..Window::default()
        }
    }
}

/// What a margin is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Fill {
    /// A shade of the theme: a quarter of the way from its background to its text, so that the window is seen to end.
    #[default]
    Theme,
    /// A colour.
    Color(Rgb),
    /// Nothing: what is behind the picture shows. Films, which have no clear pixels, show the theme's shade.
    Clear,
}

impl Fill {
    /// `None` where nothing is drawn.
    pub(crate) fn color(self, theme: &Theme) -> Option<Rgb> {
        match self {
            Fill::Theme => Some(shade(theme)),
            Fill::Color(color) => Some(color),
            Fill::Clear => None,
        }
    }
}

/// Halfway to what is halfway: far enough from the background to be seen, and from the text to be quiet.
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
    /// The same on the right.
    ColorfulRight,
    /// Three rings on the left.
    Rings,
    /// The same on the right.
    RingsRight,
}

impl Bar {
    pub(crate) fn is_right(self) -> bool {
        matches!(self, Bar::ColorfulRight | Bar::RingsRight)
    }
}

/// Where everything of a window is in the picture.
#[derive(Debug, Clone)]
pub(crate) struct WindowLayout {
    /// The window with its bar, without the margin.
    pub(crate) x: Range<usize>,
    pub(crate) y: Range<usize>,
    /// Where the first cell begins.
    pub(crate) cells_left: usize,
    pub(crate) cells_top: usize,
    pub(crate) radius: usize,
    pub(crate) bar_size: usize,
    margin: usize,
}

impl WindowLayout {
    /// What is around cells that take this many pixels.
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

    /// Whether there is anything outside of the window but its corners.
    pub(crate) fn has_margin(&self) -> bool {
        self.margin > 0
    }

    /// The whole picture, with the margin.
    pub(crate) fn width(&self) -> usize {
        self.x.end.saturating_add(self.margin)
    }

    pub(crate) fn height(&self) -> usize {
        self.y.end.saturating_add(self.margin)
    }

    /// The three buttons of the bar, from the left; none without a bar.
    pub(crate) fn buttons(&self, bar: Bar) -> Vec<Button> {
        let (colors, ring) = match bar {
            Bar::None => return Vec::new(),
            Bar::Colorful | Bar::ColorfulRight => (BUTTONS, false),
            Bar::Rings | Bar::RingsRight => ([RING; 3], true),
        };
        // Sixths of a bar: a button is two of them wide, with one between it and the next, and as far from the side as
        // from above.
        let sixth = self.bar_size as f32 / 6.0;
        let places = colors.into_iter().enumerate();
        let button = |(index, color): (usize, Rgb)| Button {
            x: match bar.is_right() {
                // Seen from the right, the first is still the one on the left.
                true => self.x.end as f32 - 3.0 * sixth * (3 - index) as f32,
                false => self.x.start as f32 + 3.0 * sixth * (index + 1) as f32,
            },
            y: self.y.start as f32 + 3.0 * sixth,
            radius: sixth,
            hole: if ring { sixth * 0.7 } else { 0.0 },
            color,
        };
        places.map(button).collect()
    }

    /// What of a title there is room for, in cells of this size; `None` where there is no room or no title.
    pub(crate) fn title(&self, title: &str, width: usize, height: usize) -> Option<Title> {
        // Three buttons take less than two bars' width; as much is left free on the other side.
        let room = self.x.len().saturating_sub(4 * self.bar_size);
        match self.bar_size < height {
            true => None,
            false => Title::within(title, room / width.max(1)),
        }
    }
}

/// A round button: a disc, or a ring around a hole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Button {
    /// Its middle.
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) radius: f32,
    /// The hole's radius; 0 for none.
    pub(crate) hole: f32,
    pub(crate) color: Rgb,
}
