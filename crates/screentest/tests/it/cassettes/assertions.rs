//! Assertions on cassettes: they are checked on the frames at their times, and a failure reports
//! the screen that was shown instead.

use screentest::core::formats::assertions::{Assertions, AssertionsSyntax};
use screentest::core::formats::cassette::{Manifest, manifest};
use screentest::recording::cassette::{CheckError, FrameSource, assertions_file};

use super::*;

/// Records three screens, at 100, 200 and 300 ms, each followed by a mark; then the program exits
/// with code 3.
fn record_three_screens(scratch: &Scratch) -> Cassette {
    let (clock, pty, session) = timed(&scratch.path().join("x.cassette"));
    for (picture, ready) in [
        ("\x1b]2;demo\x07Ready? one", "one"),
        ("\x1b[?1049h\x1b[H\x1b[2JLoading two", "two"),
        ("\x1b[?1049l\r\nDone three\x1b[?25l", "three"),
    ] {
        clock.advance(Duration::from_millis(100));
        pty.print(picture.as_bytes());
        session.wait_for(ready, TIMEOUT).unwrap();
        session.record_mark(ready);
    }
    finish(&pty, &session, ExitStatus::Exited(3))
}

/// Returns an assertions file that is bound to a cassette. Its header has four lines.
fn bound(cassette: &Cassette, assertions: &str) -> Assertions {
    let manifest = cassette.manifest();
    let text = format!(
        "format = \"screentest-assertions\"\nversion = 1\ncassette = \"{}\"\nsha256_of_manifest = \"{}\"\n{assertions}",
        manifest.id,
        manifest.digest()
    );
    Assertions::parse(&text, AssertionsSyntax::Toml).unwrap()
}

/// Checks assertions, each given by its fields, and returns the messages of those that fail.
fn failures(cassette: &Cassette, assertions: &[&str]) -> Vec<String> {
    let text: String = assertions
        .iter()
        .map(|fields| format!("[[assert]]\n{fields}\n"))
        .collect();
    let checked = cassette.check(&bound(cassette, &text), FrameSource::Derived);
    let checked = checked.unwrap();
    assert_eq!(checked.assertions, assertions.len());
    assert_eq!(checked.frames, 4);
    checked.failed.iter().map(ToString::to_string).collect()
}

