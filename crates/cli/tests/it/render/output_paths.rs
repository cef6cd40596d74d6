//! Input formats, output paths and output formats.

use crate::harness::cli::{Folder, run, run_with, run_with_env};
use crate::harness::image_header::{image_format, png_size};

/// Saves a small screen with colours in the format of the file name.
pub(crate) fn save_screen(folder: &Folder, name: &str) -> String {
    let file = folder.join(name);
    let program = r"printf '\033[1;31mred\033[0m \033[44mblue\033[0m\nend'";
    let words = [
        "snap", "--cols", "20", "--rows", "4", "-o", &file, "--", "sh", "-c", program,
    ];
    assert_eq!(run(words).done(), b"");
    file
}

/// Size in pixels of 20 columns and 4 rows at the default font size, with 8 pixels of padding.
pub(crate) const SMALL: (u32, u32) = (216, 92);

#[test]
fn picture_is_written_beside_the_input() {
    for (name, picture) in [
        ("a.ansi.txt", "a.png"),
        ("b.ansi", "b.png"),
        ("c.json", "c.png"),
        ("d.vt2", "d.png"),
    ] {
        let folder = Folder::new();
        let file = save_screen(&folder, name);
        assert_eq!(
            folder.masked(&run(["render", &file]).noted()),
            format!("note: the picture is in `FOLDER/{picture}`\n")
        );
        assert_eq!(png_size(&folder.read(picture)), SMALL, "{name}");
    }
    let folder = Folder::new();
    let file = folder.file("e.log", "no ending of ours");
    run(["render", &file]).noted();
    assert_eq!(folder.names(), ["e.log", "e.log.png"]);
}

#[test]
fn all_input_formats_give_the_same_picture() {
    let folder = Folder::new();
    let pictures = ["x.json", "y.vt2", "z.ansi.txt"].map(|name| {
        let file = save_screen(&folder, name);
        // State JSON keeps the colours of the theme of `snap`.
        let theme = [("SCREENTEST_SNAPSHOT_THEME", "screentest")];
        run_with_env(&theme, ["render", &file, "-o", "-"]).done()
    });
    assert_eq!(png_size(&pictures[0]), SMALL);
    assert!(pictures.iter().all(|picture| *picture == pictures[0]));
}

#[test]
fn extension_of_the_output_selects_the_format() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.json");
    for ending in ["png", "svg", "html", "gif", "webp"] {
        let name = format!("picture.{ending}");
        let out = folder.join(&name);
        assert_eq!(run(["render", &file, "-o", &out]).done(), b"");
        assert_eq!(image_format(&folder.read(&name)), ending);
    }
    let out = folder.join("plain");
    assert_eq!(run(["render", &file, "-o", &out]).done(), b"");
    assert_eq!(image_format(&folder.read("plain")), "png");
}

#[test]
fn format_option_overrides_the_extension() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.json");
    run(["render", &file, "--format", "svg"]).noted();
    assert_eq!(image_format(&folder.read("x.svg")), "svg");
    let out = folder.join("y.png");
    let words = ["render", &file, "--format", "gif", "-o", &out];
    assert_eq!(
        folder.masked(&run(words).noted()),
        "note: `--format gif` overrides the extension of `FOLDER/y.png`, which means png\n"
    );
    assert_eq!(image_format(&folder.read("y.png")), "gif");
}

#[test]
fn stdin_is_rendered_to_stdout() {
    let folder = Folder::new();
    for name in ["x.json", "x.vt2"] {
        save_screen(&folder, name);
        let picture = run_with(["render", "-"], &folder.read(name)).done();
        assert_eq!(png_size(&picture), SMALL, "{name}");
    }
}

#[test]
fn ansi_size_comes_from_metadata_or_options_or_defaults_to_134x40() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.ansi.txt");
    let size = |words: &[&str]| {
        let words = ["render", "-o", "-"].iter().chain(words);
        png_size(&run(words).done())
    };
    assert_eq!(size(&[&file]), SMALL);
    assert_eq!(size(&[&file, "--cols", "30"]), (316, 92));
    assert_eq!(size(&[&file, "--cols", "30", "--rows", "2"]), (316, 54));
    let row = "w".repeat(134) + "\n";
    let alone = folder.file("alone.ansi.txt", row.repeat(40).trim_end());
    assert_eq!(size(&[&alone]), (134 * 10 + 16, 40 * 19 + 16));
}

#[test]
fn oversized_guessed_size_is_noted() {
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", "hello\nworld!\n");
    let out = folder.join("x.png");
    let note = |options: &[&str]| {
        let words = ["render", &file, "-o", &out];
        folder.masked(&run(words.iter().chain(options)).noted())
    };
    let small = "note: the size of `FOLDER/x.ansi.txt` is unknown; 134x40 was assumed, but only 6x2 is used: set it with \
                 `--cols` and `--rows`\n";
    assert_eq!(note(&[]), small);
    assert_eq!(
        note(&["--cols", "10"]),
        small.replace("134x40", "10x40").replace("6x2", "10x2")
    );
    assert_eq!(note(&["--cols", "10", "--rows", "40"]), "");
    let drawn = run(["convert", &file, "-o", &out]).noted();
    assert_eq!(folder.masked(&drawn), small);
    // The size is not visible in text output.
    assert_eq!(run(["convert", &file]).text(), "hello\nworld!\n");
    folder.file("x.meta.json", r#"{"cols":134,"rows":40}"#);
    assert_eq!(note(&[]), "");
}

#[test]
fn file_name_may_be_invalid_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let kept = save_screen(&folder, "x.json");
    let name = |bytes| folder.path().join(OsStr::from_bytes(bytes));
    let file = name(b"caf\xe9.json");
    std::fs::rename(kept, &file).unwrap();
    let said = run([OsStr::new("render"), file.as_os_str()]).noted();
    assert_eq!(
        folder.masked(&said),
        "note: the picture is in `FOLDER/caf\u{fffd}.png`\n"
    );
    let picture = std::fs::read(name(b"caf\xe9.png")).unwrap();
    assert_eq!(png_size(&picture), SMALL);
}

#[test]
fn snap_and_convert_draw_the_same_picture() {
    let folder = Folder::new();
    let json = save_screen(&folder, "x.json");
    save_screen(&folder, "snap.png");
    let rendered = run(["render", &json, "-o", "-"]).done();
    let converted = run(["convert", &json, "--format", "png"]).done();
    assert!(folder.read("snap.png") == rendered);
    assert!(converted == rendered);
}

#[test]
fn rendering_is_deterministic() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.json");
    for format in ["png", "svg", "html", "gif", "apng", "webp"] {
        let words = ["render", &file, "--format", format, "-o", "-"];
        assert!(run(words).done() == run(words).done(), "{format}");
    }
}

#[test]
fn svg_and_html_contain_the_text() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.json");
    for format in ["svg", "html"] {
        let drawn = run(["convert", &file, "--format", format]).text();
        assert!(drawn.contains("red") && drawn.contains("blue"), "{drawn}");
        assert!(drawn.contains("#d74e6f"), "{drawn}");
    }
}

#[test]
fn existing_picture_is_replaced() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.json");
    folder.file("x.png", "old");
    run(["render", &file]).noted();
    assert_eq!(image_format(&folder.read("x.png")), "png");
    assert_eq!(folder.names(), ["x.json", "x.png"]);
}
