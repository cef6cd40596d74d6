use std::sync::Arc;

use screentest_core::{ImagePlacement, Rect, Rgb, Screen, Theme};
use screentest_fixtures::random::Random;

use super::write as try_write;
use crate::formats::span::test_screens;
use crate::image::test_images;
use crate::{Bar, CursorVisibility, Fill, RenderOptions, Window};

/// Returns options for cells of 9×18 pixels.
fn options() -> RenderOptions {
    RenderOptions {
        font_size: 15.0,
        ..RenderOptions::default()
    }
}

fn write(screen: &Screen, theme: &Theme, options: &RenderOptions) -> String {
    try_write(screen, theme, options).expect("the options are in range")
}

/// Returns the groups of a screen without the window around its cells, preceded by their CSS
/// classes.
fn drawn(cols: u16, rows: u16, bytes: &str) -> String {
    let screen = test_screens::screen(cols, rows, bytes);
    let svg = write(&screen, &Theme::SCREENTEST, &options());
    let (_, rest) = svg.split_once("bidi-override}\n").unwrap();
    let (classes, rest) = rest.split_once("</style>\n").unwrap();
    let (_, rest) = rest
        .split_once("<g transform=\"translate(8 8)\">\n")
        .unwrap();
    format!("{classes}{}", rest.strip_suffix("</g>\n</svg>\n").unwrap())
}

#[track_caller]
fn check(cols: u16, rows: u16, bytes: &str, expected: &str) {
    let svg = drawn(cols, rows, &format!("\x1b[?25l{bytes}"));
    assert_eq!(svg, expected, "\n{svg}");
}

