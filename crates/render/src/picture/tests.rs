//! Tests of pictures of a few cells, with the bundled fonts alone.

use std::sync::OnceLock;
use std::thread;

use proptest::prelude::*;
use screentest_core::emulator::EmulatorOptions;
use screentest_core::{Backend, Rgb};

use super::*;
use crate::png::encode;
use crate::{Bold, CursorVisibility, Scale, SystemFonts, Window};

const SIZE: Size = Size { cols: 8, rows: 2 };

fn fonts() -> &'static Fonts {
    static FONTS: OnceLock<Fonts> = OnceLock::new();
    FONTS.get_or_init(|| Fonts::bundled(SystemFonts::Forbidden))
}

fn options() -> RenderOptions {
    RenderOptions {
        window: Window::bare(),
        cursor: CursorVisibility::Hidden,
        ..RenderOptions::default()
    }
}

fn screen(bytes: &str) -> Screen {
    let mut emulator = Backend::Alacritty.emulator(SIZE, EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    emulator.screen()
}

fn drawn(bytes: &str) -> Pixels {
    draw(&screen(bytes), &Theme::DARK, fonts(), &options()).expect("it is small")
}

fn background() -> Pixel {
    opaque(Theme::DARK.bg)
}

/// Returns the pixels of a cell of the first row that are not background.
fn ink(pixels: &Pixels, col: usize) -> Vec<(usize, usize)> {
    let grid = grid(fonts(), &options()).expect("the usual size");
    let columns = col * grid.cell_width..(col + 1) * grid.cell_width;
    (0..grid.cell_height)
        .flat_map(|y| columns.clone().map(move |x| (x, y)))
        .filter(|(x, y)| pixels.row(*y)[*x] != background())
        .map(|(x, y)| (x - columns.start, y))
        .collect()
}

/// Checks which lines of the first cell, which is blank, are drawn from edge to edge.
#[track_caller]
fn check_lines(bytes: &str, expected: &[usize]) {
    let pixels = drawn(bytes);
    let width = grid(fonts(), &options())
        .expect("the usual size")
        .cell_width;
    let inked = ink(&pixels, 0);
    let full = |y: &usize| inked.iter().filter(|(_, line)| line == y).count() == width;
    let lines: Vec<usize> = (0..19).filter(full).collect();
    assert_eq!(lines, expected, "{bytes:?}");
}

/// Checks the colour of a full block with a style.
#[track_caller]
fn check_color(style: &str, expected: Rgb) {
    let pixels = drawn(&format!("\x1b[{style}m█"));
    assert_eq!(pixels.row(5)[5], opaque(expected), "{style}");
}

#[test]
fn cells_are_large_enough_at_the_usual_size() {
    let grid = grid(fonts(), &options()).expect("the usual size");
    assert_eq!((grid.cell_width, grid.cell_height), (10, 19));
    let twice = RenderOptions {
        scale: Scale::Two,
        ..options()
    };
    let pixels = draw(&screen(""), &Theme::DARK, fonts(), &twice).expect("it is small");
    assert_eq!((pixels.width(), pixels.height()), (20 * 8, 38 * 2));
}

#[test]
fn decorations_are_at_their_lines() {
    check_lines("\x1b[4m ", &[16]);
    check_lines("\x1b[4:2m ", &[16, 18]);
    check_lines("\x1b[53m ", &[1]);
    check_lines("\x1b[9m ", &[10]);
    check_lines("\x1b[4:4m ", &[]);
    check_lines("\x1b[4:5m ", &[]);
    check_lines(" ", &[]);
}

#[test]
fn every_kind_of_underline_is_below_the_letters_and_differs() {
    let kinds = ["4", "4:2", "4:3", "4:4", "4:5"];
    let seen = kinds.map(|kind| ink(&drawn(&format!("\x1b[{kind}m ")), 0));
    for (index, kind) in seen.iter().enumerate() {
        assert!(!kind.is_empty() && kind.iter().all(|(_, y)| *y > 14));
        assert!(!seen[..index].contains(kind), "{}", kinds[index]);
    }
}

#[test]
fn an_underline_has_its_own_colour() {
    let pixels = drawn("\x1b[31;4;58;2;1;2;3m ");
    assert_eq!(pixels.row(16)[4], [1, 2, 3, 255]);
    let pixels = drawn("\x1b[31;4m ");
    assert_eq!(pixels.row(16)[4], opaque(Theme::DARK.ansi[1]));
}

#[test]
fn colours_are_the_themes_and_bold_does_not_change_them() {
    check_color("31", Theme::DARK.ansi[1]);
    check_color("1;31", Theme::DARK.ansi[1]);
    check_color("38;5;196", Rgb::hex(0xff0000));
    check_color("38;2;1;2;3", Rgb::new(1, 2, 3));
    check_color("39", Theme::DARK.fg);
    check_color("7", Theme::DARK.bg);
    check_color("8", Theme::DARK.bg);
    check_color("5", Theme::DARK.fg);
}

#[test]
fn bold_brightens_the_first_eight_colours_if_asked() {
    let bright = RenderOptions {
        bold: Bold::Brightens,
        ..options()
    };
    let color = |style: &str| {
        let screen = screen(&format!("\x1b[{style}m█"));
        draw(&screen, &Theme::DARK, fonts(), &bright)
            .expect("it is small")
            .row(5)[5]
    };
    assert_eq!(color("1;37"), opaque(Theme::DARK.ansi[15]));
    assert_eq!(color("37"), opaque(Theme::DARK.ansi[7]));
    assert_eq!(color("1;97"), opaque(Theme::DARK.ansi[15]));
    assert_eq!(color("1"), opaque(Theme::DARK.fg));
}

#[test]
fn faint_text_is_between_its_colour_and_its_background() {
    let Theme { fg, bg, .. } = Theme::DARK;
    check_color(
        "2",
        Rgb::new(
            fg.r.midpoint(bg.r),
            fg.g.midpoint(bg.g),
            fg.b.midpoint(bg.b),
        ),
    );
    let faint = drawn("\x1b[2m█").row(5)[5];
    assert!(faint[0] < fg.r && faint[0] > bg.r);
}

#[test]
fn invisible_text_keeps_only_its_background() {
    let hidden = drawn("\x1b[8;4;9;53mabc");
    assert_eq!(hidden, drawn(""));
    let behind = drawn("\x1b[8;41mabc");
    assert_eq!(behind, drawn("\x1b[41m   "));
}

#[test]
fn bold_and_italic_letters_differ_from_plain_ones() {
    let looks = ["", "\x1b[1m", "\x1b[3m", "\x1b[1;3m"].map(|style| drawn(&format!("{style}Rn")));
    for (index, look) in looks.iter().enumerate() {
        assert!(!looks[..index].contains(look));
    }
}

#[test]
fn a_wide_character_covers_two_cells() {
    let pixels = drawn("漢");
    assert!(!ink(&pixels, 0).is_empty() && !ink(&pixels, 1).is_empty());
    assert!(ink(&pixels, 2).is_empty());
    assert!(fonts().missing().contains(&"漢".to_owned()));
}

#[test]
fn marks_lie_on_their_letter() {
    for marked in [
        "e\u{301}",
        "x\u{332}",
        "n\u{303}",
        "q\u{30a}",
        "\u{1ea1}\u{308}",
    ] {
        let pixels = drawn(marked);
        let base = drawn(&marked.chars().take(1).collect::<String>());
        assert!(
            ink(&pixels, 1).is_empty(),
            "{marked} reaches beyond its cell"
        );
        assert!(ink(&pixels, 0).len() > ink(&base, 0).len(), "{marked}");
    }
}

#[test]
fn boxes_join_without_a_seam() {
    let pixels = drawn("┌──┐\r\n│");
    let middle = (0..40).filter(|x| pixels.row(9)[*x] != background());
    assert_eq!(middle.collect::<Vec<_>>(), (4..35).collect::<Vec<_>>());
    for y in 9..38 {
        assert_ne!(pixels.row(y)[4], background(), "line {y}");
    }
}

#[test]
fn powerline_symbols_need_no_font() {
    let signs = ["\u{e0a0}", "\u{e0a1}", "\u{e0a2}"];
    let seen = signs.map(|sign| ink(&drawn(sign), 0));
    for (index, sign) in signs.iter().enumerate() {
        assert!(seen[index].len() > 20, "{sign:?}");
        assert!(!seen[..index].contains(&seen[index]));
        assert!(!fonts().missing().contains(&(*sign).to_owned()), "{sign:?}");
    }
}

#[test]
fn the_cursor_is_drawn_in_its_shape() {
    let shown = |bytes: &str| {
        let options = RenderOptions {
            cursor: CursorVisibility::Shown,
            ..options()
        };
        let pixels = draw(&screen(bytes), &Theme::DARK, fonts(), &options).expect("it is small");
        ink(&pixels, 0).len()
    };
    assert_eq!(shown("\x1b[2 q"), 10 * 19);
    assert_eq!(shown("\x1b[4 q"), 10 * 2);
    assert_eq!(shown("\x1b[6 q"), 2 * 19);
    assert_eq!(shown("\x1b[?25l"), 0);
    let letter = shown("x\x1b[1G\x1b[2 q");
    assert!(
        letter < 190 && letter > 100,
        "the letter is seen on the block"
    );
}

#[test]
fn the_cursor_is_visible_on_every_cell() {
    let styles = [
        "",
        "7",
        "2;7",
        "7;31",
        "30;40",
        "97;107",
        "38;5;253;48;5;253",
        "8",
        "44",
    ];
    for theme in [Theme::DARK, Theme::LIGHT] {
        for (style, shape) in styles
            .into_iter()
            .flat_map(|style| [2, 4, 6].map(|at| (style, at)))
        {
            let shown = |cursor| {
                let options = RenderOptions {
                    cursor,
                    ..options()
                };
                let bytes = format!("\x1b[{style}mabcdef\x1b[1;3H\x1b[{shape} q");
                draw(&screen(&bytes), &theme, fonts(), &options).expect("it is small")
            };
            let (with, without) = (
                shown(CursorVisibility::Shown),
                shown(CursorVisibility::Hidden),
            );
            let far = |[r, g, b, _]: Pixel, [r2, g2, b2, _]: Pixel| {
                r.abs_diff(r2).max(g.abs_diff(g2)).max(b.abs_diff(b2)) > 40
            };
            let changed = (0..19).flat_map(|y| (20..30).map(move |x| (x, y)));
            let changed = changed.filter(|(x, y)| far(with.row(*y)[*x], without.row(*y)[*x]));
            // A bar and an underline have 38 and 20 pixels; a letter covers some of them.
            assert!(
                changed.count() >= 14,
                "style {style:?}, shape {shape}, {}",
                theme.name
            );
        }
    }
}

#[test]
fn the_letter_is_visible_under_a_block_cursor_on_an_inverse_bar() {
    let options = RenderOptions {
        cursor: CursorVisibility::Shown,
        ..options()
    };
    // The bar of nano: inverse text, with the cursor on one of its letters.
    let bar = screen("\x1b[7mHelp\x1b[1;2H\x1b[2 q");
    let pixels = draw(&bar, &Theme::DARK, fonts(), &options).expect("it is small");
    let plain = drawn("Help");
    // Under the cursor the cell is as it would be without inverse.
    for y in 0..19 {
        assert_eq!(pixels.row(y)[10..20], plain.row(y)[10..20], "line {y}");
        assert_ne!(pixels.row(y)[20..30], plain.row(y)[20..30], "line {y}");
    }
}

#[test]
fn an_overline_is_apart_from_the_row_above() {
    for scale in [Scale::One, Scale::Two] {
        let options = RenderOptions { scale, ..options() };
        let page = screen("\x1b[7m      \r\n\x1b[0;53mabc");
        let pixels = draw(&page, &Theme::DARK, fonts(), &options).expect("it is small");
        let stroke = pixels.height() / 38;
        let line = |y: usize| (0..10).all(|x| pixels.row(y)[x] == opaque(Theme::DARK.fg));
        let seen: Vec<bool> = (18 * stroke..22 * stroke).map(line).collect();
        let expected = [true, false, true, false]
            .map(|on| vec![on; stroke])
            .concat();
        assert_eq!(seen, expected, "{scale:?}");
    }
}

#[test]
fn too_large_picture_is_rejected_before_drawing() {
    let size = |cols, rows| Picture::new(Size { cols, rows }, &Theme::DARK, fonts(), &options());
    let error = size(10_000, 10_000).expect_err("a gigapixel");
    assert_eq!(
        error.to_string(),
        "a picture of 100000x190000 pixels is too large: the maximum is 67108864 in total"
    );
}

#[test]
fn every_combination_of_valid_options_can_be_drawn() {
    let page = screen("Ag\x1b[4:3m╬⣿\x1b[1;3;9;53m漢\u{e0b4}▚╭e\u{301}");
    for font_size in [4.0, 5.5, 40.0] {
        for letter_spacing in [-font_size / 4.0, 0.0, 4.0 * font_size] {
            for (line_height, around) in [(0.5, 0), (1.0, 3), (4.0, 200)] {
                let options = RenderOptions {
                    font_size,
                    letter_spacing,
                    line_height,
                    window: Window {
                        padding: around / 3,
                        margin: around / 2,
                        radius: around,
                        bar: crate::Bar::Rings,
                        bar_size: around,
                        title: "a title".to_owned(),
                        ..Window::default()
                    },
                    ..RenderOptions::default()
                };
                draw(&page, &Theme::DARK, fonts(), &options).expect("it is small");
                crate::svg::write(&page, &Theme::DARK, &options).expect("it is in range");
                crate::html::fragment(&page, &Theme::DARK, &options).expect("it is in range");
            }
        }
    }
}

#[test]
fn threads_draw_the_same_bytes() {
    let page = "\x1b[1mAb\x1b[3;31m╬█é\r\n\x1b[0;4:3m漢⣿";
    let draw = || {
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        let one = || {
            draw(
                &screen(page),
                &Theme::DARK,
                &fonts,
                &RenderOptions::default(),
            )
        };
        let pictures = thread::scope(|scope| {
            let threads = [0; 8].map(|_| scope.spawn(one));
            threads.map(|thread| thread.join().expect("no panic").expect("it is small"))
        });
        pictures.map(|pixels| encode(&pixels).expect("it has pixels"))
    };
    let (first, second) = (draw(), draw());
    assert!(first.iter().chain(&second).all(|bytes| *bytes == first[0]));
}

#[test]
fn only_changed_rows_are_redrawn() {
    let mut picture = Picture::new(SIZE, &Theme::DARK, fonts(), &options()).expect("it is small");
    let mut check = |bytes: &str, lines: &[Range<usize>]| {
        assert_eq!(picture.show(&screen(bytes)), lines, "{bytes:?}");
    };
    let (first, second, both) = (0..19, 19..38, 0..38);
    check("a\r\nb", &[both]);
    check("a\r\nb", &[]);
    check("a\r\nc", &[second]);
    check("\x1b[31ma\x1b[m\r\nc", &[first]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_updated_picture_equals_a_new_one(
        steps in prop::collection::vec("([ -~]|\x1b\\[[0-9;:]{0,6}[mHJKABCDq@P]|[─-╿漢é\u{301}█⣿]|\r\n){0,12}", 1..5),
        padding in 0usize..4,
        radius in 0usize..9,
    ) {
        let options = RenderOptions {
            window: Window { padding, radius, margin: 3, ..Window::default() },
            font_size: 9.0,
            ..RenderOptions::default()
        };
        let mut emulator = Backend::Alacritty.emulator(SIZE, EmulatorOptions::default());
        let mut picture = Picture::new(SIZE, &Theme::LIGHT, fonts(), &options).expect("it is small");
        for step in steps {
            emulator.feed(step.as_bytes());
            let screen = emulator.screen();
            picture.show(&screen);
            let afresh = draw(&screen, &Theme::LIGHT, fonts(), &options).expect("it is small");
            prop_assert!(*picture.pixels() == afresh);
        }
    }
}
