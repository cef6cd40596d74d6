//! `screentest replay`: plays a recording.
//!
//! On a terminal, keys pause, step and skip. Without one, the screens are written to stdout one
//! after the other. If a recording of the server has no frames, its requests are printed.
//!
//! See also: `replay/playable.rs` (the interface of recordings), `replay/cassette.rs` (cassettes;
//! an asciicast is converted to one first), `replay/server_recording.rs` (recordings of the
//! server), `replay/player.rs` (playback state), `replay/speed.rs`, `replay/terminal.rs` (the
//! terminal), `replay/status_bar.rs` (its last row).

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::clock::Clock;
use screentest::core::formats::asciicast::Cast;
use screentest::recording::cassette::ExistingCassette;
use screentest::recording::{Cassette, PlayError};
use screentest::session::Interrupt;
use screentest_server::recording::{Direction, Event, EventReader};

use crate::failure::{self, Exit, Failure};
use crate::input;
use crate::input::cassette_failure::{cassette_failure, play_failure};
use cassette::CassetteFrames;
use playable::{Playable, ShownFrame};
use server_recording::ServerRecording;
use speed::Speed;

mod cassette;
mod input_label;
mod playable;
mod player;
mod server_recording;
mod speed;
mod status_bar;
mod terminal;

const AFTER_HELP: &str = "\
Keys, on a terminal:
  Space             pause, resume
  Left, Right       one frame back, forward
  Up, Down          five frames back, forward
  PageUp, PageDown  ten seconds back, forward
  [ and ]           previous mark, next mark
  Home, End         first frame, last frame
  + and -           twice as fast, half as fast
  r                 redraw
  q, Esc            quit

Without a terminal, the screens are written to stdout, each over the previous one. If a
recording of the server has no frames, its requests are printed.

Examples:
  screentest replay demo.cassette
  screentest replay --speed 4x --show-input demo.cassette
  screentest replay demo.cast
  screentest replay --speed as-fast-as-possible demo.jsonl | tail -n 40";

/// Play a recording in the terminal.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Replay {
    /// A cassette, an asciicast, or a file written by the server's method `recording.start`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Speed: `as-fast-as-possible`, `real-time`, or a factor such as 4x
    #[arg(long, value_name = "SPEED", default_value = "real-time")]
    speed: Speed,
    /// Show the typed input below each frame
    #[arg(long)]
    show_input: bool,
    /// Play frames of a cassette even if another emulator derived them
    #[arg(long)]
    any_emulator: bool,
}

/// Plays the recording.
pub(crate) fn run(replay: &Replay) -> Result<(), Failure> {
    if replay.file.is_dir() {
        let cassette = Cassette::open(&replay.file).map_err(cassette_failure)?;
        cassette.verify_frames_digest().map_err(cassette_failure)?;
        let frames = CassetteFrames::new(&cassette, replay.any_emulator);
        return play(&mut frames.map_err(play_failure)?, replay);
    }
    if replay.any_emulator {
        return Err(Failure::usage(anyhow!(
            "`--any-emulator` applies to cassettes only, and `{}` is not one",
            replay.file.display()
        )));
    }
    if let Some(cast) = input::read_cast(&replay.file)? {
        return play_cast(&cast, replay);
    }
    let events = read(&replay.file)?;
    let mut recording = ServerRecording::new(&events);
    if recording.frames.is_empty() {
        print_requests(&events)
    } else {
        play(&mut recording, replay)
    }
}

/// Converts an asciicast to a temporary cassette and plays it. Its frames are read one by one.
fn play_cast(cast: &Cast, replay: &Replay) -> Result<(), Failure> {
    let directory = tempfile::Builder::new().prefix("screentest-").tempdir();
    let directory = directory
        .context("could not create a temporary directory")
        .map_err(Failure::usage)?;
    let path = directory.path().join("cast.cassette");
    Cassette::from_cast(cast, &path, ExistingCassette::Keep).map_err(Failure::usage)?;
    let cassette = Cassette::open(&path).map_err(cassette_failure)?;
    let mut frames = CassetteFrames::new(&cassette, false).map_err(play_failure)?;
    // The files are open and need no names, so nothing remains, however the process ends.
    drop(directory);
    play(&mut frames, replay)
}

fn play(played: &mut dyn Playable, replay: &Replay) -> Result<(), Failure> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return terminal::run(played, replay.speed, replay.show_input).map_err(|error| {
            // A frame that cannot be read is not the terminal's fault.
            let exit = if error.is::<PlayError>() {
                Exit::Usage
            } else {
                Exit::Internal
            };
            Failure::new(exit, error)
        });
    }
    match stream(played, replay.speed, replay.show_input) {
        Ok(frames) => {
            failure::note(&format!("replayed {}", counted(frames, "frame")));
            Ok(())
        }
        // A closed pipe is not an error: the reader has read enough.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        Err(error) => Err(Failure::usage(error)),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn read(path: &Path) -> Result<Vec<Event>, Failure> {
    let read_error = || format!("could not read `{}`", path.display());
    let metadata = fs::metadata(path).with_context(read_error);
    // A pipe or a device may be endless.
    if !metadata.map_err(Failure::usage)?.is_file() {
        return Err(Failure::usage(anyhow!(
            "`{}` is neither a file nor a cassette",
            path.display()
        )));
    }
    let file = File::open(path).with_context(read_error);
    let events = EventReader::new(BufReader::new(file.map_err(Failure::usage)?));
    let events: Result<Vec<Event>, _> = events.collect();
    events.with_context(read_error).map_err(|error| {
        Failure::usage(error)
            .hint("supported are cassettes, asciicasts, and files written by the method `recording.start` of `screentest server`")
    })
}

/// Prints the requests of a recording without frames.
fn print_requests(events: &[Event]) -> Result<(), Failure> {
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
    failure::note(&if events.is_empty() {
        "the recording is empty".to_owned()
    } else {
        format!("no frames; {requests}")
    });
    Ok(())
}

/// Formats a count: `1 frame`, `2 frames`.
fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// Writes every screen over the previous one. Returns the number of frames.
fn stream(played: &mut dyn Playable, speed: Speed, show_input: bool) -> anyhow::Result<usize> {
    let mut out = io::stdout().lock();
    let clock = Clock::system();
    let never = Interrupt::new();
    let mut frames = 0;
    loop {
        out.write_all(draw_sequence(&played.frame(), show_input).as_bytes())?;
        out.flush()?;
        frames += 1;
        let Some(next) = played.next_time()? else {
            return Ok(frames);
        };
        never.pause(speed.playing_time(next).saturating_sub(clock.now()));
        played.forward()?;
    }
}

/// Returns the sequences that draw a frame over the previous one.
fn draw_sequence(frame: &ShownFrame, show_input: bool) -> String {
    let mut painted = String::from("\x1b[?25l\x1b[H");
    let lines: Vec<&str> = frame.lines.iter().map(|line| &**line).collect();
    // Erase each line, and all lines below the last one: they may belong to the previous frame.
    // After a character in the last column, erasing would erase that character, as in xterm.
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            painted.push_str("\r\n");
        }
        let is_last = index + 1 == lines.len();
        painted.push_str(if is_last { "\x1b[J" } else { "\x1b[K" });
        painted.push_str(line);
    }
    if show_input && let Some(label) = &frame.label {
        painted.push_str(&format!("\r\n\x1b[7m {label} \x1b[m"));
    }
    painted.push_str("\x1b[?25h");
    painted
}
