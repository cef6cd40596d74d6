//! Costs of a long tape, or of one with many errors: work that is needed once must not be repeated.
//!
//! No test here measures time. Repeated work shows in the result, or is so much that the test would
//! not end.

use crate::language::{Command, DiagnosticReport, Severity, Spanned, TapeSetting, TapeStep, parse};
use screentest_core::action::{Action, WaitTarget};
use screentest_core::query::condition::WaitPattern;
use screentest_core::query::selector::{Regex, Selector};

fn resolve(text: &str) -> DiagnosticReport {
    let (tape, report) = parse(text, "a.tape", None);
    assert!(report.is_empty(), "{report}");
    tape.resolve(|_, _| Err::<_, &str>("no such tape")).1
}

fn of_step(step: &TapeStep) -> Option<&Regex> {
    let TapeStep::Action(step) = step else {
        return None;
    };
    match step.actions.as_slice() {
        [Action::Wait(target, _)] => match target {
            WaitTarget::Line(_, WaitPattern::Regex(regex)) => Some(regex),
            WaitTarget::Match(Selector::Regex(regex)) => Some(regex),
            _ => None,
        },
        _ => None,
    }
}

#[track_caller]
fn check_shared(regexes: &[&Regex], count: usize) {
    assert_eq!(regexes.len(), count);
    assert!(regexes.iter().all(|regex| regex.shares(regexes[0])));
}

#[test]
fn an_expression_that_occurs_often_is_compiled_once() {
    let text = "Set WaitPattern /\\d+ done/\nWait /\\d+ done/\nExpect /\\d+ done/\n\
                Expect regex \"\\\\d+ done\"\nWait+Screen@2s /\\d+ done/";
    let (tape, report) = parse(text, "a.tape", None);
    assert!(report.is_empty(), "{report}");
    let regexes = tape
        .commands
        .iter()
        .filter_map(|command| match &command.value {
            Command::Set(TapeSetting::WaitPattern(regex)) => Some(regex),
            Command::Step(step) => of_step(step),
            _ => None,
        });
    check_shared(&regexes.collect::<Vec<_>>(), 5);
}

#[test]
fn an_expression_in_a_tape_sourced_often_is_compiled_once() {
    let (tape, _) = parse(&"Source b.tape\n".repeat(9), "a.tape", None);
    let sourced = "Wait /\\w+ done/";
    let load = |path: &str, _: &str| Ok::<_, &str>((path.to_owned(), sourced.to_owned()));
    let (plan, report) = tape.resolve(load);
    assert!(report.is_empty(), "{report}");
    let regexes = plan
        .steps
        .iter()
        .filter_map(|Spanned { value, .. }| of_step(value));
    check_shared(&regexes.collect::<Vec<_>>(), 9);
}

#[test]
fn an_invalid_expression_is_reported_at_every_place() {
    let (_, report) = parse("Wait /(/\nExpect /(/\nWait /(/", "a.tape", None);
    let lines = report.diagnostics.iter();
    let lines: Vec<(usize, &str)> = lines
        .map(|found| (found.span.line(), found.message.as_str()))
        .collect();
    let message = "invalid regular expression `(`: unclosed group";
    assert_eq!(lines, [(1, message), (2, message), (3, message)]);
}

#[test]
fn a_mark_is_found_among_many() {
    let marks = (0..40_000).map(|number| format!("Mark m{number}\n"));
    let asked = (0..40_000).map(|number| format!("Saw since m{number} 'x'\n"));
    let report = resolve(&marks.chain(asked).collect::<String>());
    assert!(report.is_empty(), "{report}");
}

/// Searching the closest name for each error would take 10 to the power of 10 steps.
#[test]
fn the_closest_name_is_searched_only_for_reported_errors() {
    let marks = (0..10_000).map(|number| format!("Mark m{number:05}\n"));
    let asked = (0..20_000).map(|number| format!("Saw since n{number:05} 'x'\n"));
    let report = resolve(&marks.chain(asked).collect::<String>());
    assert_eq!(report.diagnostics.len(), 100);
    let meant = report.diagnostics[7].nearest.as_deref();
    assert_eq!(meant, Some("m00007"));
}

#[test]
fn a_long_mark_name_is_truncated() {
    let (long, other) = ("m".repeat(1_000_000), "n".repeat(1_000_000));
    let report = resolve(&format!("Mark {long}\nSaw since {other} 'x'"));
    assert_eq!(
        report.diagnostics[0].message,
        format!("no mark `{}…` is set before this", "n".repeat(60))
    );
}

#[test]
fn many_warnings_do_not_hide_a_later_error() {
    for wrong in ["Set Width 9 ", "Set Shell bash ", "Paste "] {
        let text = format!("Enter {}Saw since x 'y'", wrong.repeat(30_000));
        let report = resolve(&text);
        assert_eq!(report.count(Severity::Warning), 100, "{wrong}");
        assert_eq!(report.count(Severity::Error), 1, "{wrong}");
        let last = report.diagnostics.last().unwrap();
        assert_eq!(last.message, "no mark `x` is set before this");
    }
    for wrong in ["Launch a", "Saw since x 'y'"] {
        let text = format!("Enter\n{}Paste", format!("{wrong}\n").repeat(30_000));
        let report = resolve(&text);
        assert_eq!(report.count(Severity::Error), 100, "{wrong}");
        assert_eq!(report.count(Severity::Warning), 1, "{wrong}");
    }
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let text = |before: usize, behind: usize| {
        let (before, behind) = ("界".repeat(before), "b".repeat(behind));
        format!("Type '{before}' Ctrl+Entre {behind}")
    };
    let shown = |text: &str| {
        let (_, report) = parse(text, "a.tape", None);
        let shown = report.diagnostics[0].to_string();
        let lines = shown.lines().skip(3).take(2);
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let marked = |columns: usize| format!("  | {}^^^^^ did you mean `Enter`?", " ".repeat(columns));
    // A line of up to 110 columns is shown whole.
    let short = text(40, 11);
    assert_eq!(shown(&short), [format!("1 | {short}"), marked(6 + 80 + 7)]);
    // Otherwise at most 40 columns before the place are shown, regardless of the text further away.
    // Here one of them would be half a wide character.
    let (before, behind) = ("界".repeat(16), "b".repeat(65));
    let near = format!("1 | …{before}' Ctrl+Entre {behind}…");
    for (before, behind) in [(60, 70), (60, 1_000_000), (1_000_000, 70)] {
        assert_eq!(shown(&text(before, behind)), [near.clone(), marked(40)]);
    }
}
