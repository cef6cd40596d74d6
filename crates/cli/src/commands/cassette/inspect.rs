//! `screentest cassette inspect`: prints the metadata of a recording, or a screen.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use screentest::recording::{Cassette, Moment, Player};

use super::{count, dump_note, print_text, status_text};
use crate::args::duration_arg;
use crate::failure::Failure;
use crate::input::cassette_failure::{cassette_failure, play_failure};
use crate::input::recording::moment_within;
use crate::output::sanitize::replace_controls;

/// Print the metadata of a recording, or the screen at a moment
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  screentest cassette inspect demo.cassette
  screentest cassette inspect demo.cassette --at 12.5
  screentest cassette inspect demo.cassette --mark saved")]
pub(super) struct Inspect {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Print the screen at second S
    #[arg(long, value_name = "S", value_parser = duration_arg::seconds, conflicts_with = "mark", allow_negative_numbers = true)]
    at: Option<Duration>,
    /// Print the screen at this mark
    #[arg(long, value_name = "NAME")]
    mark: Option<String>,
    /// Show frames even if another emulator derived them
    #[arg(long)]
    any_emulator: bool,
}

pub(super) fn run(args: &Inspect) -> Result<(), Failure> {
    let cassette = Cassette::open(&args.path).map_err(cassette_failure)?;
    let moment = match (args.at, &args.mark) {
        (Some(time), _) => {
            let name = format!("`{}`", args.path.display());
            let time = moment_within(time, cassette.manifest().timing.duration_ms.time(), &name)
                .map_err(|failure| {
                    failure.hint("`screentest render-text` shows the last screen")
                })?;
            Some(Moment::Time(time))
        }
        (None, Some(name)) => Some(Moment::Mark(name.clone())),
        (None, None) => None,
    };
    if let Some(moment) = moment {
        let player = if args.any_emulator {
            Player::of_any_emulator(&cassette)
        } else {
            Player::new(&cassette)
        };
        let mut player = player.map_err(play_failure)?;
        cassette.verify_frames_digest().map_err(cassette_failure)?;
        let screen = player.seek(&moment).map_err(play_failure)?;
        return print_text(&screen.text());
    }
    print_text(&describe(&cassette)?)
}

fn describe(cassette: &Cassette) -> Result<String, Failure> {
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
        (None, None) => "unknown".to_owned(),
    };
    let inputs = cassette.inputs().map_err(cassette_failure)?;
    let report = cassette.scrub_report().map_err(cassette_failure)?;
    let redacted: u64 = report.rules.values().sum();
    let recovering = if report.of_recovery {
        " while recovering"
    } else {
        ""
    };
    let dump_note = dump_note(manifest.provenance.portrait_bytes);
    let withheld = count(report.withheld_inputs, "input");
    let mut text = String::new();
    for (name, value) in [
        ("id", manifest.id.clone()),
        ("status", status_text(&manifest.status)),
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
            format!("{}{dump_note}", count(cassette.output_len(), "byte")),
        ),
        ("inputs", inputs.len().to_string()),
        (
            "secrets",
            format!("{redacted} redacted{recovering}, {withheld} withheld"),
        ),
        ("ended", ended),
    ] {
        text.push_str(&format!("{name:<10}{}\n", replace_controls(&value)));
    }
    let player = Player::of_any_emulator(cassette).map_err(play_failure)?;
    for (name, time) in player.marks() {
        text.push_str(&format!(
            "{:<10}{:.3} s {}\n",
            "mark",
            time.as_secs_f64(),
            replace_controls(name)
        ));
    }
    Ok(text)
}
