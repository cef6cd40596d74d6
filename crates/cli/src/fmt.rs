//! `screentest fmt`: tapes in their best handwriting.
//!
//! Only blanks and the spelling of times change, never what a tape means. A file is replaced as a whole, and only where something changes.

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
use crate::output::{self, Stream};
use crate::run::select::{self, Chosen};
use crate::run::{counted, dialect};

const AFTER_HELP: &str = "\
One blank between words, none at the ends of lines, at most one empty line in a row, a
unit behind every time. Texts and comments stay as they are, and so does what the tape
means. A tape with errors is left alone.

Exit codes: 0 when all are laid out, 1 when --check finds one that is not, 2 when one has
errors, or cannot be read or written.

Examples:
  screentest fmt tests/*.tape           lay them out
  screentest fmt --check tests/*.tape   in CI
  screentest fmt - < demo.tape          from stdin to stdout, for an editor";

/// Lay tapes out well.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Fmt {
    /// Tapes; `-` is stdin, and goes to stdout. Without any, those of screentest.toml
    #[arg(value_name = "TAPE")]
    tapes: Vec<PathBuf>,
    /// Write nothing, and print the names of those that would change
    #[arg(long)]
    check: bool,
    /// Whose words tapes use, vhs or betamax: vhs, unless a tape says otherwise
    #[arg(long, value_name = "D", value_parser = dialect)]
    dialect: Option<Dialect>,
}

/// Lays tapes out.
pub(crate) fn run(fmt: &Fmt) -> Result<(), Failure> {
    let config = Config::find()?;
    let dialect = fmt.dialect.or(config.dialect);
    let mut wrong = 0;
    let mut changed = Vec::new();
    for one in select::meant(&fmt.tapes, &config)? {
        let text = match read(&one) {
            Ok(text) => text,
            Err(refused) => {
                wrong += 1;
                failure::talk(&refused.render(Paint::Ansi));
                continue;
            }
        };
        match language::format(&text, &one.name, dialect) {
            Ok(laid_out) if fmt.check => {
                if laid_out != text {
                    changed.push(one.name);
                }
            }
            Ok(laid_out) if one.is_stdin() => {
                output::print(laid_out.as_bytes()).map_err(Failure::usage)?;
            }
            Ok(laid_out) if laid_out != text => {
                write(&one.path, &laid_out)?;
                failure::note(&format!("laid out {}", one.name));
            }
            Ok(_) => {}
            Err(report) => {
                wrong += report.count(Severity::Error);
                failure::talk(&report.render(Paint::Ansi));
            }
        }
    }
    let names: String = changed.iter().map(|name| format!("{name}\n")).collect();
    output::print(names.as_bytes()).map_err(Failure::usage)?;
    if wrong > 0 {
        let fault = anyhow!("{}; what is wrong was left alone", counted(wrong, "error"));
        return Err(Failure::usage(fault));
    }
    match changed.len() {
        0 => Ok(()),
        changed => {
            let fault = anyhow!("{} would change", counted(changed, "tape"));
            Err(Failure::new(Exit::Failed, fault)
                .hint("`screentest fmt` without `--check` lays them out"))
        }
    }
}

fn read(one: &Chosen) -> Result<String, RefusedTape> {
    match one.is_stdin() {
        true => TapeScript::text_from(io::stdin().lock(), &one.name),
        false => TapeScript::text(&one.path),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let to = Stream::to(Some(path), ExistingCassette::Replace)?;
    to.write(|out| {
        let written = out.write_all(text.as_bytes());
        written
            .with_context(|| format!("could not write `{}`", path.display()))
            .map_err(Failure::usage)
    })
}
