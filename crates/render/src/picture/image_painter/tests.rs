//! Tests of images in pictures, in cells of 10x19 pixels.

use std::ops::Range;

use screentest_core::screen::row::LinkId;
use screentest_core::{
    Attributes, Color, ImageContent, ImagePlacement, ImageSize, Rect, RowBuilder, Screen, Size,
    Style, Theme,
};

use crate::image::test_images::{filled, placed, with_images};
use crate::picture::Picture;
use crate::{CursorVisibility, Fonts, Pixel, Pixels, RenderOptions, SystemFonts, Window, draw};

const RED: Pixel = [200, 0, 0, 255];
const GREEN: Pixel = [0, 180, 0, 255];
const SIZE: Size = Size { cols: 8, rows: 4 };

fn options() -> RenderOptions {
    RenderOptions {
        window: Window::bare(),
        cursor: CursorVisibility::Hidden,
        ..RenderOptions::default()
    }
}

/// A screen with full blocks in its first row, on a blue background in the first four columns.
fn screen() -> Screen {
    let mut screen = Screen::blank(SIZE);
    let mut builder = RowBuilder::new();
    for col in 0..8 {
        let style = builder.style(&Style {
            bg: if col < 4 {
                Color::Indexed(4)
            } else {
                Color::Default
            },
            ..Style::default()
        });
        builder.push(if col % 2 == 0 { '█' } else { ' ' }, style, LinkId::NONE);
    }
    screen.rows[0] = std::sync::Arc::new(builder.finish());
    screen
}

fn drawn(screen: Screen, images: &[ImagePlacement]) -> Pixels {
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    let screen = with_images(screen, images);
    draw(&screen, &Theme::DARK, &fonts, &options()).expect("it is small")
}

/// Returns the colour in the middle of a cell.
fn at(pixels: &Pixels, row: usize, col: usize) -> Pixel {
    pixels.row(row * 19 + 9)[col * 10 + 5]
}

fn theme(color: screentest_core::Rgb) -> Pixel {
    [color.r, color.g, color.b, 255]
}

#[test]
fn an_image_covers_exactly_its_cells() {
    let pixels = drawn(Screen::blank(SIZE), &[filled(RED, (1, 2), (3, 2), 0)]);
    let ground = theme(Theme::DARK.bg);
    for y in 0..4 * 19 {
        for x in 0..80 {
            let inside = (19..3 * 19).contains(&y) && (20..50).contains(&x);
            let expected = if inside { RED } else { ground };
            assert_eq!(pixels.row(y)[x], expected, "{x},{y}");
        }
    }
}

#[test]
fn images_are_clipped_at_the_edges_and_at_replaced_cells() {
    let mut image = filled(RED, (-1, 6), (4, 3), 0);
    let pixels = drawn(Screen::blank(SIZE), &[image.clone()]);
    let ground = theme(Theme::DARK.bg);
    assert_eq!((at(&pixels, 0, 6), at(&pixels, 1, 7)), (RED, RED));
    assert_eq!((at(&pixels, 2, 6), at(&pixels, 0, 5)), (ground, ground));
    image = filled(RED, (0, 0), (3, 1), 0);
    let rect = |col| Rect {
        row: 0,
        col,
        rows: 1,
        cols: 1,
    };
    image.visible = std::sync::Arc::new([rect(0), rect(2)]);
    let pixels = drawn(Screen::blank(SIZE), &[image]);
    assert_eq!([0, 1, 2].map(|col| at(&pixels, 0, col)), [RED, ground, RED]);
}

#[test]
fn z_decides_between_background_image_and_text() {
    let (fg, bg) = (theme(Theme::DARK.fg), theme(Theme::DARK.bg));
    let blue = theme(Theme::DARK.indexed(4));
    let row = |z| {
        let pixels = drawn(screen(), &[filled(RED, (0, 0), (8, 1), z)]);
        [0, 1, 4, 5].map(|col| at(&pixels, 0, col))
    };
    // A block on blue, blue, a block, and nothing.
    let without = drawn(screen(), &[]);
    assert_eq!(
        [0, 1, 4, 5].map(|col| at(&without, 0, col)),
        [fg, blue, fg, bg]
    );
    assert_eq!(row(0), [RED; 4]);
    assert_eq!(row(-1), [fg, RED, fg, RED]);
    assert_eq!(row(i32::MIN / 2), [fg, RED, fg, RED]);
    assert_eq!(row(i32::MIN / 2 - 1), [fg, blue, fg, RED]);
}

