//! Grapheme clusters in pictures, as a user sees them: emoji as one picture in their own colours,
//! marks stacked on their letter. Rows are made by hand, so that no emulator decides what a cell
//! has.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use screentest_core::screen::row::{LinkId, StyleId};
use screentest_core::{Row, RowBuilder, Screen, Size, Theme, Width};
use screentest_render::{
    CursorVisibility, Fonts, Pixel, Pixels, RenderOptions, SystemFonts, Window, draw, html, svg,
};
use tempfile::TempDir;

const EMOJI: &str = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf";
const DEVANAGARI: &str = "/usr/share/fonts/truetype/lohit-devanagari/Lohit-Devanagari.ttf";

/// Cells at the usual font size.
const CELL_WIDTH: usize = 10;
const CELL_HEIGHT: usize = 19;

/// Returns the bundled family, then these fonts, which `cargo xtask test` installs.
fn fonts(more: &[&str]) -> Fonts {
    let folder = TempDir::new().expect("a temporary folder");
    let first = folder.path().join("Mono-Regular.ttf");
    fs::write(&first, dejavu::sans_mono::regular()).expect("it can be written");
    let more = more.iter().map(PathBuf::from);
    let paths: Vec<PathBuf> = [first].into_iter().chain(more).collect();
    Fonts::from_files(&paths, SystemFonts::Forbidden)
        .unwrap_or_else(|error| panic!("{error}; `cargo xtask test` installs it"))
}

/// Returns a screen of one row: each text in its own cell, wide ones with two columns.
fn screen(cells: &[(&str, Width)]) -> Screen {
    let mut builder = RowBuilder::new();
    for (text, width) in cells {
        builder.push_cluster(text, *width, StyleId::PLAIN, LinkId::NONE);
    }
    let row: Row = builder.finish();
    let mut screen = Screen::blank(Size { cols: 8, rows: 1 });
    screen.rows[0] = Arc::new(row);
    screen
}

fn options() -> RenderOptions {
    RenderOptions {
        window: Window::bare(),
        cursor: CursorVisibility::Hidden,
        ..RenderOptions::default()
    }
}

fn picture(fonts: &Fonts, cells: &[(&str, Width)]) -> Pixels {
    draw(&screen(cells), &Theme::DARK, fonts, &options()).expect("it is small")
}

fn wide(fonts: &Fonts, text: &str) -> Pixels {
    picture(fonts, &[(text, Width::Wide)])
}

fn narrow(fonts: &Fonts, text: &str) -> Pixels {
    picture(fonts, &[(text, Width::Narrow)])
}

/// What is drawn in some columns of cells.
#[derive(Debug, Default)]
struct Ink {
    /// Number of pixels that differ from the background.
    count: usize,
    /// Number of lines from the first to the last such pixel.
    height: usize,
    /// Number of pixels that are no mixture of the text colour and the background, which are grey.
    colored: usize,
}

fn ink(pixels: &Pixels, cells: std::ops::Range<usize>) -> Ink {
    let background: Pixel = [0x17, 0x17, 0x17, 255];
    let mut ink = Ink::default();
    let mut lines: Option<(usize, usize)> = None;
    for y in 0..CELL_HEIGHT {
        let line = &pixels.row(y)[cells.start * CELL_WIDTH..cells.end * CELL_WIDTH];
        for pixel in line.iter().filter(|pixel| **pixel != background) {
            ink.count += 1;
            let [r, g, b, _] = *pixel;
            ink.colored += usize::from(r.abs_diff(g).max(g.abs_diff(b)).max(r.abs_diff(b)) > 20);
            lines = Some((lines.map_or(y, |(first, _)| first), y));
        }
    }
    ink.height = lines.map_or(0, |(first, last)| last + 1 - first);
    ink
}

/// Clusters for which the font has one picture.
const PICTURES: [&str; 16] = [
    "😀",
    "🇩🇪",
    "🇺🇳",
    "👍🏿",
    "🧑🏽\u{200d}🚀",
    "👩🏾\u{200d}🤝\u{200d}👨🏼",
    "❤\u{fe0f}",
    "❤\u{fe0f}\u{200d}🔥",
    "🐻\u{200d}❄\u{fe0f}",
    "🏳\u{fe0f}\u{200d}🌈",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "1\u{fe0f}\u{20e3}",
    "*\u{fe0f}\u{20e3}",
    "☎\u{fe0f}",
    "⌚",
    "👨\u{200d}🌾",
];

