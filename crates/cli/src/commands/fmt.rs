//! `screentest fmt`: formats tapes.
//!
//! Only spaces and the notation of times change, never the meaning of a tape. A file is replaced as
//! a whole, and only if something changes.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::Paint;
use screentest::recording::cassette::ExistingCassette;
use screentest_tape::language::{self, Dialect, Severity};
use screentest_tape::{RefusedTape, TapeScript};

use crate::config::Config;
use crate::failure::{self, Exit, Failure};
use crate::output::{self, OutputFile};
use crate::run::select::{self, SelectedTape};
use crate::run::{counted, dialect};

const AFTER_HELP: &str = "\
One space between words and after `#`, no trailing spaces, at most one empty line in a
row, and a unit after every time. Texts, the words of comments and the meaning of the
tape do not change. A tape with errors is not changed.

Exit codes: 0 if all tapes are formatted, 1 if --check finds one that is not, 2 if a tape
has errors, or cannot be read or written.

Examples:
  screentest fmt tests/*.tape           format files in place
  screentest fmt --check tests/*.tape   check them, in CI
  screentest fmt - < demo.tape          from stdin to stdout, for an editor";

/// Format tapes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Fmt {
    /// Tapes; `-` reads stdin and writes stdout [default: the tapes of screentest.toml]
    #[arg(value_name = "TAPE")]
    tapes: Vec<PathBuf>,
    /// Change nothing; print the names of the tapes that would change
    #[arg(long)]
    check: bool,
    /// Dialect of the tapes, vhs or betamax [default: as the tape says, else vhs]
    #[arg(long, value_name = "D", value_parser = dialect)]
    dialect: Option<Dialect>,
}

/// Formats tapes.
pub(crate) fn run(fmt: &Fmt) -> Result<(), Failure> {
    let config = Config::find()?;
    let dialect = fmt.dialect.or(config.dialect);
    let mut errors = 0;
    let mut changed = Vec::new();
    for tape in select::resolve("fmt", &fmt.tapes, &config)? {
        let text = match read(&tape) {
            Ok(text) => text,
            Err(refused) => {
                errors += 1;
                failure::print_text(&refused.render(Paint::Ansi));
                continue;
            }
        };
        match language::format(&text, &tape.name, dialect) {
            Ok(formatted) if fmt.check => {
                if formatted != text {
                    changed.push(tape.name);
                }
            }
            Ok(formatted) if tape.is_stdin() => {
                output::print(formatted.as_bytes()).map_err(Failure::usage)?;
            }
            Ok(formatted) if formatted != text => {
                write(&tape.path, &formatted)?;
                failure::note(&format!("formatted {}", tape.name));
            }
            Ok(_) => {}
            Err(report) => {
                errors += report.count(Severity::Error);
                failure::print_text(&report.render(Paint::Ansi));
            }
        }
    }
    let names: String = changed.iter().map(|name| format!("{name}\n")).collect();
    output::print(names.as_bytes()).map_err(Failure::usage)?;
    if errors > 0 {
        let error = anyhow!(
            "{}; tapes with errors were not changed",
            counted(errors, "error")
        );
        return Err(Failure::usage(error));
    }
    match changed.len() {
        0 => Ok(()),
        changed => {
            let error = anyhow!("{} would change", counted(changed, "tape"));
            Err(Failure::new(Exit::Failed, error)
                .hint("`screentest fmt` without `--check` formats them"))
        }
    }
}

fn read(tape: &SelectedTape) -> Result<String, RefusedTape> {
    if tape.is_stdin() {
        TapeScript::text_from(io::stdin().lock(), &tape.name)
    } else {
        TapeScript::text(&tape.path)
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let to = OutputFile::to(Some(path), ExistingCassette::Replace)?;
    to.write(|out| {
        let written = out.write_all(text.as_bytes());
        written
            .with_context(|| format!("could not write `{}`", path.display()))
            .map_err(Failure::usage)
    })
}
