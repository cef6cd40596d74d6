//! Tests of sourced tapes, and of the commands that depend on their position.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::language::{DiagnosticReport, Plan, TapeStep, parse};

/// Resolves `main.tape` of some tapes.
fn resolve(tapes: &[(&str, &str)]) -> (Plan, DiagnosticReport) {
    let tapes: BTreeMap<&str, &str> = tapes.iter().copied().collect();
    let (tape, report) = parse(tapes["main.tape"], "main.tape", None);
    assert!(report.is_empty(), "{report}");
    tape.resolve(|path, _| match tapes.get(path) {
        Some(text) => Ok((path.to_owned(), (*text).to_owned())),
        None => Err("no such tape"),
    })
}

fn messages(report: &DiagnosticReport) -> Vec<String> {
    let all = report.diagnostics.iter();
    let hint = |hint: &Option<String>| {
        hint.clone()
            .map_or_else(String::new, |hint| format!(" ({hint})"))
    };
    all.map(|found| format!("{}: {}{}", found.span, found.message, hint(&found.hint)))
        .collect()
}

#[test]
fn a_sourced_tape_is_inserted_without_its_outputs() {
    let (plan, report) = resolve(&[
        (
            "main.tape",
            "Output main.gif\nSource common.tape\nType 'b'\nSource common2.tape",
        ),
        (
            "common.tape",
            "Output common.gif\nSet Width 900\nRequire sh\nEnv A b",
        ),
        ("common2.tape", "Hide\nSource deep.tape\nShow"),
        ("deep.tape", "Sleep 1s"),
    ]);
    assert_eq!(
        messages(&report),
        [
            "common.tape:1:1: `common.gif` is not written: this tape is sourced \
          (only the tape that is run writes outputs: move `Output` there)"
        ]
    );
    assert!(!report.has_errors());
    assert_eq!(plan.settings.width, 900);
    assert_eq!(plan.outputs.len(), 1);
    assert_eq!(plan.outputs[0].value.path, "main.gif");
    assert_eq!((plan.requires.len(), plan.env.len()), (1, 1));
    let steps: Vec<String> = plan
        .steps
        .iter()
        .map(|step| step.span.to_string())
        .collect();
    assert_eq!(
        steps,
        [
            "main.tape:3:1",
            "common2.tape:1:1",
            "deep.tape:1:1",
            "common2.tape:3:1"
        ]
    );
}

#[test]
fn a_typing_speed_of_seconds_is_a_warning() {
    let (_, report) = resolve(&[(
        "main.tape",
        "Set TypingSpeed 4.9\nSet TypingSpeed 50\nEnter\nSet TypingSpeed 5s",
    )]);
    assert_eq!(
        messages(&report),
        [
            "main.tape:2:1: each key takes 50 seconds (did you mean `50ms`? a number without a unit is in seconds)",
            "main.tape:4:1: each key takes 5 seconds (did you mean `5ms`? a number without a unit is in seconds)",
        ]
    );
}

#[test]
fn cyclic_sourcing_is_an_error_with_the_chain() {
    let (_, report) = resolve(&[
        ("main.tape", "Source a.tape"),
        ("a.tape", "Enter\nSource b.tape"),
        ("b.tape", "Source a.tape"),
    ]);
    assert_eq!(
        messages(&report),
        ["b.tape:1:1: `a.tape` sources itself (main.tape → a.tape → b.tape → a.tape)"]
    );
    let (_, report) = resolve(&[("main.tape", "Source main.tape")]);
    assert_eq!(
        messages(&report),
        ["main.tape:1:1: `main.tape` sources itself (main.tape → main.tape)"]
    );
    // Sourcing the same tape twice in a row is not a cycle.
    let (plan, report) = resolve(&[
        ("main.tape", "Source a.tape\nSource a.tape"),
        ("a.tape", "Enter"),
    ]);
    assert_eq!((plan.steps.len(), report.is_empty()), (2, true));
}

#[test]
fn errors_in_sourced_tapes_have_their_place() {
    let (_, report) = resolve(&[
        (
            "main.tape",
            "Source gone.tape\nSource bad.tape\nSource empty.tape",
        ),
        ("bad.tape", "Enter\nSlep 1"),
        ("empty.tape", "# nothing\n"),
    ]);
    assert_eq!(
        messages(&report),
        [
            "main.tape:1:1: `gone.tape` cannot be read: no such tape",
            "bad.tape:2:1: unknown command `Slep`",
            "main.tape:3:1: `empty.tape` has no command",
        ]
    );
}

