//! Draws the window around the cells as pixels.
//!
//! See also: `layout/window.rs` (positions of its parts).

use std::ops::Range;

use screentest_core::ScreenColors;

use super::blend::mix;
use super::opaque;
use super::row_painter::RowPainter;
use crate::layout::window::{TITLE_OPACITY, Window, WindowButton, WindowLayout};
use crate::{Pixel, Pixels};

/// Samples along each side of a pixel on a round edge.
const SAMPLES: usize = 8;

/// Draws a window without its cells. The pixels must have the colour of its margin, or of its
/// background if it has no margin.
pub(super) fn draw(
    pixels: &mut Pixels,
    layout: &WindowLayout,
    window: &Window,
    colors: &ScreenColors,
    row_painter: &mut RowPainter,
    outside: Pixel,
) {
    let ground = opaque(colors.bg);
    if layout.has_margin() && outside != ground {
        for y in layout.y.clone() {
            pixels.row_mut(y)[layout.x.clone()].fill(ground);
        }
    }
    for shown in layout.buttons(window.bar) {
        button(pixels, layout, shown);
    }
    let grid = row_painter.grid();
    if let Some(title) = layout.title(&window.title, grid.cell_width, grid.cell_height) {
        let width = title.cells() * grid.cell_width;
        let left = layout.x.start + (layout.x.len() - width) / 2;
        let top = layout.y.start + (layout.bar_size - grid.cell_height) / 2;
        let dim = mix(ground, opaque(colors.fg), TITLE_OPACITY);
        row_painter.label(pixels, &title.row, left, top, dim, ground);
    }
    trim(pixels, layout, layout.y.clone(), outside);
}

/// Cuts the window's round corners out of these lines of pixels. The lines must be redrawn before
/// each call.
pub(super) fn trim(
    pixels: &mut Pixels,
    layout: &WindowLayout,
    lines: Range<usize>,
    outside: Pixel,
) {
    let radius = layout.radius;
    for y in lines {
        let from_edge = (y.saturating_sub(layout.y.start)).min(layout.y.end.saturating_sub(y + 1));
        if from_edge >= radius {
            continue;
        }
        let line = pixels.row_mut(y);
        for x in 0..radius {
            let center = radius as f32;
            let inside = covered(x, from_edge, |x, y| {
                (center - x).hypot(center - y) <= center
            });
            for at in [layout.x.start + x, layout.x.end - 1 - x] {
                line[at] = cut(line[at], inside, outside);
            }
        }
    }
}

/// Blends a pixel at a round corner with the colour outside. `inside` is how much of the pixel is
/// inside the window, from 0 to 255.
fn cut(pixel: Pixel, inside: u8, outside: Pixel) -> Pixel {
    match (inside, outside[3]) {
        (255, _) => pixel,
        (0, _) => outside,
        (_, 0) => [pixel[0], pixel[1], pixel[2], inside],
        _ => mix(outside, pixel, inside),
    }
}

