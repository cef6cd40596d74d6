//! `screentest cassette`: what is in a recording, whether it is true, and what is left of one that was cut off.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, Subcommand, ValueEnum};
use screentest::cassette::{RecoverError, recover};
use screentest::core::formats::cassette::manifest::Status;
use screentest::core::scrub::Secrets;
use screentest::core::{Backend, Diff};
use screentest::{Cassette, CassetteError, Moment, PlayError, Player, RecordError};

use crate::failure::{Exit, Failure};

const AFTER_HELP: &str = "\
Examples:
  screentest cassette inspect demo.cassette
      what was recorded, and its marks
  screentest cassette inspect demo.cassette --at 12.5
      the screen after twelve and a half seconds
  screentest cassette verify demo.cassette
      whether it is as it was recorded
  screentest cassette recover demo.cassette.part
      a cassette of what a recorder left that was killed
  screentest cassette compare-backends demo.cassette
      where another emulator shows something else";

/// Look at recordings, verify and recover them.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Cassettes {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Inspect(Inspect),
    Verify(Verify),
    Recover(Recover),
    CompareBackends(CompareBackends),
}

/// Say what was recorded, or show a moment of it
#[derive(Debug, Args)]
struct Inspect {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Show the screen so many seconds after the start
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "mark")]
    at: Option<Duration>,
    /// Show the screen at this mark
    #[arg(long, value_name = "NAME")]
    mark: Option<String>,
    /// Show frames that were derived by an emulator that is not here
    #[arg(long)]
    any_emulator: bool,
}

/// Check every byte, and derive every frame again
#[derive(Debug, Args)]
struct Verify {
    /// The cassettes
    #[arg(value_name = "X.cassette", required = true)]
    paths: Vec<PathBuf>,
}

/// Make a cassette of what a recorder left that was cut off
#[derive(Debug, Args)]
struct Recover {
    /// The unfinished recording
    #[arg(value_name = "X.cassette.part")]
    path: PathBuf,
    /// Refuse to publish a recording that holds the value of this variable
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
}

