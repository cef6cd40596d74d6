//! Invalid options: one clear error, exit code 2, and no picture.

use super::invalid_input::refused;
use super::output_paths::save_screen;
use super::recordings::CAST;
use crate::harness::cli::{Folder, run, run_with_env};

/// Checks the error for an invalid value of an option.
#[track_caller]
pub(super) fn check_value(option: &str, value: &str, placeholder: &str, said: &str) {
    assert_eq!(
        refused("x.txt", b"hello", &[option, value]),
        format!(
            "error: invalid value '{value}' for '{option} <{placeholder}>': {said}\n\nFor more information, try '--help'.\n"
        )
    );
}

#[test]
fn unknown_theme_is_rejected() {
    check_value(
        "--theme",
        "Draclua",
        "T",
        "unknown theme `Draclua`, did you mean `Dracula` or `Dracula+`?",
    );
}

#[test]
fn invalid_numbers_are_rejected() {
    for (scale, instead) in [
        ("3", "`--font-size 48` draws letters 3 times as large"),
        ("1.5", "`--font-size 24` draws letters 1.5 times as large"),
        ("0", "`--font-size PX` sets any font size"),
        ("-1", "`--font-size PX` sets any font size"),
        ("99", "`--font-size PX` sets any font size"),
        ("big", "`--font-size PX` sets any font size"),
    ] {
        let said = format!("expected 1 or 2; {instead}");
        check_value("--scale", scale, "1|2", &said);
    }
    check_value(
        "--font-size",
        "1",
        "PX",
        "expected a font size in pixels from 4 to 256",
    );
    check_value(
        "--font-size",
        "NaN",
        "PX",
        "expected a font size in pixels from 4 to 256",
    );
    check_value("--line-height", "9", "X", "expected a factor from 0.5 to 4");
    check_value(
        "--padding",
        "-1",
        "PX",
        "expected a number of pixels from 0 to 4096",
    );
    check_value(
        "--margin",
        "9999999",
        "PX",
        "expected a number of pixels from 0 to 4096",
    );
    check_value(
        "--margin-fill",
        "blue",
        "FILL",
        "expected a colour such as `#6b50ff`, `theme`, or `clear`",
    );
    for colour in ["#ff", "#ffff", "#ggg", "#+12", "fff"] {
        check_value(
            "--margin-fill",
            colour,
            "FILL",
            "expected a colour such as `#6b50ff`, `theme`, or `clear`",
        );
    }
    check_value("--hold", "1e9", "S", "expected at most 86400 seconds");
    check_value("--speed", "0", "X", "expected a speed from 0.01 to 1000");
    check_value("--fps", "0", "N", "expected a frame rate from 1 to 1000");
    check_value(
        "--idle-limit",
        "-1",
        "S",
        "expected a number of seconds, 0 or more, such as 2.5",
    );
    check_value(
        "--at",
        "soon",
        "S",
        "expected a number of seconds, 0 or more, such as 2.5",
    );
    check_value(
        "--loop-offset",
        "101%",
        "S|P%",
        "expected a percentage from 0 to 100",
    );
    check_value(
        "--repeat",
        "0",
        "N",
        "expected a number from 1 to 65535, or `forever`",
    );
    assert_eq!(
        refused("x.txt", b"hello", &["--letter-spacing", "-9"]),
        "error: letter spacing `-9` is out of range: -4 to 64\n"
    );
}

#[test]
fn unknown_extension_is_rejected() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.json");
    for (name, said) in [
        (
            "x.jpg",
            "error: unknown extension `.jpg` in `FOLDER/x.jpg`\nhint: ",
        ),
        (
            "y.txt",
            "error: the extension of `FOLDER/y.txt` means text, which is not a picture format\nhint: `screentest convert` writes text; ",
        ),
    ] {
        let out = folder.join(name);
        assert_eq!(
            folder.masked(&run(["render", &file, "-o", &out]).failed(2)),
            format!(
                "{said}`--format` selects a format; known extensions are `.png`, `.svg`, `.html`, `.gif`, `.apng`, `.webp`, `.mp4`, `.webm`\n"
            )
        );
    }
    assert_eq!(folder.names(), ["x.json"]);
}

