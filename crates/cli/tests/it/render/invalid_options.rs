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
        "unknown theme `Draclua`, did you mean `Dracula`?",
    );
}

#[test]
fn invalid_numbers_are_rejected() {
    for (scale, instead) in [
        ("3", "`--font-size 48` draws letters 3 times as large"),
        ("1.5", "`--font-size 24` draws letters 1.5 times as large"),
        ("0", "`--font-size PX` draws letters of any size"),
        ("-1", "`--font-size PX` draws letters of any size"),
        ("99", "`--font-size PX` draws letters of any size"),
        ("big", "`--font-size PX` draws letters of any size"),
    ] {
        let said = format!("a scale is 1 or 2; {instead}");
        check_value("--scale", scale, "1|2", &said);
    }
    check_value(
        "--font-size",
        "1",
        "PX",
        "letters have pixels from 4 to 256",
    );
    check_value(
        "--font-size",
        "NaN",
        "PX",
        "letters have pixels from 4 to 256",
    );
    check_value("--line-height", "9", "X", "rows are from 0.5 to 4");
    check_value(
        "--padding",
        "-1",
        "PX",
        "a number of pixels is from 0 to 4096",
    );
    check_value(
        "--margin",
        "9999999",
        "PX",
        "a number of pixels is from 0 to 4096",
    );
    check_value(
        "--margin-fill",
        "blue",
        "FILL",
        "neither a colour as in `#6b50ff`, nor `theme`, nor `clear`",
    );
    for colour in ["#ff", "#ffff", "#ggg", "#+12", "fff"] {
        check_value(
            "--margin-fill",
            colour,
            "FILL",
            "neither a colour as in `#6b50ff`, nor `theme`, nor `clear`",
        );
    }
    check_value("--hold", "1e9", "S", "a film lasts at most 86400 seconds");
    check_value("--speed", "0", "X", "a speed is from 0.01 to 1000");
    check_value("--fps", "0", "N", "frames a second are from 1 to 1000");
    check_value(
        "--idle-limit",
        "-1",
        "S",
        "not a number of seconds from 0, such as 2.5",
    );
    check_value(
        "--at",
        "soon",
        "S",
        "not a number of seconds from 0, such as 2.5",
    );
    check_value(
        "--loop-offset",
        "101%",
        "S|P%",
        "a part of the film is from 0 to 100",
    );
    check_value(
        "--repeat",
        "0",
        "N",
        "neither a number from 1 to 65535 nor `forever`",
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
            "error: no format is known by the ending `.jpg` of `FOLDER/x.jpg`\nhint: ",
        ),
        (
            "y.txt",
            "error: `FOLDER/y.txt` promises text, which is no picture\nhint: `screentest convert` writes text; ",
        ),
    ] {
        let out = folder.join(name);
        assert_eq!(
            folder.masked(&run(["render", &file, "-o", &out]).failed(2)),
            format!(
                "{said}`--format` picks one for any name; known endings are `.png`, `.svg`, `.html`, `.gif`, `.apng`, `.webp`, `.mp4`, `.webm`\n"
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
    let again = "hint: gif, apng and webp can\n";
    let films = "hint: recordings become films as gif, apng, webp, mp4 and webm\n";
    for (words, said) in [
        (
            &["convert", &file, "--font-size", "20"][..],
            "error: `--font-size` is for pictures, and text is none\nhint: `-o FILE.png` and `--format png` draw one\n".to_owned(),
        ),
        (
            &["render", &file, "--speed", "2"],
            format!("error: `--speed` is for films, and `FOLDER/x.json` is one screen\n{films}"),
        ),
        (
            &["render", &cast, "--fps", "2", "--format", "png"],
            format!("error: `--fps` is for films, and png shows one screen\n{films}"),
        ),
        (
            &["render", &file, "--at", "2"],
            "error: `--at` is a moment of a recording, and `FOLDER/x.json` is one screen\n".to_owned(),
        ),
        (
            &["render", &cast, "--at", "60"],
            "error: `--at 60s` lies behind the end of `FOLDER/x.cast`, which lasts 5s\nhint: without `--at` the last screen is taken\n".to_owned(),
        ),
        (
            &["render", &file, "--format", "svg", "--font", "/a.ttf"],
            "error: `--font` is for others: svg leaves its letters to whoever shows it\nhint: `--font-family NAME` says which fonts to look for there\n".to_owned(),
        ),
        (
            &["render", &file, "--font-family", "Menlo"],
            "error: `--font-family` is for others: png has no letters, only pixels\nhint: `--font FILE` gives it a font\n".to_owned(),
        ),
        (
            &["render", &file, "--format", "svg", "--no-system-fonts"],
            "error: `--no-system-fonts` is for others: svg leaves its letters to whoever shows it\nhint: `--font-family NAME` says which fonts to look for there\n".to_owned(),
        ),
        (
            &["convert", &file, "--format", "html", "--no-system-fonts"],
            "error: `--no-system-fonts` is for others: html leaves its letters to whoever shows it\nhint: `--font-family NAME` says which fonts to look for there\n".to_owned(),
        ),
        (
            &["render", &cast, "--format", "mp4", "--repeat", "2"],
            format!("error: `--repeat` is for films that begin again, and mp4 does not\n{again}"),
        ),
        (
            &["convert", &cast, "--format", "webm", "--loop-offset", "1"],
            format!("error: `--loop-offset` is for films that begin again, and webm does not\n{again}"),
        ),
        (
            &["render", &cast, "--loop-offset", "100"],
            "error: `--loop-offset 100s` is not before the end of the film, which lasts 6s\nhint: a part such as `50%` lies within any film\n".to_owned(),
        ),
        (
            &["render", &file, "--hold", "2"],
            format!("error: `--hold` is for films, and `FOLDER/x.json` is one screen\n{films}"),
        ),
        (
            &["render", &file, "--format", "mp4", "--speed", "2", "--hold", "2"],
            format!("error: `--speed` is for films, and `FOLDER/x.json` is one screen\n{films}"),
        ),
        (
            &["render", &cast, "--cols", "80"],
            "error: `--cols` and `--rows` are the size of ANSI text, and `FOLDER/x.cast` is an asciicast, which has its own\n".to_owned(),
        ),
    ] {
        assert_eq!(folder.masked(&run(words).failed(2)), said);
    }
    assert_eq!(folder.names(), ["x.cast", "x.json"]);
}

#[test]
fn missing_ffmpeg_is_reported() {
    let hint = "hint: `apt install ffmpeg` or `brew install ffmpeg` gets it; gif, apng and webp need no other program\n";
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