#[test]
fn an_emoji_cluster_is_one_coloured_picture_in_its_two_cells() {
    let fonts = fonts(&[EMOJI]);
    for text in PICTURES {
        let pixels = picture(&fonts, &[(text, Width::Wide), ("x", Width::Narrow)]);
        let both = ink(&pixels, 0..2);
        assert!(both.colored > 20, "{text}: {both:?}");
        // Two pictures side by side would each be at most half as high.
        assert!(both.height >= 12, "{text}: {both:?}");
        for half in [0..1, 1..2] {
            assert!(ink(&pixels, half.clone()).count > 20, "{text}: {half:?}");
        }
        let alone = picture(
            &fonts,
            &[
                ("  ", Width::Narrow),
                (" ", Width::Narrow),
                ("x", Width::Narrow),
            ],
        );
        let next = |pixels: &Pixels| -> Vec<Pixel> {
            let lines =
                (0..CELL_HEIGHT).flat_map(|y| &pixels.row(y)[2 * CELL_WIDTH..3 * CELL_WIDTH]);
            lines.copied().collect()
        };
        assert!(
            next(&pixels) == next(&alone),
            "{text} reaches into the next cell"
        );
    }
    assert_eq!(fonts.missing(), [""; 0]);
}

#[test]
fn clusters_with_the_same_first_character_differ() {
    let fonts = fonts(&[EMOJI]);
    let families = [
        "👩",
        "👩🏻",
        "👩🏿",
        "👩\u{200d}🚀",
        "👩\u{200d}🌾",
        "👩\u{200d}👧",
        "👩\u{200d}👧\u{200d}👦",
        "👩\u{200d}❤\u{fe0f}\u{200d}👩",
    ];
    let pictures = families.map(|text| wide(&fonts, text));
    for (index, one) in pictures.iter().enumerate() {
        assert!(!pictures[..index].contains(one), "{}", families[index]);
    }
}

#[test]
fn a_cluster_that_the_font_has_not_is_drawn_in_parts() {
    let fonts = fonts(&[EMOJI]);
    for text in ["😀\u{200d}🚀", "👨\u{200d}🦰\u{200d}🍕"] {
        let pixels = wide(&fonts, text);
        for half in [0..1, 1..2] {
            assert!(ink(&pixels, half).colored > 15, "{text}");
        }
        assert!(
            ink(&pixels, 0..2).height < 12,
            "{text}: two pictures share the room"
        );
    }
    // No country has this code. The next picture is drawn all the same.
    assert!(ink(&wide(&fonts, "🇽🇽"), 0..2).count > 20);
    assert!(ink(&wide(&fonts, "😀"), 0..2).colored > 100);
    assert_eq!(fonts.missing(), [""; 0]);
}

#[test]
fn selectors_choose_between_text_and_emoji() {
    let fonts = fonts(&[EMOJI]);
    for (text, emoji) in [
        ("❤", false),
        ("❤\u{fe0e}", false),
        ("❤\u{fe0f}", true),
        ("☺\u{fe0e}", false),
        ("☺\u{fe0f}", true),
        ("⚠", false),
        ("⚠\u{fe0f}", true),
    ] {
        for pixels in [narrow(&fonts, text), wide(&fonts, text)] {
            let drawn = ink(&pixels, 0..2);
            assert!(drawn.count > 10, "{text:?}");
            // A wide pictograph without a selector is an emoji.
            let is_wide_default = pixels == wide(&fonts, text) && text.chars().count() == 1;
            assert_eq!(
                drawn.colored > 10,
                emoji || is_wide_default,
                "{text:?}: {drawn:?}"
            );
        }
    }
    assert!(narrow(&fonts, "❤") == narrow(&fonts, "❤\u{fe0e}"));
}

