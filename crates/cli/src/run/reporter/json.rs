//! JSON report: the results of all tapes and of their attempts.

use std::path::PathBuf;
use std::time::Duration;

use screentest::test::Baseline;
use screentest_tape::{TapeFailure, TapeFailureKind};
use serde_json::{Value, json};

use crate::run::tape_result::{Attempt, RunResults, TapeResult, Verdict};

/// Incremented when readers of the previous version would misread the format.
const VERSION: u32 = 1;

/// Returns the report, with a final newline.
pub(super) fn write(results: &RunResults) -> String {
    let summary = Verdict::ALL.map(|verdict| {
        let count = results.count(verdict);
        (verdict.key().to_owned(), Value::from(count))
    });
    let report = json!({
        "format": "screentest-run",
        "version": VERSION,
        "duration_ms": milliseconds(results.duration),
        "summary": Value::Object(summary.into_iter().collect()),
        "tapes": results.cases.iter().map(case).collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}

fn case(case: &TapeResult) -> Value {
    json!({
        "name": case.name,
        "time": case.repetition.0,
        "status": case.verdict().key(),
        "duration_ms": milliseconds(case.duration()),
        "steps": case.steps,
        "attempts": case.attempts.iter().map(attempt).collect::<Vec<_>>(),
    })
}

fn attempt(attempt: &Attempt) -> Value {
    let run = &attempt.run;
    json!({
        "passed": run.passed(),
        "duration_ms": milliseconds(run.duration),
        "recorded_ms": milliseconds(run.recorded),
        "steps_done": run.steps_done,
        "files": paths(&run.files),
        "checkpoints": paths(&run.checkpoints),
        "snapshots": paths(&run.snapshots),
        "baselines": run.baselines.iter().map(baseline).collect::<Vec<_>>(),
        "notes": run.notes,
        "failure": run.failure.as_ref().map(failure),
    })
}

fn baseline((name, baseline): &(String, Baseline)) -> Value {
    json!({ "snapshot": name, "status": baseline_status(*baseline) })
}

/// Returns the state of a baseline as one word.
pub(super) fn baseline_status(baseline: Baseline) -> &'static str {
    match baseline {
        Baseline::Kept => "kept",
        Baseline::New => "new",
        Baseline::Updated => "updated",
        // `Baseline` is non-exhaustive.
        _ => "other",
    }
}

fn failure(failure: &TapeFailure) -> Value {
    let place = failure.span.as_ref();
    let screen = failure.screen.as_ref().map(|screen| screen.text());
    json!({
        "kind": failure_kind(failure.kind),
        "file": place.map(|place| place.source().name()),
        "line": place.map(|place| place.line()),
        "column": place.map(|place| place.column()),
        "message": failure.message,
        "details": failure.details,
        "artifacts": failure.bundle.as_ref().map(|path| path.to_string_lossy()),
        "screen": screen,
    })
}

/// Returns the kind of failure as one word.
pub(super) fn failure_kind(broken: TapeFailureKind) -> &'static str {
    match broken {
        TapeFailureKind::Start => "start",
        TapeFailureKind::Step => "step",
        TapeFailureKind::Output => "output",
        TapeFailureKind::Interrupted => "interrupted",
        // `TapeFailureKind` is non-exhaustive.
        _ => "other",
    }
}

fn paths(paths: &[PathBuf]) -> Vec<String> {
    let all = paths.iter().map(|path| path.to_string_lossy().into_owned());
    all.collect()
}

/// Milliseconds, rounded down to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}