/// Show where two emulators disagree
#[derive(Debug, Args)]
struct CompareBackends {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// The one to compare with what was kept
    #[arg(long, value_enum, default_value = "avt")]
    with: Named,
    /// How many differences are shown at most
    #[arg(long, value_name = "N", default_value = "10")]
    most: usize,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Named {
    Alacritty,
    Avt,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().map(Duration::try_from_secs_f64);
    match seconds {
        Some(Ok(duration)) => Ok(duration),
        _ => Err("not a number of seconds from 0".to_owned()),
    }
}

/// Does what was asked of a recording.
pub(crate) fn run(cassettes: &Cassettes) -> Result<(), Failure> {
    match &cassettes.command {
        Command::Inspect(asked) => inspect(asked),
        Command::Verify(asked) => asked.paths.iter().try_for_each(verify),
        Command::Recover(asked) => recovered(asked),
        Command::CompareBackends(asked) => compare(asked),
    }
}

fn inspect(asked: &Inspect) -> Result<(), Failure> {
    let cassette = Cassette::open(&asked.path).map_err(refused)?;
    let moment = match (asked.at, &asked.mark) {
        (Some(time), _) => Some(Moment::Time(time)),
        (None, Some(name)) => Some(Moment::Mark(name.clone())),
        (None, None) => None,
    };
    if let Some(moment) = moment {
        let player = match asked.any_emulator {
            true => Player::of_any_emulator(&cassette),
            false => Player::new(&cassette),
        };
        let mut player = player.map_err(unplayed)?;
        let screen = player.seek(&moment).map_err(unplayed)?;
        return say(&screen.text());
    }
    let manifest = cassette.manifest();
    let terminal = &manifest.terminal;
    let words: Vec<&str> = std::iter::once(&manifest.command.program)
        .chain(&manifest.command.args)
        .map(String::as_str)
        .collect();
    let ending = cassette.ending();
    let ended = match (ending.exit_code, &ending.signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("killed by {signal}"),
        (None, None) => "not known".to_owned(),
    };
    let inputs = cassette.inputs().map_err(refused)?;
    let report = cassette.scrub_report().map_err(refused)?;
    let covered: u64 = report.rules.values().sum();
    let mut text = String::new();
    for (name, value) in [
        ("id", manifest.id.clone()),
        ("status", status(&manifest.status)),
        ("command", words.join(" ")),
        (
            "terminal",
            format!("{}x{}, {}", terminal.cols, terminal.rows, terminal.term),
        ),
        ("emulator", terminal.emulator.to_string()),
        ("recorder", manifest.provenance.recorder.clone()),
        (
            "duration",
            format!("{:.3} s", manifest.timing.duration_ms.time().as_secs_f64()),
        ),
        ("output", format!("{} bytes", cassette.output_len())),
        ("inputs", inputs.len().to_string()),
        (
            "secrets",
            format!(
                "{covered} covered, {} inputs withheld",
                report.withheld_inputs
            ),
        ),
        ("ended", ended),
    ] {
        text.push_str(&format!("{name:<10}{value}\n"));
    }
    let player = Player::of_any_emulator(&cassette).map_err(unplayed)?;
    for (name, time) in player.marks() {
        text.push_str(&format!(
            "{:<10}{:.3} s {name}\n",
            "mark",
            time.as_secs_f64()
        ));
    }
    say(&text)
}

fn verify(path: &PathBuf) -> Result<(), Failure> {
    let verified = Cassette::open(path).and_then(|cassette| cassette.verify());
    let verified = verified.map_err(|error| refused(error).within(path.display().to_string()))?;
    let ended = match verified.ended {
        true => "",
        false => ", without the program's end",
    };
    say(&format!(
        "{}: {}, {} bytes of output, {} frames, {} inputs, {} events{ended}\n",
        path.display(),
        status(&verified.status),
        verified.output,
        verified.frames,
        verified.inputs,
        verified.events,
    ))
}

fn recovered(asked: &Recover) -> Result<(), Failure> {
    let mut secrets = Secrets::shapes();
    for name in &asked.secret {
        let value = std::env::var_os(name);
        let value = value.ok_or_else(|| {
            let name = name.clone();
            Failure::usage(RecordError::NotSet { name })
        })?;
        let added = secrets.and_value(name, value.as_encoded_bytes());
        secrets = added.map_err(Failure::usage)?;
    }
    let recovered = recover(&asked.path, &secrets).map_err(|error| match error {
        RecoverError::Record(RecordError::SecretLeft { .. }) => Failure::new(Exit::Failed, error),
        error => Failure::usage(error),
    })?;
    say(&format!(
        "{}: {}\n",
        recovered.path.display(),
        status(&recovered.status)
    ))
}

fn compare(asked: &CompareBackends) -> Result<(), Failure> {
    let cassette = Cassette::open(&asked.path).map_err(refused)?;
    let backend = match asked.with {
        Named::Alacritty => Backend::Alacritty,
        Named::Avt => Backend::Avt,
    };
    let differences = cassette.compare(backend, asked.most).map_err(refused)?;
    let mut text = String::new();
    for difference in &differences {
        let diff = Diff::between(&difference.kept, &difference.derived).to_string();
        let diff = match diff.is_empty() {
            true => "what no cell shows, such as a mode\n".to_owned(),
            false => diff,
        };
        text.push_str(&format!("at {}:\n{diff}\n", difference.shown.time));
    }
    say(&text)?;
    match differences.len() {
        0 => Ok(()),
        count => Err(Failure::new(
            Exit::Failed,
            anyhow!(
                "{count} frames differ from what {} shows",
                match asked.with {
                    Named::Alacritty => "alacritty",
                    Named::Avt => "avt",
                }
            ),
        )),
    }
}

fn status(status: &Status) -> String {
    match status {
        Status::Complete => "complete".to_owned(),
        Status::Recovered {
            dropped_output,
            dropped_lines,
        } => {
            format!("recovered, {dropped_output} bytes of output and {dropped_lines} lines dropped")
        }
        Status::Cut { from } => format!("cut from {from}"),
        Status::Converted { from } => format!("converted from {from}"),
        other => format!("{other:?}"),
    }
}

fn say(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        // Who closed our output has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Internal, error))
        }
        _ => Ok(()),
    }
}

/// A cassette that cannot be used.
pub(crate) fn refused(error: CassetteError) -> Failure {
    let exit = match &error {
        CassetteError::Frame { .. } => Exit::Failed,
        _ => Exit::Usage,
    };
    Failure::new(exit, error)
}

/// A cassette that cannot be played.
pub(crate) fn unplayed(error: PlayError) -> Failure {
    match error {
        PlayError::Cassette(error) => {
            let emulator = matches!(error, CassetteError::Emulator(_));
            match emulator {
                true => refused(error).hint("`--any-emulator` shows what was kept"),
                false => refused(error),
            }
        }
        error => Failure::usage(error),
    }
}
