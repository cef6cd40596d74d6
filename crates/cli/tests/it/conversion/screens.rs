//! Conversion of screens between all formats, from files and from stdin.

use crate::harness::cli::{Folder, run, run_with};

/// Text, each kind of colour, a wide character, an empty row, spaces with a background, and a row
/// that scrolled out.
const PROGRAM: &str = r"printf 'above\n\033[1;31mred\033[0m \033[38;2;1;2;3mexact\033[0m 界\n\n\033[44m  \033[0m\nend'";

/// Saves the program's screen in the format of the file name.
fn save_screen(folder: &Folder, name: &str) -> String {
    let file = folder.join(name);
    let words = [
        "snap", "--cols", "20", "--rows", "4", "-o", &file, "--", "sh", "-c", PROGRAM,
    ];
    assert_eq!(run(words).done(), b"");
    file
}

const TEXT: &str = "red exact 界\n\n\nend\n";
const SKETCH: &str = "red exact 界\n\n\nend|\n";

#[test]
fn each_input_format_converts_to_each_output_format() {
    let folder = Folder::new();
    for from in ["kept.json", "kept.vt2", "kept.ansi.txt"] {
        let file = save_screen(&folder, from);
        assert_eq!(run(["convert", &file]).text(), TEXT, "{from}");
        let sketch = run(["convert", &file, "--format", "sketch"]).text();
        assert_eq!(sketch, SKETCH, "{from}");
        for to in ["other.json", "other.vt2", "other.ansi.txt"] {
            let other = folder.join(to);
            assert_eq!(run(["convert", &file, "-o", &other]).done(), b"");
            assert_eq!(run(["convert", &other]).text(), TEXT, "{from} to {to}");
            let sketch = run(["convert", &other, "--format", "sketch"]).text();
            assert_eq!(sketch, SKETCH, "{from} to {to}");
        }
    }
}

#[test]
fn conversion_to_the_same_format_is_lossless() {
    let folder = Folder::new();
    for (name, again) in [
        ("x.json", "y.json"),
        ("x.vt2", "y.vt2"),
        ("x.ansi.txt", "y.ansi.txt"),
    ] {
        let file = save_screen(&folder, name);
        let copy = folder.join(again);
        assert_eq!(run(["convert", &file, "-o", &copy]).done(), b"");
        assert_eq!(folder.read(again), folder.read(name), "{name}");
    }
    assert_eq!(folder.read("y.meta.json"), folder.read("x.meta.json"));
}

#[test]
fn colours_survive_conversion_between_vt2_and_ansi() {
    let folder = Folder::new();
    let vt2 = save_screen(&folder, "x.vt2");
    let ansi = folder.join("y.ansi.txt");
    assert_eq!(run(["convert", &vt2, "-o", &ansi]).done(), b"");
    assert_eq!(
        String::from_utf8(folder.read("y.ansi.txt")).unwrap(),
        "\x1b[0;1;31mred\x1b[0m \x1b[0;38;2;1;2;3mexact\x1b[0m 界\n\n\x1b[0;44m  \x1b[0m\nend\n"
    );
    let back = folder.join("z.vt2");
    assert_eq!(run(["convert", &ansi, "-o", &back]).done(), b"");
    // ANSI text does not store the number of scrollback rows, which is in the first 24 bytes of the
    // VT2 header.
    assert_eq!(
        folder.read("z.vt2").get(24..),
        folder.read("x.vt2").get(24..)
    );
}

#[test]
fn convert_reads_stdin() {
    let folder = Folder::new();
    for name in ["x.json", "x.vt2", "x.ansi.txt"] {
        save_screen(&folder, name);
        assert_eq!(
            run_with(["convert", "-"], &folder.read(name)).text(),
            TEXT,
            "{name}"
        );
    }
}

#[test]
fn raw_program_output_is_interpreted_as_by_a_terminal() {
    let bytes = b"\x1b[2J\x1b[2;3Hhere\r\nx";
    assert_eq!(
        run_with(["convert", "-", "--format", "sketch"], bytes).text(),
        "\n  here\nx|\n"
    );
}

