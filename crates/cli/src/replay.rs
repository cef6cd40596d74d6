//! `screentest replay`: what a recording of the server shows, once more.
//!
//! In a terminal a person can stop it, step and skip; a pipe gets one screen after the other. A recording without frames has nothing
//! to show but what was asked.
//!
//! Elsewhere: the frames of a recording (`replay/film.rs`), where a person is in it (`replay/player.rs`), the terminal
//! (`replay/terminal.rs`).

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use screentest::{Clock, Interrupt};
use screentest_server::recording::{Direction, Event, Reader};

use crate::failure::{self, Exit, Failure};
use film::{Film, Shot};

mod film;
mod label;
mod player;
mod terminal;

const AFTER_HELP: &str = "\
Keys, in a terminal:
  Space        pause, play
  Left, Right  one frame back, forward
  Up, Down     five frames back, forward
  r            redraw
  q, Esc       quit

Without a terminal, the screens are written to stdout, one after the other,
each over the one before. A recording without frames shows its requests.

Examples:
  screentest replay demo.jsonl
  screentest replay --show-input demo.jsonl
  screentest replay --speed as-fast-as-possible demo.jsonl | tail -n 40";

/// Show what a recording of the server has, once more.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Replay {
    /// The recording, as `recording.start` wrote it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How fast
    #[arg(long, value_enum, value_name = "SPEED", default_value = "real-time")]
    speed: Speed,
    /// Show below each frame what was typed last
    #[arg(long)]
    show_input: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Speed {
    /// Without any pause
    AsFastAsPossible,
    /// With the pauses that there were
    RealTime,
}

/// Shows the recording.
pub(crate) fn run(replay: &Replay) -> Result<(), Failure> {
    let events = read(&replay.file)?;
    let film = Film::of(&events);
    if film.shots.is_empty() {
        return requests(&events);
    }
    let failed = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return terminal::run(&film, replay.speed, replay.show_input)
            .context("could not use the terminal")
            .map_err(failed);
    }
    let written = stream(&film, replay.speed, replay.show_input);
    match written {
        // Who closes a pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        written => written
            .context("could not write to stdout")
            .map_err(Failure::usage)?,
    }
    failure::note(&format!("replayed {} frames", film.shots.len()));
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Event>, Failure> {
    let could_not = || format!("could not read `{}`", path.display());
    let there = fs::metadata(path).with_context(could_not);
    // A pipe or a device may have no end.
    if !there.map_err(Failure::usage)?.is_file() {
        let failure = Failure::usage(anyhow!("`{}` is not a file", path.display()));
        return Err(match path.join("manifest.json").is_file() {
            true => failure.hint(format!(
                "it is a cassette: `screentest cassette inspect {} --at S` shows what was on the screen then",
                path.display()
            )),
            false => failure,
        });
    }
    let file = File::open(path).with_context(could_not);
    let events = Reader::new(BufReader::new(file.map_err(Failure::usage)?));
    let events: Result<Vec<Event>, _> = events.collect();
    events.with_context(could_not).map_err(|error| {
        Failure::usage(error)
            .hint("a recording is what the method `recording.start` of `screentest server` writes")
    })
}

/// Prints what was asked, where nothing was shown.
fn requests(events: &[Event]) -> Result<(), Failure> {
    let requests: Vec<&str> = events
        .iter()
        .filter(|event| event.direction == Direction::Request)
        .map(|event| event.line.as_str())
        .collect();
    let text: String = requests.iter().map(|line| format!("{line}\n")).collect();
    crate::output::print(text.as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)?;
    failure::note(&format!("no frames; {} requests", requests.len()));
    Ok(())
}

/// Writes every screen over the one before.
fn stream(film: &Film, speed: Speed, show_input: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let clock = Clock::system();
    let nobody = Interrupt::new();
    for shot in &film.shots {
        if speed == Speed::RealTime {
            nobody.pause(shot.time.saturating_sub(clock.now()));
        }
        out.write_all(painted(shot, show_input).as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// The sequences that draw a frame from the corner on, whatever stood there.
fn painted(shot: &Shot, show_input: bool) -> String {
    let mut painted = String::from("\x1b[?25l\x1b[H");
    let lines: Vec<&str> = shot.lines.iter().map(|line| &**line).collect();
    // The rest of each line, and what is below the last, is of the frame before.
    painted.push_str(&lines.join("\x1b[K\r\n"));
    painted.push_str("\x1b[K\x1b[J");
    if show_input && let Some(label) = &shot.label {
        painted.push_str(&format!("\r\n\x1b[7m {label} \x1b[m"));
    }
    painted.push_str("\x1b[?25h");
    painted
}

/// A time of a recording.
fn micros(time: u64) -> Duration {
    Duration::from_micros(time)
}
