//! What a picture looks like: size, window, cursor, colours.

use super::output_paths::{SMALL, keep};
use crate::harness::cli::{Folder, run, run_under};
use crate::harness::image_header::png_size;

/// A small screen, drawn with these options.
fn drawn(options: &[&str]) -> Vec<u8> {
    let folder = Folder::new();
    let file = keep(&folder, "x.vt2");
    let words = ["render", &file, "-o", "-"];
    run(words.iter().chain(options)).done()
}

#[track_caller]
fn check_size(options: &[&str], size: (u32, u32)) {
    assert_eq!(png_size(&drawn(options)), size, "{options:?}");
}

#[test]
fn letters_set_the_size() {
    check_size(&[], SMALL);
    check_size(&["--scale", "1"], SMALL);
    check_size(&["--scale", "2"], (SMALL.0 * 2, SMALL.1 * 2));
    check_size(&["--letter-spacing", "2"], (SMALL.0 + 20 * 2, SMALL.1));
    let (width, height) = png_size(&drawn(&["--font-size", "32"]));
    assert!(width > SMALL.0 * 3 / 2 && height > SMALL.1 * 3 / 2);
    let (width, height) = png_size(&drawn(&["--line-height", "1.5"]));
    assert!(width == SMALL.0 && height > SMALL.1);
}

#[test]
fn a_window_takes_the_room_it_needs() {
    check_size(&["--padding", "0"], (200, 76));
    check_size(&["--padding", "60"], (320, 196));
    check_size(&["--margin", "10"], (SMALL.0 + 20, SMALL.1 + 20));
    check_size(&["--window-bar", "colorful"], (SMALL.0, SMALL.1 + 30));
    check_size(&["--window-bar-size", "40"], (SMALL.0, SMALL.1 + 40));
    check_size(&["--window-title", "x"], (SMALL.0, SMALL.1 + 30));
    check_size(&["--border-radius", "8"], SMALL);
}

#[test]
fn every_option_changes_the_picture() {
    let many: [&[&str]; 12] = [
        &[],
        &["--cursor", "hidden"],
        &["--theme", "nord"],
        &["--theme", "light"],
        &["--window-bar", "Colorful"],
        &["--window-bar", "ColorfulRight"],
        &["--window-bar", "rings"],
        &["--window-bar", "rings-right"],
        &["--window-title", "hello"],
        &["--border-radius", "8", "--margin-fill", "#6b50ff"],
        &["--border-radius", "8", "--margin-fill", "clear"],
        &["--margin", "8", "--margin-fill", "#6b50ff"],
    ];
    let pictures = many.map(drawn);
    for (index, picture) in pictures.iter().enumerate() {
        let same = pictures[..index].iter().position(|other| other == picture);
        assert_eq!(same, None, "{:?}", many[index]);
    }
    assert!(drawn(&["--cursor", "shown"]) == pictures[0]);
    assert!(drawn(&["--window-bar", "none"]) == pictures[0]);
    let short = drawn(&["--margin", "8", "--margin-fill", "#f0a"]);
    assert!(short == drawn(&["--margin", "8", "--margin-fill", "#ff00aa"]));
}

#[test]
fn bold_brightens_where_that_is_asked() {
    let folder = Folder::new();
    let draw = |text: &str, options: &[&str]| {
        let file = folder.file("x.ansi", text);
        let words = ["render", &file, "--cols", "20", "--rows", "2", "-o", "-"];
        run(words.iter().chain(options)).done()
    };
    let (bold, bright) = ("\x1b[1;31mred", "\x1b[1;91mred");
    assert!(draw(bold, &[]) != draw(bright, &[]));
    assert!(draw(bold, &["--bold-is-bright"]) == draw(bright, &[]));
}

#[test]
fn svg_obeys_the_same_options() {
    let svg = |options: &[&str]| String::from_utf8(drawn(options)).unwrap();
    let plain = svg(&["--format", "svg"]);
    assert!(plain.contains(r#"width="216" height="92""#), "{plain}");
    let window = svg(&[
        "--format",
        "svg",
        "--margin",
        "10",
        "--window-title",
        "hello",
    ]);
    assert!(window.contains(">hello</text>"), "{window}");
    let family = svg(&["--format", "svg", "--font-family", "Fira Code"]);
    assert!(family.contains("Fira Code"), "{family}");
    let html = svg(&["--format", "html", "--font-family", "Fira Code"]);
    assert!(html.contains("Fira Code"), "{html}");
}

#[test]
fn a_terminal_says_whether_it_is_light() {
    let folder = Folder::new();
    let file = keep(&folder, "x.vt2");
    let under = |theme: &str, variable: &str| {
        let words = ["render", &file, "-o", "-", "--theme", theme];
        run_under(&[("COLORFGBG", variable)], words).done()
    };
    let (dark, light) = (under("dark", ""), under("light", ""));
    assert!(under("auto", "0;15") == light);
    assert!(under("auto", "15;0") == dark);
    assert!(under("auto", "") == dark);
    // What was not asked for does not depend on where the tool runs.
    let words = ["render", &file, "-o", "-"];
    assert!(run_under(&[("COLORFGBG", "0;15")], words).done() == dark);
}

#[test]
fn json_keeps_its_own_colours_unless_told_otherwise() {
    let folder = Folder::new();
    let file = folder.join("light.json");
    let words = ["snap", "--theme", "light", "-o", &file, "--", "echo", "hi"];
    assert_eq!(run(words).done(), b"");
    let svg = |options: &[&str]| {
        let words = ["render", &file, "--format", "svg", "-o", "-"];
        run(words.iter().chain(options)).text()
    };
    assert!(svg(&[]).contains("#ffffff"));
    assert!(!svg(&["--theme", "nord"]).contains("#ffffff"));
}