#[test]
fn endless_sourcing_ends() {
    // Each name is new, so no tape is sourced twice.
    let (tape, _) = parse("Source 0.tape", "main.tape", None);
    let mut loaded = 0;
    let (_, report) = tape.resolve(|_, _| {
        loaded += 1;
        Ok::<_, &str>((
            format!("{loaded}"),
            format!("Source {loaded}.tape\nSource x{loaded}.tape"),
        ))
    });
    assert!(report.has_errors());
    assert!(loaded <= 1_000, "{loaded}");
    let many = "Enter\n".repeat(60_000);
    let (tape, _) = parse("Source a.tape\nSource b.tape", "main.tape", None);
    let (plan, report) = tape.resolve(|path, _| Ok::<_, &str>((path.to_owned(), many.clone())));
    assert!(plan.steps.len() <= 100_000);
    assert_eq!(report.diagnostics.len(), 1, "{report}");
}

#[test]
fn a_sourced_tape_has_its_own_dialect_or_inherits_it() {
    let (plan, report) = resolve(&[
        ("main.tape", "Source a.tape"),
        ("a.tape", "# dialect: betamax\nType \"a\\\"b\"\nSource b"),
        ("b", "x"),
    ]);
    assert!(report.is_empty(), "{report}");
    assert_eq!(plan.steps.len(), 2);
}

#[test]
fn typing_speed_is_a_step_once_the_tape_has_begun() {
    let (plan, report) = resolve(&[(
        "main.tape",
        "Set TypingSpeed 1ms\nEnter\nSet TypingSpeed 2ms",
    )]);
    assert!(report.is_empty(), "{report}");
    assert_eq!(plan.settings.typing_speed, Duration::from_millis(1));
    assert_eq!(
        plan.steps[1].value,
        TapeStep::TypingSpeed(Duration::from_millis(2))
    );
}

#[test]
fn a_late_setting_is_a_warning_with_the_place_of_the_first_step() {
    let (plan, report) = resolve(&[("main.tape", "Set Width 800\nEnter\nSet Width 900")]);
    assert_eq!(plan.settings.width, 800);
    assert_eq!(
        messages(&report),
        [
            "main.tape:3:1: this is set after the tape has begun and has no effect (move it up: the tape begins with `Enter` at main.tape:2:1)"
        ]
    );
    assert!(!report.has_errors() && report.strict().has_errors());
}

#[test]
fn one_program_is_launched_before_the_first_step() {
    let (plan, report) = resolve(&[("main.tape", "Set Width 800\nEnv A b\nLaunch vim x\nEnter")]);
    assert!(report.is_empty(), "{report}");
    assert_eq!(plan.launch.unwrap().value.program, "vim");
    let (_, report) = resolve(&[("main.tape", "Enter\nLaunch vim")]);
    assert_eq!(
        messages(&report),
        [
            "main.tape:2:1: a program is already running (it starts at main.tape:1:1; move `Launch` before that)"
        ]
    );
    let (_, report) = resolve(&[("main.tape", "Launch vim\nLaunch vim")]);
    assert!(report.has_errors());
}

#[test]
fn a_mark_must_come_before_its_use() {
    let (_, report) = resolve(&[(
        "main.tape",
        "Mark saved\nSaw since saved 'x'\nNever since svaed 'x'",
    )]);
    assert_eq!(
        messages(&report),
        ["main.tape:3:1: no mark `svaed` is set before this"]
    );
    assert_eq!(report.diagnostics[0].nearest.as_deref(), Some("saved"));
}

#[test]
fn a_paste_without_a_copy_is_a_warning() {
    let (_, report) = resolve(&[("main.tape", "Paste\nCopy 'x'\nPaste")]);
    assert_eq!(report.diagnostics.len(), 1);
    assert!(!report.has_errors());
}

#[test]
fn a_picture_without_room_for_text_is_an_error() {
    let (_, report) = resolve(&[("main.tape", "Set Width 300\nSet Padding 200\nEnter")]);
    assert_eq!(
        messages(&report),
        [
            "main.tape:2:1: a picture of `300x600` has no room for text: padding, margin and bar take `400x400` (set a larger `Width` and `Height`, or `Columns` and `Rows`)"
        ]
    );
    let (_, report) = resolve(&[(
        "main.tape",
        "Set Columns 80\nSet Rows 24\nSet Padding 2000\nEnter",
    )]);
    assert!(report.is_empty(), "{report}");
}
