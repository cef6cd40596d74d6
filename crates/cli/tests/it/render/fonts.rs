//! Fonts: which one is used, and what is said about those of the system.

use super::output_paths::keep;
use crate::harness::cli::{Folder, run, run_under};

/// The program shows characters that the bundled font lacks.
fn chinese(folder: &Folder) -> String {
    let file = folder.join("x.json");
    let words = ["snap", "--cols", "20", "--rows", "2", "-o", &file];
    let words = words.into_iter().chain(["--", "echo", "漢字"]);
    assert_eq!(run(words).done(), b"");
    file
}

#[test]
fn a_font_can_be_given() {
    let folder = Folder::new();
    let file = keep(&folder, "x.vt2");
    let bold = folder.file("Bold.ttf", dejavu::sans_mono::bold());
    let plain = run(["render", &file, "-o", "-"]).done();
    let given = run(["render", &file, "-o", "-", "--font", &bold]).done();
    assert!(given != plain);
    for variable in ["SCREENTEST_FONT_PATH", "TUISPEC_FONT_PATH"] {
        let told = run_under(&[(variable, &bold)], ["render", &file, "-o", "-"]);
        assert!(told.done() == given, "{variable}");
    }
}

#[test]
fn the_first_that_names_a_font_is_obeyed() {
    let folder = Folder::new();
    let file = keep(&folder, "x.vt2");
    let both = [
        ("SCREENTEST_FONT_PATH", "/no/ours"),
        ("TUISPEC_FONT_PATH", "/no/theirs"),
    ];
    let hint = "hint: the path of a `.ttf` or `.otf` file is needed, not the name of a font\n";
    let said = |name: &str, path: &str| {
        format!(
            "error: `{name}`: cannot read the font `{path}`: No such file or directory (os error 2)\n{hint}"
        )
    };
    let words = ["render", &file, "-o", "-"];
    let option = words.iter().chain(&["--font", "/no/option"]);
    assert_eq!(
        run_under(&both, option).failed(2),
        said("--font", "/no/option")
    );
    assert_eq!(
        run_under(&both, words).failed(2),
        said("SCREENTEST_FONT_PATH", "/no/ours")
    );
    let empty = [("SCREENTEST_FONT_PATH", ""), both[1]];
    assert_eq!(
        run_under(&empty, words).failed(2),
        said("TUISPEC_FONT_PATH", "/no/theirs")
    );
    // What is not drawn here needs no font.
    let svg = run_under(&both, ["render", &file, "-o", "-", "--format", "svg"]);
    assert!(svg.text().contains("blue"));
}

#[test]
fn what_no_font_has_is_told() {
    let folder = Folder::new();
    let file = chinese(&folder);
    let out = folder.join("x.png");
    let words = ["render", &file, "-o", &out, "--no-system-fonts"];
    assert_eq!(
        run(words).noted(),
        "note: no font has 字 (U+5B57) 漢 (U+6F22): drawn as boxes with their numbers; \
         `--font A.ttf --font B.ttf` takes from B what A lacks\n"
    );
}

#[test]
fn a_second_font_lends_what_the_first_lacks() {
    let folder = Folder::new();
    // A letter that DejaVu Sans has, and its monospaced sister has not.
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
