//! What surrounds the cells: padding, a bar with buttons and a title, round corners, a margin.
//!
//! From the inside out: cells, padding, the bar above, the corners, the margin. Lengths are in pixels before scaling.

use std::ops::Range;

use screentest_core::{Rgb, Theme};

use crate::picture::{Painter, Scale, mix, opaque};
use crate::{Pixel, Pixels};

/// The colours of the three buttons, from the left, as VHS has them.
const BUTTONS: [Rgb; 3] = [Rgb::hex(0xff4f4d), Rgb::hex(0xfebb00), Rgb::hex(0x00cc1d)];
/// The colour of rings.
const RING: Rgb = Rgb::hex(0x333333);
/// Points looked at along each side of a pixel on a round edge.
const SAMPLES: usize = 8;

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
pub enum Fill {
    /// The theme's background.
    #[default]
    Theme,
    /// A colour.
    Color(Rgb),
    /// Nothing: what is behind the picture shows.
    Clear,
}

/// The bar of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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

/// Where everything of a window is in the picture.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The window with its bar, without the margin.
    x: Range<usize>,
    y: Range<usize>,
    cells_left: usize,
    cells_top: usize,
    margin: usize,
    radius: usize,
    bar_size: usize,
    window: Window,
    outside: Pixel,
    ground: Rgb,
    text: Rgb,
}

