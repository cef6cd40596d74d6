//! Font selection, and the notes about missing characters.

use super::output_paths::save_screen;
use crate::harness::cli::{Folder, run, run_with_env};

/// Saves a screen with characters that the bundled font lacks.
fn screen_with_chinese(folder: &Folder) -> String {
    let file = folder.join("x.json");
    let words = ["snap", "--cols", "20", "--rows", "2", "-o", &file];
    let words = words.into_iter().chain(["--", "echo", "漢字"]);
    assert_eq!(run(words).done(), b"");
    file
}

#[test]
fn font_comes_from_option_or_environment() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.vt2");
    let bold = folder.file("Bold.ttf", dejavu::sans_mono::bold());
    let plain = run(["render", &file, "-o", "-"]).done();
    let given = run(["render", &file, "-o", "-", "--font", &bold]).done();
    assert!(given != plain);
    for variable in ["SCREENTEST_FONT_PATH", "TUISPEC_FONT_PATH"] {
        let rendered = run_with_env(&[(variable, &bold)], ["render", &file, "-o", "-"]);
        assert!(rendered.done() == given, "{variable}");
    }
}

#[test]
fn font_option_overrides_environment() {
    let folder = Folder::new();
    let file = save_screen(&folder, "x.vt2");
    let both = [
        ("SCREENTEST_FONT_PATH", "/no/ours"),
        ("TUISPEC_FONT_PATH", "/no/theirs"),
    ];
    let hint = "hint: expected the path of a `.ttf` or `.otf` file, not the name of a font\n";
    let said = |what: &str, path: &str| {
        format!(
            "error: {what}: cannot read the font `{path}`: No such file or directory (os error 2)\n{hint}"
        )
    };
    let named_by = |variable| format!("could not use the font that `{variable}` names");
    let words = ["render", &file, "-o", "-"];
    let option = words.iter().chain(&["--font", "/no/option"]);
    assert_eq!(
        run_with_env(&both, option).failed(2),
        said("`--font`", "/no/option")
    );
    assert_eq!(
        run_with_env(&both, words).failed(2),
        said(&named_by("SCREENTEST_FONT_PATH"), "/no/ours")
    );
    let empty = [("SCREENTEST_FONT_PATH", ""), both[1]];
    assert_eq!(
        run_with_env(&empty, words).failed(2),
        said(&named_by("TUISPEC_FONT_PATH"), "/no/theirs")
    );
    // SVG needs no font.
    let svg = run_with_env(&both, ["render", &file, "-o", "-", "--format", "svg"]);
    assert!(svg.text().contains("blue"));
}

#[test]
fn missing_glyphs_are_noted() {
    let folder = Folder::new();
    let file = screen_with_chinese(&folder);
    let out = folder.join("x.png");
    let words = ["render", &file, "-o", &out, "--no-system-fonts"];
    assert_eq!(
        run(words).noted(),
        "note: no font has 字 (U+5B57) 漢 (U+6F22): drawn as boxes with their code points; \
         `--font A.ttf --font B.ttf` uses B for the characters that A lacks\n"
    );
}

#[test]
fn second_font_provides_missing_glyphs() {
    let folder = Folder::new();
    // A character that DejaVu Sans has and DejaVu Sans Mono lacks.
    let file = folder.join("x.json");
    let words = ["snap", "-o", &file, "--", "echo", "\u{4dc0}"];
    assert_eq!(run(words).done(), b"");
    let mono = folder.file("Mono.ttf", dejavu::sans_mono::regular());
    let sans = folder.file("Sans.ttf", dejavu::sans::regular());
    let out = folder.join("x.png");
    let words = [
        "render",
        &file,
        "-o",
        &out,
        "--no-system-fonts",
        "--font",
        &mono,
    ];
    assert!(run(words).noted().contains("no font has"));
    let both = words.into_iter().chain(["--font", &*sans]);
    assert_eq!(run(both).noted(), "");
}
