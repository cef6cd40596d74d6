//! Tests of tapes.

use super::{ActionStep, Command, Dialect, Severity, TapeStep, parse};
use screentest_core::Action;

mod action_lines;
mod any_input;
mod commands;
mod dialects;
mod documentation;
mod errors;
mod every_command;
mod format;
mod limits;
mod resolve;
mod settings;
mod type_commands;
mod upstream_bugs;

/// Tapes with nearly every command and setting, for VHS and for Betamax.
const VHS: &str = include_str!("tests/every.vhs.tape");
const BETAMAX: &str = include_str!("tests/every.betamax.tape");

/// Returns the commands of a tape without errors.
#[track_caller]
fn read(text: &str, dialect: Dialect) -> Vec<Command> {
    let (tape, report) = parse(text, "a.tape", Some(dialect));
    assert!(report.is_empty(), "{report}");
    tape.commands.into_iter().map(|each| each.value).collect()
}

#[track_caller]
fn steps(text: &str, dialect: Dialect) -> Vec<TapeStep> {
    let steps = read(text, dialect)
        .into_iter()
        .map(|command| match command {
            Command::Step(step) => step,
            other => panic!("not a step: {other:?}"),
        });
    steps.collect()
}

/// Returns the step of an action without a time.
fn action(action: Action) -> TapeStep {
    TapeStep::Action(action.into())
}

/// Returns the step of an action with the time after `@`.
fn timed(action: Action, time: Option<u64>) -> TapeStep {
    TapeStep::Action(ActionStep {
        time: time.map(std::time::Duration::from_millis),
        ..ActionStep::from(action)
    })
}

/// Returns all errors of a tape as `2:5 the marked text: message`. Warnings begin with `~`.
fn wrong(text: &str, dialect: Dialect) -> Vec<String> {
    let (_, report) = parse(text, "a.tape", Some(dialect));
    let lines = report.diagnostics.iter().map(|found| {
        let span = &found.span;
        let sign = match found.severity {
            Severity::Error => "",
            Severity::Warning => "~",
        };
        let marked = span.text();
        format!(
            "{sign}{}:{} {marked}: {}",
            span.line(),
            span.column(),
            found.message
        )
    });
    lines.collect()
}
