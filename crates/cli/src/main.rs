//! The `screentest` command.
//!
//! stdout carries data, stderr carries messages. Commands return a result; only this file turns it
//! into output for people and into an exit code.
//!
//! See also: `commands.rs` (the commands, one file each), `run.rs`, `review.rs` and `shell.rs`
//! (larger commands), `args.rs` (options that several commands share), `input.rs` (files that
//! commands read), `output.rs` (formats and files that commands write), `config.rs`
//! (`screentest.toml`), `failure.rs` (exit codes and error messages), `signals.rs` (cleanup before
//! a signal ends the process).

use std::env;
use std::panic;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
use crate::failure::Exit;

mod args;
mod commands;
mod config;
mod failure;
mod input;
mod output;
mod review;
mod run;
mod shell;
mod signals;

const AFTER_HELP: &str = "\
Examples:
  screentest snap -- ls --color=always               print the screen of a program
  screentest snap -o ls.png -- ls --color=always     draw it
  screentest snap -o ls.json -- ls --color=always    save it with its colours
  screentest convert ls.json                         print a saved screen
  screentest render ls.json                          draw a saved screen
  screentest open -- vim notes.txt                   start a program in a session
  screentest type 'ihello'                           type into it
  screentest new demo                                write a starter tape
  screentest run demo.tape                           run it
  screentest review                                  accept or reject changed snapshots
  screentest record -o demo.cassette -- vim          record a session
  screentest replay demo.cassette                    play it
  screentest impersonate demo.cassette               use it instead of vim in a test
  screentest server --artifact-dir artifacts         drive programs over JSON-RPC
  screentest mcp                                     let an AI agent drive them
  screentest web                                     watch and drive them in a browser

Exit codes:
  0  success
  1  an assertion or a wait failed, a snapshot is pending, or a tape is not formatted
  2  wrong usage, a program that cannot be started, or a file that cannot be read or written
  3  no such session
  4  the session daemon cannot be reached
  5  internal error

Data goes to stdout, messages go to stderr. `screentest help COMMAND` describes a command.";

/// Run terminal programs, capture their screens, test them and record them.
#[derive(Debug, Parser)]
#[command(name = "screentest", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Requested help goes to stdout and is not a failure. A closed pipe is not an error.
            let _ = error.print();
            if let Some(command) = suggest_dashes(&error).or_else(|| suggest_run(&error)) {
                failure::hint(&command);
            }
            return match error.exit_code() {
                0 => Exit::Done.into(),
                _ => Exit::Usage.into(),
            };
        }
    };
    // Without the handler, a file that exceeds the size limit ends the process without a message.
    // That is no reason not to start.
    let _ = signals::fail_writes_over_size_limit();
    match panic::catch_unwind(|| cli.command.run()) {
        Ok(Ok(())) => Exit::Done.into(),
        Ok(Err(failure)) => {
            failure.print();
            failure.exit().into()
        }
        // The panic hook has printed the message and the location on stderr.
        Err(_) => Exit::Internal.into(),
    }
}

/// Parses the command line, with the commands in groups in the help.
fn parse() -> Result<Cli, clap::Error> {
    let mut matches = commands::grouped(Cli::command()).try_get_matches()?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Cli::command()))
}

/// Returns the command line with the missing `--` inserted before the program: `screentest snap --
/// ls -la`.
fn suggest_dashes(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(stray)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let mut words: Vec<String> = env::args_os()
        .skip(1)
        .map(|word| quoted(&word.to_string_lossy()))
        .collect();
    let is_snap = words
        .first()
        .is_some_and(|word| word == "snap" || word == "open");
    let program = quoted(stray);
    // Nearly every option of these commands has a value, so the word after an option is not the
    // program.
    let place = words.windows(2).position(|pair| match pair {
        [before, word] => !before.starts_with('-') && *word == program,
        _ => false,
    });
    let place = place.filter(|_| is_snap && !stray.starts_with('-'))?;
    words.insert(place + 1, "--".to_owned());
    Some(format!("screentest {}", words.join(" ")))
}

/// Returns the command line with the missing `run` inserted before a tape.
fn suggest_run(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(stray)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let words = env::args_os().skip(1);
    let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    let tape = Path::new(stray)
        .extension()
        .is_some_and(|end| end == "tape");
    tape.then(|| format!("screentest run {}", words.join(" ")))
}

/// Quotes a word for a shell, if needed.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
