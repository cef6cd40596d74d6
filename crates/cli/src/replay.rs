//! `screentest replay`: what was recorded, once more.
//!
//! In a terminal a person can stop it, step and skip; a pipe gets one screen after the other. A recording without frames has nothing
//! to show but what was asked.
//!
//! Elsewhere: what can be played (`replay/playable.rs`): a cassette (`replay/cassette.rs`), of which an asciicast is made first, and a recording of the server (`replay/film.rs`);
//! where a person is in it (`replay/player.rs`), how fast (`replay/speed.rs`), the terminal (`replay/terminal.rs`) and its last row (`replay/bar.rs`).

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::asciicast::Cast;
use screentest::recording::cassette::ExistingCassette;
use screentest::{Cassette, Clock, Interrupt};
use screentest_server::recording::{Direction, Event, Reader};

use crate::cassette::{refused, unplayed};
use crate::failure::{self, Exit, Failure};
use crate::input;
use cassette::Frames;
use film::Film;
use playable::{Frame, Playable};
use speed::Speed;

mod bar;
mod cassette;
mod film;
mod label;
mod playable;
mod player;
mod speed;
mod terminal;

const AFTER_HELP: &str = "\
Keys, in a terminal:
  Space             pause, play
  Left, Right       one frame back, forward
  Up, Down          five frames back, forward
  PageUp, PageDown  ten seconds back, forward
  [ and ]           the mark before, the next mark
  Home, End         the first frame, the last
  + and -           twice as fast, half as fast
  r                 redraw
  q, Esc            quit

Without a terminal, the screens are written to stdout, one after the other,
each over the one before. A recording of the server that has no frames shows
its requests.

Examples:
  screentest replay demo.cassette
  screentest replay --speed 4x --show-input demo.cassette
  screentest replay demo.cast
  screentest replay --speed as-fast-as-possible demo.jsonl | tail -n 40";

/// Play what was recorded: a cassette, an asciicast, or a recording of the server.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Replay {
    /// The cassette, the asciicast, or the file that `recording.start` of the server wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How fast: `as-fast-as-possible`, `real-time`, or how many times as fast, such as 4x
    #[arg(long, value_name = "SPEED", default_value = "real-time")]
    speed: Speed,
    /// Show below each frame what was typed before it
    #[arg(long)]
    show_input: bool,
    /// Play a cassette whose frames were derived by an emulator that is not here
    #[arg(long)]
    any_emulator: bool,
}

/// Plays it.
pub(crate) fn run(replay: &Replay) -> Result<(), Failure> {
    if replay.file.is_dir() {
        let cassette = Cassette::open(&replay.file).map_err(refused)?;
        cassette.verify_frames_digest().map_err(refused)?;
        let frames = Frames::of(&cassette, replay.any_emulator);
        return play(&mut frames.map_err(unplayed)?, replay);
    }
    if replay.any_emulator {
        return Err(Failure::usage(anyhow!(
            "`--any-emulator` is for cassettes, and `{}` is not one",
            replay.file.display()
        )));
    }
    if let Some(cast) = input::cast(&replay.file)? {
        return play_cast(&cast, replay);
    }
    let events = read(&replay.file)?;
    let mut film = Film::of(&events);
    match film.shots.is_empty() {
        true => requests(&events),
        false => play(&mut film, replay),
    }
}

/// Plays an asciicast: as a cassette, which needs no more memory for an hour than for a second.
fn play_cast(cast: &Cast, replay: &Replay) -> Result<(), Failure> {
    let scratch = tempfile::Builder::new().prefix("screentest-").tempdir();
    let scratch = scratch
        .context("could not make a directory to play it from")
        .map_err(Failure::usage)?;
    let path = scratch.path().join("cast.cassette");
    Cassette::from_cast(cast, &path, ExistingCassette::Keep).map_err(Failure::usage)?;
    let cassette = Cassette::open(&path).map_err(refused)?;
    let mut frames = Frames::of(&cassette, false).map_err(unplayed)?;
    // What is played is open, and needs no name any more: so nothing is left, whatever ends us.
    drop(scratch);
    play(&mut frames, replay)
}

fn play(played: &mut dyn Playable, replay: &Replay) -> Result<(), Failure> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return terminal::run(played, replay.speed, replay.show_input)
            .map_err(|error| Failure::new(Exit::Internal, error));
    }
    match stream(played, replay.speed, replay.show_input) {
        Ok(frames) => {
            failure::note(&format!("replayed {}", counted(frames, "frame")));
            Ok(())
        }
        // Who closes a pipe has seen enough.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        Err(error) => Err(Failure::usage(error)),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn read(path: &Path) -> Result<Vec<Event>, Failure> {
    let could_not = || format!("could not read `{}`", path.display());
    let there = fs::metadata(path).with_context(could_not);
    // A pipe or a device may have no end.
    if !there.map_err(Failure::usage)?.is_file() {
        return Err(Failure::usage(anyhow!(
            "`{}` is neither a file nor a cassette",
            path.display()
        )));
    }
    let file = File::open(path).with_context(could_not);
    let events = Reader::new(BufReader::new(file.map_err(Failure::usage)?));
    let events: Result<Vec<Event>, _> = events.collect();
    events.with_context(could_not).map_err(|error| {
        Failure::usage(error)
            .hint("what the method `recording.start` of `screentest server` writes is played, and so are cassettes and asciicasts")
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
    let requests = counted(requests.len(), "request");
    failure::note(&match events.is_empty() {
        true => "the recording is empty".to_owned(),
        false => format!("no frames; {requests}"),
    });
    Ok(())
}

/// So many of them.
fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// Writes every screen over the one before; how many there were.
fn stream(played: &mut dyn Playable, speed: Speed, show_input: bool) -> anyhow::Result<usize> {
    let mut out = io::stdout().lock();
    let clock = Clock::system();
    let nobody = Interrupt::new();
    let mut frames = 0;
    loop {
        out.write_all(painted(&played.frame(), show_input).as_bytes())?;
        out.flush()?;
        frames += 1;
        let Some(next) = played.next_time()? else {
            return Ok(frames);
        };
        nobody.pause(speed.takes(next).saturating_sub(clock.now()));
        played.forward()?;
    }
}

/// The sequences that draw a frame from the corner on, whatever stood there.
fn painted(frame: &Frame, show_input: bool) -> String {
    let mut painted = String::from("\x1b[?25l\x1b[H");
    let lines: Vec<&str> = frame.lines.iter().map(|line| &**line).collect();
    // The rest of each line, and what is below the last, is of the frame before.
    painted.push_str(&lines.join("\x1b[K\r\n"));
    painted.push_str("\x1b[K\x1b[J");
    if show_input && let Some(label) = &frame.label {
        painted.push_str(&format!("\r\n\x1b[7m {label} \x1b[m"));
    }
    painted.push_str("\x1b[?25h");
    painted
}
