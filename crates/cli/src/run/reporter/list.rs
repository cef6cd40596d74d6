//! List report: a line per tape and the details of failures, printed as tapes finish.

use screentest::core::Paint;
use screentest_tape::TapeFailure;

use super::json::baseline_status;
use crate::failure::{self, StatusLevel};
use crate::output::sanitize;
use crate::run::tape_result::{Attempt, TapeResult, Verdict, counted};

/// Prints the result of a tape.
pub(crate) fn print_result(case: &TapeResult) {
    let verdict = case.verdict();
    let manner = match verdict {
        Verdict::Passed => StatusLevel::Good,
        Verdict::Flaky => StatusLevel::Warning,
        Verdict::Failed => StatusLevel::Bad,
        // Tapes that did not run only appear in the summary.
        Verdict::NotRun => return,
        Verdict::Stopped => StatusLevel::Warning,
    };
    let Some(last) = case.last() else {
        return;
    };
    let attempts = match case.attempts.len() {
        1 => String::new(),
        attempts => format!(" in {attempts} attempts"),
    };
    failure::print_status(
        manner,
        verdict.word(),
        &sanitize::replace_controls(&format!(
            "{}: {}, {:.1} s{attempts}{}",
            case.title(),
            step_count(case, last),
            case.duration().as_secs_f64(),
            written_files(last)
        )),
    );
    for (number, attempt, failure) in case.failures() {
        let is_last = number == case.attempts.len();
        if is_last {
            if verdict == Verdict::Failed {
                failure::print_text(&failure.render(Paint::Ansi));
            }
            continue;
        }
        failure::note(&earlier_failure(number, failure));
        attempt
            .run
            .notes
            .iter()
            .for_each(|note| failure::note(note));
    }
    last.run.notes.iter().for_each(|note| failure::note(note));
}

/// Formats a failed attempt that was not the last as one line.
fn earlier_failure(number: usize, failure: &TapeFailure) -> String {
    let place = failure.span.as_ref();
    let place = place.map_or_else(String::new, |place| format!("{place}: "));
    let artifacts = failure.bundle.as_ref();
    let artifacts = artifacts.map_or_else(String::new, |path| {
        format!("; artifacts: {}", path.display())
    });
    sanitize::replace_controls(&format!(
        "attempt {number} failed: {place}{}{artifacts}",
        failure.message
    ))
}

fn step_count(case: &TapeResult, last: &Attempt) -> String {
    let steps = counted(case.steps, "step");
    if last.run.passed() {
        steps
    } else {
        format!("{} of {steps}", last.run.steps_done)
    }
}

/// Formats the written files and baselines.
fn written_files(last: &Attempt) -> String {
    let files = last.run.files.iter().chain(&last.run.checkpoints);
    let names: Vec<String> = files.map(|path| path.display().to_string()).collect();
    let mut text = if names.is_empty() {
        String::new()
    } else {
        format!("; wrote {}", names.join(", "))
    };
    for (name, baseline) in &last.run.baselines {
        text.push_str(&format!(
            "; snapshot {name}: {}",
            baseline_status(*baseline)
        ));
    }
    text
}