fn button(pixels: &mut Pixels, layout: &WindowLayout, button: WindowButton) {
    let WindowButton {
        x: center,
        y: middle,
        radius,
        hole,
        color,
    } = button;
    let lines = layout.y.start..(layout.y.start + layout.bar_size).min(layout.y.end);
    // A bar that is too narrow for its buttons clips them.
    let columns = (center - radius).floor().max(layout.x.start as f32) as usize
        ..((center + radius).ceil().max(0.0) as usize).min(layout.x.end);
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

/// Returns how much of a pixel is inside a shape, from 0 to 255.
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
    use screentest_core::{Rgb, Screen, Size, Theme, ThemeCollection};

    use super::*;

    use crate::{Bar, CursorVisibility, Fill, Fonts, RenderOptions, Scale, SystemFonts, draw};

    const SIZE: Size = Size { cols: 20, rows: 2 };
    const PINK: Rgb = Rgb::hex(0xff00ff);

    fn drawn(window: Window, scale: Scale) -> Pixels {
        let options = RenderOptions {
            window,
            scale,
            cursor: CursorVisibility::Hidden,
            ..RenderOptions::default()
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

    /// Checks the size of a window and the colours at some positions.
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
    fn a_picture_has_at_least_the_requested_size() {
        let (margin, ground) = (opaque(PINK), opaque(Theme::DARK.bg));
        let large = Window {
            min_width: 300,
            min_height: 101,
            ..window()
        };
        check(
            large,
            (300, 101),
            &[(293, 94, ground), (294, 94, margin), (293, 95, margin)],
        );
        // A picture that is already larger keeps its size.
        let small = Window {
            min_width: 100,
            min_height: 1,
            ..window()
        };
        check(small, (220, 58), &[]);
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
    fn corners_can_be_transparent() {
        let clear = Window {
            radius: 8,
            margin_fill: Fill::Clear,
            ..window()
        };
        check(clear, (220, 58), &[(0, 0, [0; 4]), (6, 6, [0; 4])]);
    }

    #[test]
    fn the_buttons_of_a_bar_are_where_vhs_has_them() {
        let [red, yellow, green] = [0xff4f4d, 0xfebb00, 0x00cc1d].map(|hex| opaque(Rgb::hex(hex)));
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
    fn a_title_is_shown_in_the_bar_and_shortened() {
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
    fn a_title_takes_the_cells_that_a_terminal_gives_it() {
        let titled = |title: &str| {
            let window = Window {
                bar: Bar::Colorful,
                title: title.to_owned(),
                ..window()
            };
            drawn(window, Scale::One)
        };
        let inked = |title: &str| {
            let (none, some) = (titled(""), titled(title));
            let differs = |x: &usize| (6..36).any(|y| none.row(y)[*x] != some.row(y)[*x]);
            let first = (0..none.width()).find(differs).expect("a title");
            let last = (0..none.width()).rfind(differs).expect("a title");
            last + 1 - first
        };
        // No bundled font has these characters, so each is drawn as a box of two cells.
        assert!(inked("漢字") > 30, "{}", inked("漢字"));
        assert_eq!(titled("e\u{301}\u{301}"), titled("\u{e9}\u{301}"));
        assert_eq!(titled("a\x1b[31m\tb"), titled("a[31mb"));
        // A long title is cut to the characters that fit, and an ellipsis.
        assert!(inked(&"漢".repeat(40)) <= 90);
        assert_eq!(titled(&"漢".repeat(40)), titled("漢漢漢漢…"));
    }

    #[test]
    fn a_margin_is_visible_in_every_theme() {
        let collections = ThemeCollection::ALL.iter();
        let all = collections.flat_map(|(_, of)| of.themes().map(|theme| (*of, theme)));
        for (collection, theme) in all {
            // A few themes, such as `darkmatrix`, have dark text on black.
            let least = match collection {
                ThemeCollection::Screentest => 60,
                _ => 20,
            };
            let fill = Fill::Theme.color(&(&theme).into()).expect("it is filled");
            let apart = |one: u8, other: u8| u32::from(one.abs_diff(other));
            let bg = theme.bg;
            let apart = apart(fill.r, bg.r) + apart(fill.g, bg.g) + apart(fill.b, bg.b);
            assert!(apart >= least, "{}: {fill} beside {bg}", theme.name);
        }
        let plain = Window {
            margin_fill: Fill::Theme,
            ..window()
        };
        let margin = opaque(
            Fill::Theme
                .color(&(&Theme::DARK).into())
                .expect("it is filled"),
        );
        let ground = opaque(Theme::DARK.bg);
        check(plain, (220, 58), &[(5, 5, margin), (6, 6, ground)]);
        let bare = drawn(Window::default(), Scale::One);
        assert!(bare.data().iter().all(|pixel| *pixel == ground));
    }

    #[test]
    fn everything_grows_with_the_scale() {
        let pixels = drawn(window(), Scale::Two);
        assert_eq!(pixels.row(11)[11], opaque(PINK));
        assert_eq!(pixels.row(12)[12], opaque(Theme::DARK.bg));
    }
}
