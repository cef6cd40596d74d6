//! `screentest validate`: what would go wrong with tapes, without running anything.

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
use crate::run::select::{self, Chosen};
use crate::run::{Manner, counted, reading};

const AFTER_HELP: &str = "\
Everything is told at once: what cannot be read, commands, settings, themes and endings
that are not known, tapes that source themselves, programs that are missing, places that
cannot be written, pictures that would be too large. Nothing runs.

Exit codes: 0 when all can run, 2 when one cannot.

Examples:
  screentest validate tests/*.tape        before a commit
  screentest validate --strict demo.tape  warnings too
  screentest validate --json demo.tape    for an editor";

/// Check tapes, without running anything.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Validate {
    /// Tapes; `-` is stdin. Without any, those of screentest.toml
    #[arg(value_name = "TAPE")]
    tapes: Vec<PathBuf>,
    #[command(flatten)]
    manner: Manner,
    /// Print what is wrong as JSON
    #[arg(long)]
    json: bool,
}

/// Checks tapes.
pub(crate) fn run(validate: &Validate) -> Result<(), Failure> {
    let config = Config::find()?;
    let manner = validate.manner.or(&config);
    let chosen = select::meant(&validate.tapes, &config)?;
    let (mut wrong, mut doubtful, mut broken) = (0, 0, 0);
    let mut told = Vec::new();
    for one in &chosen {
        let found = found(one, manner);
        let errors = reading::errors(&found);
        wrong += errors;
        broken += usize::from(errors > 0);
        doubtful += found.report.count(Severity::Warning);
        match validate.json {
            true => told.push(json(&one.name, &found)),
            false => failure::talk(&found.render(Paint::Ansi)),
        }
    }
    if validate.json {
        let text = format!("{:#}\n", json!({ "tapes": told }));
        output::print(text.as_bytes()).map_err(Failure::usage)?;
    }
    let tapes = counted(chosen.len(), "tape");
    match wrong {
        0 if validate.json => Ok(()),
        0 => {
            let warnings = match doubtful {
                0 => String::new(),
                doubtful => format!("; {}", counted(doubtful, "warning")),
            };
            failure::note(&format!("{tapes} can run{warnings}"));
            Ok(())
        }
        wrong => {
            let fault = match chosen.len() {
                1 => anyhow!("{} in 1 tape", counted(wrong, "error")),
                all => anyhow!("{} in {broken} of {all} tapes", counted(wrong, "error")),
            };
            Err(Failure::usage(fault))
        }
    }
}

/// All that is wrong with a tape, warnings included.
fn found(one: &Chosen, manner: Manner) -> RefusedTape {
    let ready = reading::script(one, manner)
        .and_then(|script| reading::ready(script, manner, TapeOptions::default()));
    match ready {
        Ok(ready) => RefusedTape::new(ready.warnings().clone()),
        Err(refused) => refused,
    }
}

fn json(name: &str, found: &RefusedTape) -> Value {
    let DiagnosticReport { diagnostics, .. } = &found.report;
    let placed = diagnostics.iter().map(placed);
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

fn placed(found: &Diagnostic) -> Value {
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
