//! What a cassette must show is asked of the frames that were shown then, and a failure says what was there instead.

use screentest::core::formats::assertions::{Assertions, Notation};
use screentest::core::formats::cassette::{Manifest, manifest};
use screentest::recording::cassette::{Believed, CheckError, assertions_file};

use super::*;

/// Three pictures, at 100, 200 and 300 ms, each with a mark behind it; then the program leaves with code 3.
fn recording(scratch: &Scratch) -> Cassette {
    let (clock, pty, session) = timed(&scratch.path().join("x.cassette"));
    for (picture, ready) in [
        ("\x1b]2;demo\x07Ready? one", "one"),
        ("\x1b[?1049h\x1b[H\x1b[2JLoading two", "two"),
        ("\x1b[?1049l\r\nDone three\x1b[?25l", "three"),
    ] {
        clock.advance(Duration::from_millis(100));
        pty.print(picture.as_bytes());
        session.wait_for(ready, SOON).unwrap();
        session.record_mark(ready);
    }
    ended(&pty, &session, ExitStatus::Exited(3))
}

/// A file that is bound to a cassette. Its head has four lines.
fn bound(cassette: &Cassette, assertions: &str) -> Assertions {
    let manifest = cassette.manifest();
    let text = format!(
        "format = \"screentest-assertions\"\nversion = 1\ncassette = \"{}\"\nsha256_of_manifest = \"{}\"\n{assertions}",
        manifest.id,
        manifest.digest()
    );
    Assertions::parse(&text, Notation::Toml).unwrap()
}

/// What is wrong with each assertion that fails; every one is given by its fields.
fn failures(cassette: &Cassette, assertions: &[&str]) -> Vec<String> {
    let text: String = assertions
        .iter()
        .map(|fields| format!("[[assert]]\n{fields}\n"))
        .collect();
    let checked = cassette.check(&bound(cassette, &text), Believed::Derived);
    let checked = checked.unwrap();
    assert_eq!(checked.assertions, assertions.len());
    assert_eq!(checked.frames, 4);
    checked.failed.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_so_holds() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let none: [String; 0] = [];
    assert_eq!(
        failures(
            &cassette,
            &[
                // On the frame that was shown then, until the next came.
                "at = 100\nvisible = \"one\"",
                "at = 199.999\nvisible = \"one\"\nnot_visible = \"two\"",
                "at = 200\nvisible = \"two\"\nmodes = { alternate_screen = true }",
                "at = \"two\"\nvisible = \"two\"\nnot_visible = \"one\"",
                "at = 0\nsize = { cols = 40, rows = 8 }\ntitle = \"\"",
                // On some frame from then on, that of the moment included.
                "after = 150\nvisible = \"one\"",
                "after = \"one\"\nvisible = \"three\"",
                "after = \"one\"\nwithin = 100\nvisible = \"two\"",
                "after = 210\nnot_visible = \"Ready?\"\nwithin = 50",
                // On some frame up to then.
                "by = 299\nvisible = \"one\"",
                "by = \"two\"\nvisible = \"one\"\nnot_visible = \"three\"",
                "after = \"one\"\nby = \"two\"\nvisible = \"two\"\nnot_visible = \"three\"",
                "after = \"one\"\nevery = true\ntitle = \"demo\"",
                // At the end.
                "visible = [\"one\", \"three\"]\ncursor = { visible = false }\nexit_code = 3",
                "by = 300\nexit_code = 3",
            ],
        ),
        none
    );
}

#[test]
fn what_is_not_so_fails() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    assert_eq!(
        failures(
            &cassette,
            &[
                "at = 99\nvisible = \"one\"",
                "at = 200\nvisible = \"one\"",
                "at = \"one\"\nvisible = \"two\"",
                "after = 200\nvisible = \"nothing\"",
                "after = 100\nwithin = 99\nvisible = \"two\"",
                "by = \"one\"\nvisible = \"two\"",
                "after = 0\nnot_visible = \"Loading\"",
                "by = 200\nnot_visible = \"two\"",
                // Both are shown, but never together.
                "after = 0\nvisible = [\"two\", \"three\"]",
                "after = 0\nevery = true\nvisible = \"one\"",
                "exit_code = 0",
                "signal = \"SIGTERM\"",
                "by = 299\nexit_code = 3",
                "name = \"shown\"\ncursor = { row = 1, visible = true }",
            ],
        ),
        [
            "line 5, at 99 ms: not shown: text \"one\"",
            "line 8, at 200 ms: not shown: text \"one\"",
            "line 11, at mark `one`: not shown: text \"two\"",
            "line 14, after 200 ms: not shown: text \"nothing\"",
            "line 17, after 100 ms, within 99 ms: not shown: text \"two\"",
            "line 21, by mark `one`: not shown: text \"two\"",
            "line 24, after 0 ms: shown, but must not be: text \"Loading\"",
            "line 27, by 200 ms: shown, but must not be: text \"two\"",
            "line 30, after 0 ms: not shown: text \"two\"",
            "line 33, after 0 ms: not shown: text \"one\"",
            "line 37, at the end: not exit code 0: the program ended with exit code 3",
            "line 39, at the end: not killed by SIGTERM: the program ended with exit code 3",
            "line 41, by 299 ms: exit code 3 came at 300 ms",
            "line 44 (shown), at the end: not shown: cursor in row 1, cursor visible",
        ]
    );
}

