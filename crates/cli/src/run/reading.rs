//! Reading tapes, and finding out all that is wrong with all of them.

use std::collections::BTreeMap;
use std::io;

use anyhow::anyhow;
use screentest::core::Paint;
use screentest_tape::language::Severity;
use screentest_tape::{ReadyTape, RefusedTape, TapeOptions, TapeScript};

use super::case::counted;
use super::select::{self, Chosen, STDIN};
use super::{Heard, Manner};
use crate::failure::{self, Failure};

/// Reads a tape.
pub(crate) fn script(chosen: &Chosen, manner: Manner) -> Result<TapeScript, RefusedTape> {
    match chosen.is_stdin() {
        true => TapeScript::read_from(io::stdin().lock(), STDIN, manner.dialect),
        false => TapeScript::read(&chosen.path, manner.dialect),
    }
}

/// Finds out whether a tape can run.
pub(crate) fn ready(
    script: TapeScript,
    manner: Manner,
    options: TapeOptions,
) -> Result<ReadyTape, RefusedTape> {
    match manner.strict {
        Some(true) => script.ready_strictly(options),
        _ => script.ready(options),
    }
}

/// How many errors there are.
pub(crate) fn errors(refused: &RefusedTape) -> usize {
    refused.general_errors.len() + refused.report.count(Severity::Error)
}

/// All tapes, or all that is wrong with them.
pub(super) fn all_ready(
    chosen: &[Chosen],
    manner: Manner,
    options: &TapeOptions,
    heard: &mut Heard<'_>,
) -> Result<Vec<ReadyTape>, Failure> {
    let mut tapes = Vec::new();
    let mut wrong = 0;
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    for one in chosen {
        let tape = match script(one, manner) {
            Ok(script) => {
                heard(&script)?;
                for output in &script.plan().outputs {
                    shared(&mut written, &output.value.path, script.name());
                }
                ready(script, manner, options.clone())
            }
            Err(refused) => Err(refused),
        };
        match tape {
            Ok(tape) => {
                failure::talk(&tape.warnings().render(Paint::Ansi));
                tapes.push(tape);
            }
            Err(refused) => {
                wrong += errors(&refused);
                failure::talk(&refused.render(Paint::Ansi));
            }
        }
    }
    if wrong > 0 {
        let fault = anyhow!("nothing was run: {}", counted(wrong, "error"));
        return Err(Failure::usage(fault));
    }
    let folders = tapes.iter().map(|tape| (tape.name(), tape.folder()));
    if let Some((one, other, folder)) = select::sharing(folders) {
        let fault = anyhow!(
            "nothing was run: the artifacts of `{one}` and of `{other}` would both be in `{folder}`"
        );
        return Err(Failure::usage(fault).hint("give one of them another name"));
    }
    Ok(tapes)
}

/// Says so where two tapes write one file: which of them is there in the end is chance.
fn shared(written: &mut BTreeMap<String, String>, path: &str, name: &str) {
    if let Some(other) = written.insert(path.to_owned(), name.to_owned())
        && other != name
    {
        failure::note(&format!("`{other}` and `{name}` both write `{path}`"));
    }
}
