//! What cannot be drawn: one clear error each, exit code 2, and no picture.

use super::films::CAST;
use super::places::keep;
use crate::tool::{Folder, run, run_under};

const UNDERSTOOD: &str = "hint: State JSON, VT2 (begins with `VT`), asciicasts and ANSI text are understood; `--from ansi` takes any bytes as what a program wrote\n";

/// Draws a file with these options: what is said, where nothing is left.
#[track_caller]
fn refused(name: &str, bytes: &[u8], options: &[&str]) -> String {
    let folder = Folder::new();
    let file = folder.file(name, bytes);
    let words = ["render", &file];
    let said = run(words.iter().chain(options)).failed(2);
    assert_eq!(folder.names(), [name]);
    folder.masked(&said)
}

/// An option with a value that is none.
#[track_caller]
fn check_value(option: &str, value: &str, placeholder: &str, said: &str) {
    assert_eq!(
        refused("x.txt", b"hello", &[option, value]),
        format!(
            "error: invalid value '{value}' for '{option} <{placeholder}>': {said}\n\nFor more information, try '--help'.\n"
        )
    );
}

#[test]
fn an_empty_file() {
    let hint = "hint: `--from ansi` reads it as a blank screen\n";
    for name in ["x.ansi.txt", "x.txt", "x"] {
        assert_eq!(
            refused(name, b"", &[]),
            format!("error: `FOLDER/{name}` is empty\n{hint}")
        );
    }
    assert_eq!(
        refused("x.cast", b"", &[]),
        format!("error: `FOLDER/x.cast` is not an asciicast: the file is empty\n{UNDERSTOOD}")
    );
}

#[test]
fn a_picture_given_as_text() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    for name in ["x.ansi.txt", "x.png"] {
        assert_eq!(
            refused(name, png, &[]),
            format!(
                "error: `FOLDER/{name}` is in no known format: it looks like a PNG, which is a picture already\n{UNDERSTOOD}"
            )
        );
    }
    // A size beside it does not make it one.
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", png);
    folder.file("x.meta.json", r#"{"cols":80,"rows":24}"#);
    let said = run(["render", &file]).failed(2);
    assert!(said.contains("it looks like a PNG"), "{said}");
    assert_eq!(folder.names(), ["x.ansi.txt", "x.meta.json"]);
}

#[test]
fn a_font_that_is_none() {
    let folder = Folder::new();
    let file = keep(&folder, "x.vt2");
    let hint = "hint: a monospaced `.ttf` or `.otf` file is needed; without any the bundled font is used\n";
    for (name, bytes, why) in [
        (
            "text.ttf",
            &b"hello"[..],
            "cannot draw with the font `FOLDER/text.ttf`: it is not a whole TrueType or OpenType file",
        ),
        (
            "empty.ttf",
            b"",
            "cannot draw with the font `FOLDER/empty.ttf`: it is not a whole TrueType or OpenType file",
        ),
        (
            "sans.ttf",
            dejavu::sans::regular(),
            "the font `FOLDER/sans.ttf` is not monospaced: `@` is wider than `i`",
        ),
    ] {
        let font = folder.file(name, bytes);
        let said = run(["render", &file, "--font", &font]).failed(2);
        assert_eq!(
            folder.masked(&said),
            format!("error: `--font`: {why}\n{hint}")
        );
    }
    assert!(!folder.names().contains(&"x.png".to_owned()));
}

#[test]
fn a_font_that_cannot_be_read() {
    assert_eq!(
        refused("x.txt", b"hello", &["--font", "/no/such.ttf"]),
        "error: `--font`: cannot read the font `/no/such.ttf`: No such file or directory (os error 2)\n\
         hint: the path of a `.ttf` or `.otf` file is needed, not the name of a font\n"
    );
}