impl Frame {
    /// The frame around cells that take this many pixels. It is only measured: nothing is drawn yet.
    pub(crate) fn around(
        width: usize,
        height: usize,
        window: &Window,
        scale: Scale,
        theme: &Theme,
    ) -> Frame {
        let (padding, margin) = (scale.times(window.padding), scale.times(window.margin));
        let bar_size = match window.bar {
            Bar::None => 0,
            _ => scale.times(window.bar_size),
        };
        let around = |length: usize| length.saturating_add(padding.saturating_mul(2));
        let (inner_width, inner_height) = (around(width), around(height).saturating_add(bar_size));
        let radius = scale.times(window.radius);
        Frame {
            x: margin..margin.saturating_add(inner_width),
            y: margin..margin.saturating_add(inner_height),
            cells_left: margin.saturating_add(padding),
            cells_top: margin.saturating_add(bar_size).saturating_add(padding),
            margin,
            radius: radius.min(inner_width / 2).min(inner_height / 2),
            bar_size,
            window: window.clone(),
            outside: match window.margin_fill {
                Fill::Theme => opaque(theme.bg),
                Fill::Color(color) => opaque(color),
                Fill::Clear => [0; 4],
            },
            ground: theme.bg,
            text: theme.fg,
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.x.end.saturating_add(self.margin)
    }

    pub(crate) fn height(&self) -> usize {
        self.y.end.saturating_add(self.margin)
    }

    /// Where the first column of cells begins.
    pub(crate) fn cells_left(&self) -> usize {
        self.cells_left
    }

    /// Where the first row of cells begins.
    pub(crate) fn cells_top(&self) -> usize {
        self.cells_top
    }

    /// The columns of pixels inside of the window, with its padding.
    pub(crate) fn inside(&self) -> Range<usize> {
        self.x.clone()
    }

    /// Draws the window without its cells.
    pub(crate) fn draw(&self, painter: &Painter) -> Pixels {
        let mut pixels = Pixels::filled(self.width(), self.height(), self.outside);
        let ground = opaque(self.ground);
        if self.outside != ground {
            for y in self.y.clone() {
                pixels.row_mut(y)[self.x.clone()].fill(ground);
            }
        }
        self.buttons(&mut pixels);
        self.title(&mut pixels, painter);
        // The rows of cells are trimmed when they are drawn.
        self.trim(&mut pixels, self.y.start..self.cells_top);
        self.trim(&mut pixels, self.cells_top..self.y.end);
        pixels
    }

    /// Rounds the corners of these lines of pixels, which must have been drawn afresh.
    pub(crate) fn trim(&self, pixels: &mut Pixels, lines: Range<usize>) {
        let radius = self.radius;
        for y in lines {
            let from_edge = (y.saturating_sub(self.y.start)).min(self.y.end.saturating_sub(y + 1));
            if from_edge >= radius {
                continue;
            }
            let line = pixels.row_mut(y);
            for x in 0..radius {
                let center = radius as f32;
                let inside = covered(x, from_edge, |x, y| {
                    (center - x).hypot(center - y) <= center
                });
                for at in [self.x.start + x, self.x.end - 1 - x] {
                    line[at] = self.cut(line[at], inside);
                }
            }
        }
    }

    /// A pixel of the window of which only a part is inside.
    fn cut(&self, pixel: Pixel, inside: u8) -> Pixel {
        match (inside, self.window.margin_fill) {
            (255, _) => pixel,
            (0, _) => self.outside,
            (_, Fill::Clear) => [pixel[0], pixel[1], pixel[2], inside],
            _ => mix(self.outside, pixel, inside),
        }
    }

    fn buttons(&self, pixels: &mut Pixels) {
        let (colors, ring) = match self.window.bar {
            Bar::None => return,
            Bar::Colorful | Bar::ColorfulRight => (BUTTONS, false),
            Bar::Rings | Bar::RingsRight => ([RING; 3], true),
        };
        let size = self.bar_size as f32;
        // A third of the bar each, half a button apart; as far from the side as from above.
        let radius = size / 6.0;
        let hole = if ring { radius * 0.7 } else { 0.0 };
        let middle = self.y.start as f32 + size / 2.0;
        for (index, color) in colors.into_iter().enumerate() {
            let off = size / 2.0 + index as f32 * 3.0 * radius;
            let center = match self.window.bar {
                // Seen from the right, the first is still the one on the left.
                Bar::ColorfulRight | Bar::RingsRight => {
                    self.x.end as f32 - size / 2.0 - (2 - index) as f32 * 3.0 * radius
                }
                _ => self.x.start as f32 + off,
            };
            let lines = self.y.start..(self.y.start + self.bar_size).min(self.y.end);
            let columns = (center - radius).floor().max(0.0) as usize
                ..((center + radius).ceil() as usize).min(self.x.end);
            for y in lines {
                for x in columns.clone() {
                    let inside = covered(x, y, |x, y| {
                        let distance = (x - center).hypot(y - middle);
                        distance <= radius && distance >= hole
                    });
                    let pixel = &mut pixels.row_mut(y)[x];
                    *pixel = mix(*pixel, opaque(color), inside);
                }
            }
        }
    }

    /// The title in the middle of the bar, shortened to what the buttons leave.
    fn title(&self, pixels: &mut Pixels, painter: &Painter) {
        let grid = painter.grid();
        // Three buttons take two bars' width; as much is left free on the other side.
        let room = self.x.len().saturating_sub(4 * self.bar_size);
        let most = room / grid.cell_width;
        if self.bar_size < grid.cell_height || most < 2 {
            return;
        }
        let title = self.window.title.trim();
        let shown: String = match title.chars().count() > most {
            true => title.chars().take(most - 1).chain(['…']).collect(),
            false => title.to_owned(),
        };
        let width = shown.chars().count() * grid.cell_width;
        let left = self.x.start + (self.x.len() - width) / 2;
        let top = self.y.start + (self.bar_size - grid.cell_height) / 2;
        let (ground, text) = (opaque(self.ground), opaque(self.text));
        let dim = mix(ground, text, 170);
        painter.label(pixels, &shown, left..left + width, top, dim, ground);
    }
}

/// How much of a pixel is inside of something, 0 to 255.
fn covered(x: usize, y: usize, inside: impl Fn(f32, f32) -> bool) -> u8 {
    let point = |at: usize, of: usize| at as f32 + (of as f32 + 0.5) / SAMPLES as f32;
    let all = SAMPLES * SAMPLES;
    let hits = (0..all)
        .filter(|at| inside(point(x, at % SAMPLES), point(y, at / SAMPLES)))
        .count();
    (hits * 255 / all) as u8
}

#[cfg(test)]
mod tests {
    use screentest_core::{Screen, Size};

