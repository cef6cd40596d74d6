//! `screentest snap`: run a program once and write its screen.
//!
//! What is written is the screen on which the last step came true, not the one that happens to be there a moment later:
//! `--wait Loading` shows `Loading`, however briefly it was there.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::state_json;
use screentest::core::{Condition, Screen, Size, State};
use screentest::{App, Clock, Options, Session, WaitError};

use crate::failure::{Exit, Failure};
use crate::output::{Output, ThemeName};
use crate::size;
use crate::step::{Step, Steps};

/// How long a screen must stand still to be taken for finished when nothing else was asked for: programs that draw in
/// several goes pause for less, and a person does not mind the wait.
const SETTLED: Duration = Duration::from_millis(500);

const AFTER_HELP: &str = "\
Steps happen in the order given. Without any, or when the last one is a key or a
text, the screen is taken when the program ends or has shown nothing new for 500 ms
(without any step, after its first output). Then the program is ended.

The program's own exit code does not change that of snap: 0 when the screen was
written, 1 when a step failed (the reason and the last screen go to stderr), 2 when
something about the command line is wrong, such as a program that does not exist.

Examples:
  screentest snap -- ls -la --color=always
      the screen that `ls` left, as text
  screentest snap --wait 'fn main' --key Shift+G --stable 200 -- vim src/main.rs
      open a file, go to its end, print what vim shows then
  screentest snap --cols 120 --rows 40 -o top.json -- top
      keep what top shows, with its colours, as State JSON
  screentest snap --wait '$' --type 'git status' --key Enter --wait branch -- bash
      type a command; a text that was already there would be found at once";

/// Run a program once and write its screen.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Snap {
    /// How many columns the terminal has, from 2 to 2000
    #[arg(long, value_name = "N", default_value = "80", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// How many rows the terminal has, from 1 to 2000
    #[arg(long, value_name = "N", default_value = "24", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    #[command(flatten)]
    steps: Steps,
    /// How many seconds each step may take, such as 2.5
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// Start the program in this directory
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Set a variable of the program's environment, or remove it (without `=`)
    #[arg(long, value_name = "K[=V]")]
    env: Vec<OsString>,
    /// How many rows are kept once they scroll out
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = scrollback, allow_negative_numbers = true)]
    scrollback: usize,
    #[command(flatten)]
    output: Output,
    /// The terminal's colours: what json gives to plain text and to the 16 that a program
    /// names by number, and what a program that asks is told
    #[arg(
        long,
        value_enum,
        value_name = "T",
        default_value = "dark",
        help_heading = "Output"
    )]
    theme: ThemeName,
    /// The program and its arguments
    #[arg(
        last = true,
        required = true,
        value_name = "CMD",
        help_heading = "Arguments"
    )]
    command: Vec<OsString>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().map(Duration::try_from_secs_f64);
    match seconds {
        Some(Ok(duration)) => Ok(duration),
        _ => Err("not a number of seconds from 0 up".to_owned()),
    }
}

fn scrollback(text: &str) -> Result<usize, String> {
    let max = state_json::MAX_SCROLLBACK;
    match text.parse() {
        Ok(rows) if rows <= max => Ok(rows),
        _ => Err(format!("not a number of rows from 0 to {max}")),
    }
}

/// Runs a program once and writes its screen.
pub(crate) fn run(snap: &Snap) -> Result<(), Failure> {
    // Everything that can be known to be wrong is said before a program runs for nothing.
    let size = Size {
        cols: snap.cols,
        rows: snap.rows,
    };
    let steps = snap.steps.read()?;
    let destination = snap.output.destination()?;

    let options = Options {
        size,
        scrollback: snap.scrollback,
        theme: snap.theme.theme(),
        ..Options::default()
    };
    let clock = options.clock.clone();
    let session = Session::start(&app(snap)?, options)?;
    let shown = follow(&session, &clock, &steps, snap.timeout)?;
    let state = state(&session, shown, snap.scrollback);
    // Ended before it is written: who reads our output slowly should not keep the program.
    session
        .close()
        .context("could not end the program")
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    destination.write(&state, &snap.theme.theme())
}

fn app(snap: &Snap) -> Result<App, Failure> {
    let Some((program, args)) = snap.command.split_first() else {
        return Err(Failure::usage(anyhow!("there is no program to run")));
    };
    let mut app = App::new(program).args(args);
    if let Some(cwd) = &snap.cwd {
        app = app.cwd(cwd);
    }
    for variable in &snap.env {
        app = match split(variable) {
            (name, Some(value)) => app.env(name, value),
            (name, None) => app.unset_env(name),
        };
    }
    Ok(app)
}

/// `NAME=value` in its parts.
fn split(variable: &OsStr) -> (&OsStr, Option<&OsStr>) {
    use std::os::unix::ffi::OsStrExt;
    let bytes = variable.as_bytes();
    match bytes.iter().position(|byte| *byte == b'=') {
        Some(at) => (
            OsStr::from_bytes(&bytes[..at]),
            Some(OsStr::from_bytes(&bytes[at + 1..])),
        ),
        None => (variable, None),
    }
}

/// Does the steps and returns the screen to keep.
fn follow(
    session: &Session,
    clock: &Clock,
    steps: &[(Step, String)],
    timeout: Duration,
) -> Result<Screen, Failure> {
    let mut shown = None;
    for (index, (step, words)) in steps.iter().enumerate() {
        shown = step
            .run(session, timeout)
            .map_err(|failure| failure.within(format!("step {} (`{words}`)", index + 1)))?;
    }
    let settled = match shown {
        Some(screen) => return Ok(screen),
        None if steps.is_empty() => first_and_settled(session, clock, timeout),
        None => session.wait_stable(SETTLED, timeout),
    };
    settled.map_err(|error| {
        Failure::from(error).hint("`--wait TEXT` as the last step takes the screen that shows TEXT; `--timeout S` waits longer")
    })
}

/// Waits for the first output, then for the end or a screen that stands still.
fn first_and_settled(
    session: &Session,
    clock: &Clock,
    timeout: Duration,
) -> Result<Screen, WaitError> {
    let deadline = clock.now().saturating_add(timeout);
    let blank = Screen::blank(session.screen().size);
    let output = Condition::new("any output", move |screen| *screen != blank);
    match session.wait_for(output, timeout) {
        Ok(_) => {}
        // A program may have nothing to show.
        Err(WaitError::Ended { .. }) => return Ok(session.screen()),
        Err(error) => return Err(error),
    }
    // In whole milliseconds, as it may stand in an error.
    let left = deadline.saturating_sub(clock.now()).as_millis();
    let left = u64::try_from(left).map_or(timeout, Duration::from_millis);
    session.wait_stable(SETTLED, left)
}

/// A screen with what had scrolled out above it when it was shown.
fn state(session: &Session, shown: Screen, most: usize) -> State {
    let now = session.state(most);
    if now.screen == shown {
        return now;
    }
    // What has scrolled out since came below. Once the oldest rows are dropped or erased, nothing tells which of the rest
    // were there; a wrong history is worse than none.
    let above = shown.scrollback_rows;
    let known = now.screen.scrollback_rows < most && above <= now.scrollback.len();
    let mut scrollback = now.scrollback;
    scrollback.truncate(if known { above } else { 0 });
    State {
        screen: shown,
        scrollback,
    }
}
