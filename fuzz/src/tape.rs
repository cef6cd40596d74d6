//! Target: the reader of tapes.
//!
//! - Parsing terminates in either dialect. Every command and diagnostic has a position within the
//!   text, and commands are in order.
//! - Quoted text in messages contains no control sequences.
//! - A formatted tape means the same, and formatting it again changes nothing.
//! - Resolving tapes that source each other or themselves terminates too.

use screentest_tape::language::{DiagnosticReport, Dialect, Tape, format, parse};

/// Reads the bytes as a tape.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    // The tape may select its dialect; it is not read again in that one.
    let own = check_dialect(&text, None);
    for (_, dialect) in Dialect::ALL {
        if dialect != own {
            check_dialect(&text, Some(dialect));
        }
    }
}

/// Checks the guarantees in one dialect and returns the dialect.
fn check_dialect(text: &str, given: Option<Dialect>) -> Dialect {
    let (tape, report) = parse(text, "a.tape", given);
    check_places(text, &tape, &report);
    check_format(text, given, &tape, &report);
    check_resolve(text, &tape);
    tape.dialect
}

fn check_places(text: &str, tape: &Tape, report: &DiagnosticReport) {
    let mut last = 0;
    for command in &tape.commands {
        let range = command.span.range();
        assert!(text.get(range.clone()).is_some(), "{command:?}");
        assert!(range.start >= last, "{command:?}");
        last = range.end;
    }
    for found in &report.diagnostics {
        assert!(text.get(found.span.range()).is_some(), "{found:?}");
        let shown = found.to_string();
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'));
    }
}

fn check_format(text: &str, given: Option<Dialect>, tape: &Tape, report: &DiagnosticReport) {
    let Ok(ordered) = format(text, "a.tape", given) else {
        assert!(report.has_errors());
        return;
    };
    assert!(!report.has_errors());
    // The text was formatted already, so the checks below would repeat the calls above.
    if ordered == text {
        return;
    }
    let (again, _) = parse(&ordered, "a.tape", given);
    assert_eq!(again.dialect, tape.dialect, "{ordered:?}");
    assert_eq!(again.meaning(), tape.meaning(), "{ordered:?}");
    let twice = format(&ordered, "a.tape", given).expect("a formatted tape can be formatted");
    assert_eq!(twice, ordered);
}

/// Resolves the tape with its own text as every sourced tape: first under other names, then under
/// its own name. Further sourced tapes cannot be read.
fn check_resolve(text: &str, tape: &Tape) {
    let mut sourced = 0;
    let (plan, report) = tape.resolve(|path, _| {
        sourced += 1;
        match sourced {
            1..4 => Ok((path.to_owned(), text.to_owned())),
            4..6 => Ok(("a.tape".to_owned(), text.to_owned())),
            _ => Err("there is none"),
        }
    });
    for step in &plan.steps {
        let place = &step.span;
        assert!(place.source().text().get(place.range()).is_some());
    }
    assert!(!report.to_string().contains('\x1b'));
}