    use super::*;
    use crate::{Caret, Fonts, Options, SystemFonts, draw};

    const SIZE: Size = Size { cols: 20, rows: 2 };
    const PINK: Rgb = Rgb::hex(0xff00ff);

    fn drawn(window: Window, scale: Scale) -> Pixels {
        let options = Options {
            window,
            scale,
            caret: Caret::Hidden,
            ..Options::default()
        };
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        draw(&Screen::blank(SIZE), &Theme::DARK, &fonts, &options).expect("it is small")
    }

    fn window() -> Window {
        Window {
            padding: 4,
            margin: 6,
            margin_fill: Fill::Color(PINK),
            ..Window::default()
        }
    }

    /// The size of a window, and colours at places of it.
    #[track_caller]
    fn check(window: Window, size: (usize, usize), places: &[(usize, usize, Pixel)]) {
        let pixels = drawn(window, Scale::One);
        assert_eq!((pixels.width(), pixels.height()), size);
        for (x, y, pixel) in places {
            assert_eq!(pixels.row(*y)[*x], *pixel, "{x}, {y}");
        }
    }

    #[test]
    fn margin_and_padding_surround_the_cells() {
        let (margin, ground) = (opaque(PINK), opaque(Theme::DARK.bg));
        check(
            window(),
            (220, 58),
            &[
                (5, 5, margin),
                (6, 6, ground),
                (213, 51, ground),
                (214, 52, margin),
            ],
        );
    }

    #[test]
    fn corners_are_cut_and_edges_are_not() {
        let (margin, ground) = (opaque(PINK), opaque(Theme::DARK.bg));
        let round = Window {
            radius: 8,
            ..window()
        };
        check(
            round,
            (220, 58),
            &[
                (6, 6, margin),
                (213, 51, margin),
                (14, 6, ground),
                (6, 14, ground),
            ],
        );
    }

    #[test]
    fn corners_can_be_clear() {
        let clear = Window {
            radius: 8,
            margin_fill: Fill::Clear,
            ..window()
        };
        check(clear, (220, 58), &[(0, 0, [0; 4]), (6, 6, [0; 4])]);
    }

    #[test]
    fn the_buttons_of_a_bar_are_where_vhs_has_them() {
        let [red, yellow, green] = BUTTONS.map(opaque);
        let left = Window {
            bar: Bar::Colorful,
            ..window()
        };
        check(
            left,
            (220, 88),
            &[(21, 21, red), (36, 21, yellow), (51, 21, green)],
        );
        let right = Window {
            bar: Bar::ColorfulRight,
            ..window()
        };
        check(
            right,
            (220, 88),
            &[(168, 21, red), (183, 21, yellow), (198, 21, green)],
        );
    }

    #[test]
    fn rings_are_hollow() {
        let rings = Window {
            bar: Bar::Rings,
            ..window()
        };
        let pixels = drawn(rings, Scale::One);
        assert_eq!(pixels.row(21)[21], opaque(Theme::DARK.bg));
        assert_ne!(pixels.row(21)[17], opaque(Theme::DARK.bg));
    }

    #[test]
    fn a_title_stands_in_the_bar_and_is_shortened() {
        let titled = |title: &str| {
            let window = Window {
                bar: Bar::Colorful,
                title: title.to_owned(),
                ..window()
            };
            drawn(window, Scale::One)
        };
        let (none, some, long) = (titled(""), titled("hi"), titled(&"long ".repeat(40)));
        assert_ne!(none, some);
        let lines = 36..none.height();
        assert!(lines.clone().all(|y| none.row(y) == some.row(y)));
        assert!({ lines }.all(|y| none.row(y) == long.row(y)));
    }

    #[test]
    fn everything_grows_with_the_scale() {
        let pixels = drawn(window(), Scale::Two);
        assert_eq!(pixels.row(11)[11], opaque(PINK));
        assert_eq!(pixels.row(12)[12], opaque(Theme::DARK.bg));
    }
}
