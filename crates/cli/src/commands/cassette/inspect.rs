//! `screentest cassette inspect`: what was recorded, or a moment of it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use screentest::{Cassette, Moment, Player};

use super::{count, drawn, refused, say, status, unplayed};
use crate::failure::Failure;
use crate::plain::shown;
use crate::recording::moment_of;
use crate::seconds;

/// Say what was recorded, or show a moment of it
#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Show the screen so many seconds after the start
    #[arg(long, value_name = "S", value_parser = seconds::moment, conflicts_with = "mark", allow_negative_numbers = true)]
    at: Option<Duration>,
    /// Show the screen at this mark
    #[arg(long, value_name = "NAME")]
    mark: Option<String>,
    /// Show frames that were derived by an emulator that is not here
    #[arg(long)]
    any_emulator: bool,
}

pub(super) fn run(asked: &Inspect) -> Result<(), Failure> {
    let cassette = Cassette::open(&asked.path).map_err(refused)?;
    let moment = match (asked.at, &asked.mark) {
        (Some(time), _) => {
            let name = format!("`{}`", asked.path.display());
            let time = moment_of(time, cassette.manifest().timing.duration_ms.time(), &name)
                .map_err(|failure| {
                    failure.hint("`screentest render-text` shows the last screen")
                })?;
            Some(Moment::Time(time))
        }
        (None, Some(name)) => Some(Moment::Mark(name.clone())),
        (None, None) => None,
    };
    if let Some(moment) = moment {
        let player = match asked.any_emulator {
            true => Player::of_any_emulator(&cassette),
            false => Player::new(&cassette),
        };
        let mut player = player.map_err(unplayed)?;
        cassette.verify_frames_digest().map_err(refused)?;
        let screen = player.seek(&moment).map_err(unplayed)?;
        let rows: String = screen.text().lines().map(|row| shown(row) + "\n").collect();
        return say(&rows);
    }
    say(&facts(&cassette)?)
}

fn facts(cassette: &Cassette) -> Result<String, Failure> {
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
    let recovering = match report.of_recovery {
        true => " while recovering",
        false => "",
    };
    let drawn = drawn(manifest.provenance.portrait_bytes);
    let withheld = count(report.withheld_inputs, "input");
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
        (
            "output",
            format!("{}{drawn}", count(cassette.output_len(), "byte")),
        ),
        ("inputs", inputs.len().to_string()),
        (
            "secrets",
            format!("{covered} covered{recovering}, {withheld} withheld"),
        ),
        ("ended", ended),
    ] {
        text.push_str(&format!("{name:<10}{}\n", shown(&value)));
    }
    let player = Player::of_any_emulator(cassette).map_err(unplayed)?;
    for (name, time) in player.marks() {
        text.push_str(&format!(
            "{:<10}{:.3} s {}\n",
            "mark",
            time.as_secs_f64(),
            shown(name)
        ));
    }
    Ok(text)
}
