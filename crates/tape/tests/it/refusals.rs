//! Errors that are found before a tape runs.

use std::fs;

use screentest_tape::TapeScript;

use crate::TapeProject;

/// Checks the error of a tape, and that it did not run: its last step would create a file.
#[track_caller]
fn check(tape: &str, expected: &str) {
    let project = TapeProject::new();
    project.write("state.json", "{}");
    project.write("a.txt", "");
    fs::create_dir(project.path("folder.gif")).unwrap();
    fs::create_dir(project.path("full.cassette")).unwrap();
    project.write("full.cassette/mine", "");
    let message = project.refused(&format!("{tape}\nType 'touch @/ran' Enter"));
    assert!(message.contains(expected), "{message}");
    assert!(!project.path("ran").exists());
}

#[test]
fn missing_programs_and_unwritable_outputs_are_errors_with_their_place() {
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
        ("Sleep -1", "`-1` is a negative time"),
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
fn an_unreadable_tape_is_named() {
    let project = TapeProject::new();
    let read = |name: &str| {
        let refused = TapeScript::read(&project.path(name), None).unwrap_err();
        project.without_folder(&refused.to_string())
    };
    assert!(read("none.tape").starts_with("error: `@/none.tape` cannot be read: No such file"));
    fs::create_dir(project.path("d")).unwrap();
    assert_eq!(
        read("d"),
        "error: `@/d` cannot be read: it is a directory\nhint: name a tape in it, such as `@/d/demo.tape`"
    );
    fs::write(project.path("bytes"), b"Type a\n\xff").unwrap();
    assert_eq!(
        read("bytes"),
        "error: `@/bytes` cannot be read: it is not UTF-8 (invalid byte at offset 7)"
    );
}

#[test]
fn a_tape_that_sources_itself_is_detected_under_any_name() {
    let project = TapeProject::new();
    fs::create_dir(project.path("sub")).unwrap();
    project.write("a.tape", "Source 'sub/../b.tape'");
    project.write("b.tape", "Source '@/a.tape'");
    let script = TapeScript::read(&project.path("a.tape"), None).unwrap();
    let message = project.without_folder(&script.report().to_string());
    assert!(message.contains("sources itself"), "{message}");
}

#[test]
fn a_warning_refuses_a_tape_only_in_strict_mode() {
    let project = TapeProject::new();
    let tape = "Output '@/a.gif'\nSet FontFamily 'No Such Font'\nType x";
    let ready = project.ready(tape, project.options());
    let warned = ready.warnings().to_string();
    assert!(
        warned.contains("warning: the font `No Such Font`"),
        "{warned}"
    );
    assert!(
        warned.contains("using `DejaVu Sans Mono`\n --> test.tape:2:1"),
        "{warned}"
    );
    let script = project.script(tape).unwrap();
    let refused = script.ready_strictly(project.options()).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("error: the font `No Such Font`")
    );
}

#[test]
fn missing_files_are_reported_together_with_syntax_errors() {
    let project = TapeProject::new();
    project.write("a.txt", "");
    let message = project.refused(
        "Output '@/a.txt/b.gif'\nRequire no-such-program\nSlep 1s\nLaunch no-such-other\nAssertState '@/none.json'\nEnter -1",
    );
    let places = message.lines().filter(|line| line.starts_with(" --> "));
    let expected = [1, 2, 3, 4, 5, 6].map(|line| format!(" --> test.tape:{line}:"));
    let places: Vec<&str> = places.collect();
    assert_eq!(places.len(), expected.len(), "{message}");
    for (place, expected) in places.iter().zip(&expected) {
        assert!(place.starts_with(expected), "{message}");
    }
}

#[test]
fn a_tape_without_commands_is_an_error() {
    let project = TapeProject::new();
    for tape in ["", "\n\n", "# only a comment\n"] {
        let message = project.refused(tape);
        assert!(
            message.starts_with("error: `test.tape` has no command\nhint: add one, such as"),
            "{message}"
        );
    }
}
