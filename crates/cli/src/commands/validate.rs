//! `screentest validate`: checks tapes without running them.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use screentest::core::Paint;
use screentest_tape::language::{Diagnostic, DiagnosticReport, Severity};
use screentest_tape::{RefusedTape, TapeOptions};
use serde_json::{Value, json};

use crate::config::Config;
use crate::failure::{self, Failure};
use crate::output;
use crate::run::select::{self, SelectedTape};
use crate::run::{TapeArgs, counted, reading};

const AFTER_HELP: &str = "\
Reports all problems at once: syntax errors, unknown commands, settings, themes and
extensions, tapes that source themselves, missing programs, paths that cannot be written,
and pictures that would be too large. Nothing runs.

Exit codes: 0 if all tapes can run, 2 if one cannot.

Examples:
  screentest validate tests/*.tape        before a commit
  screentest validate --strict demo.tape  treat warnings as errors
  screentest validate --json demo.tape    for an editor";

/// Check tapes without running them.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Validate {
    /// Tapes; `-` reads stdin [default: the tapes of screentest.toml]
    #[arg(value_name = "TAPE")]
    tapes: Vec<PathBuf>,
    #[command(flatten)]
    tape_args: TapeArgs,
    /// Print the problems as JSON
    #[arg(long)]
    json: bool,
}

/// Checks tapes.
pub(crate) fn run(validate: &Validate) -> Result<(), Failure> {
    let config = Config::find()?;
    let tape_args = validate.tape_args.or(&config);
    let chosen = select::resolve("validate", &validate.tapes, &config)?;
    let (mut total_errors, mut warnings, mut broken) = (0, 0, 0);
    let mut reports = Vec::new();
    for tape in &chosen {
        let found = problems(tape, tape_args);
        let errors = reading::errors(&found);
        total_errors += errors;
        broken += usize::from(errors > 0);
        warnings += found.report.count(Severity::Warning);
        if validate.json {
            reports.push(tape_json(&tape.name, &found));
        } else {
            failure::print_text(&found.render(Paint::Ansi));
        }
    }
    if validate.json {
        let text = format!("{:#}\n", json!({ "tapes": reports }));
        output::print(text.as_bytes()).map_err(Failure::usage)?;
    }
    let tapes = counted(chosen.len(), "tape");
    match total_errors {
        0 if validate.json => Ok(()),
        0 => {
            let warnings = match warnings {
                0 => String::new(),
                warnings => format!("; {}", counted(warnings, "warning")),
            };
            failure::note(&format!("{tapes} can run{warnings}"));
            Ok(())
        }
        total_errors => {
            let error = match chosen.len() {
                1 => anyhow!("{} in 1 tape", counted(total_errors, "error")),
                all => anyhow!(
                    "{} in {broken} of {all} tapes",
                    counted(total_errors, "error")
                ),
            };
            Err(Failure::usage(error))
        }
    }
}

/// Returns all problems of a tape, including warnings.
fn problems(tape: &SelectedTape, tape_args: TapeArgs) -> RefusedTape {
    let ready = reading::script(tape, tape_args)
        .and_then(|script| reading::ready(script, tape_args, TapeOptions::default()));
    match ready {
        Ok(ready) => RefusedTape::new(ready.warnings().clone()),
        Err(refused) => refused,
    }
}

fn tape_json(name: &str, found: &RefusedTape) -> Value {
    let DiagnosticReport { diagnostics, .. } = &found.report;
    let placed = diagnostics.iter().map(diagnostic_json);
    let unplaced = found
        .general_errors
        .iter()
        .map(|(message, hint)| json!({ "severity": "error", "message": message, "hint": hint }));
    json!({
        "name": name,
        "ok": reading::errors(found) == 0,
        "problems": placed.chain(unplaced).collect::<Vec<_>>(),
    })
}

fn diagnostic_json(found: &Diagnostic) -> Value {
    let range = found.span.range();
    json!({
        "severity": match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "file": found.span.source().name(),
        "line": found.span.line(),
        "column": found.span.column(),
        "bytes": [range.start, range.end],
        "message": found.message,
        "hint": found.hint,
        "nearest": found.nearest,
    })
}
