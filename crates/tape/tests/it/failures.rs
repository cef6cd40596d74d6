//! Tapes that fail: their messages and files.

use std::time::Duration;

use screentest::session::Interrupt;
use screentest_tape::{TapeFailureKind, TapeProgress};

use crate::TapeProject;

#[test]
fn a_failed_step_is_reported_with_its_place_and_the_screen() {
    let project = TapeProject::new();
    let run = project.run(
        "Output '@/a.gif'
Set Columns 40 Set Rows 5
Type 'echo hallo' Enter
Screenshot '@/before.png'
Expect@300ms \"hello\"
Type 'never'
Screenshot '@/after.png'",
    );
    let failure = run.failure.as_ref().unwrap();
    assert_eq!(failure.kind, TapeFailureKind::Step);
    assert_eq!((run.steps_done, run.steps), (3, 6));
    let message = run.failure_text();
    assert!(
        message.starts_with(
            "error: text \"hello\" did not appear within 300ms
 --> test.tape:5:1
  |
5 | Expect@300ms \"hello\"
  | ^^^^^^^^^^^^^^^^^^^^
the last screen (40x5):
  │ > echo hallo
  │ hallo
"
        ),
        "{message}"
    );
    // Files written by earlier steps stay; outputs of the end are not written.
    assert_eq!(project.names(), ["before.png"]);
    assert_eq!(run.checkpoints, [project.path("before.png")]);
    let bundle = failure.bundle.clone().unwrap();
    for name in [
        "failure.txt",
        "failure.state.json",
        "failure.ansi.txt",
        "failure.png",
    ] {
        assert!(bundle.join(name).is_file(), "{name}");
    }
    let text = std::fs::read_to_string(bundle.join("failure.txt")).unwrap();
    assert!(text.contains("test.tape:5:1"), "{text}");
    screentest::recording::Cassette::open(bundle.join("failure.cassette")).unwrap();
}

/// Checks the message of a tape that fails.
#[track_caller]
fn check(tape: &str, message: &str) {
    let project = TapeProject::new();
    let run = project.run(&format!("Set Columns 40 Set Rows 5\n{tape}"));
    let report = run.failure_text();
    let first = report.lines().next().unwrap_or_default();
    assert_eq!(first, format!("error: {message}"), "{report}");
    assert!(report.contains("  │ >"), "the screen: {report}");
}

#[test]
fn each_kind_of_step_explains_its_failure() {
    let mouse = "the mouse click was not sent: the program has not turned on mouse reporting (modes 1000, 1002 and 1003 are off); try keys instead";
    for (tape, message) in [
        (
            "Wait@100ms /ready/",
            "/ready/ did not match the cursor's line within 100ms",
        ),
        (
            "Type 'echo VHS' Enter Wait Wait@100ms /VHS/",
            "/VHS/ did not match the cursor's line within 100ms; row 2 matches: use `Wait+Screen /VHS/` to look at the whole screen",
        ),
        (
            "Type 'echo VHS' Enter Wait Type 'true' Enter Wait@100ms /VHS/",
            "/VHS/ did not match the cursor's line within 100ms; row 2 matches, and did so before Enter: use `Wait+Screen+Anytime /VHS/` to look at all text on the whole screen",
        ),
        (
            "Type 'echo VHS; exit 3' Enter Wait@20s /VHS/",
            "the program ended (exit code 3) before /VHS/ matched the cursor's line; row 2 matches: use `Wait+Screen /VHS/` to look at the whole screen",
        ),
        (
            "Type 'exec sleep 100 # ready' Enter Wait+Screen@100ms /ready/",
            "regex `ready` did not appear within 100ms after Enter: it was already on the screen before Enter (row 1) and did not appear again; accept it with `+Anytime`, as in `Expect+Anytime` or `Wait+Screen+Anytime`",
        ),
        (
            "Wait+Screen@100ms /a\\nb/",
            "regex `a\\nb` did not appear within 100ms",
        ),
        (
            "ExpectNot@100ms \">\"",
            "a screen without text \">\" did not appear within 100ms",
        ),
        ("AssertText 'x'", "text \"x\" is not on the screen"),
        ("AssertAbsent '>'", "text \">\" is on the screen"),
        ("Saw \"x\"", "text \"x\" was not shown since the mark"),
        (
            "AssertCells 0 0 '[\"$\"]'",
            "column 0, row 0 shows \">\", expected \"$\"",
        ),
        (
            "AssertStyle 0 0 1 '{\"bold\":true}'",
            "column 0, row 0 is drawn with no attribute, expected bold",
        ),
        ("MouseUp Left", "the left mouse button is not down"),
        ("MouseDown Left", mouse),
    ] {
        check(tape, message);
    }
}