#[test]
fn later_images_are_over_earlier_ones_and_transparent_ones_are_mixed() {
    let one = filled(RED, (0, 0), (2, 1), 0);
    let half = filled([0, 180, 0, 128], (0, 1), (2, 1), 0);
    let pixels = drawn(Screen::blank(SIZE), &[one.clone(), half]);
    assert_eq!(at(&pixels, 0, 0), RED);
    let mixed = at(&pixels, 0, 1);
    assert!(
        mixed[0].abs_diff(100) <= 1 && mixed[1].abs_diff(90) <= 1,
        "{mixed:?}"
    );
    let covered = drawn(
        Screen::blank(SIZE),
        &[one, filled(GREEN, (0, 0), (2, 1), 0)],
    );
    assert_eq!(at(&covered, 0, 0), GREEN);
}

#[test]
fn a_part_of_an_image_is_scaled_to_its_place() {
    // Two pixels: red and green. The green one is drawn over three by two cells.
    let image = ImageContent::rgba(ImageSize::new(2, 1), [RED, GREEN].as_flattened());
    let mut placed = placed(image, (1, 1), (3, 2), 0);
    placed.source.x = 1;
    placed.source.width = 1;
    placed.drawn.width = 24;
    placed.drawn.height = 32;
    let pixels = drawn(Screen::blank(SIZE), &[placed]);
    let ground = theme(Theme::DARK.bg);
    assert_eq!((at(&pixels, 1, 1), at(&pixels, 2, 3)), (GREEN, GREEN));
    assert_eq!((at(&pixels, 1, 4), at(&pixels, 0, 1)), (ground, ground));
}

#[test]
fn an_image_without_data_leaves_its_cells() {
    let known = filled(RED, (0, 0), (2, 1), 0);
    let missing = ImageContent::missing(known.image.hash(), known.image.size());
    let image = placed(Some(missing), (0, 0), (2, 1), 0);
    assert_eq!(drawn(screen(), &[image]), drawn(screen(), &[]));
}

#[test]
fn only_rows_with_other_images_are_redrawn() {
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    let mut picture = Picture::new(SIZE, &Theme::DARK, &fonts, &options()).expect("it is small");
    let mut check = |images: &[ImagePlacement], lines: Option<Range<usize>>| {
        let screen = with_images(screen(), images);
        assert_eq!(picture.show(&screen), Vec::from_iter(lines));
        let afresh = draw(&screen, &Theme::DARK, &fonts, &options()).expect("it is small");
        assert!(*picture.pixels() == afresh);
    };
    check(&[], Some(0..76));
    check(&[filled(RED, (1, 0), (2, 2), 0)], Some(19..57));
    check(&[filled(RED, (1, 0), (2, 2), 0)], None);
    check(&[filled(RED, (2, 0), (2, 2), 0)], Some(19..76));
    check(&[filled(GREEN, (2, 0), (2, 1), 0)], Some(38..76));
    check(&[], Some(38..57));
}

#[test]
fn placeholders_are_blank() {
    let mut screen = Screen::blank(SIZE);
    let mut builder = RowBuilder::new();
    let style = builder.style(&Style {
        attributes: Attributes::empty(),
        fg: Color::Indexed(1),
        ..Style::default()
    });
    let width = screentest_core::Width::Narrow;
    builder.push_cluster("\u{10eeee}\u{305}\u{305}", width, style, LinkId::NONE);
    builder.push('\u{10eeee}', style, LinkId::NONE);
    screen.rows[0] = std::sync::Arc::new(builder.finish());
    assert_eq!(drawn(screen, &[]), drawn(Screen::blank(SIZE), &[]));
}