#[test]
fn every_mark_of_a_stack_is_visible() {
    let fonts = fonts(&[]);
    for text in [
        "e\u{301}",
        "x\u{302}\u{303}",
        "x\u{302}\u{303}\u{304}",
        "A\u{30a}\u{331}",
        "Z\u{321}\u{327}",
        "o\u{332}\u{305}",
        "q\u{323}\u{303}",
        "a\u{310}\u{30b}",
        "e\u{302}\u{301}\u{323}",
    ] {
        let marks: Vec<char> = text.chars().skip(1).collect();
        for count in 1..=marks.len() {
            let cut = |count: usize| text.chars().take(count + 1).collect::<String>();
            let (without, with) = (narrow(&fonts, &cut(count - 1)), narrow(&fonts, &cut(count)));
            assert!(with != without, "{text:?}: mark {count} is not seen");
        }
        let drawn = ink(&narrow(&fonts, text), 0..1);
        let letter = ink(&narrow(&fonts, &text[..1]), 0..1);
        assert!(
            drawn.height > letter.height || marks.len() > 2,
            "{text:?}: {drawn:?}"
        );
        assert!(
            ink(&narrow(&fonts, text), 1..8).count == 0,
            "{text:?} is in one cell"
        );
    }
    assert_eq!(fonts.missing(), [""; 0]);
}

#[test]
fn letters_of_hangul_are_drawn_as_their_syllable() {
    // Without a Korean font, both are the box of the syllable.
    let fonts = fonts(&[]);
    let syllable = wide(&fonts, "\u{d55c}");
    assert!(syllable != wide(&fonts, "\u{ae00}"));
    assert_eq!(fonts.missing(), ["\u{ae00}", "\u{d55c}"]);
    let letters = "\u{1112}\u{1161}\u{11ab}";
    assert!(
        wide(&fonts, letters) == syllable,
        "the box of the first letter"
    );
    assert_eq!(fonts.missing(), [letters, "\u{ae00}", "\u{d55c}"]);
}

#[test]
fn devanagari_is_joined_and_reordered() {
    let fonts = fonts(&[DEVANAGARI]);
    // A non-joiner keeps the letters apart, with a virama between.
    assert!(wide(&fonts, "क\u{94d}ष") != wide(&fonts, "क\u{94d}\u{200c}ष"));
    // The vowel is drawn at the left, although it is written last.
    let (letter, vowel) = (wide(&fonts, "क"), wide(&fonts, "कि"));
    let left = |pixels: &Pixels| (0..20).find(|x| (0..19).any(|y| pixels.row(y)[*x][0] > 60));
    assert!(
        left(&vowel) < left(&letter),
        "{:?}",
        (left(&vowel), left(&letter))
    );
    assert_eq!(fonts.missing(), [""; 0]);
}

#[test]
fn missing_parts_of_clusters_are_listed() {
    let fonts = fonts(&[]);
    let astronaut = "👩\u{200d}🚀";
    let flag = "🇩🇪";
    let boxes = [astronaut, flag, "漢\u{e0100}"].map(|text| wide(&fonts, text));
    assert!(
        boxes.iter().all(|pixels| ink(pixels, 0..2).count > 20),
        "a box shows each"
    );
    // The letter is drawn without a mark that no font has.
    assert!(narrow(&fonts, "a\u{36b}") == narrow(&fonts, "a"));
    assert_eq!(fonts.missing(), ["\u{36b}", "漢\u{e0100}", flag, astronaut]);
}

#[test]
fn a_cluster_is_one_piece_of_text_in_svg_and_html() {
    for text in
        PICTURES
            .into_iter()
            .chain(["e\u{301}\u{323}", "क\u{94d}षि", "\u{1112}\u{1161}\u{11ab}"])
    {
        let screen = screen(&[
            ("a", Width::Narrow),
            (text, Width::Wide),
            ("b", Width::Narrow),
        ]);
        let svg = svg::write(&screen, &Theme::DARK, &options()).expect("it is in range");
        assert!(
            svg.contains(&format!("<text x=\"10\" y=\"15\">{text}</text>")),
            "{text}: {svg}"
        );
        let html = html::fragment(&screen, &Theme::DARK, &options()).expect("it is in range");
        let cell = format!("a<span style=\"display:inline-block;width:2ch\">{text}</span>b\n");
        assert!(html.contains(&cell), "{text}: {html}");
    }
}
