//! `screentest snap`: run a program once and write its screen.
//!
//! What is written is the screen on which the last step came true, not the one that happens to be there a moment later:
//! `--wait Loading` shows `Loading`, however briefly it was there.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::state_json;
use screentest::core::{Screen, Size, State, Theme};
use screentest::{App, Options, Session};

use crate::failure::{self, Exit, Failure};
use crate::input::Content;
use crate::input_args::InputArgs;
use crate::output::{Offer, Output};
use crate::picture::{Drawing, Motion};
use crate::seconds;
use crate::settle::Watch;
use crate::size;
use crate::step::{Step, Steps};
use crate::theme;

/// How long a screen must stand still to be taken for finished when nothing else was asked for: programs that draw in
/// several goes pause for less, and a person does not mind the wait.
const SETTLED: Duration = Duration::from_millis(500);

const AFTER_HELP: &str = "\
Steps happen in the order given. Without any, or when the last one is a key or a
text, the screen is taken when the program ends, or when it has shown something and
then nothing new for 500 ms. Then the program is ended.

The program reads from its terminal, not from the stdin of snap: --type and --key
give it input.

Keys: Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp,
PageDown, Insert, Delete, F1 to F35, KP0 to KP9, KPEnter, KPAdd, KPSubtract,
KPMultiply, KPDivide, KPDecimal, KPEqual, and any single character, after any of
Ctrl+, Alt+, Shift+ and Super+.

The program's environment is that of snap, with TERM=xterm-256color,
COLORTERM=truecolor, LANG=C.UTF-8 and PWD set, and without LC_ALL, LC_CTYPE, LINES,
COLUMNS, NO_COLOR, CLICOLOR*, FORCE_COLOR, TERM_PROGRAM*, TMUX, STY, KITTY_*,
WEZTERM_*, GHOSTTY_* and VTE_VERSION. What --env says comes last.

The program's own exit code does not change that of snap: 0 when the screen was
written, 1 when a step failed (the reason and the last screen go to stderr), 2 when
something about the command line is wrong, such as a program that does not exist.

Examples:
  screentest snap -- ls -la --color=always
      the screen that `ls` left, as text
  screentest snap --type 'echo $((6 * 7))' --key Enter --wait 42 -- sh
      type a line, wait for what comes of it; a text that is there is found at once
  screentest snap --stable 300 --key q -- top
      wait until top has drawn, leave it, print what it left
  screentest snap --cols 120 --rows 40 --stable 300 -o top.json -- top
      keep what top shows, with its colours, as State JSON
  screentest snap --stable 300 --theme nord --window-bar colorful -o top.png -- top
      a picture of it, as a window; `screentest help render` says more";

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
    #[command(flatten)]
    input: InputArgs,
    /// How many seconds each step may take, such as 2.5
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds::patience, allow_negative_numbers = true)]
    timeout: Duration,
    /// Start the program in this directory
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Set a variable of the program's environment (see below), or remove it (without `=`)
    #[arg(long, value_name = "K[=V]")]
    env: Vec<OsString>,
    /// How many rows are kept once they scroll out
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = scrollback, allow_negative_numbers = true)]
    scrollback: usize,
    #[command(flatten)]
    output: Output,
    /// The terminal's colours: what json and pictures give to plain text and to the 16 that a program
    /// names by number, and what a program that asks is told. A name of which `screentest
    /// themes` lists all, `auto` for dark or light as COLORFGBG says, a theme as JSON, or a file
    /// with one, such as ./mine.json
    #[arg(
        long,
        value_parser = theme::theme,
        value_name = "T",
        default_value = "dark",
        help_heading = "Output"
    )]
    theme: Theme,
    #[command(flatten)]
    drawing: Drawing,
    /// The program and its arguments
    #[arg(
        last = true,
        required = true,
        value_name = "CMD",
        help_heading = "Arguments"
    )]
    command: Vec<OsString>,
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
    check_patience(&steps, snap.timeout)?;
    let app = app(&snap.command, snap.cwd.as_deref(), &snap.env)?;
    let destination = snap
        .output
        .destination(Offer::All, &snap.drawing, &Motion::default())?;
    destination.check(size)?;

    let options = Options {
        size,
        scrollback: snap.scrollback,
        theme: snap.theme.clone(),
        input: snap.input.options()?,
        ..Options::default()
    };
    let clock = options.clock.clone();
    let session = Session::start(&app, options)?;
    let shown = follow(&Watch::new(&session, &clock, snap.timeout), &steps)?;
    let state = state(&session, shown, snap.scrollback);
    // Ended before it is written: who reads our output slowly should not keep the program.
    session
        .close()
        .context("could not end the program")
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    destination.write(&Content::Screen(state), &snap.theme)
}

/// Whether every step can come true in its time.
fn check_patience(steps: &[(Step, String)], timeout: Duration) -> Result<(), Failure> {
    let longer =
        |(step, _): &&(Step, String)| matches!(step, Step::Stable(still) if *still > timeout);
    match steps.iter().find(longer) {
        Some((_, words)) => Err(Failure::usage(anyhow!(
            "`{words}` is longer than the `{timeout:?}` that a step may take"
        ))
        .hint("`--stable` takes milliseconds and `--timeout` seconds")),
        None => Ok(()),
    }
}

/// The program that a command line names, with what it says of its directory and its environment.
pub(crate) fn app(
    command: &[OsString],
    cwd: Option<&Path>,
    env: &[OsString],
) -> Result<App, Failure> {
    let Some((program, args)) = command.split_first() else {
        return Err(Failure::usage(anyhow!("there is no program to run")));
    };
    if program.is_empty() {
        return Err(Failure::usage(anyhow!("the name of the program is empty"))
            .hint("a variable of a script may not be set"));
    }
    let mut app = App::new(program).args(args);
    if let Some(cwd) = cwd {
        app = app.cwd(cwd);
    }
    for variable in env {
        if split(variable).0.is_empty() {
            return Err(
                Failure::usage(anyhow!("`--env {variable:?}`: the variable has no name"))
                    .hint("`--env NAME=value` sets a variable, `--env NAME` removes it"),
            );
        }
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
fn follow(watch: &Watch<'_>, steps: &[(Step, String)]) -> Result<Screen, Failure> {
    let mut shown = None;
    for (index, (step, words)) in steps.iter().enumerate() {
        let place = format!("step {} (`{words}`)", index + 1);
        if let Some(lost) = step.lost(watch.session) {
            failure::note(&format!("{place}: {lost}"));
        }
        shown = step.run(watch).map_err(|failure| failure.within(place))?;
    }
    match shown {
        Some(screen) => Ok(screen),
        None => watch.settled(SETTLED).map_err(|failure| {
            failure.hint("`--wait TEXT` as the last step takes the screen that shows TEXT; `--timeout S` waits longer")
        }),
    }
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
