//! What is found out before anything runs.

use std::fs;

use screentest_tape::TapeScript;

use crate::Studio;

/// A tape that would leave a mark if it ran, and what is told of it.
#[track_caller]
fn check(tape: &str, expected: &str) {
    let studio = Studio::new();
    studio.write("state.json", "{}");
    studio.write("a.txt", "");
    fs::create_dir(studio.path("folder.gif")).unwrap();
    fs::create_dir(studio.path("full.cassette")).unwrap();
    studio.write("full.cassette/mine", "");
    let told = studio.refused(&format!("{tape}\nType 'touch @/ran' Enter"));
    assert!(told.contains(expected), "{told}");
    assert!(!studio.path("ran").exists());
}

#[test]
fn what_is_missing_or_in_the_way_is_told_with_its_place() {
    for (tape, expected) in [
        (
            "Require no-such-program",
            "error: a required program is missing: `no-such-program` was not found in PATH",
        ),
        ("Require no-such-program", " --> test.tape:1:1"),
        (
            "Launch no-such-program",
            "error: `no-such-program` was not found in PATH",
        ),
        ("Set Shell 'no-such-shell -x'", "no-such-shell"),
        (
            "Output '@/folder.gif'",
            "error: `@/folder.gif` cannot be written: it is a directory",
        ),
        ("Output '@/a.txt/b.gif'", "`@/a.txt` is not a directory"),
        ("Output '@/full.cassette'", "is not only a cassette"),
        ("Screenshot '@/a.txt/b.png'", "`@/a.txt` is not a directory"),
        (
            "AssertState '@/none.json'",
            "`@/none.json` cannot be read: No such file",
        ),
        (
            "AssertState '@/state.json'",
            "`@/state.json` cannot be read: ",
        ),
        ("Source '@/none.tape'", "`@/none.tape` cannot be read"),
        ("Set Width 121", "has room for 0 columns"),
        ("Set FontSize 400", "font size `400` is out of range"),
        (
            "Set Margin 10 Set MarginFill 'ground.png'",
            "`ground.png` cannot fill the margin",
        ),
        (
            "Output '@/a.gif' Set Columns 2000 Set Rows 2000",
            "which is over the limit",
        ),
        ("Output '@/a.exe'", "unknown output extension `.exe`"),
        ("Sleep -1", "is negative"),
        ("Slep 1s", "unknown command `Slep`"),
        (
            "Output '@/a.gif'\nOutput '@/sub/../a.gif'\nOutput '@/./a.gif'",
            "error: `@/./a.gif` is written twice\n --> test.tape:3:1",
        ),
        (
            "Output '@/frames/'\nOutput '@/frames//'",
            "= it is already written at test.tape:1:1: remove one of the two",
        ),
        (
            "Output '@/a.png'\nLaunch cat\nScreenshot '@/a.png'",
            "error: `@/a.png` is written twice\n --> test.tape:3:1",
        ),
        (
            "Launch cat\nState '@/a.json'\nState '@/./a.json'",
            "= it is already written at test.tape:2:1: remove one of the two",
        ),
    ] {
        check(tape, expected);
    }
}

#[test]
fn a_tape_that_is_none_is_named() {
    let studio = Studio::new();
    let read = |name: &str| {
        let refused = TapeScript::read(&studio.path(name), None).unwrap_err();
        studio.hidden(&refused.to_string())
    };
    assert!(read("none.tape").starts_with("error: `@/none.tape` cannot be read: No such file"));
    fs::create_dir(studio.path("d")).unwrap();
    assert_eq!(
        read("d"),
        "error: `@/d` cannot be read: it is a directory\nhint: name a tape in it, such as `@/d/demo.tape`"
    );
    fs::write(studio.path("bytes"), b"Type a\n\xff").unwrap();
    assert_eq!(
        read("bytes"),
        "error: `@/bytes` cannot be read: it is not UTF-8 (invalid byte at offset 7)"
    );
}

#[test]
fn a_tape_that_sources_itself_is_found_out_whatever_its_name() {
    let studio = Studio::new();
    fs::create_dir(studio.path("sub")).unwrap();
    studio.write("a.tape", "Source 'sub/../b.tape'");
    studio.write("b.tape", "Source '@/a.tape'");
    let script = TapeScript::read(&studio.path("a.tape"), None).unwrap();
    let told = studio.hidden(&script.report().to_string());
    assert!(told.contains("sources itself"), "{told}");
}

#[test]
fn a_warning_lets_it_run_unless_nothing_may_pass() {
    let studio = Studio::new();
    let tape = "Output '@/a.gif'\nSet FontFamily 'No Such Font'\nType x";
    let ready = studio.ready(tape, studio.options());
    let warned = ready.warnings().to_string();
    assert!(
        warned.contains("warning: the font `No Such Font`"),
        "{warned}"
    );
    assert!(
        warned.contains("using `DejaVu Sans Mono`\n --> test.tape:2:1"),
        "{warned}"
    );
    let script = studio.script(tape).unwrap();
    let refused = script.ready_strictly(studio.options()).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("error: the font `No Such Font`")
    );
}

#[test]
fn what_is_missing_is_told_together_with_what_is_not_understood() {
    let studio = Studio::new();
    studio.write("a.txt", "");
    let told = studio.refused(
        "Output '@/a.txt/b.gif'\nRequire no-such-program\nSlep 1s\nLaunch no-such-other\nAssertState '@/none.json'\nEnter -1",
    );
    let places = told.lines().filter(|line| line.starts_with(" --> "));
    let expected = [1, 2, 3, 4, 5, 6].map(|line| format!(" --> test.tape:{line}:"));
    let places: Vec<&str> = places.collect();
    assert_eq!(places.len(), expected.len(), "{told}");
    for (place, expected) in places.iter().zip(&expected) {
        assert!(place.starts_with(expected), "{told}");
    }
}

#[test]
fn a_tape_without_a_command_is_none() {
    let studio = Studio::new();
    for tape in ["", "\n\n", "# only a comment\n"] {
        let told = studio.refused(tape);
        assert!(
            told.starts_with("error: `test.tape` has no command\nhint: add one, such as"),
            "{told}"
        );
    }
}