#[test]
fn ansi_size_comes_from_metadata_or_options_or_defaults_to_134x40() {
    let size = |words: &[&str], stdin: &[u8]| {
        let mut all = vec!["convert", "--format", "json"];
        all.extend(words);
        let json = run_with(all, stdin).text();
        let numbers: String = json.split(']').next().unwrap().split_whitespace().collect();
        numbers
    };
    assert_eq!(size(&["-"], b"x"), "{\"size\":[134,40");
    assert_eq!(size(&["-", "--cols", "9"], b"x"), "{\"size\":[9,40");
    assert_eq!(
        size(&["-", "--cols", "9", "--rows", "3"], b"x"),
        "{\"size\":[9,3"
    );
    let folder = Folder::new();
    let file = save_screen(&folder, "x.ansi.txt");
    assert_eq!(size(&[&file], b""), "{\"size\":[20,4");
    assert_eq!(size(&[&file, "--cols", "30"], b""), "{\"size\":[30,4");
    assert_eq!(
        size(&[&file, "--cols", "9", "--rows", "7"], b""),
        "{\"size\":[9,7"
    );
    // Only `x.ansi.txt` and `x.ansi` use `x.meta.json`.
    let other = folder.file("x.txt", "x");
    assert_eq!(size(&[&other], b""), "{\"size\":[134,40");
}

#[test]
fn too_small_guessed_size_is_noted() {
    let rows = "row\n".repeat(41);
    let wide = "w".repeat(135);
    for (name, bytes) in [("rows", rows), ("wide", wide)] {
        let folder = Folder::new();
        let file = folder.file(name, bytes);
        let run = run(["convert", &file]);
        assert_eq!(
            (run.code, folder.masked(&run.stderr)),
            (
                Some(0),
                format!(
                    "note: `FOLDER/{name}` does not fit into 134x40, the assumed size: set it with `--cols` and \
                     `--rows`\n"
                )
            )
        );
        let words = ["convert", &file, "--cols", "134", "--rows", "40"];
        assert_ne!(crate::harness::cli::run(words).text(), "");
    }
}

#[test]
fn size_options_are_rejected_for_formats_with_a_size() {
    let folder = Folder::new();
    for (name, format) in [("x.json", "State JSON"), ("x.vt2", "VT2")] {
        let file = save_screen(&folder, name);
        assert_eq!(
            folder.masked(&run(["convert", &file, "--cols", "80"]).failed(2)),
            format!(
                "error: `--cols` and `--rows` apply to ANSI text only, and `FOLDER/{name}` is {format}, which stores its size\n"
            )
        );
    }
}

#[test]
fn json_keeps_its_colours_without_a_theme_option() {
    let folder = Folder::new();
    let file = folder.join("light.json");
    let words = [
        "snap", "--theme", "light", "-o", &file, "--", "sh", "-c", PROGRAM,
    ];
    assert_eq!(run(words).done(), b"");
    let kept = String::from_utf8(folder.read("light.json")).unwrap();
    assert!(kept.contains("\"bg\": \"#ffffff\""), "{kept}");
    let again = ["convert", &file, "--format", "json"];
    assert_eq!(run(again).text(), kept);
    let dark = run(again.into_iter().chain(["--theme", "dark"]));
    assert_eq!(
        (dark.code, folder.masked(&dark.stderr)),
        (
            Some(0),
            "note: the colours in `FOLDER/light.json` are exact: `--theme` changes only the default colours; \
             ANSI text and vt2 store the colours' numbers instead\n"
                .to_owned()
        )
    );
    let dark = String::from_utf8(dark.stdout).unwrap();
    assert!(dark.contains("\"bg\": \"#000000\""), "{dark}");
    // Red of the light theme.
    assert!(dark.contains("\"fg\": \"#cd3131\""), "{dark}");
}

#[test]
fn json_may_start_with_a_byte_order_mark() {
    let folder = Folder::new();
    save_screen(&folder, "x.json");
    let mut marked = "\u{feff}".as_bytes().to_vec();
    marked.extend(folder.read("x.json"));
    assert_eq!(run_with(["convert", "-"], &marked).text(), TEXT);
}

#[test]
fn text_that_resembles_json_is_text() {
    for text in ["{", "{\"a\": 1}", "[1,2]", "\"x\""] {
        let shown = run_with(["convert", "-"], text.as_bytes()).text();
        assert_eq!(shown, format!("{text}\n"));
    }
}

#[test]
fn explicit_input_format_is_not_guessed() {
    let folder = Folder::new();
    let file = folder.file("x.json", "{\"a\": 1}");
    for from in ["ansi", "text"] {
        let words = ["convert", &file, "--from", from];
        assert_eq!(run(words).text(), "{\"a\": 1}\n");
    }
    let noise = run_with(["convert", "-", "--from", "ansi"], b"a\0b\xffc").text();
    assert_eq!(noise, "ab\u{fffd}c\n");
    let said = run_with(["convert", "-", "--from", "vt2"], b"text").failed(2);
    assert!(
        said.starts_with("error: stdin is not a VT2 snapshot: "),
        "{said}"
    );
    let said = run_with(["convert", "-", "--from", "json"], b"{}").failed(2);
    assert!(
        said.starts_with("error: stdin is not State JSON: `size` is missing\n"),
        "{said}"
    );
}

