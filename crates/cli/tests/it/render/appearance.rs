//! Options for the appearance of a picture: size, window, cursor, colours.

use super::output_paths::{SMALL, save_screen};
use crate::harness::cli::{Folder, run, run_with_env};
use crate::harness::image_header::png_size;

/// Draws a small screen with these options.
fn render_screen(options: &[&str]) -> Vec<u8> {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.vt2");
    let words = ["render", &file, "-o", "-"];
    run(words.iter().chain(options)).done()
}

#[track_caller]
fn check_size(options: &[&str], size: (u32, u32)) {
    assert_eq!(png_size(&render_screen(options)), size, "{options:?}");
}

#[test]
fn font_options_set_the_picture_size() {
    check_size(&[], SMALL);
    check_size(&["--scale", "1"], SMALL);
    check_size(&["--scale", "2"], (SMALL.0 * 2, SMALL.1 * 2));
    check_size(&["--letter-spacing", "2"], (SMALL.0 + 20 * 2, SMALL.1));
    let (width, height) = png_size(&render_screen(&["--font-size", "32"]));
    assert!(width > SMALL.0 * 3 / 2 && height > SMALL.1 * 3 / 2);
    let (width, height) = png_size(&render_screen(&["--line-height", "1.5"]));
    assert!(width == SMALL.0 && height > SMALL.1);
}

#[test]
fn window_options_enlarge_the_picture() {
    check_size(&["--padding", "0"], (200, 76));
    check_size(&["--padding", "60"], (320, 196));
    check_size(&["--margin", "10"], (SMALL.0 + 20, SMALL.1 + 20));
    check_size(&["--window-bar", "colorful"], (SMALL.0, SMALL.1 + 30));
    check_size(&["--window-bar-size", "40"], (SMALL.0, SMALL.1 + 40));
    check_size(&["--window-title", "x"], (SMALL.0, SMALL.1 + 30));
    check_size(&["--border-radius", "8"], SMALL);
}

#[test]
fn each_appearance_option_changes_the_picture() {
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
    let pictures = many.map(render_screen);
    for (index, picture) in pictures.iter().enumerate() {
        let same = pictures[..index].iter().position(|other| other == picture);
        assert_eq!(same, None, "{:?}", many[index]);
    }
    assert!(render_screen(&["--cursor", "shown"]) == pictures[0]);
    assert!(render_screen(&["--window-bar", "none"]) == pictures[0]);
    let short = render_screen(&["--margin", "8", "--margin-fill", "#f0a"]);
    assert!(short == render_screen(&["--margin", "8", "--margin-fill", "#ff00aa"]));
}

#[test]
fn bold_is_bright_only_with_the_option() {
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
fn svg_uses_the_same_options() {
    let svg = |options: &[&str]| String::from_utf8(render_screen(options)).unwrap();
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
fn auto_theme_follows_colorfgbg() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.vt2");
    let under = |theme: &str, variable: &str| {
        let words = ["render", &file, "-o", "-", "--theme", theme];
        run_with_env(&[("COLORFGBG", variable)], words).done()
    };
    let (dark, light) = (under("dark", ""), under("light", ""));
    assert!(under("auto", "0;15") == light);
    assert!(under("auto", "15;0") == dark);
    assert!(under("auto", "") == dark);
    assert!(under("screentest", "0;15") != dark);
}

#[test]
fn render_without_a_theme_uses_the_environment() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.vt2");
    let with = |theme: &str| run(["render", &file, "-o", "-", "--theme", theme]).done();
    let under =
        |variables: &[(&str, &str)]| run_with_env(variables, ["render", &file, "-o", "-"]).done();
    let [dark, light, nord] = ["pty-default-dark", "pty-default-light", "nord"].map(with);
    let (ours, theirs) = ("SCREENTEST_SNAPSHOT_THEME", "TUISPEC_SNAPSHOT_THEME");
    assert!(under(&[]) == dark);
    assert!(under(&[("COLORFGBG", "0;15")]) == light);
    assert!(under(&[(ours, "nord")]) == nord);
    assert!(under(&[(theirs, "nord"), ("COLORFGBG", "0;15")]) == nord);
    assert!(under(&[(ours, "nord"), (theirs, "light")]) == nord);
    assert!(under(&[(theirs, "auto"), ("COLORFGBG", "0;15")]) == light);
    // The option takes precedence, even over a variable that is wrong.
    let words = ["render", &file, "-o", "-", "--theme", "nord"];
    assert!(run_with_env(&[(ours, "nrod")], words).done() == nord);
    let error = run_with_env(&[(ours, "nrod")], ["render", &file, "-o", "-"]).failed(2);
    assert_eq!(
        error,
        "error: could not read the theme in `SCREENTEST_SNAPSHOT_THEME`: \
         unknown theme `nrod`, did you mean `nord`?\n"
    );
}

#[test]
fn json_keeps_its_colours_without_a_theme_option() {
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
