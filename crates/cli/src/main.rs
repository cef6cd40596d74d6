//! The `screentest` command.
//!
//! stdout carries data, stderr carries messages. Commands print their data and notes, and return
//! success or a failure. `main` prints the failure and returns its exit code. Commands that end by
//! a signal, and `impersonate`, end the process themselves.
//!
//! See also: `commands.rs` (the commands, one file each), `run.rs`, `review.rs` and `shell.rs`
//! (larger commands), `args.rs` (options that several commands share), `input.rs` (files that
//! commands read), `output.rs` (formats and files that commands write), `config.rs`
//! (`screentest.toml`), `failure.rs` (exit codes and error messages), `signals.rs` (cleanup before
//! a signal ends the process, and the limit on file sizes).

use std::env;
use std::ffi::OsString;
use std::panic;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser};
use screentest::core::query::suggest;

use crate::commands::Command;
use crate::failure::Exit;
use crate::output::sanitize::replace_controls;

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
        Err(mut error) => {
            keep_nearest_command(&mut error);
            print_usage_error(&error);
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
    // The command also works without it, so an error is ignored.
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

/// Parses the command line.
fn parse() -> Result<Cli, clap::Error> {
    parse_words(env::args_os())
}

/// Parses a command line, with the commands in groups in the help.
fn parse_words(words: impl Iterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut matches = commands::grouped(Cli::command()).try_get_matches_from(words)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Cli::command()))
}

/// Keeps only the suggestion with the fewest typing mistakes for an unknown command: `snap` for
/// `snpa`. clap also suggests `signal`, and lists it first.
fn keep_nearest_command(error: &mut clap::Error) {
    let (Some(ContextValue::String(typed)), Some(ContextValue::Strings(suggested))) = (
        error.get(ContextKind::InvalidSubcommand),
        error.get(ContextKind::SuggestedSubcommand),
    ) else {
        return;
    };
    if let Some(meant) = suggest::nearest(typed, suggested.iter().map(String::as_str)) {
        let meant = ContextValue::Strings(vec![meant.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, meant);
    }
}

/// Prints an error of the command line, or requested help, which goes to stdout.
///
/// clap quotes arguments as they are. If one contains a control character, the command line is
/// parsed again with control characters replaced, and the error of that is printed.
fn print_usage_error(error: &clap::Error) {
    let is_clean = |word: OsString| {
        let word = word.to_string_lossy();
        replace_controls(&word) == word
    };
    // A closed pipe is not an error.
    if env::args_os().all(is_clean) {
        drop(error.print());
        return;
    }
    let words = env::args_os().map(|word| replace_controls(&word.to_string_lossy()).into());
    match parse_words(words) {
        Err(error) => drop(error.print()),
        // Only the control character was wrong.
        Ok(_) => failure::print_text(&error.to_string()),
    }
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
    let runs_program = words
        .first()
        .is_some_and(|word| word == "snap" || word == "open");
    let program = quoted(stray);
    // Most options of these commands have a value, so a word after an option is not taken for the
    // program.
    let place = words.windows(2).position(|pair| match pair {
        [before, word] => !before.starts_with('-') && *word == program,
        _ => false,
    });
    let place = place.filter(|_| runs_program && !stray.starts_with('-'))?;
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
        .is_some_and(|extension| extension == "tape");
    tape.then(|| format!("screentest run {}", words.join(" ")))
}

/// Quotes a path for a shell, if needed.
fn quoted_path(path: &Path) -> String {
    quoted(&path.display().to_string())
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
