//! JUnit XML report, in the form that Jenkins, GitLab and nextest agree on.
//!
//! The run is a suite, each tape a test case. Attempts before the last are `flakyFailure` if the
//! tape passed in the end, else `rerunFailure`. Paths of written files are in `system-out`.
//! Characters that XML cannot hold are replaced by U+FFFD.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};
use screentest_tape::TapeFailure;

use super::json::failure_kind;
use crate::failure::{Exit, Failure};
use crate::run::tape_result::{Attempt, RunResults, TapeResult, Verdict};

/// Returns the whole report.
pub(super) fn write(results: &RunResults) -> Result<String, Failure> {
    let mut suite = TestSuite::new("tapes");
    suite.set_time(results.duration);
    suite.add_test_cases(results.cases.iter().map(case));
    let mut report = Report::new("screentest");
    report.set_time(results.duration);
    report.add_test_suite(suite);
    let text = report.to_string();
    text.map_err(|error| Failure::new(Exit::Internal, error))
}

fn case(case: &TapeResult) -> TestCase {
    let verdict = case.verdict();
    let last = case.last();
    let failed = last.and_then(|last| last.run.failure.as_ref());
    let mut status = match (verdict, failed) {
        (Verdict::Failed, Some(failure)) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(failure_kind(failure.kind));
            status.set_message(clean(&failure.message));
            status.set_description(clean(&description(failure)));
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
    let mut test_case = TestCase::new(clean(&case.title()), status);
    test_case.set_classname(clean(&case.name));
    test_case.set_time(case.duration());
    if verdict == Verdict::Flaky {
        test_case.add_property(("flaky", "true"));
    }
    let artifacts: Vec<String> = case.attempts.iter().flat_map(artifacts).collect();
    if !artifacts.is_empty() {
        test_case.set_system_out(clean(&artifacts.join("\n")));
    }
    test_case
}

fn rerun(attempt: &Attempt, failure: &TapeFailure) -> TestRerun {
    let mut rerun = TestRerun::new(NonSuccessKind::Failure);
    rerun.set_time(attempt.run.duration);
    rerun.set_type(failure_kind(failure.kind));
    rerun.set_message(clean(&failure.message));
    rerun.set_description(clean(&description(failure)));
    rerun
}

fn description(failure: &TapeFailure) -> String {
    failure.render(screentest::core::Paint::Plain)
}

fn artifacts(attempt: &Attempt) -> Vec<String> {
    let paths = attempt.artifacts();
    let paths = paths.iter().map(|path| path.to_string_lossy().into_owned());
    paths.collect()
}

/// Replaces control characters other than tab and line ends, and U+FFFE and U+FFFF. XML forbids
/// most of them.
fn clean(text: &str) -> String {
    let is_allowed = |c: char| match c {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    let replaced = |c: char| if is_allowed(c) { c } else { '\u{fffd}' };
    text.chars().map(replaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_characters_that_xml_cannot_hold() {
        assert_eq!(
            clean("a\0\u{1b}[1m\u{ffff}\u{85}\tb\r\nü"),
            "a\u{fffd}\u{fffd}[1m\u{fffd}\u{fffd}\tb\r\nü"
        );
    }
}