#[test]
fn options_without_effect_are_rejected() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.json");
    let cast = folder.file("x.cast", CAST);
    let again = "hint: gif, apng and webp do\n";
    let animations = "hint: a recording becomes an animation as gif, apng, webp, mp4 or webm\n";
    for (words, said) in [
        (
            &["convert", &file, "--font-size", "20"][..],
            "error: `--font-size` applies to pictures only, and text is not one\nhint: `-o FILE.png` or `--format png` draws a picture\n".to_owned(),
        ),
        (
            &["render", &file, "--speed", "2"],
            format!("error: `--speed` applies only to animations, and `FOLDER/x.json` is one screen\n{animations}"),
        ),
        (
            &["render", &cast, "--fps", "2", "--format", "png"],
            format!("error: `--fps` applies only to animations, and png shows one screen\n{animations}"),
        ),
        (
            &["render", &cast, "--at", "1", "--speed", "2"],
            "error: `--speed` applies only to animations, and `--at` selects one screen\nhint: without `--at`, the whole recording is used\n".to_owned(),
        ),
        (
            &["render", &file, "--at", "2"],
            "error: `--at` applies to recordings only, and `FOLDER/x.json` is one screen\n".to_owned(),
        ),
        (
            &["render", &cast, "--at", "60"],
            "error: `--at 60s` is after the end of `FOLDER/x.cast`, which lasts 5s\nhint: without `--at`, the last screen is used\n".to_owned(),
        ),
        (
            &["render", &file, "--format", "svg", "--font", "/a.ttf"],
            "error: `--font` does not apply: svg is drawn with the fonts of the viewer\nhint: `--font-family NAME` selects them\n".to_owned(),
        ),
        (
            &["render", &file, "--font-family", "Menlo"],
            "error: `--font-family` does not apply: png contains pixels, not text\nhint: `--font FILE` selects the font\n".to_owned(),
        ),
        (
            &["render", &file, "--format", "svg", "--no-system-fonts"],
            "error: `--no-system-fonts` does not apply: svg is drawn with the fonts of the viewer\nhint: `--font-family NAME` selects them\n".to_owned(),
        ),
        (
            &["convert", &file, "--format", "html", "--no-system-fonts"],
            "error: `--no-system-fonts` does not apply: html is drawn with the fonts of the viewer\nhint: `--font-family NAME` selects them\n".to_owned(),
        ),
        (
            &["render", &cast, "--format", "mp4", "--repeat", "2"],
            format!("error: `--repeat` applies only to animations that repeat, and mp4 does not repeat\n{again}"),
        ),
        (
            &["convert", &cast, "--format", "webm", "--loop-offset", "1"],
            format!("error: `--loop-offset` applies only to animations that repeat, and webm does not repeat\n{again}"),
        ),
        (
            &["render", &cast, "--loop-offset", "100"],
            "error: `--loop-offset 100s` is not before the end of the animation, which lasts 6s\nhint: a percentage such as `50%` fits any length\n".to_owned(),
        ),
        (
            &["render", &file, "--hold", "2"],
            format!("error: `--hold` applies only to animations, and `FOLDER/x.json` is one screen\n{animations}"),
        ),
        (
            &["render", &file, "--format", "mp4", "--speed", "2", "--hold", "2"],
            format!("error: `--speed` applies only to animations, and `FOLDER/x.json` is one screen\n{animations}"),
        ),
        (
            &["render", &cast, "--cols", "80"],
            "error: `--cols` and `--rows` apply to ANSI text only, and `FOLDER/x.cast` is an asciicast, which stores its size\n".to_owned(),
        ),
    ] {
        assert_eq!(folder.masked(&run(words).failed(2)), said);
    }
    assert_eq!(folder.names(), ["x.cast", "x.json"]);
}

#[test]
fn missing_ffmpeg_is_reported() {
    let hint = "hint: install it with `apt install ffmpeg` or `brew install ffmpeg`; gif, apng and webp do not need it\n";
    let folder = Folder::new();
    let cast = folder.file("x.cast", CAST);
    for (name, path) in [("x.mp4", ""), ("x.webm", "/nowhere")] {
        let out = folder.join(name);
        let said = run_with_env(&[("PATH", path)], ["render", &cast, "-o", &out]).failed(2);
        assert_eq!(
            said,
            format!(
                "error: mp4 and webm are written by `ffmpeg`, which was not found in PATH\n{hint}"
            )
        );
    }
    assert_eq!(folder.names(), ["x.cast"]);
}