#[test]
fn a_bad_font_is_told_before_the_program_runs() {
    let folder = Folder::new();
    let (started, out) = (folder.join("started"), folder.join("x.png"));
    let words = [
        "snap",
        "--font",
        "/no/such.ttf",
        "-o",
        &out,
        "--",
        "touch",
        &started,
    ];
    run(words).failed(2);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_theme_that_nobody_knows() {
    check_value(
        "--theme",
        "Draclua",
        "T",
        "unknown theme `Draclua`, did you mean `Dracula`?",
    );
}

#[test]
fn numbers_that_are_none() {
    for scale in ["0", "3", "1.5", "-1", "big"] {
        check_value(
            "--scale",
            scale,
            "1|2",
            "pictures are drawn at scale 1 or 2; `--font-size` has any size between",
        );
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
    check_value("--speed", "0", "X", "a speed is from 0.01 to 1000");
    check_value("--fps", "0", "N", "frames a second are from 1 to 1000");
    check_value(
        "--idle-limit",
        "-1",
        "S",
        "not a number of seconds, such as 2.5",
    );
    check_value("--at", "soon", "S", "not a number of seconds, such as 2.5");
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
fn a_screen_that_is_too_large() {
    let json = r#"{"size": [10000, 10000], "cursor": {"x": 0, "y": 0, "visible": true}}"#;
    assert_eq!(
        refused("x.json", json.as_bytes(), &[]),
        format!(
            "error: `FOLDER/x.json` is not State JSON: `size` is not a screen's: `10000` columns: a screen has 2 to 2000\n{UNDERSTOOD}"
        )
    );
    let mut vt2 = b"VT\x02\0".to_vec();
    vt2.extend(10_000_u32.to_le_bytes().repeat(2));
    vt2.extend([0; 20]);
    let said = refused("x.vt2", &vt2, &[]);
    assert!(
        said.starts_with("error: `FOLDER/x.vt2` is not a VT2 snapshot: `10000` columns at 4"),
        "{said}"
    );
    let cast = CAST.replace("20", "10000");
    let said = refused("x.cast", cast.as_bytes(), &[]);
    assert!(
        said.contains("`10000` columns: a screen has 2 to 2000"),
        "{said}"
    );
    check_value("--cols", "10000", "N", "a screen has 2 to 2000 columns");
    check_value("--rows", "10000", "N", "a screen has 1 to 2000 rows");
}

#[test]
fn a_picture_that_is_too_large() {
    let all = ["--cols", "2000", "--rows", "2000"];
    let hint = "hint: a smaller `--font-size`, `--scale 1` or fewer columns and rows make it smaller; svg has no such limit\n";
    assert_eq!(
        refused("x.txt", b"hello", &all),
        format!(
            "error: a screen of 2000x2000 makes a picture of 20016x38016 pixels, and the most are 67108864 in all\n{hint}"
        )
    );
    let film = all.iter().chain(&["--format", "gif"]).copied();
    let said = refused("x.txt", b"hello", &film.collect::<Vec<_>>());
    assert!(said.ends_with(hint), "{said}");
    // A recording that grows is no better.
    let cast = CAST.replace("[5.0, \"m\", \"end\"]", "[5.0, \"r\", \"2000x2000\"]");
    let said = refused("x.cast", cast.as_bytes(), &[]);
    assert!(said.ends_with(hint), "{said}");
    // It is told before a program runs for nothing.
    let folder = Folder::new();
    let (started, out) = (folder.join("started"), folder.join("x.png"));
    let words = ["snap", "-o", &out].into_iter().chain(all);
    let said = run(words.chain(["--", "touch", &*started])).failed(2);
    assert!(said.ends_with(hint), "{said}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn an_ending_that_nobody_knows() {
    let folder = Folder::new();
    let file = keep(&folder, "x.json");
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
fn options_that_would_do_nothing() {
    let folder = Folder::new();
    let file = keep(&folder, "x.json");
    let cast = folder.file("x.cast", CAST);
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
            &["render", &cast, "--cols", "80"],
            "error: `--cols` and `--rows` are the size of ANSI text, and `FOLDER/x.cast` is an asciicast, which has its own\n".to_owned(),
        ),
    ] {
        assert_eq!(folder.masked(&run(words).failed(2)), said);
    }
    assert_eq!(folder.names(), ["x.cast", "x.json"]);
}

#[test]
fn a_recording_that_is_broken() {
    let broken = format!("{CAST}not an event\n");
    let said = refused("x.cast", broken.as_bytes(), &[]);
    assert!(
        said.starts_with("error: `FOLDER/x.cast` is not an asciicast: line 6: not an event"),
        "{said}"
    );
    let later = CAST.replace(r#""version": 2"#, r#""version": 9"#);
    assert_eq!(
        refused("x.cast", later.as_bytes(), &[]),
        format!(
            "error: `FOLDER/x.cast` is not an asciicast: version `9`: versions 1, 2 and 3 are read\n{UNDERSTOOD}"
        )
    );
}

#[test]
fn a_video_without_ffmpeg() {
    let hint = "hint: `apt install ffmpeg` or `brew install ffmpeg` gets it; gif, apng and webp need no other program\n";
    let folder = Folder::new();
    let cast = folder.file("x.cast", CAST);
    for (name, path) in [("x.mp4", ""), ("x.webm", "/nowhere")] {
        let out = folder.join(name);
        let said = run_under(&[("PATH", path)], ["render", &cast, "-o", &out]).failed(2);
        assert_eq!(
            said,
            format!(
                "error: mp4 and webm are written by `ffmpeg`, which was not found in PATH\n{hint}"
            )
        );
    }
    assert_eq!(folder.names(), ["x.cast"]);
}
