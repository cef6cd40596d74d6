//! For CI: JUnit XML, in the form that Jenkins, GitLab and nextest agree on.
//!
//! The run is a suite, each tape a case. Attempts before the last are `flakyFailure` where it passed in the end, `rerunFailure` where not;
//! what was left on disk stands in `system-out`. What XML cannot hold is replaced by U+FFFD.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};
use screentest_tape::TapeFailure;

use super::json::kind;
use crate::failure::{Exit, Failure};
use crate::run::case::{Attempt, Case, Results, Verdict};

/// The whole report.
pub(super) fn write(results: &Results) -> Result<String, Failure> {
    let mut suite = TestSuite::new("tapes");
    suite.set_time(results.duration);
    suite.add_test_cases(results.cases.iter().map(case));
    let mut report = Report::new("screentest");
    report.set_time(results.duration);
    report.add_test_suite(suite);
    let text = report.to_string();
    text.map_err(|error| Failure::new(Exit::Internal, error))
}

fn case(case: &Case) -> TestCase {
    let verdict = case.verdict();
    let last = case.last();
    let failed = last.and_then(|last| last.run.failure.as_ref());
    let mut status = match (verdict, failed) {
        (Verdict::Failed, Some(failure)) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(kind(failure.kind));
            status.set_message(clean(&failure.message));
            status.set_description(clean(&told(failure)));
            status
        }
        (Verdict::Stopped | Verdict::NotRun, _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(verdict.word());
            status
        }
        _ => TestCaseStatus::success(),
    };
    let earlier = case
        .failures()
        .filter(|(number, ..)| *number < case.attempts.len());
    if matches!(verdict, Verdict::Flaky | Verdict::Failed) {
        status.add_reruns(earlier.map(|(_, attempt, failure)| rerun(attempt, failure)));
    }
    let mut found = TestCase::new(clean(&case.title()), status);
    found.set_classname(clean(&case.name));
    found.set_time(case.duration());
    if verdict == Verdict::Flaky {
        found.add_property(("flaky", "true"));
    }
    let left: Vec<String> = case.attempts.iter().flat_map(left).collect();
    if !left.is_empty() {
        found.set_system_out(clean(&left.join("\n")));
    }
    found
}

fn rerun(attempt: &Attempt, failure: &TapeFailure) -> TestRerun {
    let mut rerun = TestRerun::new(NonSuccessKind::Failure);
    rerun.set_time(attempt.run.duration);
    rerun.set_type(kind(failure.kind));
    rerun.set_message(clean(&failure.message));
    rerun.set_description(clean(&told(failure)));
    rerun
}

fn told(failure: &TapeFailure) -> String {
    failure.render(screentest::core::Paint::Plain)
}

fn left(attempt: &Attempt) -> Vec<String> {
    let paths = attempt.left();
    let paths = paths.iter().map(|path| path.to_string_lossy().into_owned());
    paths.collect()
}

/// A text that XML can hold: no controls but tabs and line ends, and none of the two that are no characters.
fn clean(text: &str) -> String {
    let held = |c: char| match c {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    let kept = |c: char| if held(c) { c } else { '\u{fffd}' };
    text.chars().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(
            clean("a\0\u{1b}[1m\u{ffff}\u{85}\tb\r\nü"),
            "a\u{fffd}\u{fffd}[1m\u{fffd}\u{fffd}\tb\r\nü"
        );
    }
}