#[test]
fn a_whole_file() {
    let screen = test_screens::screen(6, 2, "\x1b]0;a & b\x07hi\r\n\x1b[31mred");
    let svg = write(&screen, &Theme::SCREENTEST, &options());
    let expected = "\
<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"screentest\" width=\"70\" height=\"52\" viewBox=\"0 0 70 52\" font-family=\"ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"15\" fill=\"#dddddd\" shape-rendering=\"crispEdges\" xml:space=\"preserve\">
<title>a &amp; b</title>
<style>
.screentest text{white-space:pre;unicode-bidi:bidi-override}
.fd74e6f{fill:#d74e6f}
.fdddddd{fill:#dddddd}
</style>
<rect width=\"100%\" height=\"100%\" fill=\"#171717\"/>
<g transform=\"translate(8 8)\">
<g>
<text x=\"0\" y=\"14\" textLength=\"18\">hi</text>
</g>
<g transform=\"translate(0 18)\">
<rect class=\"fdddddd\" x=\"27\" width=\"9\" height=\"18\"/>
<text class=\"fd74e6f\" x=\"0\" y=\"14\" textLength=\"27\">red</text>
</g>
</g>
</svg>
";
    assert_eq!(svg, expected, "\n{svg}");
}

#[test]
fn text_is_split_where_columns_could_misalign() {
    check(
        20,
        1,
        "  a  b 界面→→✓c",
        "\
<g>
<text x=\"18\" y=\"14\" textLength=\"36\">a  b</text>
<text x=\"63\" y=\"14\" textLength=\"36\" letter-spacing=\"3\">界面</text>
<text x=\"99\" y=\"14\">→</text>
<text x=\"108\" y=\"14\">→</text>
<text x=\"117\" y=\"14\">✓</text>
<text x=\"126\" y=\"14\">c</text>
</g>
",
    );
}

#[test]
fn lines_and_blocks_join_into_one_path() {
    check(
        6,
        2,
        "┌──┐\r\n└▀▀╯",
        "\
.fdddddd{fill:#dddddd}
.sdddddd-auto{fill:none;stroke:#dddddd;stroke-linecap:square;shape-rendering:auto}
<g>
<path class=\"fdddddd\" d=\"M4 8h1v10h-1zM4 8h28v1h-28zM31 8h1v10h-1z\"/>
</g>
<g transform=\"translate(0 18)\">
<path class=\"fdddddd\" d=\"M4 0h1v9h-1zM4 8h5v1h-5zM9 0h18v9h-18z\"/>
<path class=\"sdddddd-auto\" d=\"M27 8.5L28 8.5A3.5 3.5 0 0 0 31.5 5L31.5 0\"/>
</g>
",
    );
}

#[test]
fn double_lines_turn_into_each_other() {
    check(3, 1, "╔╬╧", "\
.fdddddd{fill:#dddddd}
<g>
<path class=\"fdddddd\" d=\"M3 7h1v11h-1zM5 9h1v9h-1zM3 7h10v1h-10zM5 9h8v1h-8zM12 0h1v8h-1zM14 0h1v8h-1zM12 9h1v9h-1zM14 9h1v9h-1zM14 7h13v1h-13zM14 9h13v1h-13zM22 0h1v8h-1z\"/>
</g>
");
}

#[test]
fn shades_of_half_a_cell_and_slanted_edges_are_paths() {
    check(
        4,
        1,
        "\u{1fb8c}\u{1fb9c}\u{1fb94}\u{1fb3d}",
        "\
.fdddddd{fill:#dddddd}
.fdddddd-auto{fill:#dddddd;shape-rendering:auto}
.fdddddd-o05{fill:#dddddd;fill-opacity:0.5}
.fdddddd-o05-auto{fill:#dddddd;fill-opacity:0.5;shape-rendering:auto}
<g>
<path class=\"fdddddd\" d=\"M23 0h4v18h-4z\"/>
<path class=\"fdddddd-auto\" d=\"M36 18L27 18L27 12z\"/>
<path class=\"fdddddd-o05\" d=\"M0 0h5v18h-5zM18 0h5v18h-5z\"/>
<path class=\"fdddddd-o05-auto\" d=\"M9 0L18 0L9 18z\"/>
</g>
",
    );
}

#[test]
fn every_style_is_drawn() {
    check(
        12,
        1,
        "\x1b[1;3;31ma\x1b[0;2mb\x1b[0;4:3;58;2;1;2;3mc\x1b[0;4md\x1b[0;21me\x1b[0;4:4mf\x1b[0;4:5mg\x1b[0;9;53mh\x1b[0;7mi\x1b[0;8;44mj",
        "\
.f171717{fill:#171717}
.f7a7a7a{fill:#7a7a7a}
.f8056ff{fill:#8056ff}
.fd74e6f-bold-italic{fill:#d74e6f;font-weight:bold;font-style:italic}
.fdddddd{fill:#dddddd}
.s010203-auto{fill:none;stroke:#010203;stroke-linecap:square;shape-rendering:auto}
<g>
<rect class=\"fdddddd\" x=\"72\" width=\"9\" height=\"18\"/>
<rect class=\"f8056ff\" x=\"81\" width=\"9\" height=\"18\"/>
<text class=\"fd74e6f-bold-italic\" x=\"0\" y=\"14\">a</text>
<text class=\"f7a7a7a\" x=\"9\" y=\"14\">b</text>
<path class=\"s010203-auto\" d=\"M18 16.5Q20.25 18.5 22.5 16.5Q24.75 14.5 27 16.5\"/>
<text x=\"18\" y=\"14\">c</text>
<path class=\"fdddddd\" d=\"M27 15h9v1h-9z\"/>
<text x=\"27\" y=\"14\">d</text>
<path class=\"fdddddd\" d=\"M36 15h9v1h-9zM36 17h9v1h-9z\"/>
<text x=\"36\" y=\"14\">e</text>
<path class=\"fdddddd\" d=\"M45 15h1v1h-1zM47 15h1v1h-1zM49 15h1v1h-1zM51 15h1v1h-1z\"/>
<text x=\"45\" y=\"14\">f</text>
<path class=\"fdddddd\" d=\"M54 15h3v1h-3zM60 15h3v1h-3z\"/>
<text x=\"54\" y=\"14\">g</text>
<path class=\"fdddddd\" d=\"M63 1h9v1h-9z\"/>
<text x=\"63\" y=\"14\">h</text>
<path class=\"fdddddd\" d=\"M63 9h9v1h-9z\"/>
<text class=\"f171717\" x=\"72\" y=\"14\">i</text>
</g>
",
    );
}

#[test]
fn the_cursor_is_drawn_in_its_shape() {
    for (bytes, expected) in [
        (
            "a",
            "\
.fdddddd{fill:#dddddd}
<g>
<rect class=\"fdddddd\" x=\"9\" width=\"9\" height=\"18\"/>
<text x=\"0\" y=\"14\">a</text>
</g>
",
        ),
        (
            "\x1b[6 qa",
            "\
.fdddddd{fill:#dddddd}
<g>
<text x=\"0\" y=\"14\">a</text>
<path class=\"fdddddd\" d=\"M9 0h2v18h-2z\"/>
</g>
",
        ),
        (
            "\x1b[4 qa",
            "\
.fdddddd{fill:#dddddd}
<g>
<text x=\"0\" y=\"14\">a</text>
<path class=\"fdddddd\" d=\"M9 16h9v2h-9z\"/>
</g>
",
        ),
        (
            "界\x1b[H",
            "\
.f171717{fill:#171717}
.fdddddd{fill:#dddddd}
<g>
<rect class=\"fdddddd\" x=\"0\" width=\"18\" height=\"18\"/>
<text class=\"f171717\" x=\"0\" y=\"14\">界</text>
</g>
",
        ),
    ] {
        assert_eq!(drawn(4, 1, bytes), expected, "{bytes:?}");
    }
}

#[test]
fn the_cursor_can_be_left_out() {
    let options = RenderOptions {
        cursor: CursorVisibility::Hidden,
        ..options()
    };
    let svg = write(
        &test_screens::screen(4, 1, ""),
        &Theme::SCREENTEST,
        &options,
    );
    assert!(!svg.contains("<rect class"), "{svg}");
}

#[test]
fn text_and_links_of_a_program_stay_text_and_links() {
    let svg = |texts: &[&str], uri| {
        let screen = test_screens::linked(texts, uri);
        write(&screen, &Theme::SCREENTEST, &options())
    };
    let file = svg(
        &["]", "]", ">", "\x07", "<", "\"", "&"],
        "https://a/?\"<&>]]>",
    );
    let page = roxmltree::Document::parse(&file).unwrap();
    let link = page
        .descendants()
        .find(|node| node.has_tag_name((SVG, "a")))
        .unwrap();
    assert_eq!(link.attribute("href"), Some("https://a/?\"<&>]]>"));
    let text: String = link
        .descendants()
        .filter(|node| node.is_text())
        .filter_map(|node| node.text())
        .map(str::trim)
        .collect();
    assert_eq!(text, "]]> <\"&");
    for uri in [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "java\nscript:x",
    ] {
        assert!(!svg(&["x"], uri).contains("href"), "{uri}");
    }
}

const SVG: &str = "http://www.w3.org/2000/svg";

#[test]
fn a_window_surrounds_the_cells() {
    let options = RenderOptions {
        window: Window {
            padding: 10,
            margin: 20,
            margin_fill: Fill::Color(Rgb::hex(0x6b50ff)),
            radius: 6,
            bar: Bar::Colorful,
            bar_size: 30,
            title: "a <title> that is too long".to_owned(),
            ..Window::default()
        },
        cursor: CursorVisibility::Hidden,
        ..options()
    };
    let svg = write(
        &test_screens::screen(30, 2, "x"),
        &Theme::SCREENTEST,
        &options,
    );
    roxmltree::Document::parse(&svg).unwrap();
    let (_, rest) = svg.split_once("</style>\n").unwrap();
    assert_eq!(rest, "\
<rect width=\"100%\" height=\"100%\" fill=\"#6b50ff\"/>
<rect x=\"20\" y=\"20\" width=\"290\" height=\"86\" rx=\"6\" fill=\"#171717\" shape-rendering=\"auto\"/>
<circle cx=\"35\" cy=\"35\" r=\"5\" fill=\"#ff4f4d\" shape-rendering=\"auto\"/>
<circle cx=\"50\" cy=\"35\" r=\"5\" fill=\"#febb00\" shape-rendering=\"auto\"/>
<circle cx=\"65\" cy=\"35\" r=\"5\" fill=\"#00cc1d\" shape-rendering=\"auto\"/>
<text x=\"165\" y=\"40\" text-anchor=\"middle\" fill-opacity=\"0.67\" textLength=\"162\" lengthAdjust=\"spacingAndGlyphs\">a &lt;title&gt; that is…</text>
<g transform=\"translate(30 60)\">
<g>
<text x=\"0\" y=\"14\">x</text>
</g>
</g>
</svg>
", "\n{rest}");
}

#[test]
fn cells_do_not_reach_into_transparent_corners() {
    let svg = |radius, padding, margin_fill| {
        let options = RenderOptions {
            window: Window {
                padding,
                margin: 20,
                margin_fill,
                radius,
                ..Window::default()
            },
            ..options()
        };
        write(
            &test_screens::screen(4, 1, "\x1b[41m    "),
            &Theme::SCREENTEST,
            &options,
        )
    };
    let clear = svg(6, 2, Fill::Clear);
    roxmltree::Document::parse(&clear).unwrap();
    assert!(
        clear.contains("clip-path:inset(20px round 6px) view-box"),
        "{clear}"
    );
    for other in [
        svg(6, 6, Fill::Clear),
        svg(0, 0, Fill::Clear),
        svg(6, 2, Fill::Theme),
    ] {
        assert!(!other.contains("clip-path"), "{other}");
    }
}

#[test]
fn a_title_is_as_wide_as_its_cells() {
    let options = RenderOptions {
        window: Window {
            bar: Bar::Rings,
            title: "漢字 x".to_owned(),
            ..Window::default()
        },
        ..options()
    };
    let svg = write(
        &test_screens::screen(30, 1, ""),
        &Theme::SCREENTEST,
        &options,
    );
    let title = svg.lines().find(|line| line.contains("漢")).unwrap();
    assert!(title.contains(" textLength=\"54\""), "{title}");
}

#[test]
fn a_font_cannot_end_its_attribute() {
    let options = RenderOptions {
        font_family: "\"><script>".to_owned(),
        ..options()
    };
    let svg = write(
        &test_screens::screen(4, 1, "x"),
        &Theme::SCREENTEST,
        &options,
    );
    assert!(!svg.contains("<script"), "{svg}");
    roxmltree::Document::parse(&svg).unwrap();
}

#[test]
fn any_screen_is_well_formed_and_gives_the_same_bytes_twice() {
    let mut random = Random::new(3);
    for round in 0..500 {
        let screen = test_screens::random(&mut random);
        let options = RenderOptions {
            font_size: 4.0 + random.below(70) as f32,
            letter_spacing: random.below(3) as f32 - 1.0,
            window: Window {
                radius: random.below(30),
                bar: random.pick(&[Bar::None, Bar::Rings, Bar::ColorfulRight]),
                ..Window::default()
            },
            ..RenderOptions::default()
        };
        let svg = write(&screen, &Theme::SCREENTEST_LIGHT, &options);
        let page = roxmltree::Document::parse(&svg);
        assert!(page.is_ok(), "round {round}: {page:?}\n{svg}");
        assert!(!svg.contains("javascript"), "{svg}");
        assert_eq!(svg, write(&screen, &Theme::SCREENTEST_LIGHT, &options));
    }
}

#[test]
fn colours_that_the_program_changed_are_written() {
    let bytes =
        "\x1b]4;1;#aabbcc\x07\x1b]10;#eeeeee\x07\x1b]11;#102040\x07\x1b]12;#ff00ff\x07a\x1b[31mb";
    let screen = test_screens::screen(4, 1, bytes);
    let svg = write(&screen, &Theme::SCREENTEST, &options());
    for part in [
        " fill=\"#eeeeee\" shape-rendering",
        "<rect width=\"100%\" height=\"100%\" fill=\"#102040\"/>",
        ".faabbcc{fill:#aabbcc}",
        "<rect class=\"fff00ff\" x=\"18\"",
    ] {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
}

/// Returns the elements of the cells, with the data of images shortened.
fn with_images(bytes: &str, images: &[ImagePlacement]) -> String {
    let screen = test_images::with_images(test_screens::screen(6, 2, bytes), images);
    let svg = write(&screen, &Theme::DARK, &options());
    roxmltree::Document::parse(&svg).expect("it is well-formed");
    let (_, rest) = svg
        .split_once("<g transform=\"translate(8 8)\">\n")
        .unwrap();
    let rows = rest.strip_suffix("</g>\n</svg>\n").unwrap();
    let mut parts = rows.split("data:image/png;base64,");
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (data, rest) = part.split_once('"').expect("the end of the data");
        assert!(data.starts_with("iVBORw0KGgo"), "{data}");
        short.push_str("PNG\"");
        short.push_str(rest);
    }
    short
}

#[test]
fn an_image_is_clipped_to_its_cells() {
    let image = test_images::filled([9, 9, 9, 255], (0, 1), (2, 3), 0);
    let title = format!("kitty image {} of 16x48 pixels", image.image.hash());
    assert_eq!(
        with_images("\x1b[?25lab", &[image]),
        format!(
            "<g>\n<text x=\"0\" y=\"14\" textLength=\"18\">ab</text>\n</g>\n\
             <svg x=\"9\" y=\"0\" width=\"18\" height=\"36\" viewBox=\"9 0 18 36\">\
             <image x=\"9\" y=\"0\" width=\"18\" height=\"54\" preserveAspectRatio=\"none\" href=\"PNG\">\
             <title>{title}</title></image></svg>\n"
        )
    );
}

#[test]
fn images_below_the_text_are_above_backgrounds() {
    let below = test_images::filled([9, 9, 9, 255], (0, 0), (1, 1), -1);
    let lowest = test_images::filled([9, 9, 9, 255], (0, 0), (1, 1), i32::MIN);
    let svg = with_images("\x1b[?25l\x1b[41ma", &[lowest, below]);
    let places: Vec<usize> = ["<image", "<rect", "<text"]
        .map(|element| svg.find(element).expect("it is there"))
        .to_vec();
    let last = svg.rfind("<image").expect("it is there");
    assert!(
        places[0] < places[1] && places[1] < last && last < places[2],
        "{svg}"
    );
}

#[test]
fn an_image_in_several_pieces_is_written_once() {
    let mut image = test_images::filled([9, 9, 9, 255], (0, 0), (3, 1), 0);
    let rect = |col| Rect {
        row: 0,
        col,
        rows: 1,
        cols: 1,
    };
    image.visible = Arc::new([rect(0), rect(2)]);
    let svg = with_images("", &[image]);
    assert_eq!(svg.matches("PNG").count(), 1, "{svg}");
    assert_eq!(svg.matches("<use href=\"#i").count(), 2, "{svg}");
}
