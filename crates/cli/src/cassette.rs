//! `screentest cassette`: what is in a recording, whether it is true and shows what it must, and parts of it.
//!
//! Elsewhere: one file for each command (`cassette/inspect.rs`, `cassette/verify.rs`, `cassette/check.rs`, `cassette/cut.rs`,
//! `cassette/scrub.rs`, `cassette/recover.rs`, `cassette/compare.rs`).

use std::io::{self, Write};

use anyhow::anyhow;
use clap::{Args, Subcommand};
use screentest::core::formats::cassette::manifest::Status;
use screentest::core::redact::scrub::Rules;
use screentest::{CassetteError, PlayError, RecordError};

use crate::failure::{Exit, Failure};

mod check;
mod compare;
mod cut;
mod inspect;
mod recover;
mod scrub;
mod verify;

const AFTER_HELP: &str = "\
Examples:
  screentest cassette inspect demo.cassette
      what was recorded, and its marks
  screentest cassette inspect demo.cassette --at 12.5
      the screen after twelve and a half seconds
  screentest cassette verify demo.cassette
      whether it is as it was recorded
  screentest cassette check demo.cassette --new
      a file of assertions to begin with, demo.assertions.toml
  screentest cassette check demo.cassette
      whether it shows what they say
  screentest cassette cut demo.cassette --from 2.5 --to saved -o part.cassette
      a part of it, up to the mark `saved`
  screentest cassette scrub demo.cassette --secret API_TOKEN -o clean.cassette
      the same, in which the value of API_TOKEN is covered
  screentest cassette recover demo.cassette.part
      a cassette of what a recorder left that was killed
  screentest cassette compare-backends demo.cassette
      where another emulator shows something else";

/// Look at recordings, verify, check, cut, scrub and recover them.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Cassettes {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Inspect(inspect::Inspect),
    Verify(verify::Verify),
    Check(check::Check),
    Cut(cut::Cut),
    Scrub(scrub::Scrub),
    Recover(recover::Recover),
    CompareBackends(compare::CompareBackends),
}

/// Does what was asked of a recording.
pub(crate) fn run(cassettes: &Cassettes) -> Result<(), Failure> {
    match &cassettes.command {
        Command::Inspect(asked) => inspect::run(asked),
        Command::Verify(asked) => verify::run(asked),
        Command::Check(asked) => check::run(asked),
        Command::Cut(asked) => cut::run(asked),
        Command::Scrub(asked) => scrub::run(asked),
        Command::Recover(asked) => recover::run(asked),
        Command::CompareBackends(asked) => compare::run(asked),
    }
}

/// The shapes of secrets, and the values that these variables have.
fn secrets(names: &[String]) -> Result<Rules, Failure> {
    let mut secrets = Rules::shapes();
    for name in names {
        let value = std::env::var_os(name);
        let value = value.ok_or_else(|| {
            let name = name.clone();
            Failure::usage(RecordError::NotSet { name })
        })?;
        let added = secrets.and_value(name, value.as_encoded_bytes());
        secrets = added.map_err(Failure::usage)?;
    }
    Ok(secrets)
}

fn status(status: &Status) -> String {
    match status {
        Status::Complete => "complete".to_owned(),
        Status::Recovered {
            dropped_output,
            dropped_lines,
        } => {
            let bytes = count(*dropped_output, "byte");
            let lines = count(*dropped_lines, "line");
            match (dropped_output, dropped_lines) {
                (0, 0) => "recovered, nothing dropped".to_owned(),
                _ => format!("recovered, {bytes} of output and {lines} dropped"),
            }
        }
        Status::Cut { from } => format!("cut from {from}"),
        Status::Converted { from } => format!("converted from {from}"),
        other => format!("{other:?}"),
    }
}

/// `1 input`, `2 inputs`.
fn count(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// Which of the output is not the program's, where a recording began in the middle.
fn drawn(portrait: Option<u64>) -> String {
    portrait.map_or_else(String::new, |bytes| {
        format!(" (began in the middle: the first {bytes} draw what was shown)")
    })
}

fn say(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        // Who closed our output has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::usage(
            anyhow!(error).context("could not write to stdout"),
        )),
        _ => Ok(()),
    }
}

/// A cassette that cannot be used.
pub(crate) fn refused(error: CassetteError) -> Failure {
    match &error {
        CassetteError::Frame { .. } | CassetteError::LastScreen { .. } => {
            Failure::new(Exit::Failed, error)
        }
        CassetteError::NotADirectory { .. } => {
            Failure::usage(error).hint("`screentest convert` makes a cassette of an asciicast")
        }
        _ => Failure::usage(error),
    }
}

/// What shows the frames of an emulator that is not here.
pub(crate) const KEPT: &str = "`--any-emulator` shows what was kept";

/// The same, with what shows the frames all the same.
pub(crate) fn refused_unless(error: CassetteError, hint: &str) -> Failure {
    match error {
        error @ CassetteError::Emulator(_) => refused(error).hint(hint),
        error => refused(error),
    }
}

/// A cassette that cannot be played.
pub(crate) fn unplayed(error: PlayError) -> Failure {
    match error {
        PlayError::Cassette(error) => refused_unless(error, KEPT),
        error => Failure::usage(error),
    }
}