#[test]
fn a_failure_explains_itself() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let text = "[[assert]]\nat = \"one\"\nvisible = \"TWO\"\n\
        [[assert]]\nat = \"one\"\nvisible = \"two\"\n\
        [[assert]]\nafter = \"one\"\nnot_visible = \"Loading\"\n\
        [[assert]]\nat = \"one\"\nvisible = \"READY?\"\nsize = { cols = 80 }\n";
    let checked = cassette.check(&bound(&cassette, text), Believed::Derived);
    let told: Vec<String> = checked
        .unwrap()
        .failed
        .iter()
        .map(|failed| failed.details())
        .collect();
    let shown = "the screen from 100ms on (40x8):\n  │ Ready? one|\n";
    assert_eq!(
        told,
        [
            shown.to_owned(),
            format!("closest match: it was so from 200ms to 300ms\n{shown}"),
            "closest match: \"Loading\" at row 1, column 1\n\
             the screen from 200ms on (40x8):\n  │ Loading two|\n"
                .to_owned(),
            format!(
                "closest match: \"Ready?\" at row 1, column 1\nclosest match: the size is 40x8\n{shown}"
            ),
        ]
    );
}

#[test]
fn the_wrong_cassette_is_refused() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let assertions = bound(&cassette, "[[assert]]\nvisible = \"one\"\n");
    let other = record(&scratch.path().join("y.cassette"), "echo one");
    let other = Cassette::open(&other).unwrap();
    let told = other.check(&assertions, Believed::Derived).unwrap_err();
    assert_eq!(
        told.to_string(),
        format!(
            "the assertions are bound to another cassette, `{}`; this one is `{}`",
            cassette.manifest().id,
            other.manifest().id
        )
    );
    // The same id, and yet another cassette.
    let place = cassette.path().join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    manifest.command.program = "other".to_owned();
    fs::write(&place, manifest.to_file()).unwrap();
    let changed = Cassette::open(cassette.path()).unwrap();
    let told = changed.check(&assertions, Believed::Derived).unwrap_err();
    assert!(matches!(told, CheckError::OtherManifest { .. }), "{told}");
}

#[test]
fn what_the_cassette_does_not_have_is_an_error_and_no_failure() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    for (fields, told) in [
        (
            "at = \"four\"",
            "line 5: the cassette has no mark `four`; it has `one`, `two`, `three`",
        ),
        (
            "by = 301",
            "line 5: 301ms is after the end of the cassette, at 300ms",
        ),
        (
            "after = \"two\"\nby = \"one\"",
            "line 5: after mark `two`, by mark `one` ends before it begins",
        ),
    ] {
        let text = format!("[[assert]]\nvisible = \"one\"\n{fields}\n");
        let error = cassette.check(&bound(&cassette, &text), Believed::Derived);
        assert_eq!(error.unwrap_err().to_string(), told);
    }
}

#[test]
fn another_emulator_asserts_nothing_unless_told_to() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let place = cassette.path().join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    manifest.terminal.emulator = manifest::Pin {
        revision: 0,
        ..manifest.terminal.emulator
    };
    fs::write(&place, manifest.to_file()).unwrap();
    let cassette = Cassette::open(cassette.path()).unwrap();
    let assertions = bound(&cassette, "[[assert]]\nvisible = \"three\"\n");
    let told = cassette.check(&assertions, Believed::Derived).unwrap_err();
    assert!(
        told.to_string().starts_with("the frames were derived by `"),
        "{told}"
    );
    let kept = cassette.check(&assertions, Believed::Kept).unwrap();
    assert!(kept.failed.is_empty());
}

#[test]
fn a_file_to_begin_with_holds_and_is_bound_again() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let path = assertions_file::beside(cassette.path(), "toml");
    assert_eq!(path.file_name().unwrap(), "x.assertions.toml");
    assert!(assertions_file::of(cassette.path()).is_err());
    fs::write(
        &path,
        assertions_file::beginning(&cassette, Believed::Derived).unwrap(),
    )
    .unwrap();
    assert_eq!(assertions_file::of(cassette.path()).unwrap(), path);
    let assertions = assertions_file::read(&path).unwrap();
    // One for each mark, and one for the end.
    assert_eq!(assertions.assertions.len(), 4);
    let checked = cassette.check(&assertions, Believed::Derived).unwrap();
    assert!(checked.failed.is_empty(), "{:?}", checked.failed);

    let other = record(&scratch.path().join("y.cassette"), "echo one");
    let other = Cassette::open(&other).unwrap();
    let rebound = assertions_file::bound(&path, &other).unwrap();
    fs::write(&path, rebound).unwrap();
    let assertions = assertions_file::read(&path).unwrap();
    assert_eq!(assertions.cassette, other.manifest().id);
    // It is bound, and does not hold: the other one has no marks.
    let told = other.check(&assertions, Believed::Derived).unwrap_err();
    assert!(matches!(told, CheckError::NoMark { .. }), "{told}");
}
