//! `convert`: every format into every other, from files and from stdin.

use crate::tool::{Folder, run, run_with};

/// Text, colours of each kind, a wide character, a blank row in between, blanks that show, a hidden row above.
const PROGRAM: &str = r"printf 'above\n\033[1;31mred\033[0m \033[38;2;1;2;3mexact\033[0m 界\n\n\033[44m  \033[0m\nend'";

/// Keeps the screen of the program in some format.
fn keep(folder: &Folder, name: &str) -> String {
    let file = folder.join(name);
    let words = [
        "snap", "--cols", "20", "--rows", "4", "-o", &file, "--", "sh", "-c", PROGRAM,
    ];
    assert_eq!(run(words).done(), b"");
    file
}

const TEXT: &str = "red exact 界\n\n\nend\n";
const PICTURE: &str = "red exact 界\n\n\nend|\n";

#[test]
fn every_format_that_is_read_becomes_every_format_that_is_written() {
    let folder = Folder::new();
    for from in ["kept.json", "kept.vt2", "kept.ansi.txt"] {
        let file = keep(&folder, from);
        assert_eq!(run(["convert", &file]).text(), TEXT, "{from}");
        let picture = run(["convert", &file, "--format", "picture"]).text();
        assert_eq!(picture, PICTURE, "{from}");
        for to in ["other.json", "other.vt2", "other.ansi.txt"] {
            let other = folder.join(to);
            assert_eq!(run(["convert", &file, "-o", &other]).done(), b"");
            assert_eq!(run(["convert", &other]).text(), TEXT, "{from} to {to}");
            let picture = run(["convert", &other, "--format", "picture"]).text();
            assert_eq!(picture, PICTURE, "{from} to {to}");
        }
    }
}

#[test]
fn a_file_becomes_itself() {
    let folder = Folder::new();
    for (name, again) in [
        ("x.json", "y.json"),
        ("x.vt2", "y.vt2"),
        ("x.ansi.txt", "y.ansi.txt"),
    ] {
        let file = keep(&folder, name);
        let copy = folder.join(again);
        assert_eq!(run(["convert", &file, "-o", &copy]).done(), b"");
        assert_eq!(folder.read(again), folder.read(name), "{name}");
    }
    assert_eq!(folder.read("y.meta.json"), folder.read("x.meta.json"));
}

#[test]
fn colours_survive_the_way_through_formats_that_hold_them() {
    let folder = Folder::new();
    let vt2 = keep(&folder, "x.vt2");
    let ansi = folder.join("y.ansi.txt");
    assert_eq!(run(["convert", &vt2, "-o", &ansi]).done(), b"");
    assert_eq!(
        String::from_utf8(folder.read("y.ansi.txt")).unwrap(),
        "\x1b[0;1;31mred\x1b[0m \x1b[0;38;2;1;2;3mexact\x1b[0m 界\n\n\x1b[0;44m  \x1b[0m\nend\n"
    );
    let back = folder.join("z.vt2");
    assert_eq!(run(["convert", &ansi, "-o", &back]).done(), b"");
    // Of the header, ANSI does not keep how many rows are above.
    assert_eq!(
        folder.read("z.vt2").get(24..),
        folder.read("x.vt2").get(24..)
    );
}

#[test]
fn stdin_is_read() {
    let folder = Folder::new();
    for name in ["x.json", "x.vt2", "x.ansi.txt"] {
        keep(&folder, name);
        assert_eq!(
            run_with(["convert", "-"], &folder.read(name)).text(),
            TEXT,
            "{name}"
        );
    }
}

#[test]
fn what_a_program_wrote_is_shown_as_a_terminal_would() {
    let bytes = b"\x1b[2J\x1b[2;3Hhere\r\nx";
    assert_eq!(
        run_with(["convert", "-", "--format", "picture"], bytes).text(),
        "\n  here\nx|\n"
    );
}

#[test]
fn the_size_of_ansi_is_beside_it_or_given_or_134_by_40() {
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
    let file = keep(&folder, "x.ansi.txt");
    assert_eq!(size(&[&file], b""), "{\"size\":[20,4");
    assert_eq!(size(&[&file, "--cols", "9"], b""), "{\"size\":[20,4");
}

#[test]
fn an_empty_screen_is_an_empty_file_with_a_size() {
    let folder = Folder::new();
    let file = folder.join("x.ansi.txt");
    assert_eq!(run(["snap", "-o", &file, "--", "true"]).done(), b"");
    assert_eq!(folder.read("x.ansi.txt"), b"");
    assert_eq!(run(["convert", &file]).text(), "");
    assert_eq!(run(["convert", &file, "--format", "picture"]).text(), "|\n");
}

#[test]
fn a_program_may_have_shown_json() {
    let folder = Folder::new();
    let file = folder.join("x.ansi.txt");
    let words = ["snap", "-o", &file, "--", "echo", "{\"a\": 1}"];
    assert_eq!(run(words).done(), b"");
    assert_eq!(run(["convert", &file]).text(), "{\"a\": 1}\n");
}

#[test]
fn files_of_one_name_do_not_disturb_each_other() {
    let folder = Folder::new();
    for name in ["x.json", "x.vt2", "x.ansi.txt", "x.txt"] {
        keep(&folder, name);
    }
    for name in ["x.json", "x.vt2", "x.ansi.txt", "x.txt"] {
        assert_eq!(run(["convert", &folder.join(name)]).text(), TEXT, "{name}");
    }
}

#[test]
fn a_theme_gives_json_its_colours() {
    let folder = Folder::new();
    let file = keep(&folder, "x.ansi.txt");
    let json = run(["convert", &file, "--format", "json", "--theme", "light"]).text();
    assert!(json.contains("\"fg\": \"#c4262e\""), "{json}");
}