#[test]
fn true_assertions_hold() {
    let scratch = Scratch::new();
    let cassette = record_three_screens(&scratch);
    let none: [String; 0] = [];
    assert_eq!(
        failures(
            &cassette,
            &[
                // On the frame that is shown at that time, until the next one.
                "at = 100\nvisible = \"one\"",
                "at = 199.999\nvisible = \"one\"\nnot_visible = \"two\"",
                "at = 200\nvisible = \"two\"\nmodes = { alternate_screen = true }",
                "at = \"two\"\nvisible = \"two\"\nnot_visible = \"one\"",
                "at = 0\nsize = { cols = 40, rows = 8 }\ntitle = \"\"",
                // On any frame from that time on, including the one at that time.
                "after = 150\nvisible = \"one\"",
                "after = \"one\"\nvisible = \"three\"",
                "after = \"one\"\nwithin = 100\nvisible = \"two\"",
                "after = 210\nnot_visible = \"Ready?\"\nwithin = 50",
                // On any frame up to that time.
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
fn false_assertions_fail() {
    let scratch = Scratch::new();
    let cassette = record_three_screens(&scratch);
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
                // Both are shown, but never at the same time.
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
fn a_failure_shows_the_closest_match() {
    let scratch = Scratch::new();
    let cassette = record_three_screens(&scratch);
    let text = "[[assert]]\nat = \"one\"\nvisible = \"TWO\"\n\
        [[assert]]\nat = \"one\"\nvisible = \"two\"\n\
        [[assert]]\nafter = \"one\"\nnot_visible = \"Loading\"\n\
        [[assert]]\nat = \"one\"\nvisible = \"READY?\"\nsize = { cols = 80 }\n";
    let checked = cassette.check(&bound(&cassette, text), FrameSource::Derived);
    let message: Vec<String> = checked
        .unwrap()
        .failed
        .iter()
        .map(|failed| failed.details())
        .collect();
    let shown = "the screen from 100ms on (40x8):\n  │ Ready? one|\n";
    assert_eq!(
        message,
        [
            shown.to_owned(),
            format!("it held from 200ms to 300ms\n{shown}"),
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
fn assertions_of_another_cassette_are_refused() {
    let scratch = Scratch::new();
    let cassette = record_three_screens(&scratch);
    let assertions = bound(&cassette, "[[assert]]\nvisible = \"one\"\n");
    let other = record(&scratch.path().join("y.cassette"), "echo one");
    let other = Cassette::open(&other).unwrap();
    let message = other.check(&assertions, FrameSource::Derived).unwrap_err();
    assert_eq!(
        message.to_string(),
        format!(
            "the assertions are bound to another cassette, `{}`; this one is `{}`",
            cassette.manifest().id,
            other.manifest().id
        )
    );
    // A changed manifest with an unchanged id.
    let place = cassette.path().join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    manifest.command.program = "other".to_owned();
    fs::write(&place, manifest.to_file()).unwrap();
    let changed = Cassette::open(cassette.path()).unwrap();
    let message = changed
        .check(&assertions, FrameSource::Derived)
        .unwrap_err();
    assert!(
        matches!(message, CheckError::OtherManifest { .. }),
        "{message}"
    );
}

#[test]
fn unknown_marks_and_times_are_errors() {
    let scratch = Scratch::new();
    let cassette = record_three_screens(&scratch);
    for (fields, message) in [
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
        let error = cassette.check(&bound(&cassette, &text), FrameSource::Derived);
        assert_eq!(error.unwrap_err().to_string(), message);
    }
}

#[test]
fn another_emulator_is_refused_unless_stored_frames_are_accepted() {
    let scratch = Scratch::new();
    let cassette = record_three_screens(&scratch);
    let place = cassette.path().join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    manifest.terminal.emulator = manifest::PinnedEmulator {
        revision: 0,
        ..manifest.terminal.emulator
    };
    fs::write(&place, manifest.to_file()).unwrap();
    let cassette = Cassette::open(cassette.path()).unwrap();
    let assertions = bound(&cassette, "[[assert]]\nvisible = \"three\"\n");
    let message = cassette
        .check(&assertions, FrameSource::Derived)
        .unwrap_err();
    assert!(
        message
            .to_string()
            .starts_with("the frames were derived by `"),
        "{message}"
    );
    let checked = cassette.check(&assertions, FrameSource::Stored).unwrap();
    assert!(checked.failed.is_empty());
}

#[test]
fn a_generated_assertions_file_holds_and_can_be_rebound() {
    let scratch = Scratch::new();
    let cassette = record_three_screens(&scratch);
    let path = assertions_file::path_for(cassette.path(), "toml");
    assert_eq!(path.file_name().unwrap(), "x.assertions.toml");
    assert!(assertions_file::find(cassette.path()).is_err());
    fs::write(
        &path,
        assertions_file::generate(&cassette, FrameSource::Derived).unwrap(),
    )
    .unwrap();
    assert_eq!(assertions_file::find(cassette.path()).unwrap(), path);
    let assertions = assertions_file::read(&path).unwrap();
    // One for each mark, and one for the end.
    assert_eq!(assertions.assertions.len(), 4);
    let checked = cassette.check(&assertions, FrameSource::Derived).unwrap();
    assert!(checked.failed.is_empty(), "{:?}", checked.failed);

    let other = record(&scratch.path().join("y.cassette"), "echo one");
    let other = Cassette::open(&other).unwrap();
    let rebound = assertions_file::rebind(&path, &other).unwrap();
    fs::write(&path, rebound).unwrap();
    let assertions = assertions_file::read(&path).unwrap();
    assert_eq!(assertions.cassette, other.manifest().id);
    // It is bound but does not hold: the other cassette has no marks.
    let message = other.check(&assertions, FrameSource::Derived).unwrap_err();
    assert!(matches!(message, CheckError::NoMark { .. }), "{message}");
}