#[test]
fn empty_text_is_a_blank_screen() {
    let folder = Folder::new();
    for name in ["x.ansi.txt", "x.ansi", "x.txt"] {
        assert_eq!(run(["convert", &folder.file(name, "")]).text(), "");
    }
    assert_eq!(run(["convert", "-", "--from", "ansi"]).text(), "");
}

#[test]
fn blank_screen_is_an_empty_ansi_file_with_metadata() {
    let folder = Folder::new();
    let file = folder.join("x.ansi.txt");
    assert_eq!(run(["snap", "-o", &file, "--", "true"]).done(), b"");
    assert_eq!(folder.read("x.ansi.txt"), b"");
    assert_eq!(run(["convert", &file]).text(), "");
    assert_eq!(run(["convert", &file, "--format", "sketch"]).text(), "|\n");
}

#[test]
fn screen_that_shows_json_is_read_as_text() {
    let folder = Folder::new();
    let file = folder.join("x.ansi.txt");
    let words = ["snap", "-o", &file, "--", "echo", "{\"a\": 1}"];
    assert_eq!(run(words).done(), b"");
    assert_eq!(run(["convert", &file]).text(), "{\"a\": 1}\n");
}

#[test]
fn files_with_the_same_stem_are_independent() {
    let folder = Folder::new();
    for name in ["x.json", "x.vt2", "x.ansi.txt", "x.txt"] {
        save_screen(&folder, name);
    }
    for name in ["x.json", "x.vt2", "x.ansi.txt", "x.txt"] {
        assert_eq!(run(["convert", &folder.join(name)]).text(), TEXT, "{name}");
    }
}

#[test]
fn theme_sets_colours_of_json() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.ansi.txt");
    let json = run(["convert", &file, "--format", "json", "--theme", "light"]).text();
    assert!(json.contains("\"fg\": \"#cd3131\""), "{json}");
}

#[test]
fn colours_that_the_program_changed_survive_conversion() {
    const THEMED: &str = r"printf '\033]4;1;#aabbcc\033\\\033]10;#eeeeee\033\\\033]11;#102040\033\\\033]12;#ff00ff\033\\plain \033[31mred'";
    let folder = Folder::new();
    let save = |name: &str| {
        let file = folder.join(name);
        let words = [
            "snap", "--cols", "12", "--rows", "3", "-o", &file, "--", "sh", "-c", THEMED,
        ];
        assert_eq!(run(words).done(), b"");
        file
    };
    let json = save("x.json");
    let text = String::from_utf8(folder.read("x.json")).unwrap();
    for part in [
        "\"fg\": \"#eeeeee\"",
        "\"bg\": \"#102040\"",
        "\"fg\": \"#aabbcc\"",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let ansi = save("x.ansi.txt");
    assert_eq!(
        String::from_utf8(folder.read("x.ansi.txt")).unwrap(),
        "\x1b]4;1;#aabbcc\x1b\\\x1b]10;#eeeeee\x1b\\\x1b]11;#102040\x1b\\\x1b]12;#ff00ff\x1b\\plain \x1b[0;31mred\x1b[0m\n"
    );
    // Every picture and every JSON file of the screen is the same, whatever it was converted from.
    save("x.png");
    save("x.svg");
    for file in [&json, &ansi] {
        for name in ["x.json", "x.png", "x.svg"] {
            let other = folder.join(&format!("from.{name}"));
            assert_eq!(run(["convert", file, "-o", &other]).done(), b"");
            let (from, expected) = (folder.read(&format!("from.{name}")), folder.read(name));
            assert!(from == expected, "{file} as {name}");
        }
    }
    let vt2 = save("x.vt2");
    let json = run(["convert", &vt2, "--format", "json"]).text();
    assert!(json.contains("\"bg\": \"#102040\""), "{json}");
    // A theme does not replace the program's colours.
    let nord = run(["convert", &ansi, "--format", "json", "--theme", "nord"]).text();
    assert!(
        nord.contains("\"bg\": \"#102040\"") && nord.contains("#aabbcc"),
        "{nord}"
    );
}
