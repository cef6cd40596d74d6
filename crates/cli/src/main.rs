//! The `screentest` command: words in, a screen out.
//!
//! stdout is data and stderr is talk. A command returns, and this file alone turns what it returned into what a person
//! sees and what a script is told.
//!
//! Elsewhere: one file for each command (`snap.rs`, `convert.rs`), what is written and where (`format.rs`, `output.rs`), what
//! is read (`input.rs`), exit codes and how errors look (`failure.rs`).

use std::panic;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::{Exit, Failure};

mod convert;
mod failure;
mod format;
mod input;
mod output;
mod size;
mod snap;
mod step;

const AFTER_HELP: &str = "\
Examples:
  screentest snap -- ls --color=always               run a program, print its screen
  screentest snap -o top.json -- top                 keep a screen with its colours
  screentest convert top.json                        print what was kept

Exit codes:
  0  done
  1  an assertion or a wait failed
  2  wrong usage, or a file that cannot be read or written
  5  a fault of screentest itself

The screen goes to stdout, everything else to stderr. `screentest help snap` and
`screentest help convert` say more.";

/// Starts terminal programs in a terminal of their own and shows what they show.
#[derive(Debug, Parser)]
#[command(name = "screentest", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Snap(snap::Snap),
    Convert(convert::Convert),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(words) => {
            // Help asked for goes to stdout and is no failure; who closed that pipe has read enough.
            let _ = words.print();
            return match words.exit_code() {
                0 => Exit::Done.into(),
                _ => Exit::Usage.into(),
            };
        }
    };
    match panic::catch_unwind(|| run(cli)) {
        Ok(Ok(())) => Exit::Done.into(),
        Ok(Err(failure)) => {
            failure.print();
            failure.exit().into()
        }
        // The panic has already said on stderr what went wrong and where.
        Err(_) => Exit::Internal.into(),
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Snap(snap) => snap::run(&snap),
        Command::Convert(convert) => convert::run(&convert),
    }
}
