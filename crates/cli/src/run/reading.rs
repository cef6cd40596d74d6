//! Reads tapes and reports all errors in all of them.

use std::collections::BTreeMap;
use std::io;

use anyhow::anyhow;
use screentest::core::Paint;
use screentest_tape::language::Severity;
use screentest_tape::{ReadyTape, RefusedTape, TapeOptions, TapeScript};

use super::select::{self, STDIN, SelectedTape};
use super::tape_result::counted;
use super::{ScriptCallback, TapeArgs};
use crate::failure::{self, Failure};

/// Reads a tape.
pub(crate) fn script(selected: &SelectedTape, args: TapeArgs) -> Result<TapeScript, RefusedTape> {
    if selected.is_stdin() {
        TapeScript::read_from(io::stdin().lock(), STDIN, args.dialect)
    } else {
        TapeScript::read(&selected.path, args.dialect)
    }
}

/// Checks whether a tape can run.
pub(crate) fn ready(
    script: TapeScript,
    args: TapeArgs,
    options: TapeOptions,
) -> Result<ReadyTape, RefusedTape> {
    match args.strict {
        Some(true) => script.ready_strictly(options),
        _ => script.ready(options),
    }
}

/// Counts the errors.
pub(crate) fn errors(refused: &RefusedTape) -> usize {
    refused.general_errors.len() + refused.report.count(Severity::Error)
}

/// Reads and checks all tapes, and prints all errors and warnings. Fails if there are errors.
pub(super) fn all_ready(
    selected: &[SelectedTape],
    args: TapeArgs,
    options: &TapeOptions,
    on_script: &mut ScriptCallback<'_>,
) -> Result<Vec<ReadyTape>, Failure> {
    let mut tapes = Vec::new();
    let mut errors_found = 0;
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    for selected_tape in selected {
        let tape = match script(selected_tape, args) {
            Ok(script) => {
                on_script(&script)?;
                for output in &script.plan().outputs {
                    note_shared_output(&mut written, &output.value.path, script.name());
                }
                ready(script, args, options.clone())
            }
            Err(refused) => Err(refused),
        };
        match tape {
            Ok(tape) => {
                let warnings = tape.warnings().render(Paint::Ansi);
                failure::print_text(&options.run.secrets.text(&warnings));
                tapes.push(tape);
            }
            Err(refused) => {
                errors_found += errors(&refused);
                let text = refused.render(Paint::Ansi);
                failure::print_text(&options.run.secrets.text(&text));
            }
        }
    }
    if errors_found > 0 {
        let error = anyhow!("nothing was run: {}", counted(errors_found, "error"));
        return Err(Failure::usage(error));
    }
    let folders = tapes.iter().map(|tape| (tape.name(), tape.folder()));
    if let Some((first, second, dir)) = select::shared_artifact_dir(folders) {
        let error = anyhow!(
            "nothing was run: the artifacts of `{first}` and `{second}` would both be in `{dir}`"
        );
        return Err(Failure::usage(error).hint("rename one of them"));
    }
    Ok(tapes)
}

/// Prints a note if two tapes write the same file: which of them wins is not defined.
fn note_shared_output(written: &mut BTreeMap<String, String>, path: &str, name: &str) {
    if let Some(other) = written.insert(path.to_owned(), name.to_owned())
        && other != name
    {
        failure::note(&format!("`{other}` and `{name}` both write `{path}`"));
    }
}
