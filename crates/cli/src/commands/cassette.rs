//! `screentest cassette`: inspects, verifies, checks and edits recordings.
//!
//! Each subcommand has its own file in `cassette/`.

use anyhow::Context;
use clap::{Args, Subcommand};
use screentest::core::formats::cassette::manifest::RecordingStatus;
use screentest::core::redact::scrub::Rules;
use screentest::recording::RecordError;

use crate::failure::Failure;
use crate::output;

mod check;
mod compare_backends;
mod cut;
mod inspect;
mod recover;
mod scrub;
mod verify;

const AFTER_HELP: &str = "\
Examples:
  screentest cassette inspect demo.cassette
      print its metadata and its marks
  screentest cassette inspect demo.cassette --at 12.5
      print the screen after 12.5 seconds
  screentest cassette verify demo.cassette
      check that the recording is unchanged
  screentest cassette check demo.cassette --new
      write a file of assertions, demo.assertions.toml
  screentest cassette check demo.cassette
      check the assertions
  screentest cassette cut demo.cassette --from 2.5 --to saved -o part.cassette
      copy a part, up to the mark `saved`
  screentest cassette scrub demo.cassette --secret API_TOKEN -o clean.cassette
      redact the value of API_TOKEN in a copy
  screentest cassette recover demo.cassette.part
      complete a recording whose recorder was killed
  screentest cassette compare-backends demo.cassette
      show where another terminal emulator differs";

/// Inspect, verify, check, cut, redact and recover recordings.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CassetteCommand {
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
    CompareBackends(compare_backends::CompareBackends),
}

/// Runs the subcommand.
pub(crate) fn run(command: &CassetteCommand) -> Result<(), Failure> {
    match &command.command {
        Command::Inspect(args) => inspect::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Check(args) => check::run(args),
        Command::Cut(args) => cut::run(args),
        Command::Scrub(args) => scrub::run(args),
        Command::Recover(args) => recover::run(args),
        Command::CompareBackends(args) => compare_backends::run(args),
    }
}

/// Returns rules for common tokens and for the values of these environment variables.
fn scrub_rules(names: &[String]) -> Result<Rules, Failure> {
    let mut secrets = Rules::known_tokens();
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

fn status_text(status: &RecordingStatus) -> String {
    match status {
        RecordingStatus::Complete => "complete".to_owned(),
        RecordingStatus::Recovered {
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
        RecordingStatus::Cut { from } => format!("cut from {from}"),
        RecordingStatus::Converted { from } => format!("converted from {from}"),
        other => format!("{other:?}"),
    }
}

/// Formats a count: `1 input`, `2 inputs`.
fn count(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// Explains the first part of the output, if the recording began during a session.
fn dump_note(dump_bytes: Option<u64>) -> String {
    dump_bytes.map_or_else(String::new, |bytes| {
        format!(" (began during a session: the first {bytes} restore the screen)")
    })
}

fn print_text(text: &str) -> Result<(), Failure> {
    output::print(text.as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)
}
