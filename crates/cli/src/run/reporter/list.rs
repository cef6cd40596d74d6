//! For people: a line for each tape, and what went wrong, as it happens.

use screentest::core::Paint;
use screentest_tape::TapeFailure;

use super::json::became;
use crate::failure::{self, Manner};
use crate::plain;
use crate::run::case::{Attempt, Case, Verdict, counted};

/// Says how a tape went.
pub(crate) fn tell(case: &Case) {
    let verdict = case.verdict();
    let manner = match verdict {
        Verdict::Passed => Manner::Well,
        Verdict::Flaky => Manner::Doubtful,
        Verdict::Failed => Manner::Badly,
        // What was not begun is counted, and no more.
        Verdict::NotRun => return,
        Verdict::Stopped => Manner::Doubtful,
    };
    let Some(last) = case.last() else {
        return;
    };
    let tries = match case.attempts.len() {
        1 => String::new(),
        tries => format!(" in {tries} tries"),
    };
    failure::went(
        manner,
        verdict.word(),
        &plain::shown(&format!(
            "{}: {}, {:.1} s{tries}{}",
            case.title(),
            done(case, last),
            case.duration().as_secs_f64(),
            written(last)
        )),
    );
    for (number, attempt, failure) in case.failures() {
        let is_last = number == case.attempts.len();
        match is_last {
            true if verdict == Verdict::Failed => failure::talk(&failure.render(Paint::Ansi)),
            true => {}
            false => failure::note(&earlier(number, failure)),
        }
        if is_last {
            continue;
        }
        attempt
            .run
            .notes
            .iter()
            .for_each(|note| failure::note(note));
    }
    last.run.notes.iter().for_each(|note| failure::note(note));
}

/// A failure that was not the last word, in a line.
fn earlier(number: usize, failure: &TapeFailure) -> String {
    let place = failure.span.as_ref();
    let place = place.map_or_else(String::new, |place| format!("{place}: "));
    let left = failure.bundle.as_ref();
    let left = left.map_or_else(String::new, |path| {
        format!("; artifacts: {}", path.display())
    });
    plain::shown(&format!(
        "try {number} failed: {place}{}{left}",
        failure.message
    ))
}

fn done(case: &Case, last: &Attempt) -> String {
    let steps = counted(case.steps, "step");
    match last.run.passed() {
        true => steps,
        false => format!("{} of {steps}", last.run.steps_done),
    }
}

/// What was written, in a few words.
fn written(last: &Attempt) -> String {
    let files = last.run.files.iter().chain(&last.run.checkpoints);
    let names: Vec<String> = files.map(|path| path.display().to_string()).collect();
    let mut told = match names.is_empty() {
        true => String::new(),
        false => format!("; wrote {}", names.join(", ")),
    };
    for (name, baseline) in &last.run.baselines {
        told.push_str(&format!("; snapshot {name}: {}", became(*baseline)));
    }
    told
}