#[test]
fn never_reports_the_screen_that_was_shown() {
    let project = TapeProject::new();
    let run = project
        .run("Set Columns 40 Set Rows 5 Type 'echo oops' Enter Type 'clear' Enter Never \"oops\"");
    let message = run.failure_text();
    assert!(
        message.starts_with("error: text \"oops\" was shown, "),
        "{message}"
    );
    assert!(
        message.contains("  │ oops") || message.contains("  │ > echo oops"),
        "{message}"
    );
}

#[test]
fn an_exited_program_is_reported() {
    let project = TapeProject::new();
    let run = project.run("Launch sh -c 'echo bye; exit 3'\nSleep 100ms Wait@5s /x/");
    let message = run.failure_text();
    assert!(
        message.contains("the program ended (exit code 3)"),
        "{message}"
    );
}

#[test]
fn an_interrupted_run_leaves_no_output() {
    let project = TapeProject::new();
    let interrupt = Interrupt::new();
    let options = project.options().interrupt(interrupt.clone());
    let ready = project.ready("Output '@/a.gif'\nType 'a' Sleep 1m", options);
    let run = ready.run(|progress| {
        // The pause has begun or is about to begin.
        if matches!(progress, TapeProgress::Step { number: 1, .. }) {
            interrupt.raise();
        }
    });
    assert_eq!(
        run.failure.as_ref().unwrap().kind,
        TapeFailureKind::Interrupted
    );
    assert!(run.duration < Duration::from_secs(30));
    assert!(project.names().is_empty());
}

#[test]
fn an_interrupt_before_input_is_not_a_failed_step() {
    for input in ["Type 'a'", "Enter", "Paste", "MouseDown Left"] {
        let project = TapeProject::new();
        let interrupt = Interrupt::new();
        let options = project.options().interrupt(interrupt.clone());
        let launch = r#"Launch sh -c 'printf "\033[?1000hready"; exec cat'"#;
        let tape = format!("{launch}\nWait+Screen /ready/ Copy 'a' {input}");
        let run = project.ready(&tape, options).run(|progress| {
            if matches!(progress, TapeProgress::Step { number: 2, .. }) {
                interrupt.raise();
            }
        });
        let failure = run.failure.as_ref().unwrap();
        assert_eq!(failure.kind, TapeFailureKind::Interrupted, "{input}");
        assert_eq!(failure.bundle, None, "{input}");
    }
}

#[test]
fn progress_reports_every_step_in_order() {
    let project = TapeProject::new();
    let mut reported = Vec::new();
    let ready = project.ready(
        "Output '@/a.json'\nType 'a' Sleep 1s",
        project.options().fast(),
    );
    let run = ready.run(|progress| {
        reported.push(match progress {
            TapeProgress::Step { number, of, step } => {
                format!("{} of {of}: {}", number + 1, step.span.text())
            }
            TapeProgress::Done { number, .. } => format!("{} done", number + 1),
            TapeProgress::Writing { output } => project.without_folder(&output.path),
            _ => String::new(),
        });
    });
    assert!(run.passed());
    assert_eq!(
        reported,
        [
            "1 of 2: Type 'a'",
            "1 done",
            "2 of 2: Sleep 1s",
            "2 done",
            "@/a.json"
        ]
    );
}
