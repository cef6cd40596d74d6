use screentest_core::{Screen, Theme};
use screentest_fixtures::random::Random;

use crate::formats::span::test_screens;
use crate::image::test_images;
use crate::{Bar, Fill, RenderOptions, Window};

fn fragment(screen: &Screen, theme: &Theme) -> String {
    super::fragment(screen, theme, &RenderOptions::default())
        .expect("the default options are valid")
}

/// Returns the content of the `pre` element.
fn rows(html: &str) -> &str {
    let (_, rows) = html.split_once(">\n").unwrap();
    rows.strip_suffix("</pre>\n").unwrap()
}

#[track_caller]
fn check(cols: u16, lines: u16, bytes: &str, html: &str) {
    let screen = test_screens::screen(cols, lines, bytes);
    assert_eq!(rows(&fragment(&screen, &Theme::SCREENTEST)), html);
}

#[test]
fn text_is_escaped_and_every_row_is_a_line() {
    check(8, 3, "\r\na <b> & \x1b[?25l", "\na &lt;b&gt; &amp;\n\n");
}

#[test]
fn styles_are_inline() {
    check(
        12,
        1,
        "\x1b[?25l\x1b[1;31ma\x1b[0;4:3;58;2;1;2;3mb\x1b[0;7mc\x1b[0;9;53md\x1b[0;8;44me",
        "<span style=\"color:#d74e6f;font-weight:bold\">a</span>\
         <span style=\"text-decoration:underline;text-decoration-style:wavy;text-decoration-color:#010203\">b</span>\
         <span style=\"color:#171717;background:#dddddd\">c</span>\
         <span style=\"background:linear-gradient(#dddddd,#dddddd) 0 1px/100% 1px no-repeat;text-decoration:line-through\">d</span>\
         <span style=\"background:#8056ff\"> </span>\n",
    );
}

#[test]
fn cursor_shapes_are_drawn() {
    let block = "<span style=\"color:#171717;background:#dddddd\"> </span>\n";
    check(4, 1, "", block);
    let bar = "a<span style=\"box-shadow:inset 2px 0 #dddddd\"> </span>\n";
    check(4, 1, "\x1b[6 qa", bar);
    let under = "a<span style=\"box-shadow:inset 0 -2px #dddddd\"> </span>\n";
    check(4, 1, "\x1b[4 qa", under);
}

#[test]
fn an_overline_is_inside_its_cell() {
    let line = "linear-gradient(#d74e6f,#d74e6f) 0 1px/100% 1px no-repeat";
    let plain = format!("<span style=\"color:#d74e6f;background:{line}\">a</span>\n");
    check(4, 1, "\x1b[?25l\x1b[31;53ma", &plain);
    let colored = format!("<span style=\"color:#d74e6f;background:{line} #8056ff\">a</span>\n");
    check(4, 1, "\x1b[?25l\x1b[31;44;53ma", &colored);
}

#[test]
fn a_cursor_on_an_inverse_cell_is_visible() {
    let block = "<span style=\"color:#171717;background:#dddddd\">a</span>b\
                 <span style=\"color:#171717;background:#dddddd\">c</span>\n";
    check(4, 1, "\x1b[7mabc\x1b[1;2H", block);
    let bar = "<span style=\"color:#171717;background:#dddddd\">a</span>\
               <span style=\"color:#171717;background:#dddddd;box-shadow:inset 2px 0 #171717\">b</span>\n";
    check(4, 1, "\x1b[6 q\x1b[7mab\x1b[1;2H", bar);
}

#[test]
fn wide_characters_get_two_columns() {
    check(
        6,
        1,
        "\x1b[?25l界é",
        "<span style=\"display:inline-block;width:2ch\">界</span>é\n",
    );
    check(
        6,
        1,
        "\x1b[?25l\x1b[4m界",
        "<span style=\"text-decoration:underline\">\
         <span style=\"display:inline-block;width:2ch;text-decoration:inherit\">界</span></span>\n",
    );
}

#[test]
fn only_safe_uris_become_links() {
    let html = |uri| fragment(&test_screens::linked(&["x"], uri), &Theme::SCREENTEST);
    assert!(html("https://a/?b=\"&c").contains("href=\"https://a/?b=&quot;&amp;c\">x</a>"));
    assert!(!html("javascript:alert(1)").contains("script"));
}

