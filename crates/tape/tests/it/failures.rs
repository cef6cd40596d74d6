//! Tapes that fail: what they leave, and what they say.

use std::time::Duration;

use screentest::Interrupt;
use screentest_tape::{TapeFailureKind, TapeProgress};

use crate::Studio;

#[test]
fn a_failed_step_says_where_and_what_is_there_instead() {
    let studio = Studio::new();
    let run = studio.run(
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
    let told = run.failure_text();
    assert!(
        told.starts_with(
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
        "{told}"
    );
    // What was written on the way stays; what would have been written at the end is not.
    assert_eq!(studio.names(), ["before.png"]);
    assert_eq!(run.checkpoints, [studio.path("before.png")]);
    let bundle = failure.bundle.clone().unwrap();
    for name in [
        "failure.txt",
        "failure.state.json",
        "failure.ansi.txt",
        "failure.png",
    ] {
        assert!(bundle.join(name).is_file(), "{name}");
    }
    let kept = std::fs::read_to_string(bundle.join("failure.txt")).unwrap();
    assert!(kept.contains("test.tape:5:1"), "{kept}");
    screentest::Cassette::open(bundle.join("failure.cassette")).unwrap();
}

/// What is told of a tape that fails, up to the screen.
#[track_caller]
fn check(tape: &str, message: &str) {
    let studio = Studio::new();
    let run = studio.run(&format!("Set Columns 40 Set Rows 5\n{tape}"));
    let told = run.failure_text();
    let first = told.lines().next().unwrap_or_default();
    assert_eq!(first, format!("error: {message}"), "{told}");
    assert!(told.contains("  │ >"), "the screen: {told}");
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
fn what_was_seen_once_is_told_with_its_screen() {
    let studio = Studio::new();
    let run = studio
        .run("Set Columns 40 Set Rows 5 Type 'echo oops' Enter Type 'clear' Enter Never \"oops\"");
    let told = run.failure_text();
    assert!(
        told.starts_with("error: text \"oops\" was shown, "),
        "{told}"
    );
    assert!(
        told.contains("  │ oops") || told.contains("  │ > echo oops"),
        "{told}"
    );
}

#[test]
fn a_program_that_is_gone_is_told_of() {
    let studio = Studio::new();
    let run = studio.run("Launch sh -c 'echo bye; exit 3'\nSleep 100ms Wait@5s /x/");
    let told = run.failure_text();
    assert!(told.contains("the program ended (exit code 3)"), "{told}");
}

#[test]
fn a_run_can_be_ended_and_leaves_nothing() {
    let studio = Studio::new();
    let interrupt = Interrupt::new();
    let options = studio.options().interrupt(interrupt.clone());
    let ready = studio.ready("Output '@/a.gif'\nType 'a' Sleep 1m", options);
    let run = ready.run(|progress| {
        // The pause is under way, or about to be.
        if matches!(progress, TapeProgress::Step { number: 1, .. }) {
            interrupt.raise();
        }
    });
    assert_eq!(
        run.failure.as_ref().unwrap().kind,
        TapeFailureKind::Interrupted
    );
    assert!(run.duration < Duration::from_secs(30));
    assert!(studio.names().is_empty());
}

#[test]
fn a_run_that_is_ended_before_input_is_no_failure() {
    for input in ["Type 'a'", "Enter", "Paste", "MouseDown Left"] {
        let studio = Studio::new();
        let interrupt = Interrupt::new();
        let options = studio.options().interrupt(interrupt.clone());
        let launch = r#"Launch sh -c 'printf "\033[?1000hready"; exec cat'"#;
        let tape = format!("{launch}\nWait+Screen /ready/ Copy 'a' {input}");
        let run = studio.ready(&tape, options).run(|progress| {
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
fn whoever_watches_hears_of_every_step_in_order() {
    let studio = Studio::new();
    let mut heard = Vec::new();
    let ready = studio.ready(
        "Output '@/a.json'\nType 'a' Sleep 1s",
        studio.options().fast(),
    );
    let run = ready.run(|progress| {
        heard.push(match progress {
            TapeProgress::Step { number, of, step } => {
                format!("{} of {of}: {}", number + 1, step.span.text())
            }
            TapeProgress::Done { number, .. } => format!("{} done", number + 1),
            TapeProgress::Writing { output } => studio.hidden(&output.path),
            _ => String::new(),
        });
    });
    assert!(run.passed());
    assert_eq!(
        heard,
        [
            "1 of 2: Type 'a'",
            "1 done",
            "2 of 2: Sleep 1s",
            "2 done",
            "@/a.json"
        ]
    );
}
