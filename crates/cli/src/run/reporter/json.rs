//! For programs: all that is known of a run, as JSON.

use std::path::PathBuf;
use std::time::Duration;

use screentest::Baseline;
use screentest_tape::{TapeFailure, TapeFailureKind};
use serde_json::{Value, json};

use crate::run::case::{Attempt, Case, Results, Verdict};

/// Rises when a reader of the version before would misunderstand it.
const VERSION: u32 = 1;

/// The whole report, with a line end.
pub(super) fn write(results: &Results) -> String {
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

fn case(case: &Case) -> Value {
    json!({
        "name": case.name,
        "time": case.time.0,
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
    json!({ "snapshot": name, "status": became(*baseline) })
}

/// What became of a baseline, in a word.
pub(super) fn became(baseline: Baseline) -> &'static str {
    match baseline {
        Baseline::Kept => "kept",
        Baseline::New => "new",
        Baseline::Updated => "updated",
        // One that is not known yet.
        _ => "other",
    }
}

fn failure(failure: &TapeFailure) -> Value {
    let place = failure.span.as_ref();
    let screen = failure.screen.as_ref().map(|screen| screen.text());
    json!({
        "kind": kind(failure.kind),
        "file": place.map(|place| place.source().name()),
        "line": place.map(|place| place.line()),
        "column": place.map(|place| place.column()),
        "message": failure.message,
        "details": failure.details,
        "artifacts": failure.bundle.as_ref().map(|path| path.to_string_lossy()),
        "screen": screen,
    })
}

/// What broke, in a word.
pub(super) fn kind(broken: TapeFailureKind) -> &'static str {
    match broken {
        TapeFailureKind::Start => "start",
        TapeFailureKind::Step => "step",
        TapeFailureKind::Output => "output",
        TapeFailureKind::Interrupted => "interrupted",
        // One that is not known yet.
        _ => "other",
    }
}

fn paths(paths: &[PathBuf]) -> Vec<String> {
    let all = paths.iter().map(|path| path.to_string_lossy().into_owned());
    all.collect()
}

/// To the microsecond: more is noise.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}