#[test]
fn any_screen_is_well_formed_and_gives_the_same_bytes_twice() {
    let mut random = Random::new(5);
    for _ in 0..300 {
        let screen = test_screens::random(&mut random);
        let html = fragment(&screen, &Theme::SCREENTEST_LIGHT);
        // The output is also well-formed XML. Only the newline after `<pre …>` has another meaning:
        // HTML ignores it.
        let page = roxmltree::Document::parse(&html);
        assert!(page.is_ok(), "{page:?}\n{html}");
        assert!(!html.contains("javascript"), "{html}");
        assert_eq!(html, fragment(&screen, &Theme::SCREENTEST_LIGHT));
    }
}

#[test]
fn a_window_adds_boxes_around_the_text() {
    let options = RenderOptions {
        window: Window {
            margin: 20,
            margin_fill: Fill::Color(screentest_core::Rgb::hex(0x6b50ff)),
            radius: 6,
            bar: Bar::Rings,
            title: "a <title>".to_owned(),
            ..Window::default()
        },
        ..RenderOptions::default()
    };
    let screen = test_screens::screen(8, 1, "x");
    let html =
        super::fragment(&screen, &Theme::SCREENTEST, &options).expect("the options are in range");
    roxmltree::Document::parse(&html).expect("the output is well-formed XML");
    for part in [
        "padding:20px;background:#6b50ff",
        "overflow:hidden;background:#171717;border-radius:6px",
        ">a &lt;title&gt;</span>",
        "border:1.5px solid #333333",
    ] {
        assert!(html.contains(part), "{part} is missing in\n{html}");
    }
}

#[test]
fn corners_have_the_fill_of_the_margin() {
    let html = |margin_fill| {
        let options = RenderOptions {
            window: Window {
                margin_fill,
                radius: 6,
                ..Window::default()
            },
            ..RenderOptions::default()
        };
        let screen = test_screens::screen(8, 1, "x");
        super::fragment(&screen, &Theme::SCREENTEST, &options).expect("the options are in range")
    };
    let fill = Fill::Theme
        .color(&(&Theme::SCREENTEST).into())
        .expect("the theme has a fill colour");
    let boxed = html(Fill::Theme);
    assert!(
        boxed.contains(&format!("padding:0px;background:{fill}")),
        "{boxed}"
    );
    assert!(html(Fill::Clear).starts_with("<pre"));
}

#[test]
fn letter_spacing_is_part_of_column_widths() {
    let options = RenderOptions {
        letter_spacing: 2.0,
        ..RenderOptions::default()
    };
    let screen = test_screens::screen(8, 1, "\x1b[?25l界");
    let html =
        super::fragment(&screen, &Theme::SCREENTEST, &options).expect("the options are in range");
    assert!(html.contains("width:calc(8ch + 16px)"), "{html}");
    assert!(html.contains("width:calc(2ch + 4px)"), "{html}");
}

#[test]
fn colours_that_the_program_changed_are_written() {
    let bytes =
        "\x1b]4;1;#aabbcc\x07\x1b]10;#eeeeee\x07\x1b]11;#102040\x07\x1b]12;#ff00ff\x07a\x1b[31mb";
    let html = fragment(&test_screens::screen(4, 1, bytes), &Theme::SCREENTEST);
    assert!(
        html.contains(";color:#eeeeee;background:#102040\">"),
        "{html}"
    );
    let cells = "a<span style=\"color:#aabbcc\">b</span><span style=\"color:#102040;background:#ff00ff\"> </span>\n";
    assert_eq!(rows(&html), cells);
}

#[test]
fn images_are_positioned_in_columns_and_rows() {
    let image = test_images::filled([9, 9, 9, 255], (0, 1), (2, 3), -1);
    let alt = format!("kitty image {} of 16x48 pixels", image.image.hash());
    let screen = test_images::with_images(test_screens::screen(6, 2, "\x1b[?25lab"), &[image]);
    let html = fragment(&screen, &Theme::DARK);
    assert!(html.contains(";position:relative;z-index:0;"), "{html}");
    let (_, image) = html.split_once("ab\n\n").expect("the rows");
    let (before, after) = image
        .split_once("data:image/png;base64,")
        .expect("an image");
    let (_, after) = after.split_once('"').expect("the end of the data");
    assert_eq!(
        before,
        "<span style=\"position:absolute;overflow:hidden;pointer-events:none;left:calc(1ch + 8px);\
         top:8px;width:2ch;height:38px;z-index:-1\"><img style=\"position:absolute;max-width:none;\
         left:0ch;top:0px;width:2ch;height:57px\" src=\""
    );
    assert_eq!(after, format!(" alt=\"{alt}\"></span></pre>\n"));
    // Without images nothing is added.
    let plain = fragment(&test_screens::screen(6, 2, ""), &Theme::DARK);
    assert!(!plain.contains("position"), "{plain}");
}
