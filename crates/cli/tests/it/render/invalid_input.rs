//! Input that cannot be drawn: one clear error, exit code 2, and no picture.

use super::invalid_options::check_value;
use super::output_paths::save_screen;
use super::recordings::CAST;
use crate::harness::cli::{Folder, run};

const UNDERSTOOD: &str = "hint: known formats are State JSON, VT2 (begins with `VT`), asciicasts, cassettes and ANSI text; `--from ansi` reads any bytes as a program's output\n";

/// Renders a file with these options, checks that it fails without output, and returns the error.
#[track_caller]
pub(super) fn refused(name: &str, bytes: &[u8], options: &[&str]) -> String {
    let folder = Folder::new();
    let file = folder.file(name, bytes);
    let words = ["render", &file];
    let said = run(words.iter().chain(options)).failed(2);
    assert_eq!(folder.names(), [name]);
    folder.masked(&said)
}

#[test]
fn empty_file_is_rejected() {
    let hint = "hint: `--from ansi` reads it as a blank screen\n";
    for name in ["x.ansi.txt", "x.txt", "x"] {
        assert_eq!(
            refused(name, b"", &[]),
            format!("error: `FOLDER/{name}` is empty\n{hint}")
        );
    }
    assert_eq!(
        refused("x.cast", b"", &[]),
        format!(
            "error: could not read `FOLDER/x.cast` as an asciicast: the file is empty\n{UNDERSTOOD}"
        )
    );
}

#[test]
fn picture_as_input_is_rejected() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    for name in ["x.ansi.txt", "x.png"] {
        assert_eq!(
            refused(name, png, &[]),
            format!(
                "error: the format of `FOLDER/{name}` is not known: it looks like a PNG, which is a picture, not text\n{UNDERSTOOD}"
            )
        );
    }
    // A metadata file does not change that.
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", png);
    folder.file("x.meta.json", r#"{"cols":80,"rows":24}"#);
    let said = run(["render", &file]).failed(2);
    assert!(said.contains("it looks like a PNG"), "{said}");
    assert_eq!(folder.names(), ["x.ansi.txt", "x.meta.json"]);
}

#[test]
fn invalid_font_is_rejected() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.vt2");
    let hint =
        "hint: expected a monospaced `.ttf` or `.otf` file; the default is the bundled font\n";
    for (name, bytes, why) in [
        (
            "text.ttf",
            &b"hello"[..],
            "cannot draw with the font `FOLDER/text.ttf`: it is not a complete TrueType or OpenType file",
        ),
        (
            "empty.ttf",
            b"",
            "cannot draw with the font `FOLDER/empty.ttf`: it is not a complete TrueType or OpenType file",
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
fn unreadable_font_is_rejected() {
    assert_eq!(
        refused("x.txt", b"hello", &["--font", "/no/such.ttf"]),
        "error: `--font`: cannot read the font `/no/such.ttf`: No such file or directory (os error 2)\n\
         hint: expected the path of a `.ttf` or `.otf` file, not the name of a font\n"
    );
}

#[test]
fn invalid_font_is_reported_before_the_program_starts() {
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
fn too_large_screen_is_rejected() {
    let json = r#"{"size": [10000, 10000], "cursor": {"x": 0, "y": 0, "visible": true}}"#;
    assert_eq!(
        refused("x.json", json.as_bytes(), &[]),
        format!(
            "error: `FOLDER/x.json` is not State JSON: invalid `size`: `10000` columns: a screen has 2 to 2000\n{UNDERSTOOD}"
        )
    );
    let mut vt2 = b"VT\x02\0".to_vec();
    vt2.extend(10_000_u32.to_le_bytes().repeat(2));
    vt2.extend([0; 20]);
    let said = refused("x.vt2", &vt2, &[]);
    assert!(
        said.starts_with("error: `FOLDER/x.vt2` is not a VT2 snapshot: `10000` columns and `10000` rows exceed the limit"),
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
fn too_large_picture_is_rejected() {
    let all = ["--cols", "2000", "--rows", "2000"];
    let hint = "hint: use a smaller `--font-size`, `--scale 1`, or fewer columns and rows; svg has no such limit\n";
    assert_eq!(
        refused("x.txt", b"hello", &all),
        format!(
            "error: a screen of 2000x2000 needs a picture of 20016x38016 pixels, and the maximum is 67108864 in total\n{hint}"
        )
    );
    let animation = all.iter().chain(&["--format", "gif"]).copied();
    let said = refused("x.txt", b"hello", &animation.collect::<Vec<_>>());
    assert!(said.ends_with(hint), "{said}");
    // A recording that is resized to that size is rejected too.
    let cast = CAST.replace("[5.0, \"m\", \"end\"]", "[5.0, \"r\", \"2000x2000\"]");
    let said = refused("x.cast", cast.as_bytes(), &[]);
    assert!(said.ends_with(hint), "{said}");
    // The error comes before the program starts.
    let folder = Folder::new();
    let (started, out) = (folder.join("started"), folder.join("x.png"));
    let words = ["snap", "-o", &out].into_iter().chain(all);
    let said = run(words.chain(["--", "touch", &*started])).failed(2);
    assert!(said.ends_with(hint), "{said}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn too_wide_video_is_rejected() {
    let folder = Folder::new();
    let started = folder.join("started");
    for format in ["mp4", "webm"] {
        let out = folder.join(&format!("x.{format}"));
        let words = ["snap", "--cols", "1000", "--rows", "2", "--scale", "2"];
        let words = words
            .into_iter()
            .chain(["-o", &*out, "--", "touch", &*started]);
        assert_eq!(
            run(words).failed(2),
            format!(
                "error: a screen of 1000x2 needs a picture of 20032x108 pixels, and {format} allows at most 16384 per side\n\
                 hint: use a smaller `--font-size`, `--scale 1`, or fewer columns and rows; svg has no such limit\n"
            )
        );
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn too_long_video_is_rejected() {
    let said = refused("x.cast", CAST.as_bytes(), &["--hold", "86400"]);
    assert_eq!(
        said,
        "error: longer than 24 hours: an idle limit or a higher speed shortens it\n\
         hint: `--idle-limit`, `--speed` and a smaller `--hold` shorten it\n"
    );
}

#[test]
fn damaged_recording_is_rejected() {
    let broken = format!("{CAST}not an event\n");
    let said = refused("x.cast", broken.as_bytes(), &[]);
    assert!(
        said.starts_with(
            "error: could not read `FOLDER/x.cast` as an asciicast: damaged at line 6: not an event"
        ),
        "{said}"
    );
    let later = CAST.replace(r#""version": 2"#, r#""version": 9"#);
    assert_eq!(
        refused("x.cast", later.as_bytes(), &[]),
        format!(
            "error: could not read `FOLDER/x.cast` as an asciicast: unsupported version `9` (expected 1, 2 or 3)\n{UNDERSTOOD}"
        )
    );
}
